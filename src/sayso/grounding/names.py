"""The names in a robot's table, and what a word in a plan or an answer means among them.

A name is looked up exactly, then as an alias, then within a longer phrase ("to the kitchen, please"), then with its
plural or a small misspelling mended. What cannot be grounded is told with the nearest known names, for a planner to
mend from.
"""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso.errors import SkillFailed
from sayso.grounding.lexicon import aliases, kind, known
from sayso.grounding.mentions import Name
from sayso.scene import Ground, Pose
from sayso.task import UNKNOWN_NAME

START_NAMES = (
    "initial location", "initial position", "start", "starting point", "starting location", "origin", "home", "back",
)  # fmt: skip
OPERATOR_NAMES = ("operator", "me", "myself", "us")
ARTICLES = ("the", "a", "an", "some", "my", "your", "his", "her", "their", "to", "at", "in", "on", "from", "of")

Point = tuple[float, float]

BY_M = 2.0
"""Who is no further from a place than this is by it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A room or a named place. `stand` is where a robot goes for it; `at` and `size_m` are the furniture's."""

    name: str
    room: str
    stand: Pose
    at: Pose | None = None
    size_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    placement: bool = False
    bin: bool = False
    low: Point | None = None
    high: Point | None = None

    @property
    def is_room(self) -> bool:
        return self.low is not None

    def local(self, pose: Pose) -> Point:
        """A pose in the furniture's frame, x towards its front."""
        assert self.at is not None
        there = pose.seen_from(self.at)
        return there.x_m, there.y_m

    def holds(self, pose: Pose, margin_m: float = 0.02) -> bool:
        """Whether a pose is over the furniture, or inside the room."""
        if self.low and self.high:
            return self.low[0] <= pose.x_m <= self.high[0] and self.low[1] <= pose.y_m <= self.high[1]
        if self.at is None:
            return False
        x, y = self.local(pose)
        return abs(x) <= self.size_m[0] / 2 + margin_m and abs(y) <= self.size_m[1] / 2 + margin_m

    def beside(self, pose: Pose) -> bool:
        """Whether somebody there is by this place."""
        return self.holds(pose) or any(p.level_m(pose) <= BY_M for p in (self.stand, self.at) if p)


@dataclass(frozen=True)
class Names:
    """The robot's table of names, read once."""

    places: Mapping[str, Place]
    kinds: Mapping[str, Mapping[str, Any]]
    categories: Mapping[str, str]  # to the usual place
    people: tuple[str, ...]
    answers: tuple[tuple[tuple[str, ...], str], ...]
    doors: tuple[tuple[str, Point], ...]
    _place_words: Mapping[str, str] = field(default_factory=dict)
    _thing_words: Mapping[str, str] = field(default_factory=dict)
    _kind_words: Mapping[str, str] = field(default_factory=dict)

    def place(self, text: str) -> Place | None:
        """The place that a phrase names."""
        found = ground(text, self._place_words)
        return self.places[found] if found else None

    def must_place(self, text: str) -> Place:
        """Raises `SkillFailed` with the known names."""
        if place := self.place(text):
            return place
        near = nearest(text, self._place_words)
        rather = f"; did you mean {' or '.join(near)}?" if near else ""
        told = f"no place is called {text!r}{rather} The places are {', '.join(self.places)}."
        raise SkillFailed(told, UNKNOWN_NAME)

    def thing(self, text: str) -> str:
        """The object that a phrase names, or nothing."""
        return ground(text, self._thing_words)

    def category(self, text: str) -> str:
        """The category that a phrase names, or nothing."""
        return ground(text, self._kind_words)

    def person(self, text: str) -> str:
        """The known person that a phrase names, or nothing."""
        words = re.findall(r"[a-z]+", text.lower())
        return next((name for name in self.people if name.lower() in words), "")

    def usual_place(self, name: str) -> Place | None:
        """Where an object or a category belongs."""
        category = name if name in self.categories else str(self.kinds.get(name, {}).get("category", ""))
        return self.places.get(self.categories.get(category, ""))

    def room_of(self, pose: Pose) -> Place | None:
        return next((p for p in self.places.values() if p.is_room and p.holds(pose)), None)

    def place_at(self, pose: Pose) -> Place | None:
        """The place that somebody there stands by, or else the room."""
        by = [p for p in self.places.values() if not p.is_room and p.beside(pose)]
        return min(by, key=lambda p: p.stand.distance_m(pose), default=self.room_of(pose))

    def within(self, room: str) -> list[Place]:
        """The placements of a room."""
        return [p for p in self.places.values() if p.room == room and p.placement]

    @property
    def ground(self) -> Ground:
        """Rooms and furniture, and where things can be put down."""
        there = [p for p in self.places.values() if p.is_room or p.at]
        return Ground(
            frozenset(p.name for p in there),
            lambda pose: frozenset(p.name for p in there if p.holds(pose)),
            frozenset(p.name for p in there if p.placement or p.bin),
            middle=lambda name: next((p.stand for p in there if p.name == name), None),
        )

    @property
    def spoken(self) -> tuple[Name, ...]:
        """Places, things and categories by every word for them, as they may stand in a wish."""
        words = {"place": self._place_words, "kind": self._thing_words, "category": self._kind_words}
        return tuple(Name.of(said, what, name) for what, names in words.items() for said, name in names.items())

    def answer(self, question: str) -> str:
        """What the table knows to say to a question, or nothing."""
        words = " ".join(re.findall(r"[a-z0-9']+", question.lower()))
        return next((say for when, say in self.answers if all(w in words for w in when)), "")


def read_names(table: Mapping[str, Any]) -> Names:
    """From the robot's table, as a furnished world's `names.toml` describes it."""
    places = {p["name"]: _place(p) for p in (*table["places"], *table["outside"])}
    places |= {r["name"]: _room(r) for r in table["rooms"]}
    kinds = {k["name"]: k for k in table["objects"]}
    return Names(
        places=places,
        kinds=kinds,
        categories={c["name"]: c["place"] for c in table["categories"]},
        people=(*table["people"]["male"], *table["people"]["female"]),
        answers=tuple((tuple(a["when"]), a["say"]) for a in table["answers"]),
        doors=tuple((d["name"], tuple(d["at"])) for d in table["doors"]),
        _place_words=_words((*table["places"], *table["outside"], *table["rooms"])),
        _thing_words=_words(table["objects"]),
        _kind_words=_words(table["categories"]),
    )


def _place(entry: Mapping[str, Any]) -> Place:
    x, y, yaw = entry["stand"]
    at = Pose(entry["at"][0], entry["at"][1], 0.0, entry["at"][2]) if "at" in entry else None
    size = tuple(entry.get("size_m", (0.0, 0.0, 0.0)))
    use = bool(entry.get("placement")), bool(entry.get("bin"))
    return Place(entry["name"], entry["room"], Pose(x, y, 0.0, yaw), at, size, *use)


def _room(entry: Mapping[str, Any]) -> Place:
    (x0, y0), (x1, y1) = entry["low"], entry["high"]
    return Place(entry["name"], entry["name"], Pose((x0 + x1) / 2, (y0 + y1) / 2), low=(x0, y0), high=(x1, y1))


def _words(entries: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Every name and alias in lower case, to the name."""
    words: dict[str, str] = {}
    for entry in entries:
        for alias in entry["aliases"]:
            words.setdefault(alias.lower(), entry["name"])
    words |= {entry["name"].lower(): entry["name"] for entry in entries}
    return words


def ground(text: str, words: Mapping[str, str]) -> str:
    """The name behind a phrase: itself, an alias, the longest known name in it, a plural, a name misspelt."""
    said = bare(text)
    if said in words:
        return words[said]
    inside = [w for w in words if _tells(w, said)]
    if inside:
        return words[max(inside, key=len)]
    full = {name.lower(): name for name in words.values()}
    for slip in (said, said.removesuffix("s")):
        if close := difflib.get_close_matches(slip, full, n=1, cutoff=0.84):
            return full[close[0]]
    return ""


def _tells(name: str, said: str) -> bool:
    """Whether a name stands in a phrase, and is no part of another thing's: a kitchen table is no kitchen."""
    if found := re.search(rf"\b{re.escape(name)}(e?s)?\b ?(\S*)", said):
        return not (found[2] and known(kind(found[2]))) or found[2] in aliases().compounds["packages"]
    return False


def nearest(text: str, words: Mapping[str, str]) -> list[str]:
    """Known names that are a little like a phrase."""
    return list(dict.fromkeys(words[w] for w in difflib.get_close_matches(bare(text), words, n=3, cutoff=0.5)))


def bare(text: str) -> str:
    """A phrase in lower case without articles and prepositions before it, underscores and punctuation."""
    kept = lowered(text).split()
    while len(kept) > 1 and kept[0] in ARTICLES:
        kept = kept[1:]
    return " ".join(kept)


def lowered(text: str) -> str:
    """A phrase in lower case without underscores and punctuation; unlike `bare` it keeps "on" of "on top of"."""
    return " ".join(re.findall(r"[a-z0-9'-]+", text.lower().replace("_", " ")))
