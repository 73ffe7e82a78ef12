"""A provider that raises, never keeps its promise or never comes to rest: it ends, and who asked hears why (D63)."""

from __future__ import annotations

from director_stage import Run, RunReason, Settings, Stage, Word, emits, first, off, pause, root, when  # fmt: skip

from sayso.errors import SkillFailed
from sayso.task import Failed


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


def test_d63_a_tree_that_grows_without_end_is_cut() -> None:
    """Each type asks for the next; the depth is bounded and the reason says so."""
    s = Stage(Settings(depth_max=8))
    for i in range(20):
        s.does(f"t{i}", "", emits(f"t{i + 1}"))
    s.play((root("t0"),))
    assert "deeper than 8 tasks" in s.director.why("t8")
    s.play((off("t0"),))
    assert s.director.tree() == []
