"""Who gets the type: priorities, all-or-nothing packs, needs, waiting (T18 to T32).

Rules D26 to D31, D36 to D38, D41 to D43 and D62 of docs/executive.md.
"""

from __future__ import annotations

from director_stage import Run, Stage, emits, first, off, passes_on, root, script, send


def test_t18_priority_steal() -> None:
    """Losers still run; only their child is queued (D27)."""
    s = Stage()
    for i in (1, 2, 3, 4):
        s.does(f"U{i}", lambda r: f"trying: {r.data}", passes_on("S"))
    s.say("S", lambda r: r.data)
    assert s.play(
        ("Starting low priority provider", root("U1", "low", p=1)),
        ("Starting high priority provider", root("U2", "high", p=100)),
        ("Starting middling priority provider", root("U3", "middling", p=50)),
        ("Starting very high priority provider", root("U4", "very high", p=200)),
    ) == script(
        """Starting low priority provider › trying: low › low › Starting high priority provider › trying: high ›
        high › Starting middling priority provider › trying: middling › Starting very high priority provider ›
        trying: very high › very high"""
    )


def test_t19_equal_first_best() -> None:
    """Equal priority never displaces (D28)."""
    s = Stage()
    for x in ("a", "b"):
        s.does(f"R{x}", f"runner {x}", emits(("S", x)))
    s.say("S", lambda r: f"simple task from {r.data}")
    assert s.play(
        ("starting a", root("Ra", p=10)),
        ("starting b", root("Rb", p=10)),
        ("upping b priority", root("Rb", p=20)),
        ("upping a priority", root("Ra", p=20)),
    ) == script(
        """starting a › runner a › simple task from a › starting b › runner b › upping b priority › runner b ›
        simple task from b › upping a priority › runner a"""
    )


def test_t20_entire_task() -> None:
    """A required pack runs whole or not at all (D22, D37)."""
    s = Stage()
    s.say("s0", lambda r: r.data)
    s.say("s1", lambda r: r.data)
    s.does(
        "C",
        lambda r: f"emitting tasks from complex {r.data}",
        lambda r: emits(("s0", f"from complex {r.data}"), ("s1", f"from complex {r.data}"))(r),
    )
    s.does("B", "emitting blocker simple task", emits(("s0", "from blocker")))
    assert s.play(
        ("emitting blocker task", root("B", p=50)),
        ("emitting low priority complex task", root("C", "low priority", p=10)),
        ("emitting high priority complex task", root("C", "high priority", p=100)),
    ) == script(
        """emitting blocker task › emitting blocker simple task › from blocker ›
        emitting low priority complex task › emitting tasks from complex low priority ›
        emitting high priority complex task › emitting tasks from complex high priority ›
        from complex high priority › from complex high priority"""
    )


def test_t22_self_intersection() -> None:
    """Siblings that need the same type do not both run (D20, D23, D36)."""
    s = Stage()

    def main(run: Run) -> None:
        for i in (1, 2):
            s.log.append(f"emitting task {i}")
            run.emit(f"s{i}", optional=True)

    def sub(run: Run) -> None:
        s.log.append(f"subtask {run.type[1]} executed")
        s.log.append(f"emitting dependency from subtask {run.type[1]}")
        run.emit("D", int(run.type[1]))

    s.add("M", main)
    s.add("s1", sub, needs=("D",))
    s.add("s2", sub, needs=("D",))
    s.say("D", lambda r: f"dependency from subtask {r.data}")
    go, stop = ("emitting main task", root("M")), ("removing main task", off("M"))
    expected = """emitting main task › emitting task 1 › emitting task 2 › subtask 1 executed ›
        emitting dependency from subtask 1 › dependency from subtask 1 › removing main task"""
    assert s.play(go, stop, go, stop) == script(f"{expected} › {expected}")


def test_t23_past_self_intersection() -> None:
    """What a dying child needs may be claimed by its replacement (D24, D27f)."""
    s = Stage()

    def main(run: Run) -> None:
        s.log.append("running main task")
        s.log.append(f"requesting subtask {run.data}")
        run.emit(f"s{run.data}")

    s.add("M", main)
    for i in (1, 2):
        s.does(f"s{i}", f"running subtask {i}", emits(("D", f"from subtask {i}")), needs=("D",))
    s.say("D", lambda r: f"running common dependency from {r.data}")
    assert s.play(
        ("requesting main task with subtask 1", root("M", 1)),
        ("requesting main task with subtask 2", root("M", 2)),
    ) == script(
        """requesting main task with subtask 1 › running main task › requesting subtask 1 › running subtask 1 ›
        running common dependency from from subtask 1 › requesting main task with subtask 2 › running main task ›
        requesting subtask 2 › running subtask 2 › running common dependency from from subtask 2"""
    )


def test_t24_challenge_child() -> None:
    """A task may need what its own child has (D27e)."""
    s = Stage()
    s.does("S", "simple task executed", emits("Sub"), needs=("Sub",))
    s.say("Sub", "subtask executed")
    assert s.play(("emitting task", root("S")), ("emitting task", root("S"))) == script(
        """emitting task › simple task executed › subtask executed › emitting task › simple task executed ›
        subtask executed"""
    )


def test_t25_needs_blocking() -> None:
    """A provider does not even run while its need belongs to somebody stronger (D31)."""
    s = Stage()
    s.does("C", lambda r: f"emitting tasks from complex: {r.data}", passes_on("S"), needs=("S",))
    s.say("S", lambda r: r.data)
    assert s.play(
        ("requesting simple task", root("S", "simple task", p=50)),
        ("requesting low priority complex task", root("C", "low priority complex task", p=1)),
        ("requesting high priority complex task", root("C", "high priority complex task", p=100)),
    ) == script(
        """requesting simple task › simple task › requesting low priority complex task ›
        requesting high priority complex task › emitting tasks from complex: high priority complex task ›
        high priority complex task"""
    )


def test_t26_needs_priority_loss() -> None:
    """Losing one need stops the whole provider; the type is handed over without stop and start.

    (D37, D39, D44, D53)
    """
    s = Stage()
    for i in (1, 2):
        s.say(f"S{i}", lambda r: f"p{r.type[1]}: {r.data}")
        s.on_start(f"S{i}", lambda r: f"start {r.type[1]}: {r.data}")
        s.on_stop(f"S{i}", lambda r: f"stop {r.type[1]}: {r.data}")
        s.on_start(f"C{i}", f"start complex {i}")
        s.on_stop(f"C{i}", f"stop complex {i}")
    s.does("C1", "emitting complex task 1", emits(("S1", "complex 1"), ("S2", "complex 1")), needs=("S1", "S2"))
    s.does("C2", "emitting complex task 2", emits(("S1", "complex 2")), needs=("S1",))
    assert s.play(
        ("requesting complex task 1", root("C1", p=50)), ("requesting complex task 2", root("C2", p=100))
    ) == script(
        """requesting complex task 1 › start complex 1 › emitting complex task 1 › start 1: complex 1 ›
        p1: complex 1 › start 2: complex 1 › p2: complex 1 › requesting complex task 2 › start complex 2 ›
        emitting complex task 2 › p1: complex 2 › stop complex 1 › stop 2: complex 1"""
    )


def test_t27_needs_watcher_removal() -> None:
    s = Stage()
    for i in (1, 2):
        s.say(f"S{i}", lambda r: f"simple task {r.type[1]} from {r.data}")
    s.does("P", "emitting from primary task", emits(("S2", "primary task"), ("Sub", "primary task")), needs=("Sub",))
    s.does("Sub", "emitting from subtask", passes_on("S1"), needs=("S1",))
    s.does(
        "Sec",
        "emitting from secondary task",
        emits(("S1", "secondary task"), ("S2", "secondary task")),
        needs=("S1", "S2"),
    )
    assert s.play(
        ("emitting primary task", root("P")),
        ("emitting secondary task", root("Sec")),
        ("removing primary task", off("P")),
    ) == script(
        """emitting primary task › emitting from primary task › simple task 2 from primary task ›
        emitting from subtask › simple task 1 from primary task › emitting secondary task ›
        removing primary task › emitting from secondary task › simple task 1 from secondary task ›
        simple task 2 from secondary task"""
    )


def joined_needs() -> Stage:
    s = Stage()
    s.say("S", lambda r: f"simple task - {r.data}")
    for i in (1, 2):
        s.does(f"C{i}", f"emitting tasks from complex task {i}", emits(("S", f"complex task {i}")), needs=("S",))
    s.does("V", "emitting tasks from very complex task", emits("C2"), needs=("C2",))
    return s


def test_needs_joining_removal() -> None:
    """A need of a need is a need: V waits for S although only C2 names it (D31)."""
    s = joined_needs()
    assert s.play(
        ("emitting complex task 1", root("C1", p=50)),
        ("emitting very complex task", root("V", p=40)),
        ("removing complex task 1", off("C1")),
    ) == script(
        """emitting complex task 1 › emitting tasks from complex task 1 › simple task - complex task 1 ›
        emitting very complex task › removing complex task 1 › emitting tasks from very complex task ›
        emitting tasks from complex task 2 › simple task - complex task 2"""
    )


def test_t29_needs_joining_priority() -> None:
    """Needs are reserved: a lowered task is not run once more before the stronger takes what it needs (D19, D62)."""
    s = joined_needs()
    assert s.play(
        ("emitting complex task 1", root("C1", p=50)),
        ("emitting very complex task", root("V", p=40)),
        ("lowering priority of complex task 1", root("C1", p=30)),
    ) == script(
        """emitting complex task 1 › emitting tasks from complex task 1 › simple task - complex task 1 ›
        emitting very complex task › lowering priority of complex task 1 › emitting tasks from very complex task ›
        emitting tasks from complex task 2 › simple task - complex task 2"""
    )


def waiting_for_sub() -> Stage:
    s = Stage()
    s.does("P", "", emits(("Sub", "primary task")))
    s.does("Sub", "", passes_on("SS"), needs=("SS",))
    s.say("SS", lambda r: r.data)
    s.does("Q", "", emits(("Sub", "secondary task")), needs=("Sub",))
    return s


def test_t30_watcher_removal_nullptr() -> None:
    s = waiting_for_sub()
    assert s.play(
        ("emitting primary task", root("P", p=1)),
        ("emitting secondary task", root("Q", p=0)),
        ("removing primary task", off("P")),
    ) == script(
        "emitting primary task › primary task › emitting secondary task › removing primary task › secondary task"
    )


def test_t31_watcher_removal_trigger() -> None:
    """A parent that drops its child lets the waiter in, and stays active itself (D43)."""
    s = Stage()
    s.does("P", "", lambda r: r.emit("Sub", "primary task") if first(r) else None, triggers=("T",))
    s.does("Sub", "", passes_on("SS"), needs=("SS",))
    s.say("SS", lambda r: r.data)
    s.does("Q", "", emits(("Sub", "secondary task")), needs=("Sub",))
    assert s.play(
        ("emitting primary task", send("T"), root("P", p=1)),
        ("emitting secondary task", root("Q")),
        ("removing primary task", send("T")),
    ) == script(
        "emitting primary task › primary task › emitting secondary task › removing primary task › secondary task"
    )
    assert "P (priority 1) runs" in s.director.why("P")


def test_t32_watcher_removal_double() -> None:
    """The strongest waiter takes it (D41)."""
    s = waiting_for_sub()
    s.does("T", "", emits(("Sub", "tertiary task")), needs=("Sub",))
    assert s.play(
        ("emitting primary task", root("P", p=2)),
        ("emitting secondary task", root("Q", p=1)),
        ("emitting tertiary task", root("T", p=0)),
        ("removing primary task", off("P")),
    ) == script(
        """emitting primary task › primary task › emitting secondary task › emitting tertiary task ›
        removing primary task › secondary task"""
    )
