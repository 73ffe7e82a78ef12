"""The prompt of the planner `rolling`: which tasks help right now.

The part that stays the same for one robot (role, tasks, form of the answer, advice, examples) comes first; then the
earlier answer with what became of it, the state, and the request last. The grammar holds a guided decoder to the
robot's own tasks, so that it cannot ask for one that is not there.
"""

import json
from collections.abc import Iterable, Sequence

from sayso.errors import NotUnderstood
from sayso.prompts.quote import GENERAL, fill, quote, quote_each, text, wished
from sayso.prompts.render import clauses
from sayso.roles import Brief, Prompt
from sayso.scene import Pose, Scene
from sayso.skill import SkillSet
from sayso.tables.guidance import Example, Parts

ANSWER_TOKENS = 160
"""Seven tasks are about 60."""


def rolling_prompt(brief: Brief) -> Prompt:
    """The prompt for the tasks to pursue now.

    `notes` hold the state in words, `history` the earlier answer and what became of it, `failure` what was refused
    in it; the tasks are those skills that a provider makes happen. Raises `NotUnderstood` where there are none.
    """
    tasks = task_names(brief.skills)
    if not tasks:
        raise NotUnderstood(
            "this robot has no tasks that can be pursued side by side, so rolling cannot choose among them"
        )
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
            f'root ::= ( task {more} want? | "Done" | "Cannot" ) "\\n"?',
            r'want ::= "\nwant " [^\n]+',
            'task ::= "Task: " name " Priority: " number',
            *(['more ::= "\\n" task'] if more else []),
            f"name ::= {names}",
            "number ::= [1-9] [0-9]?",
        ]
    )


def _robot_part(skills: SkillSet) -> str:
    parts = skills.guidance.get("rolling", Parts())
    listed = "\n".join(f"- {name}: {skills[name].description}" for name in task_names(skills))
    advice = parts.advice_for(skills)
    wanted = clauses(skills.only(task_names(skills)))
    shown = parts.examples_for(skills) or GENERAL["rolling"].examples_for(skills)
    return fill(
        text("rolling.txt"),
        robot=parts.robot,
        tasks=listed,
        want=fill(f"{text('rolling_want.txt')}\n\n", clauses=wanted) if wanted else "",
        advice=advice and f"{advice}\n",
        examples="\n\n".join(map(_shown, shown)),
    )


def _shown(example: Example) -> str:
    before = _attempt(example.earlier, example.ran) + "\n" if example.earlier else ""
    asked = f"State:\n{quote(example.scene)}\nRequest:\n{quote(example.task)}\nAnswer:\n"
    return f"{before}{asked}{example.answer}"


def _moment_part(brief: Brief) -> str:
    parts = [_attempt(a.plan, tuple(map(str, a.ran))) for a in brief.history[-1:]]
    if brief.failure:
        parts.append(f"Not accepted:\n{quote(brief.failure, 1000)}")
    parts.append(f"State:\n{quote_each(tuple(_state(brief)))}")
    parts.append(wished("Request", brief))
    return "\n".join([*parts, "Answer:"])


def _attempt(answer: str, ran: tuple[str, ...]) -> str:
    came = f"\nOf it:\n{quote_each(ran)}" if ran else ""
    return f"Earlier answer:\n{quote(answer, 1000)}{came}"


def _state(brief: Brief) -> Iterable[str]:
    """The notes, then what is in view and where the robot stands, where that is known."""
    if not brief.notes and brief.scene == Scene():
        return ["unknown"]
    seen = [f"{t.label}, {t.distance_m:.1f} m away" for t in brief.scene if t.distance_m is not None]
    return [*brief.known, f"in view: {'; '.join(seen) or 'nothing'}", _place(brief.scene.observer)]


def _place(pose: Pose) -> str:
    degrees = round(pose.yaw_rad * 57.29578)
    return f"the robot stands at x {pose.x_m:.1f} m, y {pose.y_m:.1f} m and faces {degrees} degrees (0 is along x)"
