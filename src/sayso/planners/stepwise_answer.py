"""The reader of a model's answer that names the next step: generous about form, strict about meaning.

    {"reasoning": "…", "action_list": ["go_to(fruit table)", …], "first_action": "go_to(fruit table)"}
    {"step_by_step_reasoning": "…", "next_action": {"skill": "pick_up", "params": ["apple"]}}
    1. go_to[fruit_table]        pick_up(object="apple")        done        give_up(no apple anywhere)

A step is one of the skills that exist, with as many arguments as it takes. What is not is refused, with words for the
model: `grab(apple)` is not `pick_up(apple)`, and a second argument is not dropped.
"""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sayso.language import plainly, read_json
from sayso.plugins.steps import DONE, GIVE_UP, Step, normalized
from sayso.scene import plain

ANSWER_MAX = 6000
"""Characters. Whoever answers at such length does not answer the question."""

STEP_KEYS, LIST_KEY, WANT_KEY = ("next_action", "first_action"), "action_list", "want"
NAME_KEYS, ARGS_KEYS = ("skill", "name"), ("params", "arguments")
"""Of a step, as the protocol has them and as tools are called."""

_CALL = re.compile(r"([A-Za-z][\w -]{0,30}?)\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\[([^\[\]]*)\])")
_LEAD = re.compile(r"^\W*(?:step\s*)?(?:\d+\s*[.):]\s*)?", re.IGNORECASE)
_DONE = re.compile(r"\W*(?:\d+\s*[.):]\s*)?done\W*", re.IGNORECASE)
_KEYWORD = re.compile(r"^\s*[A-Za-z]\w*\s*[:=]\s*")


@dataclass(frozen=True, slots=True)
class Answer:
    """What was understood: the next step, the list where one was given, what was not accepted and why, and the text of
    the goal, where one was written."""

    step: Step | None = None
    plan: tuple[Step, ...] = ()
    refused: tuple[str, ...] = ()
    want: str = ""


def read_answer(text: str, known: Mapping[str, int]) -> Answer:
    """The answer in `text`. `known` maps the skills to how many arguments they take."""
    if len(text) > ANSWER_MAX:
        return Answer(refused=(f"an answer of more than {ANSWER_MAX} characters",))
    listed = text.lstrip().startswith("[") or "```" in text  # else it is go_to[fruit table]
    data = read_json(text, "{[" if listed else "{")
    text = plainly(text)
    if isinstance(data, Mapping):
        return _from_object(data, known)
    items = data if isinstance(data, list) else [t for t in text.splitlines() if _CALL.search(t) or _DONE.fullmatch(t)]
    plan, refused = _plan(items, known)
    if not (plan or refused):
        said = f"{plain(text, 40)!r}, which names no action" if text.strip() else "an empty answer"
        refused = (f"{said}; {_form(known)}",)
    return Answer(plan[0] if plan and not refused else None, plan if len(items) > 1 else (), refused)


def _from_object(data: Mapping[str, Any], known: Mapping[str, int]) -> Answer:
    want = data[WANT_KEY] if isinstance(data.get(WANT_KEY), str) else ""
    plan, refused = _plan(data.get(LIST_KEY), known)
    said = next((data[k] for k in STEP_KEYS if data.get(k) is not None), data if NAME_KEYS[0] in data else None)
    if said is None:
        return Answer(None, plan, (*refused, f"an answer without next_action; {_form(known)}"), want)
    step, problem = _step(said, known)
    return Answer(step, plan, (problem,) if problem else (), want)


def _plan(items: Any, known: Mapping[str, int]) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """A list of steps, and what of it cannot be read."""
    read = [_step(item, known) for item in items] if isinstance(items, list) else []
    return tuple(s for s, _ in read if s), tuple(p for _, p in read if p)


def _step(said: Any, known: Mapping[str, int]) -> tuple[Step | None, str]:
    """One step in any form, or why it is refused."""
    name, args = _parts(said)
    if not name:
        return None, f"{plain(str(said), 40)!r}, which is no action; {_form(known)}"
    names = {normalized(k): k for k in (*known, DONE, GIVE_UP)}
    skill = names.get(normalized(name), "")
    if not skill:
        close = difflib.get_close_matches(normalized(name), names, n=1, cutoff=0.6)
        rather = f"; was {names[close[0]]} meant?" if close else f"; there are {', '.join(names.values())}"
        return None, f"{plain(name)}, which is no action of this robot{rather}"
    if skill == DONE:
        return Step(DONE), ""
    if skill == GIVE_UP:
        return Step(GIVE_UP, (", ".join(args) or "no reason given",)), ""
    wanted = known[skill]
    if wanted == 1 and len(args) == 2 and all(re.fullmatch(r"-?\d+(\.\d+)?", a) for a in args):
        args = [", ".join(args)]  # a point on the floor
    if len(args) != wanted or not all(a.strip() for a in args):
        return None, f"{skill} with {len(args)} arguments, which takes {wanted}"
    return Step(skill, tuple(args)), ""


def _parts(said: Any) -> tuple[str, list[str]]:
    """Name and arguments of a step, written as a call or as an object."""
    if isinstance(said, str):
        return _from_text(said)
    name = next((said[k] for k in NAME_KEYS if isinstance(said.get(k), str)), "") if isinstance(said, Mapping) else ""
    if not name:
        return "", []
    given: Any = next((said[k] for k in ARGS_KEYS if said.get(k)), [])
    given = list(given.values()) if isinstance(given, Mapping) else given if isinstance(given, list) else [given]
    return name, [_argument(str(g)) for g in given]


def _from_text(text: str) -> tuple[str, list[str]]:
    if _DONE.fullmatch(text):
        return DONE, []
    found = _CALL.search(_LEAD.sub("", text.strip()))
    if not found:
        return "", []
    inside = found[2] if found[2] is not None else found[3]
    if normalized(found[1]) == normalized(GIVE_UP):
        return GIVE_UP, [inside.strip("\"' ")] if inside.strip() else []
    parts = re.split(r",(?=(?:[^\"']*[\"'][^\"']*[\"'])*[^\"']*$)", inside)
    return found[1].strip(), [_argument(part) for part in parts if part.strip()]


def _argument(text: str) -> str:
    """An argument without its keyword, quotes and underscores."""
    return _KEYWORD.sub("", text.strip()).strip().strip("\"'`").replace("_", " ").strip()


def _form(known: Mapping[str, int]) -> str:
    return f'answer with {{"next_action": "SKILL(ARGUMENT)"}}, where SKILL is one of {", ".join(known)}, done, give_up'
