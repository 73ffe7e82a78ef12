"""Lessons for the service robot: a household command in many voices, and the flat list of calls that does it.

A command has an intent, whose plan is the suite's reference plan or stands with the intent's frames
(`frames/home*.toml`). A third of the sentences are the suite's structures, the others ways of saying of our own; of
both a part is held out. The names come from a table that is often not that of the shipped home (`home_table`), so that
the plan has to be read off the command and its table. What nobody could do is refused, what is left out is asked for,
what failed is mended (`home_mends`), and now and then the robot has the eight primitives of the paper alone.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

from knowledge import fraction
from lessons.guard import HOME
from lessons.home_mends import Mended, mended
from lessons.home_slots import Slots
from lessons.home_table import Table, draw_table, listed
from lessons.lists import lists
from lessons.phrasing import HELD_OUT_FRAMES, Frame, frame, frames, tables
from lessons.record import Lesson
from lessons.telling import Unsaid
from lessons.voice import rough, typed
from sayso.models.pocket.text import output
from sayso.parts import Attempt, Brief, Prompt
from sayso.robots.service.form import CommandForm
from sayso.robots.service.kit import service_skills
from sayso.robots.service.service import PAPER
from sayso.robots.service.suite import commands as service_commands
from sayso.skill import SkillSet

TRIES = 300
SUITE_SHARE, MEND_SHARE, EIGHT_SHARE = 0.24, 0.1, 0.03
EVENLY = 0.55
"""How often our own ways of saying are drawn by the suite's categories, however many frames each has."""

HASTY = 0.04
JOINED = 4
"""A frame with clauses stands for many sentences, and is drawn so many times as often as one without."""

REFUSED = {
    "cannot": 6.0, "unknown-thing": 1.5, "unknown-place": 1.5, "unknown-person": 1.5, "vague": 1.0, "vague-who": 0.8,
    "vague-go": 0.6, "nonsense": 1.5,
}  # fmt: skip
"""What no plan does, and how often each is said."""

CHATTER = 0.1
REFUSED_SHARE = 0.09
SAYS = {
    "cannot": "I am sorry, I cannot do that.",
    "nonsense": "I am sorry, I did not understand that.",
    "unknown-thing": "I do not know any {strange}.",
    "unknown-place": "I do not know any place called {nowhere}.",
    "unknown-person": "I do not know anybody called {stranger}.",
    "vague": "Which object do you mean?",
    "vague-who": "Which person do you mean?",
    "vague-go": "Where should I go?",
}
NOT_FOUND_OUT = "I am sorry, I cannot find that out."
OFTEN = {
    "trivia": 4, "direct-talk": 2, "bring-default": 2, "put-default": 2, "bring-instead": 2, "three-of-a-kind": 3,
    "give-whom": 3, "guide-to-nowhere": 2, "serve-two": 2, "talk-nowhere": 2, "put-where": 2, "say-times": 3,
}  # fmt: skip
"""Intents of few frames, or of the commonest wishes: so many times as often."""

ASKED_FIRST = re.compile(r"_\d=ak\('([^']*)'\)")
CLAUSE = re.compile(r"\[([a-z0-9-]+)\]")
CLAUSES_DEEP = 2
"""A clause may hold clauses, but those hold none."""

PERCEIVED = ("ct(", "pi(", "oi(")
LESS = {"pl(": "pt(", "gv(": "pt("}
"""Skills beyond the paper's eight that one of the eight stands in for."""

PLACED = re.compile(r"\b(?:mt|pl)\('([^']+)'\)|ct\('[^']*','([^']+)'\)")


@dataclass(slots=True)
class Talker:
    """One command in the making: the dice, the side of the split, the home, the frames used so far."""

    rng: Random
    held: str
    slots: Slots
    used: list[str] = field(default_factory=list)
    held_frames: int = 0

    def pick(self, choice: Sequence[Frame], main: bool = True) -> str:
        """A wording with its slots open. Raises `Unsaid` where this side of the split has none."""
        if main:
            choice = [f for f in choice if f.held_out == bool(self.held)]
        elif not self.held:
            choice = [f for f in choice if not f.held_out]
        if not choice:
            raise Unsaid("no frames on this side")
        chosen = self.rng.choice(choice)
        self.held_frames += chosen.held_out
        self.used.append(chosen.id)
        return chosen.say(self.rng)


@dataclass(frozen=True, slots=True)
class Command:
    """What is said and what is to be done."""

    intent: str
    said: str
    plan: str


def home_lesson(seed: int, number: int, held_out: float = 0.1) -> Lesson:
    """The service robot's lesson of that number. Dice that make none are thrown again."""
    rng = Random(f"home/{seed}/{number}")
    held = "frame" if rng.random() < held_out else ""
    for _ in range(TRIES):
        talker = Talker(rng, held, Slots(rng, draw_table(rng)))
        try:
            command = _commanded(talker)
            if HOME.forbids(command.said) or (held and not talker.held_frames):
                continue
            return _lesson(talker, command, f"s{seed}-{number}")
        except Unsaid:
            continue
    raise RuntimeError(f"no home lesson {number} of seed {seed} for the side {held!r} in {TRIES} tries")


def _lesson(t: Talker, command: Command, id_: str) -> Lesson:
    skills, plan, mend = service_set(), command.plan, None
    if not command.intent.startswith("refuse") and t.rng.random() < MEND_SHARE:
        mend = mended(t.rng, plan, t.slots.table.data, command.said)
    elif t.rng.random() < EIGHT_SHARE:
        skills, plan = eight_set(), with_eight(plan)
    prompt = CommandForm().reads(Prompt("plan", (), brief=brief_of(command, t.slots.table, skills, mend)))
    intent = f"home.{mend.intent if mend else command.intent}"
    target = output(mend.plan if mend else plan)
    return Lesson(id_, t.held, "command", intent, command.said, prompt, target, tuple(t.used))


def brief_of(command: Command, table: Table, skills: SkillSet, mend: Mended | None) -> Brief:
    """What the planner would hand to the model."""
    history: tuple[Attempt, ...] = mend.history if mend else ()
    failure = history[-1].ended if history else ""
    return Brief(command.said, skills, history=history, failure=failure, knowledge=table.data)


# What is said


def _commanded(t: Talker) -> Command:
    roll = t.rng.random()
    if roll < REFUSED_SHARE:
        return _refused(t)
    if roll < REFUSED_SHARE + SUITE_SHARE:
        return _structured(t)
    return _paraphrased(t)


def _structured(t: Talker) -> Command:
    """One of the suite's sentence structures."""
    category = t.rng.choice(service_commands.CATEGORIES)
    entry = t.rng.choice(_by_category()[category])
    choice = _structures()[entry["id"]]
    text = t.pick(choice)
    way = next(i for i, f in enumerate(choice) if f.id == t.used[-1])
    plan = str(entry.get("plans", {}).get(str(way), entry["plan"]))
    said = re.sub(r"<([a-z]+)>", lambda m: t.rng.choice(_verbs()[m[1]]), text)
    asks = text.startswith("<") or text.split()[0] in service_commands.IMPERATIVES
    said, plan = t.slots.said(said), _plan(t.slots, entry["id"], plan)
    if t.rng.random() < 0.3:
        said = _politely(t.rng, said, asks)
    elif asks and t.rng.random() < 0.5:
        said = _shelled(t, said)
    return Command(entry["id"], _voiced(t.rng, _chatted(t, said)), plan)


def _paraphrased(t: Talker) -> Command:
    """A way of saying of our own: of an intent of the suite's categories, evenly, or of any."""
    category = t.rng.choice(service_commands.CATEGORIES) if t.rng.random() < EVENLY else ""
    intent = t.rng.choice(_intents(category))
    orders, sentences = wordings(intent, "orders"), wordings(intent, "sentences")
    share = len(orders) / (len(orders) + len(sentences))
    order = t.rng.random() < share
    t.slots.free = intent not in ROOMS_ONLY
    said = t.slots.said(_with_clauses(t, t.pick(orders if order else sentences)))
    plan = _plan(t.slots, intent, tables().get(f"home.{intent}", {}).get("plan") or _entries()[intent]["plan"])
    if order:
        said = _shelled(t, said)
    return Command(intent, _voiced(t.rng, _chatted(t, said)), plan)


def _with_clauses(t: Talker, text: str) -> str:
    """A frame whose `[clause]` marks stand for one of many ways to say a part of it (`frames/home_clauses.toml`)."""
    for _ in range(CLAUSES_DEEP):
        text = CLAUSE.sub(lambda m: t.pick(frames("home.clause", m[1]), main=False), text)
    return re.sub(r"([.!?]) ([a-z])", lambda m: f"{m[1]} {m[2].upper()}", text) if t.rng.random() < 0.6 else text


def _refused(t: Talker) -> Command:
    """What the robot cannot do, does not know, or cannot understand."""
    kind = t.rng.choices(list(REFUSED), list(REFUSED.values()))[0]
    if kind == "nonsense":
        if t.held:
            raise Unsaid("nonsense has no frames")
        return Command("refuse.nonsense", _nonsense(t.rng), f"sp('{SAYS[kind]}');->False")
    orders, sentences = wordings(kind, "orders"), wordings(kind, "sentences")
    said = t.slots.said(_with_clauses(t, t.pick((*orders, *sentences))))
    plan = f"sp('{t.slots.meant(SAYS[kind])}');->False"
    shelled = t.used[-1] in {f.id for f in orders} or (kind in ("cannot", "vague") and t.rng.random() < 0.5)
    said = _shelled(t, said) if shelled else said
    if not kind.startswith("unknown"):  # what is not known cannot be spelt right
        said = rough(t.rng, said)
    return Command(f"refuse.{kind}", _written(t.rng, _chatted(t, said)), plan)


ROOMS_ONLY = frozenset((
    "go-room", "count-room", "anyone-there", "tell-name-room", "find-someone", "announce", "is-person-there",
    "put-in-room",
))  # fmt: skip
"""Intents that speak of all that is in a room."""


def _plan(slots: Slots, intent: str, template: str) -> str:
    """The plan of an intent. Raises `Unsaid` where it needs what this home has not."""
    plan = slots.meant(_OWN.get(intent, template))
    for place in (a or b for a, b in PLACED.findall(plan)):
        if not slots.table.has_place(place):
            raise Unsaid(f"there is no {place}")
    return plan


_OWN = {
    "serve-two": "mt('{drink.place}');lo('{drink.1}');gr('{drink.1}');mt('{room}');pt('{name}');"
    "mt('{drink.place}');lo('{drink.2}');gr('{drink.2}');mt('{room}');pt('{name2}')",
    "follow-gesture": "mt('{room}');lp('person {gesture.value}');f('them')",
    "follow-gesture-back": "mt('{room}');lp('person {gesture.value}');f('them');sp('Please follow me!');mt('{room}')",
    "follow-pose": "mt('{room}');lp('person {pose}');f('them')",
    "follow-clothes": "mt('{room}');lp('person in the {shirt} {garment}');f('them')",
}
"""Plans of the suite that name things of the shipped home, or a pronoun that the words need not tell."""


def _shelled(t: Talker, order: str) -> str:
    """An order with what people put around it."""
    return t.pick(frames("home.shell", "frames"), main=False).replace("{c}", order)


def _chatted(t: Talker, said: str) -> str:
    """Now and then with a sentence before or behind it that has nothing to do with it."""
    before, after = t.rng.random() < CHATTER, t.rng.random() < CHATTER
    if before:
        said = f"{t.slots.said(t.rng.choice(_chatter('before')))} {said}"
    if after:
        said = f"{said.rstrip('.')}. {t.slots.said(t.rng.choice(_chatter('after')))}"
    return said


def _voiced(rng: Random, said: str) -> str:
    return _written(rng, _hasty(rng, said) if rng.random() < HASTY else rough(rng, said))


def _hasty(rng: Random, said: str) -> str:
    """Typed on the run: small words mangled, and slips in a few long ones."""
    slips = listed()["slips"]
    words = (rng.choice(slips[w]) if w in slips and rng.random() < 0.5 else w for w in said.split(" "))
    return typed(rng, " ".join(words), rng.randint(0, 2))


def _written(rng: Random, said: str) -> str:
    """Now and then with a capital and a full stop."""
    return f"{said[:1].upper()}{said[1:].rstrip('.')}." if rng.random() < 0.3 else said


def _politely(rng: Random, said: str, asks: bool) -> str:
    polite: Mapping[str, list[str]] = service_commands._table()["polite"]
    return f"{rng.choice(polite['before'])} {said}" if asks else said + rng.choice(polite["after"])


def _nonsense(rng: Random) -> str:
    if rng.random() < 0.65:
        return " ".join(rng.choice(lists("nonsense")["words"]) for _ in range(rng.choice((2, 3, 4, 5, 6, 8))))
    letters = "abcdefghijklmnopqrstuvwxyz"
    some = ("".join(rng.choice(letters) for _ in range(rng.randrange(2, 9))) for _ in range(rng.randrange(1, 5)))
    return " ".join(some) if rng.random() < 0.7 else rng.choice(("", "?", "...", "1 2 3", "42", "x", "a", "the", "~~~"))


# What is done


def with_eight(plan: str) -> str:
    """The plan with the paper's eight primitives; what they cannot do is said."""
    if asked := ASKED_FIRST.search(plan):
        return f"sp('{asked[1]}');->False"
    if any(skill in plan for skill in PERCEIVED):
        return f"sp('{NOT_FOUND_OUT}');->False"
    for more, less in LESS.items():
        plan = plan.replace(more, less)
    return plan


@functools.cache
def service_set() -> SkillSet:
    """The skills of every service robot that lessons are about, without a world: what plans are checked against."""
    nobody = cast(Any, _Unbuilt())
    return CommandForm().taught(service_skills(nobody, nobody, None, lambda text: None))


@functools.cache
def eight_set() -> SkillSet:
    return service_set().only(PAPER)


class _Unbuilt:
    """Stands where a robot and its perception would: nothing of them is touched until a skill runs."""

    knowledge: Mapping[str, Any] = {
        **dict.fromkeys(("places", "outside", "rooms", "objects", "categories", "answers", "doors"), ()),
        "people": {"male": (), "female": ()},
    }

    def __getattr__(self, name: str) -> Any:
        return lambda *_: _Unbuilt()


# The frames


@functools.cache
def _entries() -> Mapping[str, Mapping[str, Any]]:
    return {entry["id"]: entry for entry in service_commands.frames()}


@functools.cache
def _by_category() -> Mapping[str, list[Mapping[str, Any]]]:
    """Structures by category, those that say one thing in more ways more often."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for entry in service_commands.frames():
        found.setdefault(entry["category"], []).extend([entry] * len(entry["says"]))
    return found


@functools.cache
def _structures() -> Mapping[str, Sequence[Frame]]:
    return {e["id"]: [frame(f"service.{e['id']}", said) for said in e["says"]] for e in service_commands.frames()}


@functools.cache
def _verbs() -> Mapping[str, Sequence[str]]:
    return cast(Mapping[str, Sequence[str]], service_commands._table()["verbs"])


@functools.cache
def _intents(category: str = "") -> Sequence[str]:
    """Intents with frames of our own, of a category of the suite or all; those of many frames come more often."""
    barred = {*REFUSED, "shell", "chatter", "clause"}
    found: list[str] = []
    for intent in sorted({name.removeprefix("home.").rstrip("~") for name in tables() if name.startswith("home.")}):
        ours = not category or _entries().get(intent, {}).get("category") == category
        if ours and intent not in barred and not intent.startswith("words."):
            lines = len(wordings(intent, "orders")) + len(wordings(intent, "sentences"))
            found += [intent] * (max(2, lines // 4) * OFTEN.get(intent, 1))
    return found


@functools.cache
def wordings(intent: str, kind: str) -> Sequence[Frame]:
    """The frames of an intent, those of `home_voices.toml` and `home_talk.toml` among them."""
    every = (f for more in ("", "~", "~~") for f in frames(f"home.{intent}{more}", kind))
    return tuple(f for f in every for _ in range(JOINED if CLAUSE.search(f.text) else 1))


@functools.cache
def _chatter(where: str) -> Sequence[str]:
    return tuple(tables()["home.chatter"][where].strip().splitlines())


@functools.cache
def held_structures() -> Sequence[str]:
    """The suite's structures that training never sees."""
    every = (f for some in _structures().values() for f in some)
    return [f.id for f in every if fraction("frame", f.id) < HELD_OUT_FRAMES]
