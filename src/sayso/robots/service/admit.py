"""The check that a whole plan can be meant for this home: every name in it is grounded before anything moves.

The language's own check knows skills and kinds of arguments. What a household robot besides knows is who and what
exists: a plan that drives to a garage which is not there, or greets a person whom nobody knows, is refused here, with
the nearest known names, so that whoever wrote it can write it again. Descriptions ("object on top of the potato chips")
stay descriptions: they are refused only when no word of them means anything.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from sayso.grounding.inflection import listed
from sayso.grounding.lexicon import means
from sayso.grounding.matching import RELATION_NAMES, RELATIONS, SUPERLATIVES, wanted_thing
from sayso.grounding.names import ARTICLES, OPERATOR_NAMES, START_NAMES, Names, bare, lowered, nearest, read_names
from sayso.grounding.people import described, is_person
from sayso.language import check, parse, show
from sayso.language.nodes import Expr, Invocation, Literal, Replan, Statement, walk
from sayso.planners.sequence import Admission, unset
from sayso.robots.service.service import ATTRIBUTES, RETURN_TO
from sayso.roles import Brief
from sayso.skill import Param, Skill
from sayso.skills.name_resolver import START, USUAL

MOST_PROBLEMS = 6
LONGEST = 60
"""Calls. Nobody's command takes more."""


def admit(text: str, brief: Brief, *, exact: bool = False) -> Admission:
    """A whole plan with its names grounded. With `exact` an alias is no name, to compare what grounding is worth."""
    if errors := check(text, brief.skills):
        return Admission(problems=tuple(str(e) for e in errors[:MOST_PROBLEMS]))
    plan = parse(text)
    nodes = list(walk(plan.body))
    calls = [node for node in nodes if isinstance(node, Invocation)]
    problems = list(_form(nodes, len(calls)))
    problems += [f"{n} is used before it has a value; write {n}=... of a skill that returns one" for n in unset(plan)]
    if brief.knowledge:
        names = read_names(brief.knowledge)
        problems += [p for call in calls for p in _ground(call, brief.skills.find(call.name), names, exact)]
    return Admission(problems=tuple(dict.fromkeys(problems))[:MOST_PROBLEMS]) if problems else Admission(show(plan))


def _form(nodes: Iterable[Statement | Expr], calls: int) -> Iterator[str]:
    if not calls:
        yield "the answer holds no call of a skill; write calls, with ; between them"
    if calls > LONGEST:
        yield f"{calls} calls; a command takes at most {LONGEST}"
    if any(isinstance(node, Replan) for node in nodes):
        yield "a plan is one list of calls, run from first to last: no replan"


def _ground(call: Invocation, skill: Skill | None, names: Names, exact: bool) -> Iterator[str]:
    """Put the known name for each place that the call writes down; what is wrong with names that nothing has. All else
    is for the skill to read, which knows more."""
    for param, arg in zip(skill.params if skill else (), call.args, strict=False):
        text = arg.value if isinstance(arg, Literal) else None
        if skill is None or not isinstance(arg, Literal) or not isinstance(text, str) or not text:
            continue
        if problem := argument_problem(skill, param, text, names):
            if exact or not (meant := _meant(param, text, names)):
                yield f"{skill.name}: {problem}"
            else:
                arg.value = meant
        elif exact and (known := _inexact(param, text, names)):
            yield f"{skill.name}: {text!r} is not the name of anything; was {known} meant?"
        elif param.kind == "place" and bare(text) not in START_NAMES and (place := names.place(text)):
            arg.value = place.name


def _meant(param: Param, text: str, names: Names) -> str:
    """The one name that the dictionary says is meant, where spelling does not tell."""
    known = {"place": list(names.places), "thing": list(names.kinds)}.get(param.kind, [])
    meant = [name for name in known if means(text, name)]
    return meant[0] if len(meant) == 1 else ""


def _inexact(param: Param, text: str, names: Names) -> str:
    """The name that was meant by a word that is none."""
    if param.kind == "place" and bare(text) not in (*START_NAMES, *OPERATOR_NAMES):
        place = names.place(text)
        return place.name if place and place.name != text else ""
    name = names.thing(text) if param.kind == "thing" else ""
    return name if name and name not in text else ""


def argument_problem(skill: Skill, param: Param, text: str, names: Names) -> str:
    """Why `text` cannot be meant as that argument of a skill, or nothing."""
    if param.kind == "place":
        return _place_problem(skill, text, names)
    if param.kind == "thing" or (skill.name == "object_info" and param.name == "thing"):
        return _thing_problem(text, names)
    match param.name:
        case "description" | "person":
            return _person_problem(text, names)
        case "receiver" if _person_problem(text, names) and not names.place(text):
            return f"{text!r} is neither a person nor a place; the places are {listed(list(names.places))}"
        case "kind":
            return "" if is_person(text) or names.person(text) else _thing_problem(text, names)
        case "attribute" if not {*_words(text)} & {*ATTRIBUTES}:
            return f"{text!r} of a person is not known; name, gender, pose, gesture and shirt"
        case "which":
            return _which_problem(text)
    return ""


def _place_problem(skill: Skill, text: str, names: Names) -> str:
    said = bare(text)
    if said == USUAL and skill.name == "place":
        return ""
    if (said in START_NAMES and skill.name in RETURN_TO) or (said in OPERATOR_NAMES and skill.name in RETURN_TO[:2]):
        return ""
    if names.place(text):
        return ""
    known = f"The places are {listed([*names.places, START])}."
    return f"no place is called {text!r}{_rather(text, names.places)} {known}"


def _thing_problem(text: str, names: Names) -> str:
    if wanted_thing(text, names) is not None:
        return ""
    known = f"The objects are {listed([*names.kinds, *names.categories])}."
    return f"no object is called {text!r}{_rather(text, names.kinds)} {known}"


def _rather(text: str, known: Iterable[str]) -> str:
    near = nearest(text, {name: name for name in known})
    return f"; was {' or '.join(near)} meant?" if near else "."


def _person_problem(text: str, names: Names) -> str:
    if bare(text) in OPERATOR_NAMES or "operator" in _words(text) or names.person(text):
        return ""
    unknown = [w for w in re.findall(r"\b[A-Z][a-z]+\b", text) if not described(w) and w.lower() not in ARTICLES]
    if unknown:
        return f"nobody is called {unknown[0]!r}; the people are {listed(names.people)}, or describe somebody"
    if described(text):
        return ""
    return f"{text!r} describes no person; use a name, 'person waving', 'woman in the red shirt', or 'me'"


def _which_problem(text: str) -> str:
    known = (*RELATION_NAMES, *RELATIONS, *SUPERLATIVES, "color", "colour", "category", "place")
    if any(word in lowered(text) for word in known):
        return ""
    return f"{text!r} is no relation or superlative; write 'left of', 'object on top of', 'biggest' or 'leftmost'"


def _words(text: str) -> Sequence[str]:
    return re.findall(r"[a-z'-]+", text.lower())
