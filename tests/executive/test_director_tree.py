"""Growing and cutting the tree: packs, order of runs, start and stop, done, continue, wait (T01 to T16).

Rules D1 to D25 and D39 to D44 of docs/executive.md.
"""

from __future__ import annotations

from director_stage import Run, RunReason, Stage, disable, emits, enable, off, pause, root, script, send

from sayso.executive.director.terms import Progress


def test_t01_simple_task() -> None:
    s = Stage()
    s.say("S", "task executed")
    assert s.play(("emitting task", root("S"))) == script("emitting task › task executed")


def test_t02_simple_task_tree() -> None:
    """Breadth first: runs are called in the order in which they were scheduled (D11, D54)."""
    s = Stage()
    s.does("S", "simple task executed", emits("1,0", "2,0", "3,0"))
    for i in (1, 2, 3):
        s.does(f"{i},0", f"subtask {i},0 executed", emits(f"{i},1", f"{i},2"))
        for j in (1, 2):
            s.say(f"{i},{j}", f"subtask {i},{j} executed")
    assert s.play(("emitting task", root("S"))) == script(
        """emitting task › simple task executed › subtask 1,0 executed › subtask 2,0 executed › subtask 3,0 executed ›
        subtask 1,1 executed › subtask 1,2 executed › subtask 2,1 executed › subtask 2,2 executed ›
        subtask 3,1 executed › subtask 3,2 executed"""
    )


def with_start_stop(s: Stage) -> None:
    s.on_start("S", "start")
    s.say("S", "provide")
    s.on_stop("S", "stop")


def test_t03_start_stop() -> None:
    """A child that the parent's next run leaves out is stopped (D21, D25, D39, D44)."""
    s = Stage()
    with_start_stop(s)
    s.does("R", lambda r: "running task" if r.data else "removing task", lambda r: r.emit("S") if r.data else None)
    assert s.play(("initiating", root("R", True)), ("finishing", root("R", False))) == script(
        "initiating › running task › start › provide › finishing › removing task › stop"
    )


def test_t04_start_stop_root() -> None:
    """A root task is taken back by null data (D7, D43)."""
    s = Stage()
    with_start_stop(s)
    assert s.play(("initiating", root("S")), ("finishing", off("S"))) == script(
        "initiating › start › provide › finishing › stop"
    )


def test_t05_change_subtask() -> None:
    """A parent takes over the type that its dying child was using (D24, D27e)."""
    s = Stage()
    s.does("P", lambda r: f"parent task with subtask {r.data}", lambda r: r.emit(f"sub{r.data}", "from parent task"))
    s.does("sub1", lambda r: f"subtask 1 {r.data}", emits(("sub2", "from subtask 1")))
    s.say("sub2", lambda r: f"subtask 2 {r.data}")
    assert s.play(
        ("emitting parent task with subtask 1", root("P", 1)),
        ("emitting parent task with subtask 2", root("P", 2)),
    ) == script(
        """emitting parent task with subtask 1 › parent task with subtask 1 › subtask 1 from parent task ›
        subtask 2 from subtask 1 › emitting parent task with subtask 2 › parent task with subtask 2 ›
        subtask 2 from parent task"""
    )


def test_t06_disabled_provider() -> None:
    """Declaration order wins; en- and disabling alone re-runs nothing (D30, D48)."""
    s = Stage()
    a = s.say("S", "version a")
    s.say("S", "version b")
    assert s.play(
        ("emitting task 1", root("S")),
        ("disabling a", disable(a)),
        ("emitting task 2", root("S")),
        ("enabling a", enable(a)),
        ("emitting task 3", root("S")),
    ) == script(
        """emitting task 1 › version a › disabling a › emitting task 2 › version b › enabling a › emitting task 3 ›
        version a"""
    )


def test_t07_missing_provider() -> None:
    s = Stage()
    s.say("S2", "simple task 2")
    assert s.play(
        ("emitting simple task 1", root("S1")),
        ("emitting simple task 2", root("S2")),
        ("emitting simple task 3", root("S3")),
    ) == script("emitting simple task 1 › emitting simple task 2 › simple task 2 › emitting simple task 3")


def test_t08_triggered_provider() -> None:
    """Extra triggers only call active providers (D13)."""
    s = Stage()

    def choose(run: Run) -> None:
        number = run.message("O")
        which = 1 if number % 2 == 0 else 2
        s.log.append(f"emitting dependent task {which}")
        run.emit(f"D{which}", number)

    s.does("S", lambda r: f"task {r.message('O')}", choose, triggers=("O",))
    s.say("D1", lambda r: f"A: {r.data}", triggers=("T",))
    s.say("D2", lambda r: f"B: {r.data}", triggers=("T",))
    assert s.play(
        ("emitting data 0", send("O", 0), "emitting Trigger Test", send("T"), "emitting simple task", root("S")),
        ("emitting Trigger Test", send("T")),
        ("emitting data 1", send("O", 1)),
        ("emitting Trigger Test", send("T")),
    ) == script(
        """emitting data 0 › emitting Trigger Test › emitting simple task › task 0 › emitting dependent task 1 ›
        A: 0 › emitting Trigger Test › A: 0 › emitting data 1 › task 1 › emitting dependent task 2 › B: 1 ›
        emitting Trigger Test › B: 1"""
    )


def test_t09_done_task() -> None:
    """Done calls the parent again (D15)."""
    s = Stage()
    s.does("Sub", "subtask executed", Run.done)
    s.does(
        "S",
        lambda r: "task executed" if r.reason is RunReason.NEW_TASK else "task reexecuted",
        lambda r: r.emit("Sub") if r.reason is RunReason.NEW_TASK else None,
    )
    assert s.play(("emitting task", root("S"))) == script(
        "emitting task › task executed › subtask executed › task reexecuted"
    )


def test_t10_done_ladder() -> None:
    """What a run sees of the types that it uses was bound when it was scheduled (D12)."""
    s = Stage()

    def inner(name: str, a: str, b: str, needs: bool) -> None:
        def body(run: Run) -> None:
            if run.reason is not RunReason.SUBTASK_DONE:
                level, first, last = a[6], a[8], b[8]
                s.log.append(f"emitting Level<{level},{{{first},{last}}}> tasks")
                run.emit(a)
                run.emit(b)
                return
            dones = run.uses(a).done, run.uses(b).done
            s.log.append(f"testing {name} children: a:{dones[0]:d}, b:{dones[1]:d}")
            if not all(dones):
                run.keep()
                return
            s.log.append(f"{name} done")
            run.done()

        s.add(name, body, **{"needs" if needs else "uses": (a, b)})

    inner("Level<1,1>", "Level<2,1>", "Level<2,2>", needs=False)
    inner("Level<2,1>", "Level<3,1>", "Level<3,2>", needs=True)
    inner("Level<2,2>", "Level<3,3>", "Level<3,4>", needs=True)
    for i in (1, 2, 3, 4):
        s.does(f"Level<3,{i}>", f"Level<3,{i}> done", Run.done)
    assert s.play(("emitting initial task", root("Level<1,1>"))) == script(
        """emitting initial task › emitting Level<2,{1,2}> tasks › emitting Level<3,{1,2}> tasks ›
        emitting Level<3,{3,4}> tasks › Level<3,1> done › Level<3,2> done › Level<3,3> done › Level<3,4> done ›
        testing Level<2,1> children: a:1, b:0 › testing Level<2,1> children: a:1, b:1 › Level<2,1> done ›
        testing Level<2,2> children: a:1, b:0 › testing Level<2,2> children: a:1, b:1 › Level<2,2> done ›
        testing Level<1,1> children: a:1, b:0 › testing Level<1,1> children: a:1, b:1 › Level<1,1> done"""
    )


def test_t11_done_reset() -> None:
    """A child's done flag is cleared only when the child runs again and returns an ordinary pack (D16, D51)."""
    s = Stage()

    def parent(run: Run) -> None:
        a, b = run.uses("A").done, run.uses("B").done
        s.log.append(f"SimpleTask {run.reason.name} a.done: {a:d} b.done: {b:d}")
        if run.reason is not RunReason.NEW_TASK:
            run.keep()
            return
        s.log.append("emitting SubtaskA and SubtaskB")
        run.emit("A")
        run.emit("B")

    def child(run: Run) -> None:
        if run.reason is RunReason.OTHER_TRIGGER:
            s.log.append(f"Subtask{run.type} done")
            run.done()
        else:
            s.log.append(f"ran Subtask{run.type}")

    s.add("S", parent, uses=("A", "B"))
    s.add("A", child, triggers=("PokeA",))
    s.add("B", child, triggers=("PokeB",))
    go, poke_a, poke_b = (
        ("emitting simple task", root("S")),
        ("emitting PokeA", send("PokeA")),
        ("emitting PokeB", send("PokeB")),
    )
    once = (go, poke_a, go, go, poke_b, poke_a, ("removing simple task", off("S")))
    expected = """emitting simple task › SimpleTask NEW_TASK a.done: 0 b.done: 0 › emitting SubtaskA and SubtaskB ›
        ran SubtaskA › ran SubtaskB › emitting PokeA › SubtaskA done › SimpleTask SUBTASK_DONE a.done: 1 b.done: 0 ›
        emitting simple task › SimpleTask NEW_TASK a.done: 1 b.done: 0 › emitting SubtaskA and SubtaskB ›
        ran SubtaskA › ran SubtaskB › emitting simple task › SimpleTask NEW_TASK a.done: 0 b.done: 0 ›
        emitting SubtaskA and SubtaskB › ran SubtaskA › ran SubtaskB › emitting PokeB › SubtaskB done ›
        SimpleTask SUBTASK_DONE a.done: 0 b.done: 1 › emitting PokeA › SubtaskA done ›
        SimpleTask SUBTASK_DONE a.done: 1 b.done: 1 › removing simple task"""
    assert s.play((send("PokeA"), send("PokeB")), *once, *once) == script(f"{expected} › {expected}")


def test_t12_root_done() -> None:
    """Done takes a root task out, and the queued rival claims the type (D15, D43)."""
    s = Stage()

    def sub(run: Run) -> None:
        if run.message("Fin"):
            s.log.append(f"finished with {run.data}")
            run.done()

    s.does("Sub", lambda r: f"subtask executed by {r.data}", sub, triggers=("Fin",))

    def simple(run: Run) -> None:
        if run.reason is RunReason.NEW_TASK:
            run.emit("Sub", "simple task")
        else:
            run.done()

    s.does(
        "S",
        lambda r: "simple task executed" if r.reason is RunReason.NEW_TASK else "simple task reexecuted",
        simple,
    )
    assert s.play(
        ("emitting finished with false", send("Fin", False)),
        ("emitting root subtask", root("Sub", "root", p=20)),
        ("emitting simple task", root("S", p=10)),
        ("emitting finished with true", send("Fin", True)),
    ) == script(
        """emitting finished with false › emitting root subtask › subtask executed by root › emitting simple task ›
        simple task executed › emitting finished with true › subtask executed by root › finished with root ›
        subtask executed by simple task › finished with simple task › simple task reexecuted"""
    )


def test_t13_idle_continue() -> None:
    """Continue keeps the children; an empty pack drops them (D8, D10)."""
    s = Stage()

    def body(run: Run) -> None:
        match run.data:
            case 1:
                s.log.append("emitting initial dependent task")
                run.emit("D", 1)
            case 2:
                s.log.append("emitting idle")
                run.keep()
            case 3:
                s.log.append("emitting no tasks")
            case 4:
                s.log.append("emitting final dependent task")
                run.emit("D", 4)

    s.does("S", lambda r: f"task {r.data}", body)
    s.say("D", lambda r: f"dependent run with {r.data}", triggers=("T",))
    assert s.play(
        ("emitting trigger 0", send("T"), "emitting task 1", root("S", 1)),
        ("emitting trigger 1", send("T")),
        ("emitting task 2", root("S", 2)),
        ("emitting trigger 2", send("T")),
        ("emitting task 3", root("S", 3)),
        ("emitting trigger 3", send("T")),
        ("emitting task 4", root("S", 4)),
        ("emitting trigger 4", send("T")),
    ) == script(
        """emitting trigger 0 › emitting task 1 › task 1 › emitting initial dependent task › dependent run with 1 ›
        emitting trigger 1 › dependent run with 1 › emitting task 2 › task 2 › emitting idle › emitting trigger 2 ›
        dependent run with 1 › emitting task 3 › task 3 › emitting no tasks › emitting trigger 3 ›
        emitting task 4 › task 4 › emitting final dependent task › dependent run with 4 › emitting trigger 4 ›
        dependent run with 4"""
    )


def test_t14_wait_task() -> None:
    """A Wait calls its provider again when it is over (D17)."""
    s = Stage()
    s.does(
        "S",
        lambda r: "task executed, " + ("done waiting" if r.reason is RunReason.SUBTASK_DONE else "waiting"),
        lambda r: r.wait(0.1) if r.reason is not RunReason.SUBTASK_DONE else None,
    )
    assert s.play(("emitting task", root("S")), (pause(0.2),)) == script(
        "emitting task › task executed, waiting › task executed, done waiting"
    )


def test_t15_wait_task_cancel() -> None:
    """A run that does not wait again cancels the Wait (D17)."""
    s = Stage()

    def body(run: Run) -> None:
        if run.reason is RunReason.SUBTASK_DONE:
            s.log.append("task executed, done waiting")
        elif run.data:
            s.log.append("task executed, waiting")
            run.wait(0.1)
        else:
            s.log.append("task executed, no wait")

    s.add("S", body)
    assert s.play(
        ("emitting simple task with wait", root("S", True)),
        ("emitting simple task without wait", root("S", False)),
        (pause(0.1),),
        ("emitting simple task with wait again", root("S", True)),
        (pause(0.1),),
    ) == script(
        """emitting simple task with wait › task executed, waiting › emitting simple task without wait ›
        task executed, no wait › emitting simple task with wait again › task executed, waiting ›
        task executed, done waiting"""
    )


def test_t16_wait_task_cancel_trigger() -> None:
    """So does a run that an outside message caused (D17, D25)."""
    s = Stage()

    def body(run: Run) -> None:
        if run.reason is RunReason.OTHER_TRIGGER:
            s.log.append("task executed through trigger")
        elif run.reason is RunReason.NEW_TASK:
            s.log.append("new task executed, waiting")
            run.wait(0.1)
        else:
            s.log.append("task executed, done waiting")

    s.add("S", body, hears=("M",))
    assert s.play(
        ("emitting simple task", root("S")),
        ("emitting simple message", send("M")),
        (pause(0.1),),
        ("emitting simple task", root("S")),
        (pause(0.1),),
    ) == script(
        """emitting simple task › new task executed, waiting › emitting simple message ›
        task executed through trigger › emitting simple task › new task executed, waiting ›
        task executed, done waiting"""
    )


def test_t35_run_reason() -> None:
    """Every body learns why it is called (D40)."""
    s = Stage()

    def simple(run: Run) -> None:
        s.log.append(f"simple task ran because: {run.reason.name}")
        if run.reason is RunReason.NEW_TASK:
            s.log.append("emitting subtask")
            run.emit("Sub")
        elif run.reason is RunReason.OTHER_TRIGGER:
            s.log.append("emitting simple task done")
            run.done()

    def sub(run: Run) -> None:
        s.log.append(f"subtask ran because: {run.reason.name}")
        s.log.append("emitting subtask done")
        run.done()

    s.add("S", simple, triggers=("T",))
    s.add("Sub", sub, triggers=("T",))
    for type, name in (("S", "simple task"), ("Sub", "subtask")):
        s.on_start(type, lambda r, n=name: f"{n} started because: {r.reason.name}")  # type: ignore[misc]
        s.on_stop(type, lambda r, n=name: f"{n} stopped because: {r.reason.name}")  # type: ignore[misc]
    assert s.play((send("T"), "emitting simple task", root("S")), ("emitting trigger test", send("T"))) == script(
        """emitting simple task › simple task started because: STARTED › simple task ran because: NEW_TASK ›
        emitting subtask › subtask started because: STARTED › subtask ran because: NEW_TASK ›
        emitting subtask done › simple task ran because: SUBTASK_DONE › subtask stopped because: STOPPED ›
        emitting trigger test › simple task ran because: OTHER_TRIGGER › emitting simple task done ›
        simple task stopped because: STOPPED"""
    )


NAMES = {Progress.NO_TASK: "NO_TASK", Progress.QUEUED: "QUEUED", Progress.RUNNING: "RUNNING"}


def asks_for_sub(s: Stage, type: str, who: str) -> None:
    def body(run: Run) -> None:
        s.log.append(f"{who} task subtask run state: {NAMES[run.uses('Sub').progress]}")
        s.log.append("emitting subtask")
        run.emit("Sub")

    s.add(type, body, uses=("Sub",))


def test_t36_uses_state() -> None:
    """Uses tells a provider whether its child runs, waits or is not there (D50)."""
    s = Stage()
    asks_for_sub(s, "P", "primary")
    asks_for_sub(s, "Q", "secondary")
    s.say("Sub", "subtask executed")
    assert s.play(
        ("emitting primary task", root("P", p=1)),
        ("emitting primary task again", root("P", p=1)),
        ("emitting secondary task", root("Q")),
        ("emitting secondary task again", root("Q")),
        ("removing primary task", off("P")),
        ("emitting secondary task again", root("Q")),
    ) == script(
        """emitting primary task › primary task subtask run state: NO_TASK › emitting subtask › subtask executed ›
        emitting primary task again › primary task subtask run state: RUNNING › emitting subtask ›
        subtask executed › emitting secondary task › secondary task subtask run state: NO_TASK › emitting subtask ›
        emitting secondary task again › secondary task subtask run state: QUEUED › emitting subtask ›
        removing primary task › subtask executed › emitting secondary task again ›
        secondary task subtask run state: RUNNING › emitting subtask › subtask executed"""
    )


def test_t37_uses_state_root() -> None:
    """Whoever emitted a root task can ask for it as well (D50)."""
    s = Stage()
    asks_for_sub(s, "S", "secondary")
    s.say("Sub", "subtask executed")

    def ask(director: object) -> None:
        s.log.append(f"root subtask run state: {NAMES[s.director.uses('Sub').progress]}")

    assert s.play(
        ("emitting run trigger", "emitting subtask", root("Sub")),
        ("emit uses trigger", ask),
        ("emitting simple task", root("S")),
        ("emitting simple task again", root("S")),
        ("emit remove trigger", "removing subtask", off("Sub")),
        ("emitting simple task again", root("S")),
        ("emit uses trigger", ask),
    ) == script(
        """emitting run trigger › emitting subtask › subtask executed › emit uses trigger ›
        root subtask run state: RUNNING › emitting simple task › secondary task subtask run state: NO_TASK ›
        emitting subtask › emitting simple task again › secondary task subtask run state: QUEUED ›
        emitting subtask › emit remove trigger › removing subtask › subtask executed ›
        emitting simple task again › secondary task subtask run state: RUNNING › emitting subtask ›
        subtask executed › emit uses trigger › root subtask run state: NO_TASK"""
    )
