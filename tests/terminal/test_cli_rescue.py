"""A search from the command line: flown, told, and played again, with scores and with ranks."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli_runner import Home, stand_still

from sayso import setup
from sayso.events import AnswerEnded, Prompted
from sayso.models.latency import ModelledLatency
from sayso.robots.aircraft.suite.double import RescueDouble
from sayso.roles import Prompt

SENTENCE = "Search the park for a child in yellow. Confirm a find, then return home and land."
WHERE = ("--world", "rescue", "--scene", "night", "--seed", "18", "--planner", "scored")
MISSION = json.dumps({"find": [{"label": "child", "colour": "yellow"}], "in": ["park"]})
HOME_FIRST = "Z Y X W V U T S R Q P O N M L K J I H G F E D C B A"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Where a model takes no time, however busy this machine is: what it takes would be missing in the battery."""
    stand_still(monkeypatch)
    return Home(tmp_path)


class Hasty(RescueDouble):
    """A test double that goes home as soon as it is in the air."""

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        return [0.0 if c.startswith(("fly home", "take off")) else -9.0 for c in prompt.question.splitlines()]


def test_scores_are_journaled_explained_and_played_again(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "make_model", lambda name: ModelledLatency(Hasty({SENTENCE: MISSION})))
    ran = home.sayso("run", SENTENCE, *WHERE, "--model", "double", "--json")
    assert ran.json["outcome"] in ("achieved", "not_achieved") and "landed at home" in ran.err
    asked = [e for e in home.events() if isinstance(e, Prompted)]
    assert [e.purpose for e in asked[:2]] == ["mission", "score"]
    assert ran.json["model_calls"] == len(asked) <= 40
    scored = [e.scores for e in home.events() if isinstance(e, AnswerEnded) and e.scores]
    assert len(scored) == len(asked) - 1 and all(letter in "ABCDEFGHI" for letter, _ in scored[0])
    why = home.sayso("why").out
    assert "weighs " in why and "search an area for what is missing" in why
    again = home.sayso("replay")
    assert (again.code, again.out.splitlines()[-1]) == (0, "the replay ended the same"), again.err


def test_a_script_ranks_and_the_operator_hears_what_that_means(home: Home) -> None:
    script = home.file("search.json", {"mission": [MISSION], "rank": ["A", HOME_FIRST, HOME_FIRST]})
    ran = home.sayso("run", SENTENCE, *WHERE, "--model", f"scripted:{script}")
    assert "I search for a yellow child in the park." in ran.out
    assert "weights are made of a ranked answer" in ran.out
    assert "landed at home" in ran.out
    again = home.sayso("replay")
    assert (again.code, again.out.splitlines()[-1]) == (0, "the replay ended the same"), again.err


def test_the_first_command_of_the_searchs_page_finds_whom_it_is_for(home: Home) -> None:
    page = (Path(__file__).parents[2] / "docs" / "rescue.md").read_text("utf-8")
    command = shlex.split(page.split("```")[1].replace("\\\n", " "))
    ran = home.sayso(*command[1:], "--json")
    assert command[0] == "sayso" and ran.code == 0 and ran.json["outcome"] == "achieved", ran.out
