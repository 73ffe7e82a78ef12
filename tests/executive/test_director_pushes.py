"""Soft transitions: required states, promised states, and who is pushed to cause them (T38 to T43, X16).

Rules D32 to D35, D38, D45, D46 and D61 of docs/executive.md.
"""

from __future__ import annotations

from collections.abc import Callable

from director_stage import Run, RunReason, Stage, off, root, script, tell, when

ALLOW, BLOCK = 1, 0


def test_t38_when_blocking() -> None:
    """A state that was never told is not met; losing it stops the provider (D34)."""
    s = Stage()
    s.say("S", "task executed", when=when("C", ALLOW))
    s.on_start("S", "task started")
    s.on_stop("S", "task stopped")
    assert s.play(
        ("emitting task #1", root("S")),
        ("emitting blocked condition #1", tell("C", BLOCK)),
        ("emitting task #2", root("S")),
        ("emitting allowed condition", tell("C", ALLOW)),
        ("emitting task #3", root("S")),
        ("emitting blocked condition #2", tell("C", BLOCK)),
    ) == script(
        """emitting task #1 › emitting blocked condition #1 › emitting task #2 › emitting allowed condition ›
        task started › task executed › emitting task #3 › task executed › emitting blocked condition #2 ›
        task stopped"""
    )


def causes(s: Stage, value: int) -> Callable[[Run], None]:
    return lambda run: s.director.tell("C", value)


def test_t39_when_causing() -> None:
    """A strong enough task pushes the helper, which holds the push until the task goes (D38, D46)."""
    s = Stage()
    s.say("S", "task executed", when=when("C", ALLOW))
    s.say("H", "helper waiting")
    s.does(
        "H",
        lambda r: "helper causing allow" + (" (pushed)" if r.reason is RunReason.PUSHED else ""),
        causes(s, ALLOW),
        causing={"C": ALLOW},
    )
    assert s.play(
        ("emitting helper task", root("H", p=10)),
        ("emitting blocked condition", tell("C", BLOCK)),
        ("emitting task at low priority", root("S", p=1)),
        ("emitting task at high priority", root("S", p=100)),
        ("removing task", off("S")),
    ) == script(
        """emitting helper task › helper waiting › emitting blocked condition › emitting task at low priority ›
        emitting task at high priority › helper causing allow (pushed) › task executed › removing task ›
        helper waiting"""
    )


def test_t40_when_causing_ladder() -> None:
    """The deepest rung first (D32, D33)."""
    s = Stage()
    s.say("S", "task executed", when=when("C", 4))
    s.say("H", "helper waiting")
    for level in (4, 3, 2, 1):
        required = when("C", level - 1) if level > 1 else ()
        s.does("H", f"helper causing level {level}", causes(s, level), causing={"C": level}, when=required)
    assert s.play(
        ("emitting helper task", root("H", p=10)),
        ("emitting task", root("S", p=50)),
        ("removing task", off("S")),
    ) == script(
        """emitting helper task › helper waiting › emitting task › helper causing level 1 › helper causing level 2 ›
        helper causing level 3 › helper causing level 4 › task executed › removing task › helper waiting"""
    )


def test_t42_push_displace() -> None:
    """A stronger pusher takes the helper over and gives it back (D38, D45)."""
    s = Stage()
    a, b = 1, 2
    for name, value in (("a", a), ("b", b)):
        s.say(name.upper(), f"task {name} executed", when=when("C", value))
    s.on_stop("A", "task a stopped")
    s.say("H", "helper waiting")
    s.does("H", "helper causing allow a", causes(s, a), causing={"C": a})
    s.does("H", "helper causing allow b", causes(s, b), causing={"C": b})
    assert s.play(
        ("emitting helper task", root("H", p=10)),
        ("emitting blocked condition", tell("C", BLOCK)),
        ("emitting task a", root("A", p=50)),
        ("emitting task b", root("B", p=100)),
        ("removing task b", off("B")),
        ("removing task a", off("A")),
        ("removing helper", off("H")),
    ) == script(
        """emitting helper task › helper waiting › emitting blocked condition › emitting task a ›
        helper causing allow a › task a executed › emitting task b › helper causing allow b › task a stopped ›
        task b executed › removing task b › helper causing allow a › task a executed › removing task a ›
        helper waiting › task a stopped › removing helper"""
    )


def test_t43_push_release() -> None:
    """The helper starts on its preferred provider, then the waiting task hears of it (D61)."""
    s = Stage()
    s.say("S", "task executed", when=when("C", ALLOW))
    s.on_stop("S", "task stopped")
    s.say("H", "helper waiting")
    s.does("H", "helper causing allow", causes(s, ALLOW), causing={"C": ALLOW})
    s.on_stop("H", "helper stopped")
    assert s.play(
        ("emitting helper task", root("H", p=10)),
        ("emitting blocked condition", tell("C", BLOCK)),
        ("emitting task", root("S", p=100)),
        ("removing helper", off("H")),
        ("emitting blocked condition again", tell("C", BLOCK)),
        ("emitting helper task again", root("H", p=10)),
    ) == script(
        """emitting helper task › helper waiting › emitting blocked condition › emitting task › helper causing allow ›
        task executed › removing helper › helper stopped › emitting blocked condition again › task stopped ›
        emitting helper task again › helper waiting › helper causing allow › task executed"""
    )


DYNAMIC, STANDING = 0, 1


def test_x16_soft_transition_walk_to_kick() -> None:
    """Walk and kick share the legs: the walk is pushed to stand, then the kick takes the legs, and gives them back.

    What the walk tells is heard after its pack (D55); its promise alone changes nothing (D35).
    """
    s = Stage()

    def step(run: Run) -> None:
        s.director.tell("St", DYNAMIC)
        run.emit("Legs", "step")

    def halt(run: Run) -> None:
        s.director.tell("St", STANDING)
        run.emit("Legs", "halt")

    s.does("Walk", "walk stepping", step, needs=("Legs",))
    s.does("Walk", lambda r: f"walk stopping {r.reason.name}", halt, needs=("Legs",), causing={"St": STANDING})
    s.does("Kick", "kick", lambda r: r.emit("Legs", "kick"), needs=("Legs",), when=when("St", STANDING))
    s.say("Legs", lambda r: f"legs {r.data}")
    s.hooks("Walk", "Kick")
    assert s.play(
        (tell("St", DYNAMIC),),
        ("want walk", root("Walk", p=1)),
        ("want kick", root("Kick", p=5)),
        ("kick gone", off("Kick")),
    ) == script(
        """want walk › start Walk › walk stepping › legs step › want kick › walk stopping PUSHED › legs halt ›
        start Kick › kick › legs kick › stop Walk › kick gone › stop Kick › start Walk › walk stepping › legs step"""
    )
