"""The suite of spoken commands: how well synthetic voices are recognised in noise.

Nobody speaks here: espeak-ng and flite, programs, make the voices, and a computer the noise (pink, as of a fan, at a
ratio of powers over the utterance). So the figures compare recognisers and thresholds, and promise nothing of a person
in a room. A command is right where what was heard makes the same plan as what was said, asked where the recogniser was
not sure, wrong where it was sure of another plan. What was asked is said once more, in other noise: it is right then
where the recogniser is sure of it, or hears the same again (`sayso listen` takes both). Chat is taken where the
recogniser was sure of any of it. A success is that nothing was heard for sure that was not said.
"""

import functools
import shutil
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sayso.bench.suite import REFERENCE, BenchTask, Score, Suite, Trial
from sayso.clock import SimClock
from sayso.ears import RATE_HZ, Heard, Recogniser, Sound, confirms, recogniser
from sayso.ears.sound import from_wav
from sayso.events import TaskStarted
from sayso.grounding.tokens import clean, tokens
from sayso.grounding.utterance import figured
from sayso.planners.reflex import exact
from sayso.plugins.kits import words_for
from sayso.roles import Brief, Observation
from sayso.setup import Setup
from sayso.tables import toml

VOICES: Mapping[str, Sequence[str]] = toml(__package__, "voice.toml")["voices"]
NOISES: Mapping[str, float] = toml(__package__, "voice.toml")["noises"]
"""Decibels of the voice over the noise."""

PARTS = ("measured", "choosing")
"""Of the sentences: those that the figures come from, and those to choose by."""

PAUSE_S = 0.3
AGAIN = 1000
"""Between the seeds of the noise that a sentence is said in, and that it is said in once more."""

FLATTEST_HZ = 20.0


def run_episode(trial: Trial) -> Score:
    """Every sentence, said by one voice in one noise."""
    return measured(_ears(), brief(), trial)


_ears = functools.cache(recogniser)


def measured(hears: Recogniser, brief: Brief, trial: Trial) -> Score:
    """The shares of commands and of chat, and seconds: of one core to hear an utterance, and on the wall from the last
    sample to the first motion."""
    voice, _, noise = trial.task.partition(", ")
    said, came, slips = sentences("measured"), Counter[str](), list[str]()
    cpu_s, wall_s = list[float](), list[float]()

    def listen(sentence: str, seed: int) -> Heard:
        sound = noisy(spoken_by(voice, sentence), NOISES[noise], seed)
        began_s, began_cpu_s = time.perf_counter(), time.process_time()
        found = hears.hear(sound, brief)
        cpu_s.append(time.process_time() - began_cpu_s)
        wall_s.append(time.perf_counter() - began_s)
        return found

    def judge(found: Heard, sentence: str, right: str, wrong: str) -> None:
        same = plan(found.text, brief) == plan(sentence, brief)
        came[right if same else wrong] += 1
        slips.extend([] if same else [f"{sentence!r} heard as {found.text!r}"])

    for n, sentence in enumerate(said["commands"], start=trial.seed):
        found = listen(sentence, n)
        came["words"] += len(_words(sentence))
        came["word_errors"] += edits(_words(sentence), _words(found.text))
        if found.sure:
            judge(found, sentence, "right", "wrong")
            continue
        came["asked"] += 1
        once_more = listen(sentence, n + AGAIN)
        if once_more.sure or confirms(once_more, found):
            judge(once_more, sentence, "again", "astray")
    for n, sentence in enumerate(said["chat"], start=trial.seed + len(said["commands"])):
        found = listen(sentence, n)
        came["taken"] += found.sure
        slips.extend([f"{sentence!r} taken for {found.text!r}"] if found.sure else [])
    of = dict.fromkeys(FIGURES, len(said["commands"])) | {"taken": len(said["chat"]), "word_errors": came["words"]}
    figures = {name: came[name] / of[name] for name in FIGURES} | {"hear_cpu_s": statistics.median(cpu_s)}
    motion_s = statistics.median(wall_s) + planned_s()
    return Score(trial.task, trial.episode, not slips, "; ".join(slips), motion_s, figures=figures)


def _words(text: str) -> Sequence[str]:
    """As they sound alike: amounts in figures, no capitals, no points."""
    return [token.text for token in tokens(clean(figured(text).lower())) if token.kind != "mark"]


def edits(said: Sequence[str], heard: Sequence[str]) -> int:
    """The word edit distance: words that must be put in, left out or replaced to make one text of the other."""
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


@functools.cache
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
    return exact(replace(brief, instruction=text))


def _unfit(trial: Trial) -> str:
    if trial.model != REFERENCE or trial.planner:
        return "no model and no planner is asked what was heard"
    lacking = sorted({call[0] for call in VOICES.values() if shutil.which(call[0]) is None})
    return f"the voices are made by programs that are not installed here: {', '.join(lacking)}" if lacking else ""


FIGURES = ("right", "asked", "again", "wrong", "astray", "taken", "word_errors")

SUITE = Suite.read(
    __package__,
    "voice.toml",
    tasks=tuple(BenchTask(f"{voice}, {noise}", "", group=noise) for noise in NOISES for voice in VOICES),
    figures=(*FIGURES, "hear_cpu_s"),
    unfit=_unfit,
    run_episode=run_episode,
)
