"""Courtesy asks for nothing: a sentence is read the same with it and without (U3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.understanding import requested
from sayso.understanding.courtesy import bluntly

PLAIN = st.sampled_from(
    ["rise 20 cm and face the door", "bring Olga the jar, not the pear", "keep 1 m from the bench and go to it",
     "put the hammer on the desk and tell me what is there"]
)  # fmt: skip
BEFORE = st.sampled_from(
    ["please {}", "Would you be so kind as to {}?", "I'd like you to {}.", "Could you please {}?", "Excuse me, {}",
     "I was wondering if you could {}", "do me a favour and {}", "It would be nice if you could {}.", "well, {}",
     "I am sleepy, {}"]
)  # fmt: skip
BEHIND = st.sampled_from(
    ["{}", "{} please", "{}, thank you very much!", "{}, if you don't mind", "{} when you can",
     "{}, it doesn't matter which", "{}, whichever is easiest for you"]
)  # fmt: skip


@given(PLAIN, BEFORE, BEHIND)
def test_u3_courtesy_changes_nothing(said: str, before: str, behind: str) -> None:
    polite, blunt = requested(behind.format(before.format(said))), requested(said)
    assert (polite.act, polite.core.rstrip(".!"), polite.manners) == (blunt.act, blunt.core, blunt.manners)


@pytest.mark.parametrize(
    "said",
    ["please", "hello", "thanks a lot", "right 2 metres", "tell Olga thank you", "can you fly?", "say please",
     "could you lift the bench?"],
)  # fmt: skip
def test_u3_what_may_mean_more_is_no_courtesy(said: str) -> None:
    assert bluntly(said) == said


def test_u3_a_verb_behind_a_courtesy_is_an_order() -> None:
    assert bluntly("Would you mind turning to the Door, please?") == "turn to the Door"


def test_u3_who_is_told_to_go_and_say_it_goes_and_says_it() -> None:
    assert bluntly("go tell Olga that it rains") == "go and tell Olga that it rains"


@pytest.mark.parametrize(
    ("said", "blunt"),
    [
        ("face the door, because it is such a noise", "face the door"),
        ("turn about so that I can see the jar", "turn about"),
        ("wait because there are 2 people", "wait because there are 2 people"),
        ("face the door because I said so and land", "face the door because I said so and land"),
        ("turn so that you face the door", "turn so that you face the door"),
        ("face left, then right, then up", "face left, then right, then up"),
        ("somebody is knocking, face the door", "face the door"),
        ("my aunt is thirsty, so face the jar", "face the jar"),
        ("face the jar, there are children sleeping", "face the jar"),
        ("face the jar, there is one on the desk", "face the jar, there is one on the desk"),
        ("oi, you sleepy old lump, face the jar", "face the jar"),
        ("face the jar and stay put otherwise", "face the jar"),
        ("if there is a jar, face it, and otherwise stay put", "if there is a jar, face it, and otherwise stay put"),
        ("since it's getting late, land", "land"),
        ("she is by the door, face her", "she is by the door, face her"),
        ("I have 2 jars, face the door", "I have 2 jars, face the door"),
        ("I do not want the jar, face the door", "I do not want the jar, face the door"),
    ],
)
def test_u3_a_reason_asks_for_nothing_unless_more_is_in_it(said: str, blunt: str) -> None:
    assert bluntly(said) == blunt


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("it's so dark, bring me the lamp", "bring me the lamp"),
        ("we have guests, so bring five plates", "bring five plates"),
        ("because I am ill, fetch the blanket", "fetch the blanket"),
        ("it's on the shelf, bring me the lamp", "it's on the shelf, bring me the lamp"),
        ("the lamp is broken, throw it away", "the lamp is broken, throw it away"),
        ("we have three guests, bring plates", "we have three guests, bring plates"),
    ],
)
def test_u3_a_reason_before_an_order_asks_for_nothing(said: str, meant: str) -> None:
    assert bluntly(said) == meant
