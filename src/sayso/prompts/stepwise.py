"""What a model is asked that chooses one step after another: a conversation that only grows at its end.

The part that stays the same for one robot comes first, then the task with what is known; after that, what came of each
step. Nothing that was said is changed later, so that every call shares its beginning with the one before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from sayso.parts import Brief, Prompt
from sayso.prompts.quote import quote, quote_each
from sayso.prompts.templates import fill, text
from sayso.scene import plain

ANSWER_TOKENS = 400

Messages = tuple[tuple[str, str], ...]


class StepwiseForm:
    """The prompts of the planner `stepwise`."""

    def opening(self, brief: Brief, skills: Sequence[str]) -> Messages:
        listed = "\n".join(f"- {_call(brief, s)}: {brief.skills[s].description}" for s in skills)
        known = f"Known:\n{quote_each(brief.notes)}\n" if brief.notes else ""
        return (
            ("system", fill(text("stepwise.txt"), skills=listed)),
            ("user", f"{known}Task:\n{quote(brief.instruction)}\nAnswer:"),
        )

    def feedback(self, ran: Sequence[str], news: Sequence[str], owed: Sequence[str]) -> str:
        parts = [f"Feedback:\n{quote_each(tuple(ran))}" if ran else "The step is over."]
        if news:
            parts.append(f"Known since:\n{quote_each(tuple(news))}")
        if owed:
            parts.append(f"Open of the list: {plain(', '.join(owed), 400)}")
        return "\n".join([*parts, "Answer:"])

    def refusal(self, why: Sequence[str]) -> str:
        return f"Not accepted:\n{quote_each(tuple(why))}\nAnswer:"

    def prompt(self, brief: Brief, messages: Messages, skills: Sequence[str]) -> Prompt:
        first = not any(role == "assistant" for role, _ in messages)
        return Prompt("stepwise", messages, brief=brief, grammar=grammar(skills, first), max_tokens=ANSWER_TOKENS)


STEPWISE = StepwiseForm()


def grammar(skills: Sequence[str], first: bool) -> str:
    """GBNF of the answers: JSON in which only the robot's skills, done and give_up can be named."""
    names = " | ".join(json.dumps(name) for name in (*skills, "give_up"))
    keys = ("reasoning", "first_action") if first else ("step_by_step_reasoning", "next_action")
    steps = r'"\"action_list\": [" step (", " step)* "], " ' if first else ""
    return "\n".join(
        [
            rf'root ::= "{{\"{keys[0]}\": " string ", " {steps}"\"{keys[1]}\": " step "}}"',
            r'step ::= "\"" (call | "done") "\""',
            'call ::= name "(" argument ")"',
            f"name ::= {names}",
            r"argument ::= [A-Za-z0-9 .,'-]+",
            r'string ::= "\"" [^"\\\x00-\x1f]* "\""',
        ]
    )


def _call(brief: Brief, skill: str) -> str:
    return f"{skill}({', '.join(p.name for p in brief.skills[skill].params)})"
