"""What a model is asked again and again while a robot moves: which tasks help right now.

The part that stays the same for one robot (role, tasks, form of the answer, advice, examples: `rolling.txt` and
`rolling.toml`) comes first; then the earlier answer with what became of it, the state, and the request last. The
grammar holds a guided decoder to the robot's own tasks, so that it cannot ask for one that is not there.
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.parts import Attempt, Brief, Prompt
from sayso.prompts.quote import quote, quote_each
from sayso.prompts.templates import fill, text
from sayso.scene import Pose, Scene
from sayso.skill import SkillSet

ANSWER_TOKENS = 160
"""Seven tasks are about 60."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One example: a state, a request, and the answer; `earlier` is the answer before it and `ran` what came of it."""

    needs: tuple[str, ...]
    state: str
    request: str
    answer: str
    earlier: str = ""
    ran: tuple[str, ...] = ()

    def __str__(self) -> str:
        before = _attempt(Attempt(self.earlier, self.ran)) + "\n" if self.earlier else ""
        return f"{before}State:\n{quote(self.state)}\nRequest:\n{quote(self.request)}\nAnswer:\n{self.answer}"


def rolling_prompt(brief: Brief) -> Prompt:
    """Which tasks to pursue now.

    `notes` hold the state in words, `history` the earlier answer and what became of it, `failure` what was refused
    in it; the tasks are those skills that a provider makes happen.
    """
    tasks = task_names(brief.skills)
    messages = (("system", _robot_part(brief.skills)), ("user", _moment_part(brief)))
    return Prompt("rolling", messages, brief=brief, grammar=rolling_grammar(tasks), max_tokens=ANSWER_TOKENS)


def task_names(skills: SkillSet) -> tuple[str, ...]:
    """The skills that can be asked for as tasks with a priority: those that providers make happen."""
    return tuple(s.name for s in skills.skills if s.provided)


def rolling_grammar(tasks: Sequence[str]) -> str:
    """GBNF of the answers: Done, Cannot, or one line for a task, up to as many as there are tasks."""
    more = " ".join(["more?"] * (len(tasks) - 1))
    names = " | ".join(json.dumps(name) for name in tasks)
    return "\n".join(
        [
            f'root ::= ( task {more} | "Done" | "Cannot" ) "\\n"?',
            'task ::= "Task: " name " Priority: " number',
            *(['more ::= "\\n" task'] if more else []),
            f"name ::= {names}",
            "number ::= [1-9] [0-9]?",
        ]
    )


def _robot_part(skills: SkillSet) -> str:
    data = _data()
    tasks = task_names(skills)
    listed = "\n".join(f"- {name}: {skills[name].description}" for name in tasks)
    advice = "\n".join(f"- {says}" for needs, says in data.advice if needs <= set(tasks))
    shown = "\n\n".join(str(e) for e in data.examples if set(e.needs) <= set(tasks))
    return fill(text("rolling.txt"), tasks=listed, advice=advice, examples=shown)


def _moment_part(brief: Brief) -> str:
    parts = [_attempt(a) for a in brief.history[-1:]]
    if brief.failure:
        parts.append(f"Not accepted:\n{quote(brief.failure, 1000)}")
    parts.append(f"State:\n{quote_each(tuple(_state(brief)))}")
    parts.append(f"Request:\n{quote(brief.instruction)}")
    return "\n".join([*parts, "Answer:"])


def _attempt(attempt: Attempt) -> str:
    ran = f"\nOf it:\n{quote_each(attempt.ran)}" if attempt.ran else ""
    return f"Earlier answer:\n{quote(attempt.plan, 1000)}{ran}"


def _state(brief: Brief) -> Iterable[str]:
    """The notes, then what is in view and where the robot stands, where that is known."""
    if not brief.notes and brief.scene == Scene():
        return ["unknown"]
    seen = [f"{t.label}, {t.distance_m:.1f} m away" for t in brief.scene if t.distance_m is not None]
    return [*brief.notes, f"in view: {'; '.join(seen) or 'nothing'}", _place(brief.scene.observer)]


def _place(pose: Pose) -> str:
    degrees = round(pose.yaw_rad * 57.29578)
    return f"the robot stands at x {pose.x_m:.1f} m, y {pose.y_m:.1f} m and faces {degrees} degrees (0 is along x)"


@dataclass(frozen=True, slots=True)
class _Data:
    advice: tuple[tuple[frozenset[str], str], ...]
    examples: tuple[Moment, ...]


@functools.cache
def _data() -> _Data:
    table = tomllib.loads(text("rolling.toml"))
    return _Data(
        tuple((frozenset(a["needs"]), a["says"]) for a in table["advice"]),
        tuple(map(_moment, table["example"])),
    )


def _moment(entry: Mapping[str, Any]) -> Moment:
    return Moment(**{**entry, "needs": tuple(entry["needs"]), "ran": tuple(entry.get("ran", ()))})
