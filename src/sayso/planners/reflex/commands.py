"""The plain commands: how each is said stands in `commands.toml`, and here is the step that comes of it.

A form is read one part after the other at the reader's place; the first of two ways that fits is taken, and what may be
left out is read where it is there.
"""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from sayso.errors import NotUnderstood
from sayso.goal import ANYTHING, IT
from sayso.grounding.pattern import Choice, parsed
from sayso.planners.reflex.reader import Amount, Reader
from sayso.planners.reflex.steps import (
    Answer,
    Call,
    Height,
    LookAround,
    Move,
    Seek,
    Step,
    Steps,
    Times,
    Turn,
    TurnUntil,
    Wait,
)
from sayso.tables import toml
from sayso.understanding.questions import asked

Got: TypeAlias = dict[str, Any]
"""What was read, by the symbol of the form."""


def _read(form: Choice, r: Reader, got: Got) -> bool:
    """Read a form and move past it, or stay."""
    start = r.at
    for way in form.ways:
        if all(_read(part, r, got) if isinstance(part, Choice) else _take(r, part.text, got) for part in way):
            return True
        r.at = start
    return form.open


def _take(r: Reader, symbol: str, got: Got) -> bool:
    """Read what a symbol stands for; a phrase of the vocabulary means itself."""
    start, read = r.at, READ.get(symbol)
    found = read(r) if read else r.take(symbol)
    if found is None or found is False:
        r.at = start
        if symbol in WANTED and r.at > r.began:
            r.expect(WANTED[symbol])
        return False
    got.setdefault(symbol, found)
    return True


WANTED = {"way": "direction", "to": "direction", "side": "angle"}
"""What is expected where a symbol is not there; what is read says so by itself."""

FULL_DEG, ARTICLES = 360.0, ("a", "an")
PARTS_DEG = {"three_quarter_turn": 270.0, "half_turn": 180.0, "quarter_turn": 90.0, "whole_turn": 360.0}

SIDES = {"triangle": 3, "square": 4, "pentagon": 5, "hexagon": 6}


def _of(table: Mapping[str, float], r: Reader) -> float | None:
    """What a table has for the symbol that comes next: parts of a turn in degrees, the sides of a shape."""
    return next((value for symbol, value in table.items() if r.take(symbol)), None)


def _picture(r: Reader) -> bool:
    """A word for a picture; another thing to take is beyond this grammar."""
    if r.take("picture"):
        return True
    r.expect("picture", r.hint(r.words[r.began].text) or "I can take nothing but pictures.")
    return False


def _length(r: Reader) -> Amount | None:
    found = r.amount()
    if found is None or found.kind in ("length", "little"):
        return found
    r.expect("unit" if found.kind == "bare" else "distance")
    return None


def _angle(r: Reader) -> Amount | None:
    """A bare number counts as degrees."""
    found = r.amount()
    if found is None or found.kind in ("angle", "bare", "little"):
        return found
    r.expect("angle")
    return None


def _turns(r: Reader) -> Amount | None:
    """An angle by which somebody turns; "a turn" alone may be any."""
    token = r.token()
    single = token is not None and token.text in ARTICLES
    found = r.amount()
    return found if found and found.kind == "angle" and not (single and found.value == FULL_DEG) else None


def _time(r: Reader) -> Amount | None:
    start, found, most_s = r.at, r.amount(), r.vocab.defaults["wait_max_s"]
    known = found is not None and found.kind in ("time", "little")
    if found and known and found.value <= most_s:
        return found
    r.at = start
    r.expect("time", f"I wait at most {most_s:g} seconds." if known else "")
    return None


READ: Mapping[str, Callable[[Reader], object]] = {
    "length": _length, "angle": _angle, "turns": _turns, "time": _time, "number": Reader.number, "count": Reader.count,
    "part": partial(_of, PARTS_DEG), "shape": partial(_of, SIDES), "picture": _picture,
    "comma": lambda r: r.marks() == ",", "the_thing": lambda r: r.thing() if r.sees("determiner") else None,
    "way": Reader.way, "side": partial(Reader.way, ways=("clockwise", "counterclockwise")),
    "thing": Reader.thing, "words": Reader.aloud, "quoted": Reader.quoted,
}  # fmt: skip


def times(r: Reader, n: int, body: Steps) -> Step:
    """`body` n times. Raises `NotUnderstood` for a count that nobody means."""
    most = int(r.vocab.defaults["repeat_max"])
    if not 1 <= n <= most:
        raise NotUnderstood(f"I repeat something at least once and at most {most} times, not {n} times.")
    return body[0] if n == 1 and len(body) == 1 else Times(n, body)


def _moved(r: Reader, got: Got, way: str = "") -> Step | None:
    defaults, said = r.vocab.defaults, got.get("length")
    cm = defaults["move_cm"] if said is None else defaults["little_cm"] if said.kind == "little" else said.value
    if not 0 < cm <= defaults["move_max_cm"]:
        r.expect("distance", f"I move by more than nothing and at most {defaults['move_max_cm'] / 100:g} m at once.")
        return None
    return Move(way or got["way"], cm, usual=said is None)


def _at_height(r: Reader, got: Got) -> Step | None:
    """A bit is no height; with a time it stays there for so long."""
    if got["length"].kind == "little":
        r.expect("distance", "How high above the floor?")
        return None
    height = Height(got["length"].value)
    return Times(1, (height, _waited(r, got))) if "time" in got else height


def _extreme(r: Reader, got: Got, highest: bool) -> Step | None:
    """As high or as low as it may, with a little room to that limit."""
    defaults, (low_m, high_m) = r.vocab.defaults, r.heights_m
    cm = high_m * 100 - defaults["below_limit_cm"] if highest else max(low_m * 100, 0) + defaults["lowest_cm"]
    if math.isinf(cm):
        r.expect("distance", "No limit tells how high that is.")
        return None
    return Height(cm)


def _polygon(r: Reader, got: Got) -> Step | None:
    side, sides = _moved(r, got, "forward"), got["shape"]
    return Times(sides, (side, Turn("clockwise", 360.0 / sides))) if side else None


def _circled(r: Reader, got: Got) -> Step:
    """Round about: so many short ways, each with a turn."""
    sides = int(r.vocab.defaults["circle_sides"])
    return Times(sides, (Move("forward", r.vocab.defaults["circle_side_cm"]), Turn("clockwise", FULL_DEG / sides)))


def _zigzagged(r: Reader, got: Got) -> Step:
    """Twice aside and back, ahead on the whole."""
    leg = Move("forward", r.vocab.defaults["move_cm"])
    turns = Turn("counterclockwise", 45.0), Turn("clockwise", 90.0)
    return Times(2, (turns[0], leg, turns[1], leg, turns[0]))


def _gone_high(r: Reader, got: Got) -> Step | None:
    """On its way and there it is so high; what goes to a thing may choose another height."""
    height, there = _at_height(r, got), _sought(r, got, "at")
    return Times(1, (height, there, height)) if height and there else None


def _turned(r: Reader, got: Got, usual_deg: float | None = None) -> Step | None:
    """A turn without a direction is only plain when both directions end the same."""
    defaults, said, way = r.vocab.defaults, got.get("angle") or got.get("turns"), got.get("side")
    deg = usual_deg or defaults["turn_deg"] if said is None else said.value
    deg = got.get("part") or (defaults["little_deg"] if said and said.kind == "little" else deg)
    if way is None and deg % 180:
        r.expect("angle", "To the left or to the right?")
        return None
    if not 1 <= deg <= defaults["turn_max_deg"]:
        r.expect("angle", f"I turn by 1 to {defaults['turn_max_deg']:g} degrees, not {deg:g}.")
        return None
    return Turn(way or "clockwise", deg)


def _turned_about(r: Reader, got: Got) -> Step | None:
    """ "do a 180"."""
    said = got["angle"]
    return _turned(r, got) if said.value and not said.value % 90 else None


def _turned_until(r: Reader, got: Got) -> Step | None:
    said = got.get("angle")
    if said and (said.kind == "little" or not 5 <= said.value <= 180):
        r.expect("angle", "I search in steps of 5 to 180 degrees.")
        return None
    deg = said.value if said else r.vocab.defaults["search_step_deg"]
    return TurnUntil(got.get("side", "clockwise"), deg, got["thing"])


def _sought(r: Reader, got: Got, want: str) -> Step | None:
    thing = got.get("thing") or got.get("the_thing") or r.last_thing
    if not thing:
        r.expect("thing", "Nothing was named before that it could mean.")
    return Seek(want, thing) if thing else None


def _faced(r: Reader, got: Got) -> Step | None:
    """With a time it looks there for so long."""
    step = _sought(r, got, "facing")
    return Times(1, (step, _waited(r, got))) if step and "time" in got else step


def _said(r: Reader, got: Got) -> Step | None:
    """What is a question is no words to be said: "say what you see"."""
    words = got.get("words") or got["quoted"]
    named = " ".join(ANYTHING if word == IT else word for word in words.split())
    return None if "words" in got and asked(named) else Call("log", (words,), "said")


def _turned_whole(r: Reader, got: Got) -> Step | None:
    turn = _turned(r, got, FULL_DEG)
    return times(r, got["count"], (turn,)) if turn and "count" in got else turn


def _counted(r: Reader, got: Got, down: bool = False) -> Step | None:
    """Aloud, in figures."""
    last, most = got["number"].value, int(r.vocab.defaults["repeat_max"])
    if last != int(last) or not 1 < last <= most:
        r.expect("number", f"I count to a whole number of at most {most}.")
        return None
    numbers = range(int(last), 0, -1) if down else range(1, int(last) + 1)
    return Call("log", (", ".join(map(str, numbers)),), "said")


def _pictured(r: Reader, got: Got) -> Step:
    """A number that counts nothing is none that anybody means."""
    number, thing = got.get("number"), got.get("thing")
    n = 1 if number is None else int(number.value) if number.value in range(1_000_000) else 0
    return times(r, n, (Seek("picture", thing) if thing else Call("take_picture", (), "picture"),))


def _waited(r: Reader, got: Got, hovering: bool = False) -> Step:
    said, defaults = got.get("time"), r.vocab.defaults
    if said is None:
        return Wait(defaults["hover_s"], hovering)
    return Wait(defaults["little_s"] if said.kind == "little" else said.value, hovering)


MAKES: Mapping[str, Callable[[Reader, Got], Step | None]] = {
    "take_off": lambda r, got: Call("take_off", want="airborne"),
    "land": lambda r, got: Call("land", want="landed"),
    "return_home": lambda r, got: Call("return_home", want="home"),
    "turn": _turned, "turn_about": _turned_about,
    "turn_aside": lambda r, got: _turned(r, got) if got["angle"].kind != "bare" else None,  # which only the angle tells
    "turn_until": _turned_until,
    "turn_round": partial(_turned, usual_deg=180.0),
    "spin": partial(_turned, usual_deg=360.0), "whole_turn": _turned_whole,
    "look_around": lambda r, got: LookAround(),
    "move": _moved, **{way: partial(_moved, way=way) for way in ("up", "down", "left", "right", "forward", "backward")},
    "height": _at_height, "highest": partial(_extreme, highest=True), "lowest": partial(_extreme, highest=False),
    "polygon": _polygon, "circle": _circled, "zigzag": _zigzagged, "go_to_high": _gone_high,
    "go_to": partial(_sought, want="at"), "find": partial(_sought, want="found"),
    "face": _faced, "face_away": lambda r, got: Times(1, (Seek("facing", got["thing"]), Turn("clockwise", 180.0))),
    "picture": _pictured,
    "wait": _waited, "hover": partial(_waited, hovering=True), "hold": lambda r, got: Wait(0.0),
    "count": _counted, "count_down": partial(_counted, down=True),
    "answer": lambda r, got: Answer(got["thing"]),
    "say": _said,
}  # fmt: skip


def _rule(makes: str, form: Choice, r: Reader) -> Step | None:
    """Read one command, said so. Where it is another one, the caller puts the place back. One that this robot cannot
    carry out expects nothing: who stumbles is told of what it can."""
    got = Got()
    takes = toml(__package__, "commands.toml")["takes"].get(makes)
    r.muted = takes is not None and takes not in r.able
    step = MAKES[makes](r, got) if _read(form, r, got) else None
    r.muted = False
    return step


@functools.cache
def rules(of: str = "plain") -> Sequence[Callable[[Reader], Step | None]]:
    """A rule for each form in a list of the data file."""
    return [partial(_rule, makes, parsed(text)) for makes, text in toml(__package__, "commands.toml")[of]]
