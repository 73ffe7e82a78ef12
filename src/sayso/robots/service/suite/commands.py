"""Spoken commands to a service robot, each with what makes it a task: goals, a reference plan, a possible world.

The sentence structures are data (`frames.toml`); nine categories come in turn, and within each what a command
takes (a place left out, a description, something perceived, a question back) by the shares given there. The same seed
gives the same commands, on any machine.
"""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso.robots.service.suite.draw import FRAMES, STANDING, Slots, rooms
from sayso.robots.service.world import FLAT
from sayso.worlds.indoor.scene import knowledge

CATEGORIES = tuple(FRAMES["share"])
POLITE = 0.5
_SLOT = re.compile(r"\{([a-z]+[0-9]?(?:\.[A-Za-z0-9]+)?)\}")
_VERB = re.compile(r"<([a-z]+)>")


@dataclass(frozen=True, slots=True)
class Command:
    """A sentence, and its goals, which have to be met `after_s` seconds after the robot has ended. `setup` goes to
    `make("home", setup=...)`; `kinds` are the types of primitives that it takes.
    """

    id: str
    category: str
    takes: str
    kinds: str
    frame: str
    text: str
    plan: str
    goals: tuple[str, ...]
    setup: Mapping[str, Any] = field(default_factory=dict)
    after_s: float = 0.0
    polite: bool = False


def commands(n: int, seed: int = 0) -> Iterator[Command]:
    """The first `n` commands of a seed, categories in turn."""
    return (command(i, seed) for i in range(n))


def command(i: int, seed: int = 0, category: str = "") -> Command:
    """The command number `i` of a seed."""
    rng = random.Random(f"{seed}:{i}:{category}")
    category = category or CATEGORIES[i % len(CATEGORIES)]
    share: Mapping[str, int] = FRAMES["share"][category]
    takes = rng.choices(list(share), list(share.values()))[0]
    frame = rng.choice([f for f in FRAMES["frame"] if f["category"] == category and f["takes"] == takes])
    return _made(frame, f"{seed}-{i}", rng)


def frames() -> list[Mapping[str, Any]]:
    """All sentence structures, as the data has them."""
    return list(FRAMES["frame"])


def made(frame_id: str, seed: int = 0) -> Command:
    """A command of one frame."""
    frame = next(f for f in FRAMES["frame"] if f["id"] == frame_id)
    return _made(frame, f"{frame_id}-{seed}", random.Random(f"{seed}:{frame_id}"))


def _made(frame: Mapping[str, Any], id_: str, rng: random.Random) -> Command:
    slots = Slots(rng, frame.get("needs", {}))
    way = rng.randrange(len(frame["says"]))
    plan = frame.get("plans", {}).get(str(way), frame["plan"])
    goals = frame.get("goals_of", {}).get(str(way), frame["goals"])
    says = frame["says"][way]
    setup = _setup(frame, slots, rng)
    text = _filled(_VERB.sub(lambda m: str(rng.choice(FRAMES["verbs"][m[1]])), says), slots)
    polite = rng.random() < POLITE
    return Command(
        id=id_,
        category=frame["category"],
        takes=frame["takes"],
        kinds=frame["kinds"],
        frame=frame["id"],
        text=_politely(text, says, rng) if polite else text,
        plan=_filled(plan, slots),
        goals=tuple(_filled(goal, slots) for goal in goals),
        setup=setup,
        after_s=frame.get("after_s", 0.0),
        polite=polite,
    )


def _politely(text: str, says: str, rng: random.Random) -> str:
    """With a polite phrase before a wish that begins with a verb, else behind it."""
    if says.startswith("<") or says.split()[0] in FRAMES["polite"]["imperatives"]:
        return f"{rng.choice(FRAMES['polite']['before'])} {text}"
    return text + str(rng.choice(FRAMES["polite"]["after"]))


def _filled(value: Any, slots: Slots) -> Any:
    """Slots put in, in texts, lists and tables; a text that is nothing but a slot becomes what was drawn."""
    if isinstance(value, str):
        whole = _SLOT.fullmatch(value)
        return slots.part(whole[1]) if whole else _SLOT.sub(lambda m: str(slots.part(m[1])), value)
    if isinstance(value, Mapping):
        return {_filled(k, slots): _filled(v, slots) for k, v in value.items()}
    if isinstance(value, list):
        return [_filled(entry, slots) for entry in value]
    return value


def _setup(frame: Mapping[str, Any], slots: Slots, rng: random.Random) -> dict[str, Any]:
    """The world of a command, with a guest or so who has nothing to do with it."""
    people = _filled(frame.get("people", []), slots)
    people = [p for entry in people for p in (entry if isinstance(entry, list) else [entry])]
    setup: dict[str, Any] = {"people": [{"gesture": "", "pose": "standing", **person} for person in people]}
    for key in ("objects", "doors"):
        if key in frame:
            setup[key] = dict(_filled(frame[key], slots))
    if operator := _operator(frame, slots):
        setup["operator"] = operator
    if frame["takes"] != "off":
        setup["people"] += _others(people, slots, rng)
    return setup


def _operator(frame: Mapping[str, Any], slots: Slots) -> dict[str, Any]:
    operator = dict(_filled(frame.get("operator", {}), slots))
    lines = {key: _filled(frame[key], slots) for key in FRAMES["asked"] if key in frame}
    if lines:
        operator["answers"] = [{"when": words, "say": lines[key]} for key in lines for words in FRAMES["asked"][key]]
    return operator


def _others(people: list[Mapping[str, Any]], slots: Slots, rng: random.Random) -> list[dict[str, Any]]:
    """Somebody in a room where the command has nobody."""
    names = {*knowledge(FLAT)["people"]["male"], *knowledge(FLAT)["people"]["female"]} - {p["name"] for p in people}
    free = sorted({r for r in rooms() if r != "corridor"} - slots.rooms)
    if not free or rng.random() < 0.4:
        return []
    name, room = rng.choice(sorted(names)), rng.choice(free)
    return [{"name": name, "place": room, "pose": rng.choice(STANDING), "gesture": ""}]
