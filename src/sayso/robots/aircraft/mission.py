"""The reading of an operator's sentence as a search: a model writes it, code grounds it.

The embedded model writes what was said in clauses (`heard`). A large one writes JSON of the whole search; prose around
it, other names for the same field and missing fields do no harm, and it becomes the same clauses. What code reads
of the words by itself is said last: bounds, an order, an end of it all and who is to be told are kept as they were
said, whatever a large model made of them. A place that the map does not have is no place: what cannot be grounded is
asked for once more with the reason. The operator sees what was understood before anything flies.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import Any

from sayso.errors import NotUnderstood, Unclear
from sayso.grounding.lexicon import kind
from sayso.grounding.people import is_person, is_pronoun, kind_of
from sayso.grounding.terms import HEIGHTS, kept_to, looked_for, looked_over, seeks, strange, terms
from sayso.language import read_json
from sayso.prompts.quote import fill, quote, wished
from sayso.robots.aircraft.domain import RescueDomain, Rules
from sayso.robots.aircraft.operator_wish import WHERE, Clause, Grounds, clauses_of, heard, refuse
from sayso.robots.aircraft.reach import Flight
from sayso.robots.aircraft.search.craft import Charts
from sayso.robots.aircraft.search.lost import categories
from sayso.robots.aircraft.search.team import Seat
from sayso.robots.aircraft.search.terrain import KINDS
from sayso.robots.aircraft.search.wish import MOBILITIES, STEPS, SearchWish
from sayso.robots.aircraft.search_state import SearchState
from sayso.roles import Brief, Model, Observation, Prompt, answered
from sayso.understanding.questions import UNREAD
from sayso.wish import Act

NOTHING = (("nothing",),)
"""What the embedded model writes about a sentence that asks for no search; a large one leaves `find` empty."""

NO_MISSION = "no mission in the answer; write the JSON object that was asked for"
TEMPLATE = resources.files(__package__).joinpath("mission.txt").read_text("utf-8").strip()
MISSION_TOKENS = 400
OBJECTS_MAX = 8
SIZE_M = (0.05, 30.0)
AGO_MAX_MIN = 7 * 24 * 60

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NAMES = {
    "color": "colour", "size": "size_m", "moves": "mobility", "heading": "toward", "towards": "toward",
    "seen": "seen_at", "last_seen": "seen_at", "ago": "seen_ago_min", "minutes": "seen_ago_min", "kind": "label",
}  # fmt: skip
_FACTS = {"colour": "colour", "category": "is", "toward": "toward", "seen_at": "seen"}


def searches(
    charts: Charts,
    model: Model,
    rules: Rules | None = None,
    *,
    hunt: SearchState | None = None,
    seat: Seat | None = None,
    blocks: bool = True,
) -> Callable[[Brief], Awaitable[RescueDomain]]:
    """What makes the domain of each mission, from briefs alone: a replay, which plays briefs, decides the same.

    Without `blocks` a sweep is of one square or one named area, and not of four squares at once.
    """
    terrain = charts.terrain
    reader = MissionReader(model, Grounds(terrain.places, KINDS, categories()))
    areas = (*terrain.places, *terrain.blocks) if blocks else terrain.places

    def flight(brief: Brief) -> Flight:
        return Flight.told(brief, terrain)

    async def domain(brief: Brief) -> RescueDomain:
        told = [*{*brief.scene.names} - {*terrain.places}]  # what its camera is set to
        reader.grounds = replace(reader.grounds, sought=told[0] if len(told) == 1 else "")
        return RescueDomain(charts, areas, flight, reader.read, rules, hunt=hunt, seat=seat)

    return domain


def _nobody(sentence: str, clauses: Sequence[Sequence[str]], places: Collection[str]) -> bool:
    """Whether a reading looks for somebody of whom nothing is said, or for one of these places of the map: "circle over
    the field twice" is no search."""
    said = f" {kind(sentence)} "
    looked = [
        kind(name.lstrip("0123456789 ")) for verb, *names in clauses if verb in ("find", "also") for name in names
    ]
    known = {of for place in map(kind, places) for of in (place, place.split()[-1])}
    spoken_of = any(f" {name} " in said for name in looked)
    people = any(is_person(word) or is_pronoun(word) for word in said.split())
    return bool(looked) and ({*looked} <= known or not (spoken_of or people or seeks(sentence)))


def _has(clauses: Sequence[Clause], term: Clause) -> bool:
    """Whether a reading says something about what code reads of the words: a bound of that sort, or that place."""
    if term[0] == "then":
        return term in clauses
    alike = next((verbs for verbs in (HEIGHTS, WHERE) if term[0] in verbs), term[:1])
    said = [told for verb, *told in clauses if verb in alike]
    return any(kind(term[1]) == kind(name) for told in said for name in told) if alike == WHERE else bool(said)


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
        if running is None:
            if (text := kept_to(brief.instruction)) != brief.instruction:
                brief = replace(brief, instruction=text, request=None)
            elif brief.request and brief.request.act is Act.WORLD:
                self._unread(brief)
        first = await self._answer(brief, running)
        clauses, kept = clauses_of(first), terms(brief.instruction, self.grounds.places)
        if clauses:  # how high is read by code
            clauses = tuple(clause for clause in clauses if clause[0] not in HEIGHTS) or (("everywhere",),)
        refuse([clause for clause in kept if clause[0] == "elsewhere"])
        if running is None and clauses:
            clauses = self._begun(brief, clauses, kept)
        if clauses and clauses != NOTHING:
            return heard(self._with(clauses, kept, running), brief.instruction, self.grounds, running)
        refuse(kept)
        try:
            return await self._whole(brief, running, "nothing" if clauses == NOTHING else first)
        except NotUnderstood:
            if running is None or not kept:
                raise
            return heard(kept, brief.instruction, self.grounds, running)

    def _begun(self, brief: Brief, clauses: Sequence[Clause], kept: Sequence[Clause]) -> tuple[Clause, ...]:
        """What a reading says of a search that is not running yet. Raises for what is none."""
        places = self.grounds.places
        clauses = tuple(("in", *names) if verb == "free" else (verb, *names) for verb, *names in clauses)
        if _nobody(brief.core, clauses, places):
            clauses = NOTHING
        for name in strange(brief.core, [name for verb, *names in clauses if verb == "find" for name in names]):
            self.grounds.called(name)
        if clauses not in (NOTHING, (("ask", UNREAD),)):
            return clauses
        if said := looked_over(brief.core, places) or looked_for(brief.core):
            return said
        refuse(kept)
        if any(verb == "off" for verb, *_ in kept):
            heard(kept, brief.instruction, self.grounds)
        self._unread(brief)
        return clauses

    def _with(self, clauses: Sequence[Clause], kept: Sequence[Clause], running: SearchWish | None) -> list[Clause]:
        """A reading with what code reads of the words by itself; where to search, only of one that is not running."""
        there = {("seen", *names) for verb, *names in kept if verb == "in" and running is None}
        left = {name for verb, *names in kept if verb == "skip" for name in names}  # of the fields, all but one
        many = {c for c in clauses if left and c[0] == "skip" and left < {*self.grounds.meant(*c[:2])}}
        told = [("in", *c[1:]) if c in many else c for c in clauses if c not in there]
        return told + [term for term in kept if not _has(told, term) and (term[0] != "in" or not running)]

    def _unread(self, brief: Brief) -> None:
        """Raises for what is no search: what is to be done with a place that is named is asked, and a question that
        nothing here reads stays one."""
        said, asks = f" {kind(brief.core)} ", brief.request and brief.request.act is Act.WORLD
        if place := next((p for p in self.grounds.places if f" {kind(p)} " in said), ""):
            if any(map(kind_of, said.split())):
                raise Unclear(f"I cannot tell that from here. Shall I “search the {place} for a person”?")
            if asks:
                raise Unclear(f"I cannot tell that from here. Shall I search “{place}”, and for whom?")
            raise Unclear(f"What shall I do about “{place}”: fly there, or search it, and for whom?")
        if asks:
            raise NotUnderstood(UNREAD)

    async def _answer(self, brief: Brief, running: SearchWish | None, problem: str = "") -> str:
        seen = Observation.of(*([running.in_short()] if running else []))
        return await answered(self.model, mission_prompt(replace(brief, failure=problem, seen=seen), self.grounds))

    async def _whole(self, brief: Brief, running: SearchWish | None, first: str) -> SearchWish:
        """What the model makes of it. What is wrong is asked for once more."""
        try:
            return read_mission(first, brief.instruction, self.grounds, running)
        except Unclear as wrong:
            second = await self._answer(brief, running, str(wrong))
        try:
            return read_mission(second, brief.instruction, self.grounds, running)
        except Unclear as wrong:
            raise NotUnderstood(f"this search cannot be read: {wrong}") from wrong


def mission_prompt(brief: Brief, grounds: Grounds) -> Prompt:
    """What the operator asks for, as JSON (purpose `mission`), by names of places that exist.

    `brief.failure` says what was wrong before, `brief.notes` holds the running search in one line, where there is one.
    """
    places, kinds, categories = (", ".join(names) for names in (grounds.places, grounds.kinds, grounds.categories))
    system = fill(TEMPLATE, places=places, kinds=kinds, categories=categories)
    mend = f"To mend:\n{quote(brief.failure)}\n" if brief.failure else ""
    running = f"Running search:\n{quote(brief.notes[0])}\n" if brief.notes else ""
    user = f"{mend}{running}{wished('Operator', brief)}\nJSON:"
    told = (("system", system), ("user", user))
    return Prompt("mission", told, brief=brief, question="\n".join(grounds.places), max_tokens=MISSION_TOKENS)


def read_mission(answer: str, text: str, grounds: Grounds, running: SearchWish | None = None) -> SearchWish:
    """The search in a model's answer about `text`. Raises like `heard`; `Unclear` where there is none in it."""
    return heard((*written(answer), *terms(text, grounds.places)), text, grounds, running, whole=True)


def written(answer: str) -> tuple[Clause, ...]:
    """The clauses of a mission that a large model wrote. Raises `Unclear` where it wrote none."""
    data = read_json(answer) or {}
    found = data.get("find", data.get("objects"))
    if answer.strip().lower() == "nothing" or (data and found == []):
        return NOTHING
    if not data:
        raise Unclear(NO_MISSION)
    sought = [facts for facts in map(_facts, _listed(found, Mapping)) if facts.get("label")]
    if not sought:
        raise Unclear("nothing to find; name at least one object in find")
    areas, avoid = (_places(data.get(one, data.get(other))) for one, other in (("in", "areas"), ("not_in", "not")))
    steps = data.get("then", data.get("on_find"))
    wanted = [word.strip(",").lower() for word in _listed(steps.split() if isinstance(steps, str) else steps)]
    after = [step for step in STEPS if step in wanted]
    return (
        *(clause for facts in sought[:OBJECTS_MAX] for clause in _told(facts)),
        *(("in", name) for name in areas),
        *([] if areas else [("everywhere",)]),
        *(("skip", name) for name in avoid),
        *(("then", step) for step in (after if not after or {"hover", "home"} & {*after} else [*after, "on"])),
    )


def _told(facts: Mapping[str, Any]) -> Iterator[Clause]:
    """One of those who are sought."""
    yield "find", f"{_number(facts.get('count'), 1, OBJECTS_MAX) or 1:.0f} {facts['label']}"
    mobility = _text(facts.get("mobility")).lower()
    yield "moves", mobility if mobility in MOBILITIES else "unknown"
    for name, verb in _FACTS.items():
        if said := _text(facts.get(name)):
            yield verb, said if verb in ("toward", "seen") else said.lower()
    if size_m := _number(facts.get("size_m"), *SIZE_M):
        yield "size", f"{size_m:g} m"
    if (minutes := _number(facts.get("seen_ago_min"), 0.0, AGO_MAX_MIN)) is not None:
        yield "ago", f"{60 * minutes:g} s"


def _listed(value: Any, *more: type) -> list[Any]:
    """A list's texts, and what else is asked for; one alone is a list of one."""
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, (str, *more))]


def _facts(entry: str | Mapping[str, Any]) -> dict[str, Any]:
    """By the names that are asked for; `label` without an article."""
    facts = {"label": entry} if isinstance(entry, str) else {_NAMES.get(k.lower(), k.lower()): entry[k] for k in entry}
    words = [w for w in _text(facts.get("label")).lower().strip(" .").split() if w not in ("the", "a", "an")]
    return {**facts, "label": " ".join(words)}


def _places(value: Any) -> Sequence[str]:
    """Names of places; none where one of them means the whole map."""
    names = [name for name in map(_text, _listed(value)) if name]
    return [] if {"everywhere", "all", "anywhere"} & {name.lower() for name in names} else names


def _text(value: Any) -> str:
    return " ".join(value.split())[:80].strip(" .") if isinstance(value, str) else ""


def _number(value: Any, low: float, high: float) -> float | None:
    """A number within bounds, also out of text such as "1.8 m"; None where there is none."""
    if isinstance(value, str) and (found := _NUMBER.search(value)):
        value = float(found[0])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if low <= value <= high else None
