"""When the embedded model doubts what it read: it asks back, believes a yes, and guesses nothing."""

from __future__ import annotations

import pytest
from pocket_asks import DECLINED, DOUBT, DRONE, SKILLS, answer, flight, plan, pocket, rolling
from pocket_double import Parrot, Torn

from sayso.grounding.answers import sentence
from sayso.models.pocket.answer import OTHERWISE
from sayso.roles import Attempt, Brief, Prompt
from sayso.scene import Box, Scene, Thing
from sayso.skill import SkillSet
from sayso.wish import Reply, Wish

pytestmark = pytest.mark.usefixtures("scribe")


def test_a_robot_without_a_voice_declines_in_silence() -> None:
    mute = SkillSet([s for s in SKILLS.skills if s.name != "log"])
    prompt = Prompt("plan", (), brief=Brief("go to the chair", mute, kind="drone"))
    unsure = Parrot("at(chair)", lambda place: 0.3, doubt={"plan": 0.5})
    assert answer(pocket(unsure), prompt) == "->False"
    assert answer(pocket(unsure), flight("go to the chair")) == f"l('{DOUBT.format('go to the chair')}');->False"


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
    torn = pocket(Torn({"at(chair)": 0.45, "visited(chair)": 0.4, "found(chair)": 0.15}, doubt={"plan": 0.6}))
    assert answer(torn, flight("go to the chair")) == f"l('{DOUBT.format('go to the chair')}');->False"
    assert torn.confidence and torn.confidence.doubted and torn.confidence.sure == pytest.approx(0.45, abs=0.01)


@pytest.mark.parametrize(
    ("other", "doubt", "comes"),
    [
        ({"go to the chair": 0.3, "see": 0.2}, 0.25, "go to the chair"),
        ({"go to the chair": 0.3, "see": 0.2}, 0.5, DECLINED),
        ({"no": 0.3, "see": 0.2}, 0.1, "see"),
        ({"cannot see": 0.3, "no": 0.2}, 0.1, "It is not here."),
        ({"go to the chair": 0.03}, 0.0, "It is not here."),
    ],
)
def test_of_what_was_read_the_likeliest_that_can_be_done_is_taken_with_the_doubt_that_is_left(
    other: dict[str, float], doubt: float, comes: str
) -> None:
    """(G57) What can be done and is said for sure is done; where nothing else is likely it says what is not there."""
    model = pocket(Torn({"cannot go": 0.5, **other}, doubt={"plan": doubt}))
    assert answer(model, plan()) == comes


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
