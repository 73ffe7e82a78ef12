"""The embedded model's figures: how soon it answers, how fast it writes, what it takes of the memory.

Processor time on one thread, like the other figures: what others do on this machine is not its speed. The cold start is
a process of its own, from its first line to a whole answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

from sayso.clock import WallClock
from sayso.models.pocket import Pocket, net
from sayso.models.pocket.answer import asked
from sayso.models.pocket.constraints import LineConstraint
from sayso.models.pocket.decode import Decoding
from sayso.plugins.kits import kits
from sayso.prompts import probe_prompt
from sayso.roles import Brief, Prompt, answered
from sayso.scene import Box, Scene, Thing
from sayso.skill import Param, Range, Skill, SkillSet
from speed_references import Row, compared, fresh

THINGS = 30
"""More than a question has room for: what is read is as long as it can be."""

WISH_TOKENS, QUESTION_TOKENS = 14, 3
"""So many tokens the answers have. The reference is the same network run by its runtime for as many, which is what this
machine's products of 8 bits allow. An answer is weighed against others that could be given, and a wish is
read again without its doubtful words: a few times a bare one it takes."""

COLD = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import speed_pocket; speed_pocket.one_answer()"
BARE = "import numpy, onnxruntime, sayso.agent"
MEASURED = """
import time
try:
    lines = open("/proc/self/status").read().split("\\n")
    kb = next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
except OSError:
    import resource
    kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(time.process_time(), kb / 1024)
"""


def rows() -> Iterator[Row]:
    """Reading and writing against a pass over the weights; a cold start against that of the libraries alone."""
    cold_s, resident_mb = fresh(COLD + MEASURED)
    bare_s, bare_mb = fresh(BARE + MEASURED)
    weights_mb = sum(file.stat().st_size for file in _weights()) / 2**20
    yield Row("pocket_cold_start", cold_s, "a process with its libraries", bare_s, 3)
    yield Row("pocket_resident", resident_mb, "libraries and weights", bare_mb + weights_mb, 2, "MB")
    yield compared("pocket_wish", _answer(_wish), "one bare reading of it", _bare(_wish, WISH_TOKENS), 4)
    yield compared("pocket_question", _answer(_question), "the bare network", _bare(_question, QUESTION_TOKENS), 8)
    yield compared("pocket_token", _token(), "the bare network", _step(), 1.5, 40)


def one_answer() -> str:
    """The first answer of a process."""
    return WallClock().run(answered(Pocket(), _wish(0)))


def _weights() -> list[Path]:
    folder = resources.files("sayso.models.pocket").joinpath("weights")
    with resources.as_file(folder) as path:
        return [file for file in path.iterdir() if file.suffix in (".onnx", ".bin")]


def _answer(prompt: Callable[[int], Prompt]) -> Callable[[], object]:
    """From a prompt, new each time, to its answer."""
    model, numbers = Pocket(), itertools.count()
    return lambda: WallClock().run(answered(model, prompt(next(numbers))))


def _token(answers: int = 41, tokens: int = 100) -> Callable[[], None]:
    """A token of some answers, behind the longest prompt."""
    loaded = net.load()
    this = asked(loaded, _question(0))
    writing = [Decoding(loaded, loaded.read(this.ids), this.begin, LineConstraint(), tokens) for _ in range(answers)]

    def step() -> None:
        while writing[0].over:
            writing.pop(0)
        writing[0].step()

    return step


def _bare(prompt: Callable[[int], Prompt], tokens: int) -> Callable[[], None]:
    """A prompt, new each time, read once, and so many tokens written, whatever they are, by the network alone."""
    loaded, numbers = net.load(), itertools.count(1000)

    def once() -> None:
        this = asked(loaded, prompt(next(numbers)))
        encoded, cache = loaded.read(this.ids), loaded.empty_cache()
        for _ in range(tokens):
            _, cache = loaded.write(encoded, [[this.begin]], cache)

    return once


def _step() -> Callable[[], object]:
    """A token behind the longest prompt, by the network alone."""
    loaded = net.load()
    this = asked(loaded, _question(0))
    encoded, empty = loaded.read(this.ids), loaded.empty_cache()
    return lambda: loaded.write(encoded, [[this.begin]], empty)


def _wish(number: int) -> Prompt:
    """Two things in one sentence."""
    kind = next(kit.kind for kit in kits().values() if kit.form and "plan" in kit.form.ways)
    wish = f"fly forward {100 + 10 * number} centimetres and go to the chair"
    return Prompt("plan", (), brief=Brief(wish, _skills(), kind=kind))


def _question(number: int) -> Prompt:
    """A question about a full room."""
    labels = itertools.cycle(("chair", "table", "apple", "bottle", "sofa", "lamp", "book", "cup", "plant", "shelf"))
    colors = itertools.cycle(("red", "blue", "brown"))
    seen = tuple(
        Thing(str(i), label, _box(i), 1.0 + 0.3 * i, attributes={"color": color})
        for i, label, color in zip(range(THINGS), labels, colors, strict=False)
    )
    return probe_prompt(f"Which of them is number {number}?", Scene(seen))


def _box(place: int) -> Box:
    """From left to right, no two of one size or height."""
    return Box(0.06 + 0.07 * place, 0.3 + 0.02 * (place * 7 % 11), 0.05 + 0.01 * (place * 3 % 7), 0.1 + 0.02 * place)


async def _never(*args: object) -> None:
    """Nobody flies here."""


def _skills() -> SkillSet:
    far, thing = Param("distance_cm", "number", "cm", Range(20, 500)), Param("object", "thing")
    return SkillSet(
        [
            Skill("move_forward", (far,), short="mf", body=_never),
            Skill("goto", (thing,), short="g", body=_never),
            Skill("scan", (thing,), "flag", short="s", body=_never),
            Skill("log", (Param("text", "text"),), short="l", body=_never),
        ]
    )
