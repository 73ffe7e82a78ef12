"""The warehouse's lessons: in the planner's own form, readable as the oracle's step, split by design, and right.

Right means: a double that is told the goals, and answers by the lessons' oracle from the briefs of real episodes, does
what the suite asks for.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from training_path import Once

from double_warehouse import GOALS, double
from lessons import warehouse_oracle as oracle
from lessons.guard import WAREHOUSE, normal
from lessons.telling import pair_held_out
from lessons.warehouse import warehouse_lesson
from lessons.warehouse_play import KNOWN
from lessons.warehouse_world import made_up, plural, shipped
from sayso.bench.suite import Trial
from sayso.memory.telling import Remembered
from sayso.models.latency import ModelledLatency
from sayso.models.pocket.tokenizer import Tokenizer
from sayso.parts import Attempt, Brief, Observation, RobotState
from sayso.planners.stepwise_answer import DONE, GIVE_UP, read_answer
from sayso.robots.warehouse.constraint import StepConstraint
from sayso.robots.warehouse.failures import FELL, LOST, NOT_SEEN, OUT_OF_REACH, SLIPPED, WRONG_THING
from sayso.robots.warehouse.form import back, filled, step_input
from sayso.robots.warehouse.moment import failure, moment
from sayso.robots.warehouse.notes import Here, LookedAt, Owed, SeenBefore
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.robots.warehouse.suite.episode import run_episode
from sayso.scene import Belief
from sayso.skill import SkillSet
from sayso.task import Ran

SOME = Once(lambda: (warehouse_lesson(5, number, held_out=0.3) for number in range(300)))
WORDS = Tokenizer.load(Path(__file__).parents[2] / "src/sayso/models/pocket/weights/vocab.txt")

APPLE = Remembered("apple", ("fruit", "red", "toy rack"), "", False, "apple (fruit, red, toy rack), last seen just now")


def target(lesson: object) -> str:
    return str(getattr(lesson, "target", "")).removesuffix("<end>")


def test_the_same_dice_make_the_same_lesson() -> None:
    assert [warehouse_lesson(5, n, 0.3) for n in range(40)] == SOME[:40]
    assert warehouse_lesson(6, 3, 0.3) != SOME[3]


def sourced(text: str) -> str:
    """Goals with some place to look, as `filled` puts it in."""
    parts = [
        p if " from " in p or p.startswith("give up") else p.replace(" to ", " from a to ") for p in text.split(";")
    ]
    return ";".join(parts)


def test_every_target_is_read_as_the_step_or_the_goals_that_are_meant() -> None:
    kinds: Counter[str] = Counter()
    for one in SOME:
        text = target(one)
        answer = read_answer(back(sourced(text), one.kind == "goals"), KNOWN)
        assert answer.step is not None and not answer.refused, one
        kinds[answer.step.skill] += 1
        if " to " in text and not text.startswith("give up"):
            assert sum(s.skill == "place" for s in answer.plan) == sum(" to " in g for g in text.split(";"))
            assert answer.step.skill == "go_to"
        if text == "done":
            assert answer.step.skill == DONE
        if text.startswith("give up"):
            assert answer.step.skill == GIVE_UP and answer.step.args[0] == text[8:]
    assert set(kinds) == {"go_to", "pick_up", "place", "done", "give_up"}


def test_goals_are_filled_from_the_table_the_memory_and_what_was_owed() -> None:
    table = shipped(random.Random(0)).table
    first = moment(Brief("w", SkillSet(), Observation(recalled=(APPLE,)), knowledge=table))
    assert filled("lemon to basket;apple to basket<end>", first) == (
        "lemon from fruit table to basket;apple from toy rack to basket"
    )
    assert filled("coke can from receiving shelf to home", first) == "coke can from receiving shelf to drink table"
    assert filled("every thing from storage rack to home", first) == (
        "every thing on storage rack from storage rack to home"
    )
    assert filled("every misplaced thing to basket", first) == "every misplaced thing from fruit table to basket"
    assert filled("give up which thing and where to", first) == "give up which thing and where to"
    went = (Attempt('go_to("toy rack");rp', (Ran("go_to"),)),)
    owed = Observation.of(Owed("every toy from toy rack to basket"), Owed("plum from fruit table to crate"))
    later = moment(Brief("w", SkillSet(), owed, went, knowledge=table))
    assert filled("shark toy to basket;plum to crate", later) == (
        "shark toy from toy rack to basket;plum from fruit table to crate"
    )


def test_all_fits_into_what_is_read_and_written() -> None:
    assert max(len(WORDS.read(one.prompt)) for one in SOME) <= 320
    assert max(len(WORDS.write(one.target)) for one in SOME) <= 160
    assert all(WORDS.text(WORDS.write(one.target)) == target(one) for one in SOME)
    assert all(WORDS.ids["[UNK]"] not in WORDS.read(one.prompt) for one in SOME if one.prompt.isascii())


def test_the_guide_lets_every_target_pass_and_nothing_unknown() -> None:
    for number in range(60):
        rng = random.Random(number)
        there = shipped(rng) if number % 2 else made_up(rng)
        guide = StepConstraint(there.names)
        good, spots = rng.choice(list(there.goods)), there.names.spots
        text = f"every {good.colour} {good.name} from {spots[0]} to {spots[1]};go {spots[0]}"
        assert all(guide.take(c) for c in text) and guide.may_end
        assert not StepConstraint(there.names).viable("pick unicorn")
        assert not StepConstraint(there.names).viable("go the moon")
        assert not StepConstraint(there.names).viable("fly ")
        guide = StepConstraint(there.names)
        assert guide.take("pick ") and not guide.may_end and guide.take(good.name) and guide.may_end
        assert not guide.viable(";done")


def test_held_out_frames_and_pairs_never_reach_training() -> None:
    training = [one for one in SOME if not one.held]
    held = [one for one in SOME if one.held]
    assert training and {one.held for one in held} == {"frame", "combo"}
    from lessons.phrasing import frames, tables

    kept = {
        f.id for t in tables() if t.startswith("warehouse") for k in tables()[t] for f in frames(t, k) if f.held_out
    }
    assert len(kept) > 40
    for one in training:
        assert not kept & set(one.frames), one
    for one in held:
        assert one.held != "frame" or kept & set(one.frames) or any("refuse" in f for f in one.frames)


def test_no_lesson_says_what_the_suite_says() -> None:
    own = {normal(said) for said in WAREHOUSE.suite}
    assert len(own) > 50
    assert all(normal(one.sentence) not in own for one in SOME)
    assert all(WAREHOUSE.forbids(said) for said in WAREHOUSE.suite)
    assert not WAREHOUSE.forbids("carry the green melon to the loading bay")


def test_frames_are_many_and_their_slots_are_known() -> None:
    from lessons.phrasing import frames, tables

    mine = {t: rows for t, rows in tables().items() if t.startswith("warehouse")}
    every = [f for t, rows in mine.items() for k in rows for f in frames(t, k)]
    assert len({f.id for f in every}) > 500
    slots = {s for f in every for s in re.findall(r"\{(\w+)\}", f.text)}
    lists = {*"abgqr", *(f"k{s}" for s in "abc"), *(f"n{s}" for s in "gpqr"), *(f"on{s}" for s in "pqr")}
    one = {"x", "it", "p", "on", "f", "xs", "x1", "c", "A", "B", "n", "h", "y", "q", "city", "mine", "wrong"}
    assert slots == one | lists


def test_pairs_are_held_out_by_name() -> None:
    goal = re.compile(r"^(.+?)(?: from .+)? to (.+)$")
    for one in SOME:
        if not one.held and one.intent == "warehouse.move" and one.kind == "goals" and (m := goal.match(target(one))):
            assert not pair_held_out("warehouse", m[1], m[2]) or " " in m[1]


@pytest.mark.parametrize(
    ("code", "about", "short"),
    [
        (SLIPPED, (), "slipped"),
        (OUT_OF_REACH, ("left", "fruit table"), "reach left side of fruit table"),
        (OUT_OF_REACH, (), "reach far side of basket"),
        (WRONG_THING, ("plum",), "wrong plum"),
        (FELL, (3.2, -4.1), "fell 3.2, -4.1"),
        (NOT_SEEN, ("apple",), "not here"),
        (LOST, (), "lost way"),
        ("", (), "the hand holds the plum, not the apple"),
    ],
)
def test_failures_come_down_to_a_word(code: str, about: tuple[str | float, ...], short: str) -> None:
    ran = Ran("pick_up", ("apple",), "failed", "the hand holds the plum, not the apple", None, code, about)
    assert failure(ran, "basket") == short


def test_the_oracle_recovers_from_each_failure() -> None:
    def after(*ran: tuple[str, str], why: str = "", seen: tuple[Belief, ...] = (), holding: str = "",
              about: tuple[str | float, ...] = ()) -> str:  # fmt: skip
        history = tuple(
            Attempt(f"{plan};rp", (Ran(plan.split("(")[0], (), *how.split(" ", 1), None, why, about),), "")
            for plan, how in ran
        )
        table = shipped(random.Random(0)).table
        owed = Owed("apple from fruit table to basket")
        known = Observation.of(owed, *seen, state=RobotState(holding=holding))
        return oracle.next_step(moment(Brief("w", SkillSet(), known, history, knowledge=table)))

    there = ('go_to("fruit table")', "done")
    looked = LookedAt(("fruit table",))
    here = (Here("fruit table", ("apple (red)", "plum (dark purple)")), looked)
    picked = ('pick_up("apple")', "failed x")
    assert after(there, seen=here) == "pick apple"
    assert after(there, picked, why=SLIPPED, seen=here) == "pick apple"
    far = ("far", "fruit table")
    assert after(there, picked, why=OUT_OF_REACH, about=far, seen=here) == "go far side of fruit table"
    assert after(there, picked, why=WRONG_THING, about=("plum",), seen=here, holding="plum") == "put plum"
    assert after(there, ('go_to("basket")', "failed x"), why=FELL, about=(3.2, 4.1), seen=here) == "go 3.2, 4.1"
    empty = (Here("fruit table", ("plum (dark purple)",)), looked)
    assert after(there, seen=empty) == "pick apple", "the eyes may have missed it"
    gone = after(there, picked, why=NOT_SEEN, seen=empty)
    assert gone == "go drink table", "then it is looked for elsewhere"
    seen = (*empty, SeenBefore("toy rack", ("apple (green)",)))
    assert after(there, picked, why=NOT_SEEN, seen=seen) == "go toy rack"
    others = ("drink table", "toy rack", "shipping shelf", "receiving shelf", "storage rack", "dining table", "basket")
    round_ = [(f'go_to("{place}")', "done") for place in others]
    back_there = after(there, picked, *round_, seen=(Here("basket", ()),))
    assert back_there == "go fruit table", "once more where it should be"
    twice = (there, picked, *round_, there, picked)
    assert after(*twice, why=NOT_SEEN, seen=empty) == "go drink table", "people move things: once more"
    assert after(*twice, *round_, there, picked, why=NOT_SEEN, seen=empty) == oracle.NOWHERE


def test_the_input_of_a_real_first_brief_names_aliases_and_what_is_remembered() -> None:
    table = shipped(random.Random(0)).table
    seen = Observation(state=RobotState(), believed=(SeenFromHere(()),), recalled=(APPLE,))
    text = step_input(Brief("Fenta and an apple to the purchase table", SkillSet(), seen, knowledge=table))
    assert "fanta can(fenta)" in text and "receiving shelf(purchase table) in" in text
    assert text.endswith("<see>toy rack:apple red<do>")


def test_several_and_articles() -> None:
    assert [plural(n) for n in ("cherry", "coke can", "bottle of water", "toy bus", "scissors")] == [
        "cherries", "coke cans", "bottles of water", "toy buses", "scissors",
    ]  # fmt: skip


@pytest.mark.parametrize("id_", ["R-02", "R-07"])
def test_who_is_told_the_goals_and_answers_by_the_oracle_does_what_the_suite_asks(id_: str) -> None:
    goals = GOALS.get(id_, "apple from fruit table to basket")
    score = run_episode(Trial("warehouse", id_, 0, 1, "stepwise", "double"), ModelledLatency(double(goals)))
    assert score.success and score.figures["clean"], score.reason
