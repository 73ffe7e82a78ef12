"""Lessons for the warehouse: a wish in many voices, a moment of the mission, and the goals or the step that follow.

What is wanted is thrown first, as the goals that it amounts to; then the words for it; then the mission is played
(`warehouse_play`) to some moment. At the first one the answer is the goals, later it is the oracle's step.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from lessons import warehouse_needs as needs
from lessons import warehouse_wishes as wishes
from lessons.guard import DRONE, WAREHOUSE
from lessons.record import Lesson
from lessons.telling import Side, Unsaid
from lessons.voice import rough
from lessons.warehouse_lists import listed
from lessons.warehouse_play import Shift
from lessons.warehouse_talk import Clause, Talker, Wish, lines_of
from lessons.warehouse_world import hall
from sayso.models.pocket.text import WISH_CHARS, output
from sayso.robots.warehouse.form import step_input
from sayso.robots.warehouse.names import EVERY

TRIES = 400
SIDES = ("frame", "combo")
FIRST_SHARE, SEVERAL_FIRST, EVERY_FIRST = 0.5, 0.65, 0.5

ROUNDS = (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 11, 13, 16, 20, 40)
"""From the wish to the moment of the lesson; it may be over before that."""

INTENTS = {
    "listed": 60, "move": 18, "described": 11, "moves": 20, "same_place": 10, "twice": 5, "chain": 8, "all": 13,
    "everything": 5, "sort": 8, "sort_some": 10, "receive": 9, "ship": 7, "misplaced": 7, "go": 4, "return": 5,
    "need": 16, "give": 8, "mixed": 10, "cannot": 12, "elsewhere": 7,
}  # fmt: skip
"""How often each kind of wish is drawn."""


def warehouse_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """The warehouse's lesson of that number. Dice that make none are thrown again."""
    rng = Random(f"warehouse/{seed}/{number}")
    held = rng.choice(SIDES) if rng.random() < held_out else ""
    for _ in range(TRIES):
        talker = Talker(rng, Side(held), hall(rng))
        shift = Shift(rng, talker.hall, "", rng.choice((0.0, 0.0, 0.1, 0.25)), rng.choice((0.0, 0.0, 0.12)))
        try:
            _recalls(talker, shift)
            wish = _wished(talker)
        except Unsaid:
            continue
        forbidden = any(guard.forbids(wish.said) for guard in (WAREHOUSE, DRONE))
        if wish.said and len(wish.said) < WISH_CHARS and not forbidden:
            return _taught(rng, wish, talker, shift, f"w{seed}-{number}")
    raise RuntimeError(f"no warehouse lesson {number} of seed {seed} for the side {held!r} in {TRIES} tries")


def _recalls(t: Talker, shift: Shift) -> None:
    """Now and then the robot has been here before, and remembers some of what it saw."""
    if t.rng.random() < 0.35:
        kinds = list(t.hall.names.kinds)
        shift.remember(t.rng.sample(kinds, min(len(kinds), t.rng.randrange(1, 6))))
        t.known = shift.moment().there


def _taught(rng: Random, wish: Wish, t: Talker, shift: Shift, id_: str) -> Lesson:
    """The moment, and the answer to it."""
    shift.wish = wish.said
    only = wish.first.startswith("give up")
    every = f"{EVERY} " in wish.first
    share = EVERY_FIRST if every else SEVERAL_FIRST if ";" in wish.first else FIRST_SHARE
    rounds = 0 if only or rng.random() < share else rng.choice(ROUNDS)
    brief, now, answer = shift.play(wish.first, rounds)
    kind = "goals" if now is None else "step"
    prompt = step_input(brief, now)
    return Lesson(
        id_, t.side.held, kind, f"warehouse.{wish.intent}", wish.said, prompt, output(answer), tuple(t.frames)
    )


def _wished(t: Talker) -> Wish:
    if t.side.held == "combo":
        intent = t.rng.choice(("move", "moves", "same_place", "listed"))
    else:
        intent = t.rng.choices(tuple(INTENTS), tuple(INTENTS.values()))[0]
    made = _MAKE[intent](t)
    t.complete()
    if isinstance(made, Wish):
        return made
    return Wish(intent, _spoken(t, made), ";".join(made.goals))


def _spoken(t: Talker, clause: Clause) -> str:
    """With all that people put around it."""
    said = clause.said
    if not clause.whole:
        if t.rng.random() < 0.05:
            wrong = wishes.move(t, main=False)
            said = t.say("warehouse.correction", "frames", main=False, wrong=wrong.said, c=said)
        else:
            said = t.say("warehouse.order", "frames", main=False, c=said)
    roll = t.rng.random()
    if roll < 0.04:
        said = f"{t.rng.choice(lines_of('warehouse.chatter', 'before'))} {said}"
    elif roll < 0.08:
        said = f"{said.rstrip('.')}. {t.rng.choice(lines_of('warehouse.chatter', 'after'))}"
    elif roll < 0.3:
        said = f"{said[:1].upper()}{said[1:]}."
    return rough(t.rng, said)


_MAKE: dict[str, Callable[[Talker], Clause | Wish]] = {
    "listed": listed, "move": wishes.single, "described": wishes.described, "moves": wishes.moves,
    "same_place": wishes.same_place, "twice": wishes.twice, "chain": wishes.chain, "all": wishes.every,
    "everything": wishes.everything,
    "sort": wishes.sorted_home, "sort_some": wishes.sort_some, "receive": wishes.receive, "ship": wishes.ship,
    "misplaced": wishes.misplaced, "go": wishes.go_there, "return": wishes.and_return, "need": needs.need,
    "give": needs.give, "mixed": needs.mixed, "cannot": needs.cannot, "elsewhere": needs.elsewhere,
}  # fmt: skip
