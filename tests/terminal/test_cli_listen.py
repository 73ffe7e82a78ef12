"""`sayso listen`: wishes by voice, from files of sound, understood by a recogniser of one's own."""

from __future__ import annotations

import asyncio
import importlib.util
import io
import wave
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from cli_runner import Home
from rich.console import Console

from sayso.agent import Agent
from sayso.clock import Clock
from sayso.ears import Heard, Recogniser, Sound
from sayso.events import MissionStarted
from sayso.roles import Brief
from sayso.setup import Setup
from sayso.terminal.chat import chat
from sayso.terminal.listen import SpokenInput
from sayso.terminal.stops import Stops

EARS = '''
from sayso.ears import Heard, Recogniser, Sound
from sayso.roles import Brief

SAID = {said}


class Mine(Recogniser):
    """A sound is the number of what is said."""

    name = "mine"

    def hear(self, sound: Sound, brief: Brief) -> Heard:
        assert "takeoff" in " ".join(brief.skills).replace("_", "") and not brief.instruction
        return Heard(*SAID[int(sound.samples[0])])
'''


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def listen(home: Home, said: Sequence[tuple[str, bool]], *options: str, typed: bytes = b"") -> str:
    ears = home.folder / "ears.py"
    ears.write_text(EARS.format(said=list(said)), "utf-8")
    files = [home.folder / f"{n}.wav" for n in range(len(said))]
    for n, file in enumerate(files):
        with wave.open(str(file), "wb") as out:
            out.setparams((1, 2, 16_000, 0, "NONE", ""))
            out.writeframes(n.to_bytes(2, "little") * 160)
    common = ("--planner", "reflex", "--scene", "tour", "--silent", "--ears", f"{ears}", *options)
    ran = home.sayso("listen", *map(str, files), *common, stdin=typed)
    assert ran.code == 0, ran.err
    return ran.out


def wishes(home: Home) -> list[str]:
    return [e.wish.latest for e in home.events() if isinstance(e, MissionStarted)]


def test_what_is_heard_for_sure_is_shown_and_done_once_approved(home: Home) -> None:
    out = listen(home, [("turn left", True)], typed=b"y\n")
    assert "heard: “turn left”" in out and "Run this plan? [y/N]" in out and "achieved" in out
    assert wishes(home) == ["turn left"]


def test_nothing_moves_by_voice_without_a_yes(home: Home) -> None:
    out = listen(home, [("turn left", True)])
    assert "Run this plan?" in out and "achieved: " not in out.replace("not achieved", "")


def test_approval_can_be_switched_off(home: Home) -> None:
    out = listen(home, [("turn left", True), ("turn right", True)], "--no-approve")
    assert "Run this plan?" not in out and out.count("achieved") == 2


def test_what_is_not_sure_is_asked_and_not_done(home: Home) -> None:
    out = listen(home, [("turn left", False), ("", False), ("", False), ("turn right", False)], "--no-approve")
    assert "did you say “turn left”?" in out and "nothing is done yet" in out and "heard nothing" in out
    assert "achieved" not in out and home.missions() == 0


def test_what_is_heard_the_same_twice_is_done(home: Home) -> None:
    out = listen(home, [("turn left 90 degree", False), ("turn left 90 degrees", False)], "--no-approve")
    assert out.count("achieved") == 1 and home.missions() == 1


def test_a_spoken_stop_latches_even_where_it_is_not_sure(home: Home) -> None:
    out = listen(home, [("stop", False), ("turn left", True)], "--no-approve")
    assert "stopped by voice" in out and "achieved: " not in out.replace("not achieved", "")


def test_a_spoken_stop_is_not_sold_as_the_stop(home: Home) -> None:
    assert "Ctrl-C is the stop" in listen(home, [("quit", True)])


def test_a_file_that_is_no_sound_is_named(home: Home) -> None:
    bad = home.file("bad.wav", "no sound")
    ears = home.folder / "ears.py"
    ears.write_text(EARS.format(said=[]), "utf-8")
    ran = home.sayso("listen", str(bad), "--ears", str(ears))
    assert ran.code == 2 and "bad.wav" in ran.err and "WAV" in ran.err


class Live:
    """Somebody who speaks on while the robot is at it."""

    live = True

    async def utterances(self) -> AsyncIterator[Sound]:
        for n in range(2):
            yield Sound(np.full(160, n, np.int16))
        await asyncio.Event().wait()

    def forget(self) -> None:
        """Nothing is spoken here."""


class Ears(Recogniser):
    def hear(self, sound: Sound, brief: Brief) -> Heard:
        return Heard(*(("wait for sixty seconds", True), ("stop", False))[sound.samples[0]])


def test_a_stop_is_heard_while_the_robot_is_at_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_HOME", str(home.folder))
    out, stops = io.StringIO(), Stops()

    class Once(SpokenInput):
        async def wish(self, agent: Agent, question: str) -> str | None:
            return None if agent.executive.stopped_by else await super().wish(agent, question)

    def who(console: Console, clock: Clock) -> SpokenInput:
        return Once(console, clock, Ears(), Live(), aloud=False)

    chat(Setup(planner="reflex", scene="tour"), stops, Console(file=out, width=160), 4.0, home.journal, who)
    assert "stopped by voice" in out.getvalue()


@pytest.mark.skipif(importlib.util.find_spec("pocketsphinx") is not None, reason="the extra is installed")
def test_without_the_extra_it_is_named(home: Home) -> None:
    ran = home.sayso("listen", "some.wav")
    assert ran.code == 2 and "sayso[ears]" in ran.err


def test_a_recogniser_that_is_not_there_is_named_with_those_that_are(home: Home) -> None:
    ran = home.sayso("listen", "some.wav", "--ears", "nobody")
    assert ran.code == 2 and "no recogniser 'nobody'" in ran.err
