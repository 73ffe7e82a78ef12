"""The embedded model around its networks, with doubles for these: what is written, held back, scored, and closed."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pocket_asks import DRONE, SKILLS, TASKS, answer, chunks, flight, plan, pocket, rolling
from pocket_double import WORDS, Dice, Parrot

from sayso.clock import SimClock
from sayso.language import check
from sayso.models.pocket import Pocket
from sayso.models.pocket.answer import asked
from sayso.models.pocket.net import EncoderOutput, Floats, KeyValueCache
from sayso.models.pocket.tokenizer import MARKS
from sayso.planners.rolling_answer import read_answer
from sayso.roles import Brief, Prompt, Usage
from sayso.scene import Box, Scene, Thing
from sayso.skill import SkillSet

pytestmark = pytest.mark.usefixtures("scribe")


def test_an_answer_arrives_whole_as_it_was_written() -> None:
    model = pocket(Parrot("go to the chair; take 2 (apple)"))
    text, end = chunks(model, plan())
    assert text.text == "go to the chair; take 2 (apple)"
    assert end.usage == Usage(len(asked(Dice(), plan()).ids), len(WORDS.write(text.text)) + 1, "pocket")
    assert model.confidence and not model.confidence.doubted and model.confidence.sure > 0.7


def test_a_probe_is_answered_with_text() -> None:
    prompt = Prompt("probe", (), brief=Brief("what is red", SkillSet()), question="what is red", max_tokens=32)
    assert answer(pocket(Parrot("apple")), prompt) == "apple"
    assert len(answer(pocket(Dice(write_max=64)), prompt)) <= 200


def test_tasks_are_lines() -> None:
    assert answer(pocket(Parrot("kick ball 2;walk to ball 1")), rolling()) == (
        "Task: KickBall Priority: 2\nTask: WalkToBall Priority: 1"
    )
    assert answer(pocket(Parrot("done")), rolling()) == "Done"


things = st.builds(
    Thing,
    st.just("1"),
    st.text(max_size=12),
    st.none() | st.builds(Box, *[st.floats(0, 1)] * 4),
    st.none() | st.floats(0, 9),
    attributes=st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2),
)

scenes = st.builds(Scene, st.lists(things, max_size=5).map(tuple))

often = settings(max_examples=25)


@often
@given(st.integers(0, 10**6), st.text(max_size=40), scenes, st.sampled_from([0.5, 3.0, 30.0]))
def test_any_weights_come_to_admissible_plans(seed: int, wish: str, scene: Scene, sharp: float) -> None:
    """Whatever the networks say, the plan is one that this robot can be asked."""
    text = answer(pocket(Dice(seed, sharp, write_max=80)), flight(wish, scene))
    assert text and not check(text.partition("\n")[0], DRONE), text
    again = answer(pocket(Dice(seed, sharp, write_max=80)), flight(wish, scene))
    assert text == again, "the same input gives the same text"


@often
@given(st.integers(0, 10**6), st.text(max_size=40))
def test_any_weights_name_tasks_that_exist(seed: int, wish: str) -> None:
    text = answer(pocket(Dice(seed, write_max=40)), rolling(wish))
    read = read_answer(text, list(TASKS))
    assert read.executable and not read.refused
    assert all(1 <= n <= 9 for n in read.tasks.values())


HOSTILE = st.lists(
    st.sampled_from(["<do>", "<end>", "<", ">", "go", "[CLS]", "<PLAN>", "＜do＞", "<\u0000do>", "\n"]), max_size=8
)
"""Short enough for all of it to be read."""


@given(HOSTILE.map("".join), HOSTILE.map("".join))
def test_nothing_from_outside_becomes_a_mark(wish: str, label: str) -> None:
    """Wishes, labels, attributes: however they are written, the marks are the form's own."""
    scene = Scene((Thing("1", label, Box(0.5, 0.5, 0.1, 0.1), attributes={"color": label, label: label}),))
    marks = {WORDS.ids[mark] for mark in MARKS} | {WORDS.ids[m] for m in ("[CLS]", "[SEP]")}

    def found(prompt: Prompt) -> list[int]:
        return [i for i in asked(Dice(), prompt).ids if i in marks]

    assert found(plan(wish, scene if label else None)) == found(plan("go"))


def test_a_brief_that_is_too_long_is_cut_at_its_end() -> None:
    this = asked(Dice(read_max=60), plan("a b c " * 200))
    assert len(this.ids) == 60 and this.ids[-1] == WORDS.ids["[SEP]"] and this.ids[0] == WORDS.ids["[CLS]"]
    assert this.begin == WORDS.ids["<do>"], "an answer begins as ever"


def test_scores_are_log_probabilities_of_what_is_written() -> None:
    """The sum over the tokens of what `stream` would choose from; all of one length come to one at most."""
    model = pocket(Parrot("apple", lambda place: 0.9))
    some = ["apple", "chair", "ball", "go to", "", "ö"]
    scores = SimClock().run(model.score(plan(), some))
    assert scores[0] == max(scores[:4]) == pytest.approx(math.log(0.9), abs=0.01)
    assert scores[4] == 0.0 and scores[5] == -math.inf


@often
@given(st.integers(0, 1000), st.lists(st.text("abc o1('", max_size=8), min_size=1, max_size=40))
def test_scores_do_not_depend_on_the_company(seed: int, texts: list[str]) -> None:
    model = pocket(Dice(seed))
    together = SimClock().run(model.score(plan(), texts))
    alone = [SimClock().run(model.score(plan(), [text]))[0] for text in texts]
    assert together == pytest.approx(alone, abs=1e-4)
    assert all(score <= 0.0 for score in together)


def test_meanings_are_a_row_a_text() -> None:
    double = Dice()
    assert pocket(double).embed(["a chair", "Chair!", ""]).shape == (3, 4)
    assert double.asked[0] != double.asked[1]
    assert pocket(double).embed([]).shape == (0, 4)


class Slow(Parrot):
    """A test double that takes its time in a thread, and counts its steps; `turned` is what each of them waits for."""

    steps = 0
    turned: threading.Event | None = None
    threads: set[int] = set()  # noqa: RUF012

    def write(
        self, encoded: EncoderOutput, rows: Sequence[Sequence[int]], cache: KeyValueCache
    ) -> tuple[Floats, KeyValueCache]:
        self.steps += 1
        self.threads.add(threading.get_ident())
        if turned := self.turned:
            turned.wait(60)
            turned.clear()
        else:
            time.sleep(0.002)
        return super().write(encoded, rows, cache)


def test_cancelling_ends_the_work_and_others_run_meanwhile() -> None:
    """The loop is free while the networks compute, and their thread stops a token after nobody waits."""
    double = Slow("a " * 70)
    double.turned = turned = threading.Event()

    async def read() -> None:
        async for _ in pocket(double).stream(plan()):
            raise AssertionError("this answer needs longer")

    async def main() -> int:
        reading = asyncio.ensure_future(read())
        while double.steps < 10 and not reading.done():
            turned.set()
            await asyncio.sleep(0)
        reading.cancel()
        double.turned = None  # or a step could take this turn for the one before, and wait for another
        turned.set()
        await asyncio.gather(reading, return_exceptions=True)
        return double.steps

    steps = asyncio.run(main())
    assert 10 <= steps < 100 and double.steps <= steps + 1
    assert threading.get_ident() not in double.threads


def test_simulated_time_is_charged() -> None:
    clock = SimClock()
    model = Pocket(Slow("go to the chair"))

    async def main() -> float:
        async for _ in model.stream(plan()):
            pass
        return clock.now_s()

    assert clock.run(main()) >= 0.002 * 5


def test_dice_are_the_same_each_time() -> None:
    known_ = Dice(1).read((1, 2))
    one, _ = Dice(1).write(known_, [[3, 4]], Dice(1).empty_cache())
    assert np.array_equal(one, Dice(1).write(known_, [[3, 4]], Dice(1).empty_cache())[0])


def test_the_drone_is_asked_for_a_goal_and_code_plans() -> None:
    def reads(text: str) -> str:
        wish = "Fly forty centimetres up and go to the red chair."
        return answer(pocket(Parrot(text)), Prompt("plan", (), Brief(wish, SKILLS, kind="drone")))

    written, goal = reads("moved(up, 40 cm) then at('red chair')").split("\n")
    assert goal == "want moved(up, 0.4 m) then at(chair.red)"
    assert written.startswith("mu(40);l('I look round first.');lr;") and written.endswith("g(_1)")
    assert reads("refuse handle").endswith("->False")
