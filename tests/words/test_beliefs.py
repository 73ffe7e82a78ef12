"""What is believed besides the scene: a line for a prompt, data for a planner, and both come back from a journal."""

from __future__ import annotations

import pytest

from sayso.events import Observed, from_json, to_json
from sayso.memory.thing_record import Remembered
from sayso.perception.indoor import LastSeen
from sayso.plugins.kits import beliefs
from sayso.robots.aircraft.aerial import Searched, Sighting
from sayso.robots.humanoid.ball import Ball
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.roles import Observation, RobotState
from sayso.scene import Belief, TextBelief, belief_from, belief_json
from sayso.task import Ran

SOME = (
    (Ball(), "ball is not visible, never seen"),
    (Ball(True, 0.1, 1.25), "ball is visible, last seen 0.1 s ago, 1.25 m away"),
    (LastSeen((("apple", "table"), ("cup", "sink"))), "last seen: apple on the table; cup on the sink"),
    (SeenFromHere(()), "seen from here: nothing"),
    (SeenFromHere((("toy rack", ("duck (yellow)", "kite (red)")),)),
     "seen from here on the toy rack: duck (yellow), kite (red)"),
    (Sighting("s1", "person", 10.4, -3.0, 0.81, "unconfirmed"), "s1: person at x 10 m, y -3 m, 81% sure, unconfirmed"),
    (Searched(("village", "A1")), "searched so far: village, A1"),
    (Remembered("cup", ("red",), "desk", True, "cup (red), gone"), "remembered: cup (red), gone"),
    (TextBelief("rooms: one"), "rooms: one"),
)  # fmt: skip


def test_every_kind_of_belief_is_here() -> None:
    assert {type(one).__name__ for one, _ in SOME} - {"Remembered", "TextBelief"} == set(beliefs())


@pytest.mark.parametrize(("belief", "line"), SOME, ids=[line for _, line in SOME])
def test_a_belief_reads_as_a_line_and_comes_back_from_a_journal(belief: Belief, line: str) -> None:
    assert str(belief) == line
    written = Observed(scene={}, notes=("standing", line), beliefs=(belief_json(belief),))
    read = from_json("Observed", to_json(written))
    assert isinstance(read, Observed)
    known = {**beliefs(), "Remembered": Remembered}
    assert belief_from(read.beliefs[0], read.notes[1], known) == belief


def test_a_belief_of_an_unknown_kind_is_a_line() -> None:
    assert belief_from({"belief": "Smell", "of": "gas"}, "it smells of gas", {}) == TextBelief("it smells of gas")


def test_an_observation_in_words() -> None:
    seen = Observation(
        state=RobotState(summary="standing"),
        believed=(Ball(),),
        recalled=(TextBelief("remembered: a cup"),),
        ended=(Ran("goto", ("cup",)), Ran("ask", ("Who?",), value="Mary"), Ran("grab", (), "failed", "it slipped")),
    )
    assert seen.notes == (
        "standing", "ball is not visible, never seen", "remembered: a cup", "goto: done", "ask: done Mary",
        "grab: failed it slipped",
    )  # fmt: skip
    assert Observation().notes == () and Observation.of("a line").notes == ("a line",)
