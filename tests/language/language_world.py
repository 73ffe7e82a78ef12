"""A drone that exists on paper: its skills, and a scripted world that answers them. A test double.

`play` runs a plan against the script and gives its transcript: the native calls in order, and how it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso.language import GIVE_WAY, NEED_TEXT, Call, Composed, Ended, Interpreter, PlanBounds, PlanStream, compose
from sayso.skill import Param, Range, Skill, SkillSet, Value
from sayso.task import Done, Outcome

LENGTH = Param("distance_cm", "number", "cm", Range(20, 500))
ANGLE = Param("angle_deg", "number", "deg", Range(1, 360))
THING = Param("object", "thing")


async def _never(*args: Value) -> Value:
    raise AssertionError("these skills are scripted; their bodies never run")


def native(name: str, *params: Param, returns: str = "", short: str = "", uses: tuple[str, ...] = ()) -> Skill:
    return Skill(name, params, returns, uses, f"Do {name}.", short or SHORT.get(name, ""), _never)


SHORT = {
    "move_forward": "mf", "move_backward": "mb", "move_left": "ml", "move_right": "mr", "move_up": "mu",
    "move_down": "md", "delay": "d", "is_visible": "iv", "object_x": "ox", "object_y": "oy", "object_width": "ow",
    "object_height": "oh", "object_distance": "od", "probe": "p", "take_picture": "tp", "goto": "g", "time": "t",
    "take_off": "to", "land": "la", "set_lamp": "sl", "blink": "b", "hover": "h",
}  # fmt: skip
"""Abbreviations of the skills below and of others that tests make."""


NATIVES = [
    *(native(f"move_{way}", LENGTH, uses=("base",)) for way in ("forward", "backward", "left", "right", "up", "down")),
    native("turn_cw", ANGLE, short="tc", uses=("base",)),
    native("turn_ccw", ANGLE, short="tu", uses=("base",)),
    native("delay", Param("time_s", "number", "s", Range(0, 60))),
    native("is_visible", THING, returns="flag"),
    *(native(f"object_{what}", THING, returns="number") for what in ("x", "y", "width", "height", "distance")),
    native("probe", Param("question", "text"), returns="any"),
    native("log", Param("text"), short="l", uses=("voice",)),
    native("take_picture", uses=("camera",)),
    native("goto", THING, uses=("base",)),
    native("time", returns="number"),
    native("take_off", uses=("base",)),
    native("land", uses=("base",)),
    native("set_lamp", Param("colour", "text", options=("red", "green"))),
    native("blink", Param("times", "integer", "", Range(1, 9))),
    native("hover", Param("on", "flag")),
]
COMPOSED = [
    Composed("scan", "8{?iv($1)==True{->True}tc(45)}->False", "Turn until it is seen.", "s"),
    Composed("scan_abstract", "8{_1=p($1);?_1!=False{->_1}tc(45)}->False", "Turn until the answer is yes.", "sa"),
]
SKILLS = compose(NATIVES, COMPOSED)

Answer = Value | Outcome | Callable[..., Any] | Iterator[Any]


@dataclass
class World:
    """Answers each skill by its script: a value, an outcome, a function of the arguments, or one answer after another.

    Whatever is not scripted is done without a value; `is_visible` and `probe` answer False.
    """

    script: Mapping[str, Answer] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    def answer(self, call: Call) -> Outcome:
        self.calls.append(str(call))
        found: Any = self.script.get(call.skill.name, False if call.skill.name in ("is_visible", "probe") else None)
        if isinstance(found, Iterator):
            found = next(found)
        if callable(found):
            found = found(*call.args)
        return found if isinstance(found, Outcome) else Done(found)


@dataclass(frozen=True)
class Story:
    """What happened."""

    calls: list[str]
    ended: Ended


def play(text: str, chunk: int = 0, bounds: PlanBounds | None = None, **script: Answer) -> Story:
    """Feed `text`, run what has arrived as soon as it has, and go on so to the end."""
    world = World(script)
    stream = PlanStream(SKILLS, bounds)
    steps = Interpreter(stream, SKILLS, bounds).run()
    size = chunk or max(len(text), 1)
    pieces: list[str | None] = [*(text[i : i + size] for i in range(0, len(text), size)), None]
    step: Any = next(steps)
    try:
        while True:
            if step is NEED_TEXT:
                piece = pieces.pop(0)
                stream.end() if piece is None else stream.feed(piece)
                step = next(steps)
            elif step is GIVE_WAY:
                step = next(steps)
            else:
                step = steps.send(world.answer(step))
    except StopIteration as stop:
        return Story(world.calls, stop.value)


def value_of(expr: str, **script: Answer) -> Value:
    """What `expr` comes to."""
    ended = play(f"->{expr}", **script).ended
    assert ended.how == "returned"
    return ended.value


def read(text: str, skills: SkillSet | None = None, bounds: PlanBounds | None = None, *, chunk: int = 0) -> PlanStream:
    """A whole text through a stream, `chunk` characters at a time (0: at once)."""
    stream = PlanStream(skills, bounds)
    size = chunk or max(len(text), 1)
    for start in range(0, len(text), size):
        stream.feed(text[start : start + size])
    stream.end()
    return stream
