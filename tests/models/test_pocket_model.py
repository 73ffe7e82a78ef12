"""The embedded model around its networks, with doubles for these: what is written, held back, scored, and closed."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pocket_double import WORDS, Dice, Parrot, Torn, with_scribe

from sayso.clock import SimClock
from sayso.errors import ModelUnavailable, UsageError
from sayso.grounding.answers import sentence
from sayso.language import check
from sayso.models import known, make
from sayso.models.pocket import Pocket, any_robot, net
from sayso.models.pocket.answer import OTHERWISE, asked
from sayso.models.pocket.net import EncoderOutput, Floats, KeyValueCache
from sayso.models.pocket.tokenizer import MARKS
from sayso.planners.rolling_answer import read_answer
from sayso.roles import Attempt, Brief, Chunk, Observation, Prompt, Usage
from sayso.scene import Box, Scene, Thing
from sayso.skill import Param, Range, Skill, SkillSet
from sayso.skills import skills_for
from sayso.understanding.forms import UNSURE
from sayso.wish import Reply, Wish
from sayso.worlds import make as make_world


@pytest.fixture(autouse=True, scope="module")
def _scribe() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(any_robot, "kits", with_scribe)
        yield


async def _never(*args: Any) -> None:
    raise AssertionError("nobody runs these")


SKILLS = SkillSet(
    [
        Skill("move_forward", (Param("distance_cm", "number", "cm", Range(20, 500)),), body=_never, short="mf"),
        Skill("goto", (Param("object", "thing"),), body=_never, short="g"),
        Skill("log", (Param("text", "text"),), body=_never, short="l"),
        Skill("is_visible", (Param("object", "thing"),), "flag", body=_never, short="iv"),
        Skill("lamp", (Param("colour", "text", options=("red", "green")),), body=_never),
        Skill("take_off", body=_never, short="to"),
    ]
)
OFFICE = make_world("office")
DRONE = skills_for(OFFICE.robot, OFFICE.perception)
TASKS = SkillSet([Skill(name, provided=True) for name in ("WalkToBall", "KickBall", "StandStill", "TurnOnSpot")])


def plan(wish: str = "go", scene: Scene | None = None, kind: str = "scribe", **more: Any) -> Prompt:
    return Prompt("plan", (), brief=Brief(wish, SKILLS, Observation(scene or Scene()), kind=kind, **more))


def flight(wish: str, scene: Scene | None = None) -> Prompt:
    return Prompt("plan", (), brief=Brief(wish, DRONE, Observation(scene or Scene()), kind="drone"))


def rolling(wish: str = "kick the ball") -> Prompt:
    return Prompt("rolling", (), brief=Brief(wish, TASKS, Observation.of("walking"), kind="humanoid"), max_tokens=160)


def pocket(double: Dice) -> Pocket:
    return Pocket(double)


def chunks(model: Pocket, prompt: Prompt) -> list[Chunk]:
    async def main() -> list[Chunk]:
        return [chunk async for chunk in model.stream(prompt)]

    return SimClock().run(main())


def answer(model: Pocket, prompt: Prompt) -> str:
    return "".join(chunk.text for chunk in chunks(model, prompt))


# What is written


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


# What cannot be written


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


def test_a_robot_without_a_voice_declines_in_silence() -> None:
    mute = SkillSet([s for s in SKILLS.skills if s.name != "log"])
    prompt = Prompt("plan", (), brief=Brief("go to the chair", mute, kind="drone"))
    unsure = Parrot("at(chair)", lambda place: 0.3, doubt={"plan": 0.5})
    assert answer(pocket(unsure), prompt) == "->False"
    assert answer(pocket(unsure), flight("go to the chair")) == f"l('{DOUBT.format('go to the chair')}');->False"


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


# Doubt


DOUBT = "I am not sure that I understood. Is this what you want: I {}?"
DECLINED = f"{UNSURE} Please say it in other words."


@pytest.mark.parametrize("doubtful", [1, 12])
def test_doubt_about_a_word_asks_back_and_nothing_of_the_rest_is_heard(doubtful: int) -> None:
    model = pocket(
        Parrot("go to the chair " * 4, lambda place: 0.4 if place == doubtful else 0.999, doubt={"plan": 0.5})
    )
    assert answer(model, plan()) == DECLINED
    assert model.confidence and model.confidence.doubted and model.confidence.sure == pytest.approx(0.4, abs=0.02)


def test_two_writings_of_one_meaning_are_no_doubt_about_it() -> None:
    """Each is less likely than not, both together are what is meant; of two meanings neither is."""
    one = pocket(Torn({"at(chair)": 0.45, "at('chair')": 0.4, "at(apple)": 0.15}, doubt={"plan": 0.6}))
    assert answer(one, flight("go to the chair")) == answer(pocket(Parrot("at(chair)")), flight("go to the chair"))
    assert one.confidence and not one.confidence.doubted and one.confidence.sure == pytest.approx(0.85, abs=0.01)
    torn = pocket(Torn({"at(chair)": 0.45, "at(apple)": 0.4, "at('apple')": 0.15}, doubt={"plan": 0.6}))
    assert answer(torn, flight("go to the chair, the apple")) == f"l('{DOUBT.format('go to the chair')}');->False"
    assert torn.confidence and torn.confidence.doubted and torn.confidence.sure == pytest.approx(0.45, abs=0.01)


@pytest.mark.parametrize(
    ("reply", "comes"),
    [
        (("go to the chair", "yes"), "plan"),
        (("go to the chair", "Yes, please!"), "plan"),
        (("go to the apple", "yes"), "doubt"),
        (("go to the chair", "no"), "otherwise"),
    ],
)
def test_who_says_yes_to_what_was_read_is_believed_and_who_says_no_is_asked_for_other_words(
    reply: tuple[str, str], comes: str
) -> None:
    """(G57) A yes is one to what was asked and to nothing else."""
    asked_, said = reply
    wish = Wish("go to the chair", (Reply(DOUBT.format(asked_), said),))
    prompt = Prompt("plan", (), brief=Brief(sentence(wish), DRONE, kind="drone", wish=wish))
    doubts = DOUBT.format("go to the chair")
    text = answer(pocket(Parrot("at(chair)", lambda place: 0.7, doubt={"plan": 0.6})), prompt)
    assert (
        text
        == {
            "plan": answer(pocket(Parrot("at(chair)")), flight("go to the chair")),
            "doubt": f"l('{doubts}');->False",
            "otherwise": f"l('{OTHERWISE}');->False",
        }[comes]
    )


STRANGE = "I do not know what “zibble” means. Is this what you want: I go to the chair?"


def test_with_a_word_that_no_lesson_had_the_meaning_must_be_as_good_as_certain() -> None:
    """It makes the nearest goal of any wish; a yes to what it made goes on."""
    card = {"doubt": {"plan": 0.5}, "unlearned": {"plan": 0.9}}
    sure = pocket(Parrot("at(chair)", lambda place: 0.8 if place == 1 else 0.9999, **card))
    certain = pocket(Parrot("at(chair)", lambda place: 0.9999, **card))
    plain = answer(sure, flight("go to the chair"))
    assert answer(certain, flight("zibble to the chair")) == plain
    assert answer(sure, flight("zibble to the chair")) == f"l('{STRANGE}');->False"
    assert sure.confidence and sure.confidence.doubted and sure.confidence.unlearned == ("zibble",)
    wish = Wish("zibble to the chair", (Reply(STRANGE, "yes"),))
    assert answer(sure, Prompt("plan", (), brief=Brief(sentence(wish), DRONE, kind="drone", wish=wish))) == plain


def test_a_strange_word_is_no_doubt_where_the_card_does_not_say_so() -> None:
    model = pocket(Parrot("at(chair)", doubt={"plan": 0.5}))
    assert answer(model, flight("zibble to the chair")) == answer(model, flight("go to the chair"))


def test_a_strange_word_is_no_doubt_where_it_is_a_name_is_passed_on_or_is_refused() -> None:
    named = Scene((Thing("1", "zibble", Box(0.5, 0.5, 0.1, 0.1)),))
    for wish, seen, reads in (
        ("go to the zibble", Scene(), "at(zibble)"),
        ("go to the chair behind the zibble", named, "at(chair)"),
        ('say "zibble"', Scene(), "at(chair)"),
        ("zibble", Scene(), "refuse nonsense"),
    ):
        model = pocket(Parrot(reads, doubt={"plan": 0.5}, unlearned={"plan": 0.9}))
        answer(model, flight(wish, seen))
        assert model.confidence and not model.confidence.unlearned, wish


FAR, NEAR = {"plan": [0.5, 0.5, 0.5, 0.5, 0.2]}, {"plan": [0.5, 0.5, 0.5, 0.5, -2.2]}
"""1.2 nats outside and within, for a double that gives every text the meaning (.5, .5, .5, .5)."""


@pytest.mark.parametrize(("outside", "flies"), [({}, True), (FAR, False), (NEAR, True)])
def test_far_outside_its_language_it_must_be_surer(outside: dict[str, list[float]], flies: bool) -> None:
    model = pocket(Parrot("go", lambda place: 0.8, doubt={"plan": 0.3}, outside=outside))
    assert answer(model, plan()) == ("go" if flies else DECLINED)
    assert model.confidence and model.confidence.doubted == (not flies)
    assert model.confidence.outside == pytest.approx({0.2: 1.2, -2.2: -1.2}.get(outside.get("plan", [0])[-1], 0.0))


def test_near_its_language_it_must_be_as_sure_as_ever() -> None:
    model = pocket(Parrot("go", lambda place: 0.5, doubt={"plan": 0.6}, outside=NEAR))
    assert answer(model, plan()) == DECLINED


def test_a_refusal_may_come_from_far_outside() -> None:
    sure = {"doubt": {"plan": 0.3}, "outside": FAR}
    assert answer(pocket(Parrot("no. apple", lambda place: 0.9, **sure)), plan()) == "no. apple"
    assert answer(pocket(Parrot("go", lambda place: 0.8, **sure)), plan()) == DECLINED


def test_a_refusal_whose_reason_is_a_guess_does_not_give_it() -> None:
    for sure, says in ((0.6, "no. i see; the apple"), (0.4, DECLINED)):
        model = pocket(
            Parrot("no. i see; the apple", lambda place, sure=sure: 0.99 if place else sure, doubt={"plan": 0.3})
        )
        assert answer(model, plan()) == says


def test_what_was_taken_up_once_is_not_refused_later() -> None:
    model = pocket(Parrot("go", lambda place: 0.8, doubt={"plan": 0.3}, outside=FAR))
    assert answer(model, plan(history=(Attempt("mf(100)", (), "blocked"),), failure="blocked")) == "go"


def test_an_answer_without_an_end_is_doubtful() -> None:
    assert answer(pocket(Parrot("go " * 300)), plan()) == DECLINED


def test_doubtful_tasks_are_none() -> None:
    assert answer(pocket(Parrot("kick ball 1", lambda place: 0.4, doubt={"rolling": 0.5})), rolling()) == "Cannot"


# Scores


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


# Ends


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


def test_a_prompt_without_a_brief() -> None:
    with pytest.raises(ModelUnavailable, match="brief"):
        answer(pocket(Dice()), Prompt("plan", (("user", "go"),)))


# Weights


@pytest.mark.parametrize(
    ("purpose", "kind"),
    [
        ("score", ""),
        ("rank", ""),
        ("plan", "drone"),
        ("rolling", "humanoid"),
        ("plan", "service"),
        ("stepwise", "warehouse"),
    ],
)
def test_what_it_was_never_taught_it_says_and_does_not_guess(purpose: str, kind: str) -> None:
    prompt = Prompt(purpose, (), Brief("find her", SkillSet(), kind=kind), question="take off\ngo home")
    model = pocket(Parrot("a", taught=()))
    with pytest.raises(ModelUnavailable, match="these weights of pocket had no lessons in"):
        answer(model, prompt)
    with pytest.raises(ModelUnavailable, match="these weights of pocket had no lessons in"):
        SimClock().run(model.score(prompt, ["A", "B"]))


@pytest.mark.parametrize("kind", ["", "toaster"])
@pytest.mark.parametrize("purpose", ["plan", "replan", "rolling", "stepwise", "mission"])
def test_a_robot_that_it_was_not_taught_is_told_so(purpose: str, kind: str) -> None:
    """Neither a word nor a motion of another robot's."""
    prompt = Prompt(purpose, (), Brief("make toast", SKILLS, kind=kind), question="")
    with pytest.raises(ModelUnavailable) as told:
        answer(pocket(Parrot("mf(100)")), prompt)
    assert str(told.value) == "pocket was not taught this robot's skills; plain commands work, or connect a model"


def test_a_question_about_a_scene_is_answered_for_any_robot() -> None:
    prompt = Prompt("probe", (), Brief("what is red", SKILLS, kind="toaster"), question="what is red", max_tokens=32)
    assert answer(pocket(Parrot("apple")), prompt) == "apple"


def test_another_way_of_asking_than_in_its_lessons_is_refused() -> None:
    prompt = Prompt("stepwise", (), Brief("go", SKILLS, kind="drone"))
    with pytest.raises(ModelUnavailable, match="learnt to plan and replan for this robot, not stepwise"):
        answer(pocket(Parrot("mf(100)")), prompt)


def test_missing_weights_say_what_to_do(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"training/export\.py"):
        make(f"pocket:{tmp_path}")
    monkeypatch.setattr(net, "FOLDER", tmp_path)
    with pytest.raises(UsageError, match="missing"):
        net.read_card(tmp_path)


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ("{", "no card"),
        ("{}", "no card"),
        ('{"format": 0, "bytes": {}}', "format 0"),
        ('{"format": 1, "bytes": {"card.json": 5}}', "should have 5"),
        ('{"format": 1, "bytes": {"weights.bin": 5}}', "missing"),
    ],
)
def test_damaged_weights(tmp_path: Any, card: str, says: str) -> None:
    (tmp_path / "card.json").write_text(card)
    with pytest.raises(UsageError, match=says):
        net.read_card(tmp_path)


def test_the_embedded_model_is_listed() -> None:
    assert "pocket" in [form for form, _ in known()]


def test_dice_are_the_same_each_time() -> None:
    known_ = Dice(1).read((1, 2))
    one, _ = Dice(1).write(known_, [[3, 4]], Dice(1).empty_cache())
    assert np.array_equal(one, Dice(1).write(known_, [[3, 4]], Dice(1).empty_cache())[0])


# Weights that read


def test_the_drone_is_asked_for_a_goal_and_code_plans() -> None:
    def reads(text: str) -> str:
        wish = "Fly forty centimetres up and go to the red chair."
        return answer(pocket(Parrot(text)), Prompt("plan", (), Brief(wish, SKILLS, kind="drone")))

    written, goal = reads("moved(up, 40 cm) then at('red chair')").split("\n")
    assert goal == "want moved(up, 0.4 m) then at(chair.red)"
    assert written.startswith("mu(40);l('I look round first.');lr;") and written.endswith("g(_1)")
    assert reads("refuse handle").endswith("->False")
