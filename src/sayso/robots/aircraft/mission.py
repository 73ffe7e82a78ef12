"""From an operator's sentence to a search: asked of a model, read with tolerance, grounded with none.

A large model writes JSON; prose around it, other names for the same field and missing fields do no harm. The embedded
one writes what was said in clauses (`heard`). But a place that the map does not have is no place: what cannot be
grounded is reported, and asked for once more with the reason. The operator sees what was understood before anything
flies.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sayso.errors import NotUnderstood
from sayso.grounding.terms import terms
from sayso.parts import Brief, Model, Observation, answered
from sayso.robots.aircraft.heard import NO_SEARCH, clauses_of, heard
from sayso.robots.aircraft.prompt import mission_prompt
from sayso.robots.aircraft.reading import Words
from sayso.robots.aircraft.search.wish import MOBILITIES, STEPS, SearchWish, Sought

NOTHING = "nothing"
"""What the embedded model writes about a sentence that asks for no search; a large one leaves `find` empty."""

OBJECTS_MAX = 8
SIZE_M = (0.05, 30.0)
AGO_MAX_MIN = 7 * 24 * 60

_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NAMES = {
    "color": "colour", "size": "size_m", "moves": "mobility", "heading": "toward", "towards": "toward",
    "seen": "seen_at", "last_seen": "seen_at", "ago": "seen_ago_min", "minutes": "seen_ago_min", "kind": "label",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grounds:
    """What names can mean here: places by name, kinds of ground, and the categories of lost people."""

    places: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()

    def place(self, name: str, kinds_too: bool = False) -> str:
        """The place that `name` means; empty where there is none. Capitals, articles and plurals do not matter."""
        known = (*self.places, *(self.kinds if kinds_too else ()))
        wanted = _bare(name)
        for exact in known:
            if _bare(exact) == wanted:
                return exact
        close = difflib.get_close_matches(wanted, [_bare(k) for k in known], n=1, cutoff=0.85)
        return next(k for k in known if _bare(k) == close[0]) if close else ""

    def of_kind(self, name: str) -> tuple[str, ...]:
        """Every place whose name says that it is of this kind: "the fields" are all that are called field."""
        word = _bare(name).removeprefix("open ")
        return tuple(p for p in self.places if len(word) > 2 and word in _bare(p).split())


@dataclass(frozen=True, slots=True)
class Reading:
    """What was understood, and what could not be."""

    wish: SearchWish | None
    problems: tuple[str, ...] = ()
    searches: bool = True
    """False where the model says that the sentence asks for no search at all."""


class MissionReader:
    """Reads sentences with a model. What it makes of them is held against the words."""

    def __init__(self, model: Model, grounds: Grounds) -> None:
        self.model, self.grounds = model, grounds

    async def read(self, brief: Brief, running: SearchWish | None = None) -> SearchWish:
        """The search that the brief's sentence asks for, or, where one is running, what that one has become.

        Raises `Unclear` where something that matters is missing or doubtful, and `NotUnderstood` for a sentence that
        asks for no search or for one that cannot be flown, and when the model's second answer names nothing that can be
        searched for either.
        """
        first = await self._answer(brief, running)
        clauses = clauses_of(first)
        if clauses and clauses != ((NOTHING,),):
            known = self.grounds
            return heard(clauses, brief.instruction, known.places, known.kinds, known.categories, running)
        words = Words(terms(brief.instruction, self.grounds.places))
        if refusal := words.refusal():
            raise NotUnderstood(refusal)
        if running and words.terms.ends:
            return words.kept(running, running)
        try:
            wish = await self._asked(brief, running, first)
        except NotUnderstood:
            if running is None or not words.governs:
                raise
            return words.kept(running, running)
        return words.kept(wish, running)

    async def _answer(self, brief: Brief, running: SearchWish | None, problems: Sequence[str] = ()) -> str:
        seen = Observation.of(*([running.in_short()] if running else []))
        asked = replace(brief, failure="; ".join(problems), seen=seen)
        known = self.grounds
        return await answered(self.model, mission_prompt(asked, known.places, known.kinds, known.categories))

    async def _asked(self, brief: Brief, running: SearchWish | None, first: str) -> SearchWish:
        """What the model makes of it. What is wrong is asked for once more."""
        reading = read_mission(first, self.grounds)
        if reading.searches and (not reading.wish or reading.problems):
            reading = read_mission(await self._answer(brief, running, reading.problems), self.grounds)
        if reading.wish and not reading.problems:
            return reading.wish
        raise NotUnderstood(f"this search cannot be read: {'; '.join(reading.problems)}")


def read_mission(text: str, grounds: Grounds) -> Reading:
    """The mission in a model's answer, with every name grounded."""
    if text.strip().lower() == NOTHING:
        return Reading(None, (NO_SEARCH,), searches=False)
    data = _json(text)
    if not data:
        return Reading(None, ("no mission in the answer; write the JSON object that was asked for",))
    found = data.get("find", data.get("objects"))
    if found == []:
        return Reading(None, (NO_SEARCH,), searches=False)
    problems: list[str] = []
    entries = _entries(found)
    sought = tuple(s for s in (_sought(e, grounds, problems) for e in entries[:OBJECTS_MAX]) if s)
    if not sought and not problems:
        problems.append("nothing to find; name at least one object in find")
    wish = SearchWish(
        sought,
        _places(data.get("in", data.get("areas")), grounds, problems),
        _places(data.get("not_in", data.get("not")), grounds, problems),
        _steps(data.get("then", data.get("on_find"))),
    )
    return Reading(wish if sought else None, tuple(problems))


def _json(text: str) -> dict[str, Any] | None:
    found = _OBJECT.search(text)
    if not found:
        return None
    try:
        data = json.loads(found[0])
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _entries(value: Any) -> list[Mapping[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [{"label": v} if isinstance(v, str) else v for v in values if isinstance(v, str | dict)]


def _sought(entry: Mapping[str, Any], grounds: Grounds, problems: list[str]) -> Sought | None:
    facts = {_NAMES.get(str(k).lower(), str(k).lower()): v for k, v in entry.items()}
    label = _bare(_text(facts.get("label")))
    if not label:
        return None
    mobility = _text(facts.get("mobility")).lower()
    category = _text(facts.get("category")).lower()
    minutes = _number(facts.get("seen_ago_min"), 0.0, AGO_MAX_MIN)
    return Sought(
        label,
        colour=_text(facts.get("colour")).lower(),
        size_m=_number(facts.get("size_m"), *SIZE_M),
        mobility=mobility if mobility in MOBILITIES else "unknown",
        toward=_place(facts.get("toward"), grounds, problems, kinds_too=True),
        seen_at=_place(facts.get("seen_at"), grounds, problems),
        seen_ago_s=None if minutes is None else 60 * minutes,
        category=category if category in grounds.categories else "",
        count=round(_number(facts.get("count"), 1, OBJECTS_MAX) or 1),
    )


def _place(value: Any, grounds: Grounds, problems: list[str], kinds_too: bool = False) -> str:
    name = _text(value)
    if not name:
        return ""
    found = grounds.place(name, kinds_too) or next(iter(grounds.of_kind(name)), "")
    if not found:
        problems.append(f"no place is called {name[:40]!r}; there are {', '.join(grounds.places[:24])}")
    return found


def _places(value: Any, grounds: Grounds, problems: list[str]) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    found: dict[str, None] = {}
    for name in filter(None, map(_text, names)):
        if _bare(name) in ("everywhere", "all", "anywhere"):
            return ()
        exact = grounds.place(name)
        several = (exact,) if exact else grounds.of_kind(name)
        if not several:
            problems.append(f"no place is called {name[:40]!r}; there are {', '.join(grounds.places[:24])}")
        found.update(dict.fromkeys(several))
    return tuple(found)


def _steps(value: Any) -> tuple[str, ...]:
    words = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    named = {_text(w).lower().strip(",") for w in words}
    return tuple(s for s in STEPS if s in named) or ("confirm", "home")


def _text(value: Any) -> str:
    return " ".join(value.split())[:80] if isinstance(value, str) else ""


def _number(value: Any, low: float, high: float) -> float | None:
    """A number within bounds, also out of text such as "1.8 m"; None where there is none."""
    if isinstance(value, str) and (found := _NUMBER.search(value)):
        value = float(found[0])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if low <= value <= high else None


def _bare(name: str) -> str:
    """A name without article, capitals and the plural's s."""
    words = [w for w in re.split(r"[\s_]+", name.lower().strip(" .")) if w not in ("the", "a", "an")]
    return " ".join(w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in words)
