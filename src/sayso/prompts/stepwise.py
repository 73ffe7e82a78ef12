"""The prompt of the planner `stepwise`: a conversation, one step after another, that only grows at its end.

The part that stays the same for one robot comes first, then the task with what is known; after that, what came of each
step. Nothing that was said is changed later, so that every call shares its beginning with the one before.
"""

import json
from collections.abc import Sequence

from sayso.plugins.steps import ModelAnswer, RejectedAnswer, StepFeedback, Turn
from sayso.prompts.quote import GENERAL, fill, quote, quote_each, text, wished
from sayso.prompts.render import clauses
from sayso.roles import Brief, Prompt
from sayso.scene import plain
from sayso.skill import Skill, SkillSet
from sayso.tables.guidance import Parts

ANSWER_TOKENS = 400


def stepwise_prompt(brief: Brief, first: Brief, turns: Sequence[Turn], skills: Sequence[str]) -> Prompt:
    """The prompt for the next step of a mission that began with `first`; `skills` are those that are steps."""
    known = f"Known:\n{quote_each(first.known)}\n" if first.known else ""
    messages = (
        ("system", _robot_part(first.skills, skills)),
        ("user", f"{known}{wished('Task', first)}\nAnswer:"),
        *map(_message, turns),
    )
    begins = not any(isinstance(turn, ModelAnswer) for turn in turns)
    return Prompt("stepwise", messages, brief=brief, grammar=grammar(skills, begins), max_tokens=ANSWER_TOKENS)


def _message(turn: Turn) -> tuple[str, str]:
    match turn:
        case ModelAnswer(text):
            return "assistant", text
        case RejectedAnswer(why):
            return "user", f"Not accepted:\n{quote_each(why)}\nAnswer:"
        case StepFeedback(ran, news, owed):
            parts = [f"Feedback:\n{quote_each(ran)}" if ran else "The step is over."]
            if news:
                parts.append(f"Known since:\n{quote_each(news)}")
            if owed:
                parts.append(f"Open of the list: {plain(', '.join(owed), 400)}")
            return "user", "\n".join([*parts, "Answer:"])


def grammar(skills: Sequence[str], first: bool) -> str:
    """GBNF of the answers: JSON in which only the robot's skills, done and give_up can be named."""
    names = " | ".join(json.dumps(name) for name in (*skills, "give_up"))
    keys = ("reasoning", "first_action") if first else ("step_by_step_reasoning", "next_action")
    want = r'(", \"want\": " string)? ' if first else ""
    steps = r'"\"action_list\": [" step (", " step)* "], " ' if first else ""
    return "\n".join(
        [
            rf'root ::= "{{\"{keys[0]}\": " string ", " {steps}"\"{keys[1]}\": " step {want}"}}"',
            r'step ::= "\"" (call | "done") "\""',
            'call ::= name "(" argument? ")"',
            f"name ::= {names}",
            r"argument ::= [A-Za-z0-9 .,'-]+",
            r'string ::= "\"" [^"\\\x00-\x1f]* "\""',
        ]
    )


def _robot_part(all_skills: SkillSet, names: Sequence[str]) -> str:
    parts = all_skills.guidance.get("stepwise", Parts())
    advice = parts.advice_for(all_skills) or GENERAL["stepwise"].advice_for(all_skills)
    shown = [f"Task:\n{quote(e.task)}\nAnswer:\n{e.answer}" for e in parts.examples_for(all_skills)]
    wanted = clauses(all_skills)
    return fill(
        text("stepwise.txt"),
        robot=parts.robot,
        key=', "want": "WANT"' if wanted else "",
        want=fill(f"\n{text('stepwise_want.txt')}\n", clauses=wanted) if wanted else "",
        skills="\n".join(f"- {_call(all_skills[name])}: {all_skills[name].description}" for name in names),
        advice=advice,
        examples="".join(["\n\n# Example\n", *(f"\n{example}" for example in shown)] if shown else []),
    )


def _call(skill: Skill) -> str:
    return f"{skill.name}({', '.join(p.name for p in skill.params)})"
