"""The embedded model's figures: how soon it answers, how fast it writes, what it takes of the memory.

Processor time on one thread, like the other figures: what others do on this machine is not its speed. The cold start is
a process of its own, from its first line to a whole answer.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

from sayso.clock import WallClock
from sayso.kits import kits
from sayso.models.pocket import Pocket, net
from sayso.models.pocket.answer import asked
from sayso.models.pocket.constraints import LineConstraint
from sayso.models.pocket.decode import Decoding
from sayso.parts import Brief, Prompt, answered
from sayso.prompts import probe_prompt
from sayso.scene import Box, Scene, Thing
from sayso.skill import Param, Range, Skill, SkillSet
from speed_references import PASS, Row, fresh, pass_s

THINGS = 30
"""More than a question has room for: what is read is as long as it can be."""

TRIES = 11
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
    weights_s = pass_s(weights_mb * 2**20)
    yield Row("pocket_cold_start", cold_s, "a process with its libraries", bare_s, 3)
    yield Row("pocket_resident", resident_mb, "libraries and weights", bare_mb + weights_mb, 2, "MB")
    yield Row("pocket_wish", _answered_s(_wish), PASS, weights_s, 30)
    yield Row("pocket_question", _answered_s(_question), PASS, weights_s, 30)
    yield Row("pocket_token", _token_s(), PASS, weights_s, 1)


def one_answer() -> str:
    """The first answer of a process."""
    return WallClock().run(answered(Pocket(), _wish(0)))


def _weights() -> list[Path]:
    folder = resources.files("sayso.models.pocket").joinpath("weights")
    with resources.as_file(folder) as path:
        return [file for file in path.iterdir() if file.suffix in (".onnx", ".bin")]


def _answered_s(prompt: Callable[[int], Prompt]) -> float:
    """From a prompt, new each time, to its answer."""
    model = Pocket()

    async def once(number: int) -> float:
        began_s = time.process_time()
        await answered(model, prompt(number))
        return time.process_time() - began_s

    async def main() -> list[float]:
        return [await once(number) for number in range(TRIES + 1)]

    return statistics.median(WallClock().run(main())[1:])


def _token_s(tokens: int = 100) -> float:
    """A token of one answer, behind the longest prompt."""
    loaded = net.load()
    this = asked(loaded, _question(0))
    writing = Decoding(loaded, loaded.read(this.ids), this.begin, LineConstraint(), tokens)

    def step() -> float:
        began_s = time.process_time()
        writing.step()
        return time.process_time() - began_s

    took_s = [step() for _ in range(tokens) if not writing.over]
    return statistics.median(took_s)


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
