"""What is asked for, of whom, and what is said of it: packs, groups of providers, reasons (D2 to D18, D49 to D58)."""

from __future__ import annotations

import pytest
from director_stage import Provider, Run, Stage, Task, When, Word, disable, emits, root, when  # fmt: skip

from sayso.errors import UsageError
from sayso.executive.director.arbiter import Arbiter
from sayso.task import Done


def test_d15_a_new_task_that_is_done_is_told_even_if_the_last_one_was_done_too() -> None:
    s = Stage()

    def parent(run: Run) -> None:
        n = 1 if run.child is None else run.child[1].value + 1  # type: ignore[union-attr]
        if n <= 3:
            run.emit("C", n)
        s.log.append(f"P {n}")

    s.add("P", parent)
    s.add("C", lambda run: run.done(run.data))
    s.play((root("P"),))
    assert s.log == ["P 1", "P 2", "P 3", "P 4"]
    assert [n.outcome for n in s.notices] == [Done(1), Done(2), Done(3)]


def test_d2_the_very_same_task_again_is_the_same_wish() -> None:
    """A parent can add a child without starting the others anew."""
    s = Stage()
    walk = Task("walk")

    def parent(run: Run) -> None:
        run.emit(walk)
        if run.data == "wave":
            run.emit("wave")

    s.add("P", parent)
    s.say("walk", "walk")
    s.say("wave", "wave")
    assert s.play((root("P"),), (root("P", "wave"),)) == ["walk", "wave"]


def test_d58_a_body_that_keeps_holds_the_last_plan() -> None:
    s = Stage()
    s.does("LLM", "", lambda run: run.emit("Walk") if run.data == "plan" else run.keep())
    s.say("Walk", "walk")
    s.hooks("Walk")
    assert s.play((root("LLM", "plan"),), (root("LLM", "the call failed"),)) == ["start Walk", "walk"]


def test_d3_what_only_a_provide_may_ask() -> None:
    arbiter = Arbiter()
    with pytest.raises(UsageError, match="START may not have needs"):
        arbiter.register(Provider("S", None, Word.START, needs=("X",)))
    provider = Provider("S", None)
    arbiter.register(provider)
    with pytest.raises(UsageError, match="registered already"):
        arbiter.register(provider)
    with pytest.raises(UsageError, match="not registered"):
        arbiter.unregister(Provider("S", None))


def test_d50_uses_must_be_declared() -> None:
    s = Stage()
    s.add("S", lambda run: run.uses("X"))
    s.play((root("S"),))
    assert "declare it" in str(s.notices[0].outcome)


def test_d49_removing_the_active_provider_hands_over_to_the_next() -> None:
    s = Stage()
    a = s.say("S", "a")
    b = s.say("S", "b")
    s.hooks("S")
    s.play((root("S"),), ("remove a", lambda d: d.remove(a)), ("remove b", lambda d: d.remove(b)))
    assert s.log == ["start S", "a", "remove a", "b", "remove b", "stop S"]


def test_d49_removing_a_pushed_provider_lets_the_pusher_wait() -> None:
    s = Stage()
    s.say("S", "S", when=when("C", 1))
    s.say("H", "H waiting")
    helper = s.say("H", "H promises", causing={"C": 1})
    s.play((root("H"), root("S", p=5)), ("remove", lambda d: d.remove(helper)))
    assert s.log == ["H waiting", "H promises", "remove", "H waiting"]
    assert "no running provider may be pushed" in s.director.why("S")


def test_d13_hearing_reaches_an_idle_provider_which_cannot_emit() -> None:
    s = Stage()
    s.does("S", lambda r: f"heard {r.message('M')} with {r.data}", emits("X"), hears=("M",))
    s.say("X", "X")
    assert s.play((lambda d: d.send("M", 7),)) == ["heard 7 with None"]


def test_d52_why_and_tree_tell_who_waits_for_whom() -> None:
    s = Stage()
    s.does("Mission", "", emits(("drive", "to the door", 2)))
    s.say("drive", "", needs=("base",))
    s.say("base", "")
    s.say("Avoid", "", needs=("base",))
    s.play((root("Mission", p=10),), (root("Avoid", p=100),))
    assert s.director.why("drive") == (
        "Mission (priority 10) > drive (priority 2) waits: "
        "base is held by Avoid (priority 100), which needs it\n"
        "Avoid (priority 100) runs on Avoid: nothing stands in its way"
    )
    assert s.director.why("dance") == "nobody asks for dance; nobody provides dance either"
    mission, avoid = s.director.tree()
    assert mission["state"] == avoid["state"] == "runs"
    assert mission["children"][0]["waits_for"] == "Avoid (priority 100)"
    assert avoid["holds"] == ["base"]


def test_d52_why_a_pushed_provider_was_chosen() -> None:
    """(D29)"""
    s = Stage()
    s.say("Walk", "", name="stepping")
    s.say("Walk", "", name="stopping", causing={"St": 1})
    s.say("Kick", "", when=(When("St", bool, "standing"),))
    s.play((root("Walk", p=1), root("Kick", p=5)))
    assert s.director.why("Walk").splitlines() == [
        "Walk (priority 1) runs on stopping: nothing stands in its way",
        "stopping was chosen because Kick (priority 5) pushes it",
        "Kick (priority 5) waits: Walk is pushed to cause standing",
    ]
    assert s.director.tree()[1]["state"] == "pushes"


def test_d4_a_group_offers_its_providers_in_order_and_d5_asks_as_one() -> None:
    """A child that one provider asked for stays when another of the group asks for it again (D4, D5)."""
    s = Stage()
    a = s.does("S", "a", emits(("X", "from a")))
    s.does("S", "b", emits(("X", "from b")))
    s.say("X", lambda r: f"X {r.data}")
    s.hooks("X")
    assert s.play((root("S"),), ("disable a", disable(a), root("S"))) == [
        "a", "start X", "X from a", "disable a", "b", "X from b",
    ]  # fmt: skip


def test_d9_and_d26_the_order_of_a_pack() -> None:
    s = Stage()
    s.does("P", "", emits(("low", (), 1), ("perhaps", (), 9, True), ("high", (), 2), ("high too", (), 2)))
    for type in ("low", "perhaps", "high", "high too"):
        s.say(type, type)
    assert s.play((root("P"),)) == ["high", "high too", "low", "perhaps"]


def test_d18_a_child_without_data_is_no_child() -> None:
    s = Stage()
    s.does("P", "", emits(("X", None), "Y"))
    s.say("X", "X")
    s.say("Y", "Y")
    assert s.play((root("P"),)) == ["Y"]
