"""`sayso run --approve`: the whole plan is shown first, and only a yes lets it run."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import PATIENCE_S, TOUR, Home, Terminal


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.parametrize("typed", [b"y\n", b"yes\n", b" YES \n", b"y"])
def test_a_yes_lets_it_run(home: Home, typed: bytes) -> None:
    ran = home.sayso("run", "take off and land", "--approve", "--json", stdin=typed)
    assert ran.code == 0 and ran.json["success"]
    assert "take_off;land" in ran.err and "Run this plan?" in ran.err, "the question is not on standard output"


@pytest.mark.parametrize("typed", [b"n\n", b"", b"\n", b"yikes\n", b"\xff\xfe\n", b"y" * 5000])
def test_anything_else_does_not(home: Home, typed: bytes) -> None:
    ran = home.sayso("run", "take off and land", "--approve", "--json", stdin=typed)
    assert (ran.code, ran.json["outcome"], ran.json["reason"]) == (1, "refused", "the plan was not approved")
    assert "TaskStarted" not in home.kinds() and "ApprovalGiven" in home.kinds()


def test_no_input_at_all_is_a_no(home: Home) -> None:
    process = home.start("run", "take off", "--approve")
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1 and "not approved" in out and err == ""


def test_every_new_plan_is_asked_for(home: Home) -> None:
    model = "scripted:" + home.file("s.json", {"plan": ["to;g('unicorn')"], "replan": ["tp;->True"]})
    ran = home.sayso("run", "x", "--approve", "--model", model, stdin=b"y\ny\n")
    assert ran.code == 0 and ran.out.count("Run this plan?") == 2
    assert home.sayso("run", "x", "--approve", "--model", model, stdin=b"y\nn\n").code == 1


def test_a_plan_is_shown_without_control_characters(home: Home) -> None:
    model = "scripted:" + home.file("plan.ms", "l('a\u202eb')")
    ran = home.sayso("run", "x", "--approve", "--model", model, stdin=b"n\n")
    assert "\u202e" not in ran.out


@pytest.mark.parametrize(("typed", "code"), [("y\r", 0), ("\x03", 1)])
def test_on_a_terminal(home: Home, typed: str, code: int) -> None:
    terminal = Terminal(home, "run", TOUR, "--approve", "--pace", "60")
    terminal.see("[y/N]")
    terminal.type(typed)
    assert terminal.end() == code
    if typed == "\x03":
        assert "StopAsked" in home.kinds() and "stopped by key" in terminal.screen
    assert terminal.screen.rstrip().endswith("landed\x1b[0m") or "landed" in terminal.screen.splitlines()[-1]
