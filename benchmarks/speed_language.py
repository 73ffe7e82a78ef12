"""How long a plan's text takes to be read and checked, and how soon after its last character a skill begins."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator

from sayso.clock import WallClock
from sayso.executive.missions import DirectorExecutive
from sayso.language import GIVE_WAY, NEED_TEXT, Interpreter, PlanBounds, PlanStream
from sayso.limits import Limits
from sayso.plugins.kits import Capabilities
from sayso.roles import Robot, RobotState
from sayso.skill import SkillSet, skill, skills_of
from speed_references import HOP, Row, compared, hop_s

LARK = r"""
start: (statement ";"?)*
?statement: "?" test block | NUMBER block | NAME "=" sum | call
block: "{" start "}"
?test: sum (("==" | ">") sum)? ("&" test)?
?sum: atom (("*" | "+") atom)*
?atom: call | NUMBER | TEXT | NAME
call: NAME "(" [sum ("," sum)*] ")"
NAME: /[a-zA-Z_]\w*/
NUMBER: /\d+(\.\d+)?/
TEXT: /'[^']*'/
%ignore /\s+/
"""
"""As much of MiniSpec as the measured program has, for Lark's quickest parser; it checks nothing."""


def rows() -> Iterator[Row]:
    """Reading by the character, and starts."""
    skills = SkillSet(skills_of(_Bench([])))
    for depth in (1, 30):
        text = _program(depth, 200)
        if (lark := _lark(text)) is not None:
            told = "Lark's LALR, which checks nothing"
            yield compared(f"parse_and_check_depth_{depth}", _reading(skills, text), told, lark, 1, 5)
    short, long = _program(1, 100), _program(1, 1000)
    ten = [_reading(skills, short)] * 10
    tenfold = _reading(skills, long)
    gc.disable()  # it looks at all objects of a process the oftener the more of them a text makes, whoever reads it
    yield compared("parse_a_text_10x_as_long", tenfold, "10 × the short one", lambda: [once() for once in ten], 1.5)
    gc.enable()
    yield from _starts()


def _lark(text: str) -> Callable[[], object] | None:
    try:
        import lark
    except ModuleNotFoundError:
        return None
    parser = lark.Lark(LARK, parser="lalr")
    return lambda: parser.parse(text)


def _program(depth: int, repeats: int) -> str:
    body = "?iv('apple')==True&ox('apple')>0.45{mf(100);tc(45);_1=ow('apple')*1.2;l('apple found here')}"
    return ("2{" * (depth - 1) + body + "}" * (depth - 1) + "\n") * repeats


def _reading(skills: SkillSet, text: str) -> Callable[[], None]:
    """Reading a text in pieces as a model streams them."""
    bounds = PlanBounds(program_bytes=len(text) + 1)

    def once() -> None:
        stream = PlanStream(skills, bounds)
        for i in range(0, len(text), 24):
            stream.feed(text[i : i + 24])
        stream.end()

    return once


class _Bench(Robot):
    """A robot that only notes when it was asked: the far end of the response-time measurement. A test double."""

    name = "bench"

    def __init__(self, begun: list[float]) -> None:
        self._begun = begun

    def state(self) -> RobotState:
        return RobotState()

    async def halt(self) -> None:
        """Nothing moves."""

    @skill(uses="base", short="mf")
    async def move_forward(self, distance_cm: float) -> None:
        """Note the time."""
        self._begun.append(time.perf_counter())

    @skill(uses="base", short="tc")
    async def turn_cw(self, angle_deg: float) -> None:
        """Note the time."""
        self._begun.append(time.perf_counter())

    @skill(short="iv")
    async def is_visible(self, thing: str) -> bool:
        """Say yes."""
        return True

    @skill(short="ox")
    async def object_x(self, thing: str) -> float:
        """Say the middle."""
        return 0.5

    @skill(short="ow")
    async def object_width(self, thing: str) -> float:
        """Say something."""
        return 0.2

    @skill(uses="voice", short="l")
    async def log(self, text: str) -> None:
        """Say nothing."""


def _starts(times: int = 400) -> Iterator[Row]:
    """From the last character of a statement to the first line of its skill, with ten other tasks at work."""
    begun: list[float] = []
    robot = _Bench(begun)
    skills = SkillSet(skills_of(robot))

    async def busy() -> None:
        while True:
            await asyncio.sleep(0.001)

    async def main() -> list[tuple[float, float]]:
        others = [asyncio.ensure_future(busy()) for _ in range(10)]
        executive = DirectorExecutive(Capabilities(skills), robot, Limits(), lambda event: None)
        waits = [(await _one_start(executive, skills, begun), await hop_s()) for _ in range(times)]
        for other in others:
            other.cancel()
        await executive.close()
        return waits

    waits, hops = map(sorted, zip(*WallClock().run(main()), strict=True))
    yield Row("start_median", waits[times // 2], HOP, hops[times // 2], 10)
    yield Row("start_p99", waits[int(times * 0.99)], f"{HOP}, p99", hops[int(times * 0.99)], 15)


async def _one_start(executive: DirectorExecutive, skills: SkillSet, begun: list[float]) -> float:
    """A performer waits for text as the agent's does; the clock starts as the closing parenthesis is fed."""
    stream, more = PlanStream(skills), asyncio.Event()

    async def perform() -> None:
        steps, heard = Interpreter(stream, skills).run(), None
        while not begun:
            step = steps.send(heard)
            if step is NEED_TEXT:
                await more.wait()
                more.clear()
                heard = None
            elif step is GIVE_WAY:
                heard = None
            else:
                heard = await executive.do(step.task, step.statement)

    performing = asyncio.ensure_future(perform())
    stream.feed("mf(100")
    await asyncio.sleep(0.002)
    fed = time.perf_counter()
    stream.feed(")")
    more.set()
    await performing
    wait = begun[0] - fed
    begun.clear()
    return wait
