"""A task that is done, goes on idle, or waits (T09 to T16).

Rules D1 to D25 and D39 to D44 of docs/executive.md.
"""

from __future__ import annotations

from director_stage import Run, RunReason, Stage, off, pause, root, script, send


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
