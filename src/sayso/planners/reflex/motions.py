"""The rules of the grammar for flying: take-off and landing, moves, turns, the way back.

A rule reads one command at the reader's place and says it as a step, or says None; the caller puts the place back.
"""

from __future__ import annotations

from sayso.planners.reflex.reader import Amount, Reader
from sayso.planners.reflex.tree import Land, Move, Return, Step, TakeOff, Times, Turn, TurnUntil

PARTS_DEG = {"three_quarter_turn": 270.0, "half_turn": 180.0, "quarter_turn": 90.0, "whole_turn": 360.0}
STRAIGHT = {"strafe_left": "left", "strafe_right": "right", "reverse": "backward", "advance": "forward"}


def take_off(r: Reader) -> Step | None:
    return TakeOff() if r.take("take_off") else None


def land(r: Reader) -> Step | None:
    return Land() if r.take("land") else None


def come_back(r: Reader) -> Step | None:
    """ "come back", "return to where you started"."""
    if not r.take("come_back"):
        return None
    here = r.at
    if r.take("to"):
        if r.take("start_clause"):
            return Return()
        r.take("determiner")
        if r.take("start_place"):
            r.take("start_clause")
            return Return()
        r.at = here
    r.take("start_clause")
    return Return()


# Moves


def move(r: Reader) -> Step | None:
    """ "go up one metre", "fly 2 m to the left", "move forward a bit", "strafe left"."""
    for symbol, way in STRAIGHT.items():
        if r.take(symbol):
            return _moved(r, way, length(r))
    if not r.take("go"):
        return None
    start = r.at
    step = moved_some_way(r)
    if step is None and r.at == start:
        r.expect("direction")
    return step


def climb(r: Reader) -> Step | None:
    """ "climb 2 metres", "descend a bit"."""
    for symbol, way in (("climb", "up"), ("sink", "down")):
        if r.take(symbol):
            r.take(way)
            return _moved(r, way, length(r))
    return None


def square(r: Reader) -> Step | None:
    """ "fly a square of 1 metre"."""
    if not r.take("fly_shape"):
        return None
    r.take("article")
    before = length(r)
    if not r.take("square"):
        return None
    r.take("side_of")
    side = _moved(r, "forward", before or length(r))
    return Times(4, (side, Turn("cw", 90.0))) if side else None


def moved_some_way(r: Reader, least: bool = False) -> Step | None:
    """A direction and a distance in any order; with `least` the distance must be said."""
    start = r.at
    way = r.way()
    amount = length(r)
    way = way or r.way()
    if way is None:
        if amount is not None:
            r.expect("direction")
        r.at = start
        return None
    if amount is None and way in ("left", "right") and (turn_by := angle(r)) and turn_by.kind == "angle":
        return _turned(r, {"left": "ccw", "right": "cw"}[way], turn_by)
    return None if least and amount is None else _moved(r, way, amount)


def length(r: Reader) -> Amount | None:
    """A distance with its unit, or "a bit"."""
    start = r.at
    amount = r.amount()
    if amount is None or amount.kind in ("length", "little"):
        return amount
    r.expect("unit" if amount.kind == "bare" else "distance")
    r.at = start
    return None


def _moved(r: Reader, way: str, amount: Amount | None) -> Step | None:
    defaults = r.vocab.defaults
    cm = defaults["move_cm"] if amount is None else amount.value
    if amount and amount.kind == "little":
        cm = defaults["little_cm"]
    if not 0 < cm <= defaults["move_max_cm"]:
        r.expect("distance", f"I move by more than nothing and at most {defaults['move_max_cm'] / 100:g} m at once.")
        return None
    return Move(way, cm, usual=amount is None)


# Turns


def turn_round(r: Reader) -> Step | None:
    """ "turn around", "make a U-turn"; "turn around 360 degrees"."""
    if not r.take("turn_round"):
        return None
    amount = angle(r)
    return _turned(r, None, amount) if amount else Turn("cw", 180.0)


def turn_by_parts(r: Reader) -> Step | None:
    """ "make a half turn", "a quarter turn to the left", "do a left turn", "turn full circle", "do a 180"."""
    verb = r.take("make_turn")
    if verb and r.take("all_round"):
        return Turn("cw", 360.0)
    article = r.take("article")
    deg = next((deg for symbol, deg in PARTS_DEG.items() if r.take(symbol)), None)
    way = _turn_way(r)
    if not verb and deg is None:
        return None
    if not r.take("turn_noun"):
        return _do_a_180(r) if article and deg is None and way is None else None
    way = way or _turn_way(r)
    if deg is None and way is None:
        return None
    amount = Amount("angle", deg) if deg else angle(r)
    return _turned(r, way or _turn_way(r), amount)


def _do_a_180(r: Reader) -> Step | None:
    number = r.number()
    if number is None or number.article or number.value == 0 or number.value % 90:
        return None
    r.at -= 1
    return _turned(r, None, angle(r))


def turn(r: Reader) -> Step | None:
    """ "turn left 90 degrees", "rotate by 45° clockwise", "look right", "spin"."""
    if r.take("spin"):
        way, amount = _way_and_angle(r)
        return _turned(r, way, amount or Amount("angle", 360.0))
    if not (r.take("turn") or r.take("look_aside")):
        return None
    way, amount = _way_and_angle(r)
    if way is None and amount is None:
        r.expect("angle")
        return None
    return _turned(r, way, amount)


def turned_some_way(r: Reader, least: bool = False) -> Step | None:
    """A direction and perhaps an angle, the verb left out; with `least` the angle must be said."""
    way, amount = _way_and_angle(r)
    if way is None or (least and (amount is None or amount.kind == "bare")):
        return None
    return _turned(r, way, amount)


def turn_until(r: Reader) -> Step | None:
    """ "turn left in 30 degree steps until you see a chair"."""
    if not (r.take("turn_round") or r.take("turn") or r.take("spin") or r.take("look_around")):
        return None
    way = _turn_way(r)
    step_deg = _turn_step(r)
    if step_deg is None or not r.take("until_see"):
        return None
    thing = r.thing()
    return TurnUntil(way or "cw", step_deg, thing) if thing else None


def _turn_step(r: Reader) -> float | None:
    """ "in steps of 30 degrees", "in 45-degree steps"; the usual step where none is said."""
    if not r.take("in_steps"):
        return r.vocab.defaults["search_step_deg"]
    r.take("article")
    amount = angle(r)
    if amount is None or amount.kind == "little" or not 5 <= amount.value <= 180:
        r.expect("angle", "I search in steps of 5 to 180 degrees.")
        return None
    r.take("step_noun")
    return amount.value


def _way_and_angle(r: Reader) -> tuple[str | None, Amount | None]:
    way = _turn_way(r)
    amount = angle(r)
    return way or _turn_way(r), amount


def _turn_way(r: Reader) -> str | None:
    way = r.way(("clockwise", "counterclockwise"))
    return {"clockwise": "cw", "counterclockwise": "ccw"}[way] if way else None


def angle(r: Reader) -> Amount | None:
    """An angle, or "a bit"; a bare number counts as degrees."""
    start = r.at
    amount = r.amount()
    if amount is None or amount.kind in ("angle", "bare", "little"):
        return amount
    r.expect("angle")
    r.at = start
    return None


def _turned(r: Reader, way: str | None, amount: Amount | None) -> Step | None:
    """A turn without a direction is only plain when both directions end the same."""
    defaults = r.vocab.defaults
    deg = defaults["turn_deg"] if amount is None else amount.value
    if amount and amount.kind == "little":
        deg = defaults["little_deg"]
    if way is None and deg % 180:
        r.expect("angle", "To the left or to the right?")
        return None
    if not 1 <= deg <= defaults["turn_max_deg"]:
        r.expect("angle", f"I turn by 1 to {defaults['turn_max_deg']:g} degrees, not {deg:g}.")
        return None
    return Turn(way or "cw", deg)
