"""The safety net hears "stop" and "land" in every form, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.planners.reflex import urgent

STOP = [
    "stop", "STOP!!", "Stop.", "stop stop", "stop.stop.stop", "please stop now", "stop please", "stooop", "STOPPPP!",
    "halt", "Halt now!", "freeze!", "abort", "abort the mission", "emergency", "emergency stop", "whoa", "hold on",
    "stop the drone", "stop moving", "stop flying now please", "stop turning", "stop everything immediately",
    "stop it", "stop right there", "stop, you are going to hit the wall!", "STOP the chair is in the way",
    "no, stop!", "wait, stop", "oh my god stop", "watch out! stop!", "Go to the chair! Stop!", "don't move",
    "drone stop", "can you stop", "I said stop", "ＳＴＯＰ", "s t o p", "sotp", "stpo", "stop and take a picture",
    "stop 🛑", "  stop  ",
    '"stop"', "stop!!!11", "cancel that", "hey stop", "stop for god's sake", "come to a halt", "wait", "hold on!",
]  # fmt: skip
LAND = [
    "land", "LAND!", "land now", "please land", "come down", "get down now", "land immediately", "touch down",
    "land the drone", "emergency landing", "stop and land", "Land.", "could you land", "you must land now", "landing",
    "land land land", "abort and land", "land here now", "put it down", "laaand", "land, please!",
]  # fmt: skip
NEITHER = [
    "", "!!!", "hello", "please", "now", "help", "no", "go", "stop at the chair", "don't stop", "do not stop",
    "never stop",
    "fly to the stop sign", "stop sign", "go to the landing", "the landing pad", "take off and land",
    "take a picture and land", "take off, go up one metre, land", "Fly forward 1 m. Stop. Turn left",
    "turn left and stop",
    "stop for 5 seconds", "stop when you see a chair", "stop in front of the chair", "land on the table", "don't land",
    "is it safe to land?", "where can you land?", "why did you stop?", "land, then take off", "landscape picture",
    "stopwatch", "non-stop", "find the land", "order a pizza", "wait 5 seconds", "pause for 3 seconds",
    "hold the position",
    "take off", "full stop after one metre", "can the robot land there on its own?", "tell me when to stop",
]  # fmt: skip


@pytest.mark.parametrize("text", STOP)
def test_stop(text: str) -> None:
    assert urgent(text) == "stop"


@pytest.mark.parametrize("text", LAND)
def test_land(text: str) -> None:
    assert urgent(text) == "land"


@pytest.mark.parametrize("text", NEITHER)
def test_neither(text: str) -> None:
    assert urgent(text) is None


@settings(max_examples=80)
@given(
    st.sampled_from(["stop", "halt", "freeze", "abort", "land", "come down"]),
    st.integers(1, 4),
    st.sampled_from(["", "please ", "NOW, ", "drone: ", "no, no, ", "(", '"']),
    st.sampled_from(["", "!", "!!!", ".", " now", ", please", "…", " ?!", '"', "\n"]),
    st.randoms(use_true_random=False),
)
def test_case_repetition_courtesy_and_punctuation_make_no_difference(
    word: str, times: int, before: str, after: str, random: object
) -> None:
    said = before + " ".join([word] * times) + after
    said = "".join(c.upper() if random.random() < 0.5 else c for c in said)  # type: ignore[attr-defined]
    assert urgent(said) == ("land" if word in ("land", "come down") else "stop")


@settings(max_examples=80)
@given(st.text(max_size=200))
def test_any_text_is_answered(text: str) -> None:
    assert urgent(text) in (None, "stop", "land")


@pytest.mark.parametrize("text", ["stand still and wave", "Stay where you are and wave!", "stay still while I count"])
def test_a_posture_with_something_more_is_an_order_for_a_planner(text: str) -> None:
    assert urgent(text) is None


@pytest.mark.parametrize("text", ["stand still", "Stand still, there is a child!", "stay where you are please"])
def test_a_posture_alone_or_with_a_reason_stops(text: str) -> None:
    assert urgent(text) == "stop"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("i need you to stop exactly two metres before the lamp", None),
        ("i need you to stop exactly now", "stop"),
        ("halt 60 cm before the lamp", None),
        ("please stop two metres short of my bed", None),
        ("stop 1 m before the wall!", "stop"),
        ("stop 2 metres", "stop"),
        ("stop 3 of them", "stop"),
        ("land plz", "land"),
        ("stop pls", "stop"),
    ],
)
def test_u4_where_to_stop_is_no_cry_and_haste_in_spelling_is(text: str, word: str | None) -> None:
    assert urgent(text) == word
