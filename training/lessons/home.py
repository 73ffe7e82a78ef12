"""Lessons for the service robot: a household wish in many voices, and what it says in the language of goals.

A wish has an intent with frames of its own (`frames/home*.toml`, goals in `home_goals.toml`), or is put together of
parts (`home_composed`), or is one that is refused or asked back. The suite's own sentence structures are in no lesson.
Names come from homes that are mostly not ours, so that they are copied and not known by heart.
"""

from __future__ import annotations

import re
from random import Random

from lessons.guard import HOME
from lessons.home_composed import Part, composed
from lessons.home_said import Talker, chatter, filled, goals, intents, slips, with_clauses, wordings
from lessons.home_slots import Slots
from lessons.home_table import draw_table
from lessons.lists import lists
from lessons.phrasing import frames
from lessons.record import Lesson, output
from lessons.telling import Unsaid
from lessons.voice import rough, typed
from sayso.robots.service.form import SAYABLE
from sayso.robots.service.suite import commands as service_commands

TRIES = 400
COMPOSED_SHARE, REFUSED_SHARE = 0.5, 0.1
EVENLY = 0.55
"""How often an intent is drawn by the suite's categories, however many frames each has."""
HASTY, CHATTER = 0.04, 0.1
REFUSED = {
    "cannot": 6.0, "vague": 1.0, "vague-who": 0.8, "vague-go": 0.6, "nonsense": 1.5, "harm": 0.8, "inject": 0.8,
    "chat": 1.0, "foreign": 0.5,
}  # fmt: skip
"""What is refused or asked back as a whole, and how often each is said."""
SHARED = ("harm", "inject", "chat", "foreign")
"""Those whose sentences are said to other robots too."""
ROOMS_ONLY = frozenset((
    "go-room", "count-room", "anyone-there", "tell-name-room", "find-someone", "announce", "is-person-there",
    "put-in-room",
))  # fmt: skip
"""Intents that speak of all that is in a room."""


def home_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """The service robot's lesson of that number. Dice that make none are thrown again."""
    rng = Random(f"home/{seed}/{number}")
    held = rng.choice(("frame", "frame", "combo")) if rng.random() < held_out else ""
    for _ in range(TRIES):
        t = Talker(rng, held, Slots(rng, draw_table(rng)))
        try:
            part = _wished(t)
            if not HOME.forbids(part.words) and (held != "frame" or t.held_frames):
                return _lesson(t, part, f"s{seed}-{number}")
        except Unsaid:
            continue
    raise RuntimeError(f"no home lesson {number} of seed {seed} for the side {held!r} in {TRIES} tries")


def _lesson(t: Talker, part: Part, id_: str) -> Lesson:
    """Raises `Unsaid` where the goal cannot be read to the letter: a slip of the finger in a name."""
    prompt = SAYABLE.reads(part.words)
    held_to = SAYABLE.constraint(prompt)
    if not (held_to.take(part.goal) and held_to.may_end):
        raise Unsaid(f"{part.goal!r} is not in {prompt!r}")
    return Lesson(id_, t.held, "household", f"home.{part.intent}", part.words, prompt, output(part.goal), tuple(t.used))


def _wished(t: Talker) -> Part:
    roll = t.rng.random()
    if t.held == "combo" or roll < COMPOSED_SHARE:
        part = composed(t)
        said = _shelled(t, part.words) if _is_order(part) and t.rng.random() < 0.5 else part.words
        return Part(part.intent, _voiced(t, _chatted(t, said)), part.goal)
    return _refused(t) if roll < COMPOSED_SHARE + REFUSED_SHARE else _of_intent(t)


def _is_order(part: Part) -> bool:
    """Whether it begins with a verb, so that "could you" may stand before it."""
    first = part.words.partition(" ")[0].lower()
    return first in service_commands.FRAMES["polite"]["imperatives"] and not re.search(r"[.;?]", part.words)


def _of_intent(t: Talker) -> Part:
    """A way of saying of an intent of the suite's categories, evenly, or of any."""
    category = t.rng.choice(service_commands.CATEGORIES) if t.rng.random() < EVENLY else ""
    intent = t.rng.choice(intents(category))
    orders, sentences = wordings(intent, "orders"), wordings(intent, "sentences")
    order = t.rng.random() < len(orders) / (len(orders) + len(sentences))
    t.slots.free = intent not in ROOMS_ONLY
    text = with_clauses(t, t.pick(orders if order else sentences))
    part = filled(t, Part(intent, text, goals()[intent]))
    said = _shelled(t, part.words) if order else part.words
    return Part(intent, _voiced(t, _chatted(t, said)), part.goal)


def _refused(t: Talker) -> Part:
    """What the robot cannot do, should not do, or cannot understand."""
    kind = t.rng.choices(list(REFUSED), list(REFUSED.values()))[0]
    if kind == "nonsense":
        if t.held:
            raise Unsaid("nonsense has no frames")
        return Part("refuse.nonsense", _nonsense(t.rng), "refuse nonsense")
    if kind in SHARED:
        text = t.pick(frames(f"refuse.{kind}", "sentences"))
        if "{" in text:
            raise Unsaid("it speaks of what a drone sees")
        return Part(f"refuse.{kind}", rough(t.rng, text), f"refuse {kind}")
    orders, sentences = wordings(kind, "orders"), wordings(kind, "sentences")
    said = t.slots.said(with_clauses(t, t.pick((*orders, *sentences))))
    shelled = t.used[-1] in {f.id for f in orders} or (kind in ("cannot", "vague") and t.rng.random() < 0.5)
    said = _shelled(t, said) if shelled else said
    return Part(f"refuse.{kind}", _written(t.rng, _chatted(t, rough(t.rng, said))), goals()[kind])


# How it comes out


def _shelled(t: Talker, order: str) -> str:
    """An order with what people put around it."""
    return t.pick(frames("home.shell", "frames"), main=False).replace("{c}", order)


def _chatted(t: Talker, said: str) -> str:
    """Now and then with a sentence before or behind it that has nothing to do with it."""
    before, after = t.rng.random() < CHATTER, t.rng.random() < CHATTER
    if before:
        said = f"{t.slots.said(t.rng.choice(chatter('before')))} {said}"
    if after:
        said = f"{said.rstrip('.')}. {t.slots.said(t.rng.choice(chatter('after')))}"
    return said


def _voiced(t: Talker, said: str) -> str:
    return _written(t.rng, _hasty(t.rng, said) if t.rng.random() < HASTY else rough(t.rng, said))


def _hasty(rng: Random, said: str) -> str:
    """Typed on the run: small words mangled, and slips in a few long ones."""
    mangled = slips()
    words = (rng.choice(mangled[w]) if w in mangled and rng.random() < 0.5 else w for w in said.split(" "))
    return typed(rng, " ".join(words), rng.randint(0, 2))


def _written(rng: Random, said: str) -> str:
    """Now and then with a capital and a full stop."""
    return f"{said[:1].upper()}{said[1:].rstrip('.')}." if rng.random() < 0.3 else said


def _nonsense(rng: Random) -> str:
    if rng.random() < 0.65:
        return " ".join(rng.choice(lists("nonsense")["words"]) for _ in range(rng.choice((2, 3, 4, 5, 6, 8))))
    letters = "abcdefghijklmnopqrstuvwxyz"
    some = ("".join(rng.choice(letters) for _ in range(rng.randrange(2, 9))) for _ in range(rng.randrange(1, 5)))
    return " ".join(some) if rng.random() < 0.7 else rng.choice(("", "?", "...", "1 2 3", "42", "x", "a", "the", "~~~"))
