"""`sayso bench voice`: how well spoken commands are heard, in synthetic voices and noise.

Nobody speaks here: espeak-ng and flite, programs, make the voices, and a computer the noise (pink, as of a fan, at a
ratio of powers over the utterance). So the figures compare recognisers and thresholds, and promise nothing of a person
in a room. A command is right where what was heard makes the same plan as what was said, asked where the recogniser was
not sure, wrong where it was sure of another plan. What was asked is said once more, in other noise: it is right then
where the recogniser is sure of it, or hears the same again (`sayso listen` takes both). Chat is taken where the
recogniser was sure of any of it.
"""

from __future__ import annotations

import functools
import json
import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from sayso.clock import SimClock
from sayso.data import toml
from sayso.ears import RATE_HZ, Heard, Recogniser, Sound, confirms, recogniser
from sayso.ears.sound import from_wav
from sayso.errors import NotUnderstood, UsageError
from sayso.events import TaskStarted
from sayso.grounding.said import figured
from sayso.grounding.tokens import clean, tokens
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
AGAIN = 1000
"""Between the seeds of the noise that a sentence is said in, and that it is said in once more."""

FLATTEST_HZ = 20.0


@dataclass(frozen=True, slots=True)
class Row:
    """One voice in one noise: `right`, `asked` and `wrong` of `commands`, `taken` of `chat`. Of those asked, `again`
    are right and `astray` wrong when they are said once more. `word_errors` are words put in, left out or heard
    otherwise, of the `words` of the commands; `motion_s` is the time on the wall from the last sample to the first
    motion.
    """

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
    again: int
    astray: int
    words: int
    word_errors: int
    hear_cpu_s: float
    motion_s: float
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
    said, heard = sentences(part), list[tuple[str, str, bool]]()
    cpu_s, wall_s = list[float](), list[float]()
    came = dict.fromkeys(("right", "asked", "wrong", "again", "astray", "taken", "words", "word_errors"), 0)

    def listen(sentence: str, seed: int) -> Heard:
        sound = noisy(spoken_by(voice, sentence), NOISES[noise], seed)
        began_s, began_cpu_s = time.perf_counter(), time.process_time()
        found = hears.hear(sound, brief)
        cpu_s.append(time.process_time() - began_cpu_s)
        wall_s.append(time.perf_counter() - began_s)
        return found

    for n, sentence in enumerate(said["commands"]):
        found, meant = listen(sentence, seed + n), plan(sentence, brief)
        heard.append((sentence, found.text, found.sure))
        came["words"] += len(_words(sentence))
        came["word_errors"] += edits(_words(sentence), _words(found.text))
        if found.sure:
            came["right" if plan(found.text, brief) == meant else "wrong"] += 1
            continue
        came["asked"] += 1
        once_more = listen(sentence, seed + n + AGAIN)
        if once_more.sure or confirms(once_more, found):
            came["again" if plan(once_more.text, brief) == meant else "astray"] += 1
    for n, sentence in enumerate(said["chat"], start=len(said["commands"])):
        found = listen(sentence, seed + n)
        heard.append((sentence, found.text, found.sure))
        came["taken"] += found.sure
    return Row(
        hears.name, part, voice, noise, len(said["commands"]), **came, chat=len(said["chat"]),
        hear_cpu_s=round(statistics.median(cpu_s), 3),
        motion_s=round(statistics.median(wall_s) + planned_s(), 3), heard=tuple(heard),
    )  # fmt: skip


def _words(text: str) -> Sequence[str]:
    """As they sound alike: amounts in figures, no capitals, no points."""
    return [token.text for token in tokens(clean(figured(text).lower())) if token.kind != "mark"]


def edits(said: Sequence[str], heard: Sequence[str]) -> int:
    """Words that must be put in, left out or replaced to make one text of the other."""
    row = list(range(len(heard) + 1))
    for n, word in enumerate(said, start=1):
        before, row = row, [n]
        for m, other in enumerate(heard):
            row.append(min(before[m + 1] + 1, row[m] + 1, before[m] + (word != other)))
    return row[-1]


@functools.cache
def planned_s() -> float:
    """Seconds on the wall from the words of a plain command to the start of its first skill, in the office."""
    setup = Setup(world="office", planner="reflex")
    robot, world = setup.make_robot()

    async def fly() -> float:
        async with setup.make_agent(robot, world) as agent:
            began_s = time.perf_counter()
            async for event in agent.say("take off"):
                if isinstance(event, TaskStarted):
                    return time.perf_counter() - began_s
        raise AssertionError("it never starts")

    return SimClock().run(fly())


def sentences(part: str) -> Mapping[str, Sequence[str]]:
    """The commands and the chat of a part."""
    data = toml(__package__, "voice.toml")
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
    yield from (row.voice, row.noise, f"{row.right}/{row.commands}", str(row.asked), str(row.again), str(row.wrong))
    yield from (str(row.astray), f"{row.taken}/{row.chat}", f"{row.word_errors / row.words:.0%}")
    yield from (f"{row.hear_cpu_s:.2f}", f"{row.motion_s:.2f}")


def _line(row: Row) -> str:
    return " | ".join(_cells(row))


def _table(rows: Sequence[Row]) -> Table:
    """By noise, over all voices."""
    conditions = f"{rows[0].ears}, sentences {rows[0].part}, pink noise, synthetic voices, world office"
    head = ("commands right", "asked", "right twice", "wrong", "wrong twice", "chat taken", "word errors")
    table = Table("noise", *head, title=conditions, box=None)
    for noise in dict.fromkeys(row.noise for row in rows):
        some = [row for row in rows if row.noise == noise]
        shares = [(name, "commands") for name in ("right", "asked", "again", "wrong", "astray")]
        told = [f"{_sum(some, a) / _sum(some, b):.0%}" for a, b in (*shares, ("word_errors", "words"))]
        table.add_row(noise, *told[:-1], f"{_sum(some, 'taken')}/{_sum(some, 'chat')}", told[-1])
    return table


def _sum(rows: Sequence[Row], name: str) -> int:
    return sum(getattr(row, name) for row in rows)
