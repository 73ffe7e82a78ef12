"""Lessons for the humanoid: a request in many voices, a moment of play, and the tasks that help now.

The goal is thrown first, then the words for it, then the moment (`humanoid_play`); the target comes from the oracle,
which knows the goal and reads the brief as the model must. A goal is a list of steps; no step is a request that the
robot's tasks cannot honour.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from knowledge import Item, items
from lessons import humanoid_oracle as oracle
from lessons import words
from lessons.guard import DRONE, HUMANOID
from lessons.humanoid_play import ROUNDS, Match
from lessons.lists import lists
from lessons.phrasing import fill, tables
from lessons.record import Lesson
from lessons.telling import Side, Unsaid, pair_held_out
from lessons.voice import rough
from sayso.robots.humanoid.form import entries, rolling_input

TRIES = 400
SIDES = ("frame", "combo")
FAMILIES = {"one": 47, "both": 6, "then": 32, "cannot": 29}
"""How often each is asked for: one thing, two at once, one after the other, what cannot be done."""

ONE = {
    "find": 12, "approach": 12, "kick": 12, "play": 18, "stand": 9, "wave": 8, "stand_wave": 8,
    "look_around": 5, "turn": 5, "turn_half": 3, "turn_look": 2, "stand_look": 2, "stand_watch": 2, "watch": 2,
    "follow": 3, "kick_twice": 1.5, "wave_on": 1.5, "stay": 1.5, "look_on": 1, "turn_on": 1, "stand_look_wave": 1,
}  # fmt: skip
BOTH = {
    "approach_wave": "approach", "kick_wave": "kick", "play_wave": "play", "find_wave": "find", "turn_wave": "turn",
    "look_wave": "look_around",
}  # fmt: skip
"""Waving at the same time, and what it goes beside."""

FIRST = ("find", "approach", "kick", "wave", "look_around", "turn", "turn_half", "stand_wave", "stand_look")
NEXT = ("find", "approach", "kick", "play", "stand", "wave", "stand_wave", "look_around", "turn", "turn_half")
LAST = ("wave", "turn", "look_around", "stand", "kick", "approach")
"""What comes first, second, and third of three."""
CONFUSING = frozenset(
    {("stand_wave", "wave"), ("wave", "stand_wave"), ("stand_look", "look_around"), ("stand_wave", "stand")}
)
"""Pairs of which nobody would say that the second is another thing."""

ELSEWHERE = {"knowledge": 3, "order": 2, "handle": 3, "harm": 2, "away": 1, "chat": 4, "inject": 2, "foreign": 1}
"""What the drone refuses and the humanoid refuses as well."""
BARE = 0.4
"""How often an order has nothing around it. Refusals seldom have, and a short wish is not to be told by that."""
OWN = re.compile(r"\b(play|kick|ball|goal|football|soccer|match|score|wave|walk)", re.IGNORECASE)
"""Of what the drone refuses, what the humanoid may well be able to do."""


@dataclass(slots=True)
class Talker:
    """One request in the making: the dice, the side of the split, the frames used so far."""

    rng: Random
    side: Side
    frames: list[str] = field(default_factory=list)
    held_frames: int = 0
    pairs: int = 0

    def say(self, intent: str, kind: str = "orders", *, main: bool = True, **slots: str) -> str:
        """A wording. Raises `Unsaid` where this side of the split has none."""
        choice = self.side.frames(intent, kind, main)
        if not choice:
            raise Unsaid(f"no frames for {intent}/{kind}")
        chosen = self.rng.choice(choice)
        self.held_frames += chosen.held_out
        self.frames.append(chosen.id)
        text = chosen.say(self.rng)
        return fill(text, self._slots(text) | slots) if "{" in text else text

    def order(self, name: str, **slots: str) -> str:
        return self.say(f"humanoid.{name}", **slots)

    def around(self, table: str, **slots: str) -> str:
        """Words around the wish proper, which need not be held out."""
        return self.say(table, "frames", main=False, **slots)

    def _slots(self, text: str) -> dict[str, str]:
        rng = self.rng
        found = {slot: rng.choice(wordlist(slot)) for slot in ("ball", "us", "game", "gamename")}
        if "{x" in text:
            item = rng.choice(_things())
            named = words.naming(rng, item)
            found |= {"x": named.text, "x1": named.bare, "xs": item.plural}
        found |= {slot: rng.choice(lists("far")[slot]) for slot in ("place", "dish", "who")}
        found["num"] = words.number(rng, rng.choice((2, 3, 5, 7, 8, 10, 12, 20, 45, 66, 100)))
        if "{inject}" in text:
            found["inject"] = fill(rng.choice(_lines("humanoid.cannot", "inject")), found)
        return found

    def complete(self) -> None:
        """Raises `Unsaid` unless the request belongs to its side."""
        if not {"": True, "frame": self.held_frames > 0, "combo": self.pairs > 0}[self.side.held]:
            raise Unsaid("nothing held out in it")


@dataclass(frozen=True, slots=True)
class Request:
    """What is meant and what is said."""

    intent: str
    goal: tuple[str, ...]
    said: str


def rolling_output(answer: str) -> str:
    """Lines `Task: NAME Priority: NUMBER`, or Done or Cannot, as the model writes them."""
    return f"{entries(answer) or answer.strip().lower()}<end>"


def humanoid_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """The humanoid's lesson of that number. Dice that make none are thrown again."""
    rng = Random(f"humanoid/{seed}/{number}")
    held = rng.choice(SIDES) if rng.random() < held_out else ""
    for _ in range(TRIES):
        talker = Talker(rng, Side(held))
        try:
            request = _requested(talker)
        except Unsaid:
            continue
        if not (HUMANOID.forbids(request.said) or (not request.goal and DRONE.forbids(request.said))):
            return _taught(rng, request, talker, f"h{seed}-{number}")
    raise RuntimeError(f"no humanoid lesson {number} of seed {seed} for the side {held!r} in {TRIES} tries")


def _taught(rng: Random, request: Request, talker: Talker, id_: str) -> Lesson:
    """The moment, and the answer to it."""
    match = Match(rng, careless=0.0 if rng.random() < 0.6 else 0.25)
    if rng.random() < 0.25:
        match.asked("", _drawn(rng, FAMILIES), rng.choice(ROUNDS))
    brief = match.asked(request.said, request.goal, rng.choice(ROUNDS))
    target = rolling_output(oracle.answer(request.goal, oracle.moment(brief)))
    prompt, intent = rolling_input(brief), f"humanoid.{request.intent}"
    return Lesson(id_, talker.side.held, "tasks", intent, request.said, prompt, target, tuple(talker.frames))


def _drawn(rng: Random, families: Mapping[str, float]) -> tuple[str, ...]:
    """Some goal that was pursued before."""
    family = _one_of(rng, families)
    if family == "cannot":
        return ()
    return (_one_of(rng, ONE),) if family != "both" else (rng.choice(tuple(BOTH)),)


def _requested(t: Talker) -> Request:
    if t.side.held == "combo":
        request = _sequence(t)
    else:
        request = _MAKE[_one_of(t.rng, FAMILIES)](t)
    t.complete()
    return request


def _one(t: Talker) -> Request:
    """One thing, as an order or as a whole sentence."""
    name = _one_of(t.rng, ONE)
    if t.rng.random() < 0.3:
        said = _chatted(t.rng, _framed(t, t.say(f"humanoid.{name}", "sentences")))
    else:
        said = _ordered(t, t.order(name))
    return Request(name, (name,), rough(t.rng, said))


def _both(t: Talker) -> Request:
    name = t.rng.choice(tuple(BOTH))
    said = t.order(name, A=t.order(BOTH[name]))
    return Request(name, (name,), rough(t.rng, _ordered(t, said)))


def _sequence(t: Talker) -> Request:
    """One after the other, now and then three."""
    one, other = t.rng.choice(_followers())
    held = pair_held_out("humanoid", one, other)
    if held and t.side.held != "combo":
        raise Unsaid("a held-out pair")
    t.pairs += held
    second = t.order(other, ball="it") if t.rng.random() < 0.4 else t.order(other)
    third = t.rng.choice(LAST)
    if t.rng.random() < 0.3 and all(_followed(name, third) for name in (one, other)):
        said = t.around("humanoid.three", A=t.order(one), B=second, C=t.order(third))
        return Request("then", (one, other, third), rough(t.rng, _ordered(t, said)))
    if one in ("find", "approach", "kick") and t.rng.random() < 0.5:
        said = t.say(f"humanoid.reached.{one}", "frames", B=second)
    else:
        said = t.around("humanoid.then", A=t.order(one), B=second)
    goal = (one, other)
    return Request("then", goal, rough(t.rng, _ordered(t, said)))


def _cannot(t: Talker) -> Request:
    """What no choice of the tasks can bring about; it is not put into words of another kind."""
    roll = t.rng.random()
    if roll < 0.62:
        said = _framed(t, t.say("humanoid.cannot", "sentences"))
        return Request("cannot", (), rough(t.rng, _chatted(t.rng, said)))
    if roll < 0.88:
        kind = _one_of(t.rng, ELSEWHERE)
        said = t.say(f"refuse.{kind}", "sentences")
        if OWN.search(said):
            raise Unsaid("the drone's refusal, but this robot's trade")
        return Request(f"cannot.{kind}", (), rough(t.rng, said))
    return Request("nonsense", (), _nonsense(t.rng))


def _nonsense(rng: Random) -> str:
    roll = rng.random()
    if roll < 0.6:
        return " ".join(rng.choice(lists("nonsense")["words"]) for _ in range(rng.choice((1, 2, 3, 4, 5, 6, 8))))
    if roll < 0.9:
        letters = "abcdefghijklmnopqrstuvwxyz"
        return " ".join(
            "".join(rng.choice(letters) for _ in range(rng.randrange(2, 9))) for _ in range(rng.randrange(1, 5))
        )
    return rng.choice(("", "?", "...", "~~~~", "~~ ~~~", "1 2 3", "42", "!!!", "x", "%$#", "0", "a", "the", "you"))


def _ordered(t: Talker, order: str) -> str:
    """An order with all that people put around it."""
    if t.rng.random() < 0.07:
        return t.around("humanoid.correction", wrong=_other(t, order), c=order)
    return _chatted(t.rng, order if t.rng.random() < BARE else t.around("humanoid.order", c=order))


def _other(t: Talker, order: str) -> str:
    """Another order, taken back before it is too late."""
    wrong = t.say(f"humanoid.{_one_of(t.rng, ONE)}", main=False)
    if wrong.startswith(("don't", "do not", "never", "not ")) or order.startswith(("don't", "do not", "never")):
        raise Unsaid("two negations")
    return wrong


def _framed(t: Talker, sentence: str) -> str:
    return t.around("humanoid.sentence", s=sentence) if t.rng.random() < 0.35 else sentence


def _chatted(rng: Random, said: str) -> str:
    roll = rng.random()
    if roll < 0.03:
        return f"{rng.choice(_lines('humanoid.chatter', 'before'))} {said}"
    if roll < 0.05:
        return f"{said.rstrip('.')}. {rng.choice(_lines('humanoid.chatter', 'after'))}"
    if roll < 0.2:
        return f"{said[:1].upper()}{said[1:]}."
    return said


_MAKE = {"one": _one, "both": _both, "then": _sequence, "cannot": _cannot}


def _one_of(rng: Random, weights: Mapping[str, float]) -> str:
    return rng.choices(tuple(weights), tuple(weights.values()))[0]


@functools.cache
def _followers() -> Sequence[tuple[str, str]]:
    return [(a, b) for a in FIRST for b in NEXT if _followed(a, b)]


def _followed(name: str, later: str) -> bool:
    return oracle.apart(name, later) and name != later and (name, later) not in CONFUSING


@functools.cache
def wordlist(slot: str) -> Sequence[str]:
    return _lines("humanoid.words", slot)


@functools.cache
def _lines(table: str, kind: str) -> Sequence[str]:
    return tuple(tables()[table][kind].strip().splitlines())


@functools.cache
def _things() -> Sequence[Item]:
    """What it cannot go to or kick; no kind of ball, which may be what somebody calls the one there is."""
    return tuple(item for item in items().values() if not item.held_out and "ball" not in item.label)
