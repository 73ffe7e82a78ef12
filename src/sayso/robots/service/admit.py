"""Whether a whole plan can be meant for this home: every name that it writes down is grounded before anything moves.

The language's own check knows skills and kinds of arguments. What a household robot besides knows is who and what
exists: a plan that drives to a garage which is not there, or greets a person whom nobody knows, is refused here, with
the nearest known names, so that whoever wrote it can write it again. Descriptions ("object on top of the potato chips")
stay descriptions: they are refused only when no word of them means anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sayso.grounding.matching import RELATION_NAMES, RELATIONS, SUPERLATIVES
from sayso.grounding.matching import wanted_thing as wanted
from sayso.grounding.names import (
    ARTICLES,
    OPERATOR_NAMES,
    START_NAMES,
    Names,
    bare,
    listed,
    lowered,
    nearest,
    read_names,
)
from sayso.grounding.people import described
from sayso.language import Plan, check, parse, show
from sayso.language.nodes import Assign, Block, Conditional, Invocation, Literal, Loop, Replan, Variable, walk
from sayso.parts import Brief
from sayso.planners.sequence import Admission
from sayso.skill import Param, Skill

Meaning: TypeAlias = Callable[[str, Sequence[str]], str]
"""The one of some known names that a phrase means, or nothing: asked when spelling does not tell."""

MOST_PROBLEMS = 6
LONGEST = 60
"""Statements. Nobody's command takes more."""

COUNTED = frozenset((
    "people", "person", "persons", "men", "women", "man", "woman", "boys", "girls", "boy", "girl", "males", "females",
    "male", "female", "ladies", "gentlemen", "guests", "guys", "lady", "guest", "everyone", "everybody",
))  # fmt: skip
ATTRIBUTES = frozenset((
    "name", "gender", "sex", "pose", "posture", "gesture", "shirt", "clothing", "clothes", "wearing", "color", "colour",
    "place",
))  # fmt: skip
RETURN_TO = ("move_to", "guide", "place")
"""Skills that know where the mission began."""


def admit(text: str, brief: Brief, *, exact: bool = False, meaning: Meaning | None = None) -> Admission:
    """A whole plan with its names grounded. With `exact` an alias is no name, to compare what grounding is worth."""
    if errors := check(text, brief.skills):
        return Admission(problems=tuple(str(e) for e in errors[:MOST_PROBLEMS]))
    plan = parse(text)
    problems = [*_form(plan), *_variables(plan)]
    if brief.knowledge:
        reading = _Reading(read_names(brief.knowledge), exact, meaning)
        calls = [node for node in walk(plan.body) if isinstance(node, Invocation)]
        problems += [p for call in calls for p in reading.ground(call, brief.skills.find(call.name))]
    return Admission(problems=tuple(dict.fromkeys(problems))[:MOST_PROBLEMS]) if problems else Admission(show(plan))


# The form


def _form(plan: Plan) -> Iterator[str]:
    statements = list(_statements(plan.body))
    if not any(isinstance(s, Invocation | Assign) for s in statements):
        yield "the answer holds no call of a skill; write calls, with ; between them"
    if len(statements) > LONGEST:
        yield f"{len(statements)} statements; a command takes at most {LONGEST}"
    if any(isinstance(s, Replan) for s in statements):
        yield "a plan is one list of calls, run from first to last: no replan"


def _statements(block: Block) -> Iterator[object]:
    for statement in block.statements:
        yield statement
        match statement:
            case Loop(block=block):
                yield from _statements(block)
            case Conditional(branches=branches, otherwise=otherwise):
                for branch in branches:
                    yield from _statements(branch.block)
                if otherwise:
                    yield from _statements(otherwise)


def _variables(plan: Plan) -> Iterator[str]:
    """Values that are used before anything gave them."""
    given: set[str] = set()
    for node in walk(plan.body):
        if isinstance(node, Variable) and node.name not in given:
            yield f"{node.name} is used before it has a value; write {node.name}=... of a skill that returns one"
        elif isinstance(node, Assign):
            given.add(node.name)


# The names


@dataclass(frozen=True, slots=True)
class _Reading:
    names: Names
    exact: bool
    meaning: Meaning | None

    def ground(self, call: Invocation, skill: Skill | None) -> Iterator[str]:
        """Put the known name for each that the call writes down; what is wrong with those that have none."""
        if skill is None:
            return
        texts = [a.value if isinstance(a, Literal) and isinstance(a.value, str) else "" for a in call.args]
        for param, arg, text in zip(skill.params, call.args, texts, strict=True):
            if not text or not isinstance(arg, Literal):
                continue
            problem = argument_problem(skill, param, text, texts, self.names)
            if problem and (meant := self._meant(param, text)):
                arg.value = meant
            elif problem:
                yield f"{skill.name}: {problem}"
            elif self.exact and (known := self._inexact(param, text)):
                yield f"{skill.name}: {text!r} is not the name of anything; was {known} meant?"
            else:
                arg.value = self._grounded(param, text)

    def _grounded(self, param: Param, text: str) -> str:
        """The name of a place as the table has it; all else is for the skill to read, which knows more."""
        place = self.names.place(text) if param.kind == "place" and bare(text) not in START_NAMES else None
        return place.name if place else text

    def _inexact(self, param: Param, text: str) -> str:
        """The name that was meant by a word that is none."""
        if param.kind == "place" and bare(text) not in (*START_NAMES, *OPERATOR_NAMES):
            place = self.names.place(text)
            return place.name if place and place.name != text else ""
        name = self.names.thing(text) if param.kind == "thing" else ""
        return name if name and name not in text else ""

    def _meant(self, param: Param, text: str) -> str:
        if self.meaning is None or param.kind not in ("place", "thing"):
            return ""
        return self.meaning(text, list(self.names.places if param.kind == "place" else self.names.kinds))


def argument_problem(skill: Skill, param: Param, text: str, texts: Sequence[str], names: Names) -> str:
    """Why `text` cannot be meant as that argument of a skill, or nothing."""
    if param.kind == "place":
        return _place_problem(skill, text, names)
    if param.kind == "thing" or (skill.name == "object_info" and param.name == "thing"):
        return _thing_problem(text, names)
    match param.name:
        case "description" | "person":
            return _person_problem(text, names)
        case "receiver":
            return "" if not _person_problem(text, names) else _receiver_problem(text, names)
        case "kind":
            return "" if set(_words(text)) & COUNTED else _thing_problem(text, names)
        case "attribute":
            return "" if set(_words(text)) & ATTRIBUTES else f"{text!r} of a person is not known; {listed(_ASKED)}"
        case "which":
            return _which_problem(text)
    return ""


_ASKED = ("name", "gender", "pose", "gesture", "shirt")


def _place_problem(skill: Skill, text: str, names: Names) -> str:
    said = bare(text)
    if (said in START_NAMES and skill.name in RETURN_TO) or (said in OPERATOR_NAMES and skill.name in RETURN_TO[:2]):
        return ""
    if names.place(text):
        return ""
    near = nearest(text, {name: name for name in names.places})
    rather = f"; was {' or '.join(near)} meant?" if near else "."
    return f"no place is called {text!r}{rather} The places are {listed([*names.places, 'initial location'])}."


def _thing_problem(text: str, names: Names) -> str:
    if wanted(text, names) is not None:
        return ""
    near = nearest(text, {name: name for name in names.kinds})
    rather = f"; was {' or '.join(near)} meant?" if near else "."
    return f"no object is called {text!r}{rather} The objects are {listed([*names.kinds, *names.categories])}."


def _person_problem(text: str, names: Names) -> str:
    words = _words(text)
    if bare(text) in OPERATOR_NAMES or "operator" in words or names.person(text):
        return ""
    unknown = [w for w in re.findall(r"\b[A-Z][a-z]+\b", text) if not described(w) and w.lower() not in ARTICLES]
    if unknown:
        return f"nobody is called {unknown[0]!r}; the people are {listed(names.people)}, or describe somebody"
    if described(text):
        return ""
    return f"{text!r} describes no person; use a name, 'person waving', 'woman in the red shirt', or 'me'"


def _receiver_problem(text: str, names: Names) -> str:
    if names.place(text):
        return ""
    return f"{text!r} is neither a person nor a place; the places are {listed(list(names.places))}"


def _which_problem(text: str) -> str:
    words = lowered(text)
    known = (*RELATION_NAMES, *RELATIONS, *SUPERLATIVES, "color", "colour", "category", "place")
    if any(word in words for word in known):
        return ""
    return f"{text!r} is no relation or superlative; write 'left of', 'object on top of', 'biggest' or 'leftmost'"


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z'-]+", text.lower())
