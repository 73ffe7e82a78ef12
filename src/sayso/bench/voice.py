"""`sayso bench voice`: how well spoken commands are heard, in synthetic voices and noise.

Nobody speaks here: espeak-ng and flite, programs, make the voices, and a computer the noise (pink, as of a fan, at a
ratio of powers over the utterance). So the figures compare recognisers and thresholds, and promise nothing of a person
in a room. A command is right where what was heard makes the same plan as what was said, asked where the recogniser was
not sure, wrong where it was sure of another plan. Chat is taken where the recogniser was sure of any of it.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from sayso.clock import SimClock
from sayso.ears import RATE_HZ, Recogniser, Sound, recogniser
from sayso.ears.sound import from_wav
from sayso.errors import NotUnderstood, UsageError
from sayso.kits import words_for
from sayso.parts import Brief, Observation
from sayso.planners.reflex import Command
from sayso.setup import Setup

VOICES: dict[str, tuple[str, ...]] = {
    "espeak-ng en-us": ("espeak-ng", "-v", "en-us", "-w", "/dev/stdout"),
    "flite slt": ("flite", "-voice", "slt", "-o", "/dev/stdout", "-t"),
    "flite rms": ("flite", "-voice", "rms", "-o", "/dev/stdout", "-t"),
    "flite awb": ("flite", "-voice", "awb", "-o", "/dev/stdout", "-t"),
}
NOISES: dict[str, float] = {"clean": 60.0, "20 dB": 20.0, "10 dB": 10.0, "5 dB": 5.0}
"""Decibels of the voice over the noise."""

PARTS = ("measured", "choosing")
PAUSE_S = 0.3
FLATTEST_HZ = 20.0


@dataclass(frozen=True, slots=True)
class Row:
    """One voice in one noise: `right`, `asked` and `wrong` of `commands`, `taken` of `chat`."""

    ears: str
    part: str
    voice: str
    noise: str
    commands: int
    right: int
    asked: int
    wrong: int
    chat: int
    taken: int
    hear_cpu_s: float
    heard: tuple[tuple[str, str, bool], ...]
    """What was said, what was heard, and whether for sure."""


def run(console: Console, only: str, seed: int, json_file: str, ears: str = "") -> int:
    """Print the table, and write every utterance where `json_file` says. `only` names voices, noises, or the part
    `choosing`. Raises `UsageError` for what is not there."""
    asked = {name.strip() for name in only.split(",")} - {""}
    if unknown := asked - {*VOICES, *NOISES, *PARTS}:
        there = ", ".join((*VOICES, *NOISES, *PARTS))
        raise UsageError(f"there is no voice, noise or part {', '.join(sorted(unknown))}; there are {there}")
    if lacking := sorted({call[0] for call in VOICES.values() if shutil.which(call[0]) is None}):
        raise UsageError(f"the voices are made by programs that are not installed here: {', '.join(lacking)}")
    hears, told, rows = recogniser(ears), brief(), list[Row]()
    for noise in [n for n in NOISES if n in asked or not asked & set(NOISES)]:
        for voice in [v for v in VOICES if v in asked or not asked & set(VOICES)]:
            rows.append(measured(hears, told, "choosing" if "choosing" in asked else "measured", voice, noise, seed))
            console.print(_line(rows[-1]), soft_wrap=True)
    console.print(_table(rows))
    if json_file and json_file != "-":
        Path(json_file).write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows), "utf-8")
    return 0


def measured(hears: Recogniser, brief: Brief, part: str, voice: str, noise: str, seed: int) -> Row:
    """Every sentence of a part, said by one voice in one noise."""
    said = sentences(part)
    took, came, heard = list[float](), {"right": 0, "asked": 0, "wrong": 0}, list[tuple[str, str, bool]]()
    taken = 0
    for kind in ("commands", "chat"):
        for n, sentence in enumerate(said[kind]):
            sound = noisy(spoken_by(voice, sentence), NOISES[noise], seed + n)
            began_s = time.process_time()
            found = hears.hear(sound, brief)
            took.append(time.process_time() - began_s)
            heard.append((sentence, found.text, found.sure))
            if kind == "chat":
                taken += found.sure
            else:
                same = found.sure and plan(found.text, brief) == plan(sentence, brief)
                came["right" if same else "wrong" if found.sure else "asked"] += 1
    commands, chat = len(said["commands"]), len(said["chat"])
    hear_cpu_s = round(statistics.median(took), 3)
    return Row(
        hears.name, part, voice, noise, commands, **came, chat=chat, taken=taken, hear_cpu_s=hear_cpu_s,
        heard=tuple(heard),
    )  # fmt: skip


def sentences(part: str) -> Mapping[str, Sequence[str]]:
    """The commands and the chat of a part."""
    data = tomllib.loads(resources.files(__package__).joinpath("voice.toml").read_text("utf-8"))
    return {kind: list(said) for kind, said in data[part].items()}


def spoken_by(voice: str, sentence: str) -> Sound:
    """A sentence in one of the voices."""
    made = subprocess.run([*VOICES[voice], sentence], capture_output=True, check=True)
    return from_wav(made.stdout)


def noisy(sound: Sound, ratio_db: float, seed: int) -> Sound:
    """With pink noise under it and a pause around it."""
    pause = np.zeros(int(PAUSE_S * RATE_HZ))
    voice = np.concatenate([pause, sound.samples.astype(float), pause])
    power = np.mean(sound.samples.astype(float) ** 2)
    return Sound(
        np.clip(voice + _pink(len(voice), power / 10 ** (ratio_db / 10), seed), -32768, 32767).astype(np.int16)
    )


def _pink(n: int, power: float, seed: int) -> Any:
    """(n,) noise whose power falls with its frequency."""
    spectrum = np.fft.rfft(np.random.default_rng(seed).normal(size=n))
    spectrum /= np.sqrt(np.maximum(np.fft.rfftfreq(n, 1 / RATE_HZ), FLATTEST_HZ))
    noise = np.fft.irfft(spectrum, n)
    return noise * np.sqrt(power / np.mean(noise**2))


def brief() -> Brief:
    """What is told of the robot in the office, as it stands there."""
    setup = Setup(world="office")
    robot, world = setup.make_robot()
    assert world is not None
    agent = setup.make_agent(robot, world)

    async def look() -> Brief:
        async with agent:
            seen = Observation(await world.perception.look())
            return Brief("", agent.executive.skills, seen, kind=robot.kind, words=words_for(robot.kind))

    return SimClock().run(look())


def plan(text: str, brief: Brief) -> Sequence[str]:
    """The statements of what was said; none where it is no command."""
    try:
        return Command.read(replace(brief, instruction=text), mend=False).plan
    except NotUnderstood:
        return ()


def _cells(row: Row) -> Iterator[str]:
    yield from (row.voice, row.noise, f"{row.right}/{row.commands}", str(row.asked), str(row.wrong))
    yield from (f"{row.taken}/{row.chat}", f"{row.hear_cpu_s:.2f}")


def _line(row: Row) -> str:
    return " | ".join(_cells(row))


def _table(rows: Sequence[Row]) -> Table:
    """By noise, over all voices."""
    conditions = f"{rows[0].ears}, sentences {rows[0].part}, pink noise, synthetic voices, world office"
    table = Table("noise", "commands right", "asked", "wrong", "chat taken", title=conditions, box=None)
    for noise in dict.fromkeys(row.noise for row in rows):
        some = [row for row in rows if row.noise == noise]
        commands, chat = sum(r.commands for r in some), sum(r.chat for r in some)
        shares = [sum(getattr(r, name) for r in some) / commands for name in ("right", "asked", "wrong")]
        table.add_row(noise, *(f"{share:.0%}" for share in shares), f"{sum(r.taken for r in some)}/{chat}")
    return table
