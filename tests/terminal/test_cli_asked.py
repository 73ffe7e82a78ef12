"""`sayso run` and a question back: asked on a terminal, answered later without one. docs/goals.md, rule G43."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Home, Terminal

from sayso.events import MissionStarted
from sayso.wish import Wish

QUESTION = "Left or right?"
WISH = Wish("turn for me please").answered(QUESTION, "left")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def scripted(home: Home, *plans: str) -> str:
    return f"scripted:{home.file('answers.json', {'plan': list(plans)})}"


def last_wish(home: Home) -> Wish:
    started = home.events()[0]
    assert isinstance(started, MissionStarted)
    return started.wish


def asked(home: Home) -> str:
    """A mission that ends with a question, where nobody can answer; its model, a double."""
    model = scripted(home, f"l('{QUESTION}');->False")
    ran = home.sayso("run", "turn for me please", "--planner", "stream", "-m", model, "--seed", "4", "--json")
    assert (ran.code, ran.json["outcome"], ran.json["asked"]) == (3, "asked", QUESTION)
    return model


def test_without_a_terminal_it_ends_as_asked_and_another_command_answers(home: Home) -> None:
    """G43: in the setup of the mission that asked."""
    asked(home)
    scripted(home, "tu(90)")
    ran = home.sayso("run", "--answer-to", "LAST", "left", "--json")
    assert (ran.code, ran.json["outcome"], ran.json["asked"]) == (0, "achieved", "")
    assert last_wish(home) == WISH
    setup = home.events()[0].setup  # type: ignore[attr-defined]
    assert (setup["planner"], setup["seed"]) == ("stream", 4)
    told = home.sayso("why").out
    assert told.index("turn for me please") < told.index(QUESTION) < told.index("“left”")
    assert "the replay ended the same" in home.sayso("replay").out


def test_an_answer_needs_a_question_and_takes_no_other_setup(home: Home) -> None:
    model = asked(home)
    other = home.sayso("run", "--answer-to", "LAST", "left", "--model", model)
    assert other.code == 2 and "leave --model out" in other.err
    assert home.sayso("run", "land", "--planner", "reflex").code == 0
    none = home.sayso("run", "--answer-to", "LAST", "left")
    assert none.code == 2 and "ended without a question" in none.err


def test_on_a_terminal_it_waits_for_the_answer(home: Home) -> None:
    model = scripted(home, f"l('{QUESTION}');->False", "tu(90)")
    talk = Terminal(home, "run", "turn for me please", "--planner", "stream", "-m", model, "--pace", "0")
    talk.see("Your answer (Enter for none): ")
    talk.type("left\n")
    talk.see("achieved")
    assert talk.end() == 0
    assert home.missions() == 2 and last_wish(home) == WISH


@pytest.mark.parametrize("typed", ["\n", "\x03"])
def test_no_answer_and_a_stop_leave_it_as_asked(home: Home, typed: str) -> None:
    model = scripted(home, f"l('{QUESTION}');->False", "tu(90)")
    talk = Terminal(home, "run", "turn for me please", "--planner", "stream", "-m", model, "--pace", "0")
    talk.see("Your answer (Enter for none): ")
    talk.type(typed)
    assert talk.end() == 3
    assert home.missions() == 1
