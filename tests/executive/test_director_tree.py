"""Growing and cutting the tree: packs, order of runs, start and stop, reasons (T01 to T08, T35 to T37).

Rules D1 to D25 and D39 to D44 of docs/executive.md.
"""

from __future__ import annotations

from director_stage import Run, RunReason, Stage, disable, emits, enable, off, root, script, send

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
