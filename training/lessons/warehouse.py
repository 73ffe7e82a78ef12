"""Lessons for the warehouse: a wish in many voices, a moment of the mission, and the goals or the step that follow.

What is wanted is thrown first, as the goals that it amounts to; then the words for it; then the mission is played
(`warehouse_play`) to some moment. At the first one the answer is the goals, later it is the oracle's step.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from lessons import warehouse_needs as needs
from lessons import warehouse_wishes as wishes
from lessons.guard import too_close
from lessons.record import Lesson
from lessons.telling import Side, Unsaid
from lessons.voice import rough
from lessons.warehouse_guard import forbidden
from lessons.warehouse_play import Shift
from lessons.warehouse_talk import Clause, Talker, Wish, lines_of
from lessons.warehouse_world import hall
from sayso.models.pocket import form
from sayso.models.pocket.step_form import EVERY, step_input

TRIES = 400
SIDES = ("frame", "combo")
FIRST_SHARE, EVERY_FIRST = 0.5, 0.35
ROUNDS = (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 11, 13, 16, 20, 40)
"""From the wish to the moment of the lesson; it may be over before that."""

INTENTS = {
    "move": 20, "described": 11, "moves": 20, "same_place": 8, "twice": 4, "chain": 7, "all": 10, "everything": 3,
    "sort": 4, "sort_some": 7, "receive": 8, "ship": 7, "misplaced": 5, "go": 4, "return": 5, "need": 16, "give": 8,
    "mixed": 6, "cannot": 12, "elsewhere": 7,
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
        if wish.said and len(wish.said) < form.WISH_CHARS and not forbidden(wish.said) and not too_close(wish.said):
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
    rounds = 0 if only or rng.random() < (EVERY_FIRST if every else FIRST_SHARE) else rng.choice(ROUNDS)
    if rounds and every and rng.random() < 0.6:
        rounds = rng.choice((1, 1, 2))  # there the goals are put anew
    brief, now, answer = shift.play(wish.first, rounds)
    kind = "goals" if now is None else "step"
    prompt = step_input(brief, now)
    return Lesson(
        id_, t.side.held, kind, f"warehouse.{wish.intent}", wish.said, prompt, form.output(answer), tuple(t.frames)
    )


def _wished(t: Talker) -> Wish:
    if t.side.held == "combo":
        intent = t.rng.choice(("move", "moves", "same_place"))
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
    "move": wishes.single, "described": wishes.described, "moves": wishes.moves, "same_place": wishes.same_place,
    "twice": wishes.twice, "chain": wishes.chain, "all": wishes.every, "everything": wishes.everything,
    "sort": wishes.sorted_home, "sort_some": wishes.sort_some, "receive": wishes.receive, "ship": wishes.ship,
    "misplaced": wishes.misplaced, "go": wishes.go_there, "return": wishes.and_return, "need": needs.need,
    "give": needs.give, "mixed": needs.mixed, "cannot": needs.cannot, "elsewhere": needs.elsewhere,
}  # fmt: skip
