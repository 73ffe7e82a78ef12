"""Ctrl-C and its like: at any moment the first one brings the robot down and is on record, the second one leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_runner import PATIENCE_S, TOUR, Home

from sayso import setup
from sayso.events import MissionEnded, StopAsked
from sayso.terminal import tables

PROBING = {"plan": ["to;_1=p('a chair?');?_1==True{g('chair')};tp"], "probe": ["True"]}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def interrupted_at(home: Home, mark: str, *words: str, again: int = 0) -> tuple[int, str]:
    """Run a mission, send Ctrl-C when its log first shows `mark`; the exit code and what was on stdout."""
    process = home.start("run", *words, "--json", stdin=subprocess.PIPE)
    assert process.stderr and process.stdout and process.stdin
    log = ""
    while mark not in log:
        more = os.read(process.stderr.fileno(), 4096)
        assert more, f"never saw {mark!r} in {log!r}"
        log += more.decode()
    process.send_signal(signal.SIGINT)
    if again:
        while "asked for by" not in log:  # the first signal was heard
            log += os.read(process.stderr.fileno(), 4096).decode()
        assert "a second one leaves at once" in log
        process.send_signal(again)
    out, _ = process.communicate(timeout=PATIENCE_S)
    return process.returncode, out


MOMENTS = {
    "before the first event": ("wish", TOUR),
    "while a model is awaited": ("asks", "go"),
    "while the plan arrives": ("plan ", "go"),
    "at take-off": ("start    take_off", TOUR),
    "in flight": ("start    goto", TOUR),
    "while a skill asks the model": ("latency: ", "go"),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_first_ctrl_c_stops_lands_and_is_on_record(home: Home, moment: str) -> None:
    """S8."""
    mark, wish = MOMENTS[moment]
    model = ("--model", f"modelled:scripted:{home.file('script.json', PROBING)}") if wish == "go" else ()
    ran = home.sayso("run", wish, *model, "--json", at=mark)
    assert ran.code == 1 and ran.json["outcome"] == "stopped"
    assert_stopped_and_kept(home)


def test_ctrl_c_while_a_person_is_asked_stops_and_is_on_record(home: Home) -> None:
    """S8."""
    code, out = interrupted_at(home, "[y/N]", TOUR, "--approve")
    assert code == 1 and json.loads(out.splitlines()[-1])["outcome"] == "stopped"
    assert_stopped_and_kept(home)


def assert_stopped_and_kept(home: Home) -> None:
    kinds = home.kinds()
    assert kinds.index("StopAsked") < kinds.index("Stopped") < kinds.index("MissionEnded") == len(kinds) - 1
    assert home.sayso("replay").code == 0, "and it can be replayed"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_stops_as_well(home: Home, number: int) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("these tests were started so that they outlive their terminal (nohup)")
    ran = home.sayso("run", TOUR, "--json", at="start    goto", number=number)
    assert ran.code == 1 and ran.json["outcome"] == "stopped"
    assert next(e.by for e in home.events() if isinstance(e, StopAsked)) == signal.Signals(number).name


def test_an_interrupt_while_the_program_is_read_in_is_one_line() -> None:
    """(S8)"""
    code = """
import builtins, sys
from sayso.__main__ import main
imported = builtins.__import__
def interrupted(name, *more):
    if name == "sayso.terminal.commands":
        raise KeyboardInterrupt
    return imported(name, *more)
builtins.__import__ = interrupted
main()
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (1, "sayso: interrupted\n")


def test_an_interrupt_while_nothing_moves_is_one_line(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """S8."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tables, "shown", interrupted)
    ran = home.sayso("worlds")
    assert (ran.code, ran.out, ran.err) == (1, "", "sayso: interrupted\n")


def test_the_second_ctrl_c_leaves_at_once(home: Home) -> None:
    """S8: the first one says so."""
    code, out = interrupted_at(home, "start    take_off", TOUR, "--pace", "0.3", again=signal.SIGINT)
    assert code == -signal.SIGINT and out == ""
    assert "StopAsked" in home.kinds(), "the first one was heard"
    assert "the process died" in home.sayso("why").out


def test_a_key_pressed_while_the_world_is_built_counts(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    make = setup.make_world

    def slowly(*args: object, **options: object) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        return make(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(setup, "make_world", slowly)
    ran = home.sayso("run", TOUR, "--json")
    assert ran.code == 1 and ran.json["outcome"] == "stopped"
    assert "TaskStarted" not in home.kinds()
    assert home.kinds()[0] == "MissionStarted" and "StopAsked" in home.kinds()
    monkeypatch.undo()
    assert home.sayso("replay").code == 0


def test_the_handlers_of_the_process_come_back(home: Home) -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(n) for n in numbers]
    home.sayso("run", "take off")
    assert [signal.getsignal(n) for n in numbers] == before


def test_a_signal_while_it_lands_changes_nothing(home: Home) -> None:
    process = home.start("run", "take off", "--pace", "1")
    assert process.stdout
    for line in process.stdout:
        if " end " in line:
            break
    time.sleep(0.1)  # of the second and a half that it takes to come down
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0 and "landed" in out and err == ""
    last = home.events()[-1]
    assert isinstance(last, MissionEnded) and last.outcome == "achieved"
