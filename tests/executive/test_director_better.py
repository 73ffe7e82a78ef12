"""Where this Director does better than the published one: each gap with a test of its own (D56 to D63)."""

from __future__ import annotations

import pytest
from director_stage import (
    Provider,
    Run,
    RunReason,
    Settings,
    Stage,
    Task,
    When,
    Word,
    disable,
    emits,
    enable,
    first,
    off,
    pause,
    root,
    script,
    tell,
    when,
)  # fmt: skip

from sayso.errors import SkillFailed, UsageError
from sayso.executive.director.arbiter import Arbiter
from sayso.task import Done, Failed


def test_d61_a_provider_that_is_registered_wakes_a_blocked_task() -> None:
    """(D47)"""
    s = Stage()
    s.play(("wait", root("S", "hello")), (lambda d: s.say("S", lambda r: f"S {r.data}"),))
    assert s.log == ["wait", "S hello"]


def test_d61_a_helper_that_is_registered_wakes_a_blocked_task() -> None:
    s = Stage()
    s.say("S", "S", when=when("C", 1))
    s.say("H", "H waiting")

    def helps(run: Run) -> None:
        s.director.tell("C", 1)

    s.play(
        (root("H"), root("S", p=5)),
        ("helper", lambda d: s.does("H", "H causes", helps, causing={"C": 1})),
    )
    assert s.log == ["H waiting", "helper", "H causes", "S"]


def test_d61_enabling_wakes_a_blocked_task() -> None:
    s = Stage()
    provider = s.say("S", "S")
    assert s.play((disable(provider),), ("ask", root("S")), ("enable", enable(provider))) == ["ask", "enable", "S"]


def test_d62_a_need_is_held_before_it_is_asked_for() -> None:
    """B has not asked for X, and may never do so: nobody weaker gets it meanwhile."""
    s = Stage()
    s.say("B", "B", needs=("X",))
    s.say("X", lambda r: f"X for {r.data}")
    s.does("W", "W", emits(("X", "W")))
    s.play(("B", root("B", p=10)), ("W", root("W", p=1)), ("B gone", off("B")))
    assert s.log == script("B › B › W › W › B gone › X for W")


def test_d62_a_need_is_taken_from_the_weaker_who_owns_it() -> None:
    """A body that moves the base itself never emits `base`; holding it must be enough."""
    s = Stage()
    s.does("W", "W", emits(("base", "W")))
    s.say("base", lambda r: f"base for {r.data}")
    s.say("drive", "drive", needs=("base",))
    s.hooks("base")
    s.play(("W", root("W", p=1)), ("drive", root("drive", p=10)), ("there", off("drive")))
    assert s.log == script(
        "W › W › start base › base for W › drive › drive › stop base › there › start base › base for W"
    )


def test_d63_a_provider_that_raises_leaves_the_tree_and_its_parent_hears_why() -> None:
    s = Stage()

    def parent(run: Run) -> None:
        if first(run):
            run.emit("grasp")
            return
        assert run.child is not None
        s.log.append(f"{run.child[0]} {run.child[1]}; seen as {run.uses('grasp').outcome}")

    def grasp(run: Run) -> None:
        raise SkillFailed("the hand is empty")

    s.add("P", parent, uses=("grasp",))
    s.add("grasp", grasp)
    s.hooks("grasp")
    s.play((root("P"),))
    assert s.log == [
        "start grasp",
        "grasp failed: the hand is empty; seen as failed: the hand is empty",
        "stop grasp",
    ]
    assert [n.what for n in s.notices] == ["ended"]


def test_d63_a_root_task_that_raises_is_gone_and_its_type_free() -> None:
    s = Stage()
    s.does("S", "S", lambda run: 1 / 0 if run.data == "bad" else None)
    s.play(("bad", root("S", "bad", p=9)), ("good", root("S", "good")))
    assert s.log == ["bad", "S", "good", "S"]
    assert s.notices[0].outcome == Failed("S raised ZeroDivisionError: division by zero")


def test_d63_a_start_that_raises_fails_the_task() -> None:
    s = Stage()
    s.say("S", "S")
    s.add("S", lambda run: 1 / 0, word=Word.START)
    s.hooks("S")
    s.play((root("S"),))
    assert s.director.tree() == []
    assert any(n.what == "ended" and isinstance(n.outcome, Failed) for n in s.notices)


def test_d63_a_pushed_helper_that_never_causes_its_state_times_out() -> None:
    s = Stage(Settings(push_patience_s=2.0))
    s.say("S", "S", when=when("C", 1))
    s.say("H", "H waiting")
    s.say("H", "H promises", causing={"C": 1})

    def parent(run: Run) -> None:
        if first(run):
            run.emit("S", priority=5)
        elif run.child:
            s.log.append(str(run.child[1]))

    s.add("P", parent)
    s.play(("go", root("H"), root("P", p=9)), (pause(1.9), "still"), (pause(0.2),))
    assert s.log == [
        "go", "H waiting", "H promises", "still",
        "failed: H (H) did not cause what S requires in time", "H waiting",
    ]  # fmt: skip


def test_d63_the_next_helper_is_tried_before_the_task_fails() -> None:
    s = Stage(Settings(push_patience_s=1.0))
    s.say("S", "S", when=when("C", 1))
    s.say("H", "H waiting")
    s.say("H", "H lies", causing={"C": 1})

    def causes(run: Run) -> None:
        s.director.tell("C", 1)

    s.does("H", "H keeps its word", causes, causing={"C": 1})
    s.play((root("H"), root("S", p=5)), (pause(1.1),))
    assert s.log == ["H waiting", "H lies", "H keeps its word", "S"]
    assert s.notices == []


def test_d63_who_waited_for_a_sibling_that_failed_runs_where_the_parent_keeps_the_rest() -> None:
    s = Stage(Settings(push_patience_s=1.0))
    s.does("H", "", Run.keep, causing={"C": 1})
    s.say("S", "S", when=when("C", 1))
    s.say("T", "T")
    s.does("P", "", lambda run: emits("S", "T")(run) if first(run) else run.keep())
    s.play((root("H"), root("P")), (pause(1.1), "later"))
    assert s.log == ["T", "later"]


def test_d63_done_and_rerun_in_a_circle_ends() -> None:
    """A parent that asks again whenever its child is done would never let anyone else speak."""
    s = Stage(Settings(reruns_max=40))
    s.does("P", "", emits("C"))
    s.does("C", "", Run.done)
    s.play((root("P"),))
    assert s.director.tree() == []
    assert "without coming to rest" in str(s.notices[-1].outcome)


def test_d63_many_children_that_are_all_done_are_no_circle() -> None:
    s = Stage(Settings(reruns_max=10))
    names = [f"c{i}" for i in range(50)]
    seen: list[RunReason] = []

    def parent(run: Run) -> None:
        seen.append(run.reason)
        if first(run):
            emits(*names)(run)
        else:
            run.keep()

    s.add("P", parent)
    for name in names:
        s.does(name, "", Run.done)
    s.play((root("P"),))
    assert len(seen) == 51
    assert s.director.tree()[0]["state"] == "runs"


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


def test_d27_a_task_never_hangs_on_itself() -> None:
    """A root B gives way while its own grandchild asks for B: the tree must not close to a ring."""
    s = Stage()
    s.does("A", "A", emits("B"))
    s.does("B", "B", emits("C"))
    s.does("C", "C", emits("A"))
    s.play(("A", root("A")), ("B", root("B", p=5)), ("C", root("C", p=9)), ("B off", off("B")), ("C off", off("C")))
    assert s.director.why("A").startswith("A")
    s.play((off("A"),))
    assert s.director.tree() == []


def test_d63_a_tree_that_grows_without_end_is_cut() -> None:
    """Each type asks for the next; the depth is bounded and the reason says so."""
    s = Stage(Settings(depth_max=8))
    for i in range(20):
        s.does(f"t{i}", "", emits(f"t{i + 1}"))
    s.play((root("t0"),))
    assert "deeper than 8 tasks" in s.director.why("t8")
    s.play((off("t0"),))
    assert s.director.tree() == []


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


def test_d35_a_promise_is_no_deed() -> None:
    s = Stage()
    s.say("S", "S", when=when("C", 1))
    s.say("H", "H", causing={"C": 1})
    assert s.play((root("H"), root("S", p=5)), ("told", tell("C", 1))) == ["H", "told", "S"]


def test_d34_tell_in_a_condition_that_was_never_told() -> None:
    s = Stage()
    s.say("S", "S", when=(When("C", lambda v: v != 1, "C is not 1"),))
    assert s.play(("ask", root("S")), ("tell", tell("C", 2))) == ["ask", "tell", "S"]


def test_d19_a_branch_that_gets_a_weaker_owner_is_open_to_those_who_wait() -> None:
    """B passes from D (1) to the root B (0): what B's child has now belongs to the stronger E, which waited (D41)."""
    s = Stage()
    s.does("B", "", emits("X"))
    s.does("D", "", emits("B"))
    s.does("E", "", emits(("X", "for E")))
    s.say("X", lambda r: f"X {r.data}")
    s.play((root("B", p=0), root("D", p=1)), (root("E", p=1),), ("D off", off("D")))
    assert s.log[-1] == "X for E"
    assert s.director.why("X").startswith("E (priority 1) > X runs")


def test_d61_a_push_that_cannot_be_obeyed_is_not_repeated() -> None:
    """K and H run together; pushed, H would need what K uses. H is not left asleep, nor pushed back and forth (D63)."""
    s = Stage()
    s.does("P", "", emits("K", "H"))
    s.say("K", "K", needs=("A",))
    s.say("H", "H waiting")
    s.say("H", "H promises", needs=("A",), causing={"C": 1})
    s.say("A", "A")
    s.say("S", "S", when=when("C", 1))
    s.play((root("P", p=1),), ("push", root("S", p=5)))
    assert s.log == ["K", "H waiting", "push", "K", "H waiting"]
    assert s.director.tree()[0]["children"][1]["state"] == "runs"


def test_d27_a_raised_branch_wins_although_its_children_are_kept() -> None:
    """The root A comes again, stronger; its child is the same wish, and its grandchild gets what it waits for."""
    s = Stage()
    child = Task("D")
    s.does("A", "", lambda run: run.emit(child))
    s.does("D", "D", emits(("X", "for A")))
    s.does("E", "", emits(("X", "for E")))
    s.say("X", lambda r: f"X {r.data}")
    s.play((root("E", p=1),), (root("A", p=0),), ("raise", root("A", p=2)))
    assert s.log == ["X for E", "D", "raise", "X for A"]


def test_d41_whoever_is_first_in_line_gets_the_type_of_a_leaving_branch() -> None:
    """A's pack is tried early, because it waits for E; the stronger C is asked nevertheless."""
    s = Stage()
    s.does("E", "", emits(("C", "of E", 3)))
    s.does("A", "", emits(("B", (), 0, True), ("C", "of A", 0, True)))
    s.say("B", "B", needs=("E", "nothing"))
    s.say("C", lambda r: f"C {r.data}")
    s.play((root("E", p=1),), (root("C", "of root"), root("A")), ("E off", off("E")))
    assert s.log[-1] == "C of root"
    assert s.director.why("C").startswith("C runs")
