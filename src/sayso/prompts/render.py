"""The prompts for a plan, for a question about a scene, and for one about a picture."""

from dataclasses import replace

from sayso.goals.planned import reachable
from sayso.goals.text import signature
from sayso.prompts.quote import GENERAL, fill, quote, quote_each, text, wished
from sayso.roles import Attempt, Brief, Exchange, Observation, Prompt
from sayso.scene import Scene
from sayso.skill import SkillSet
from sayso.tables.guidance import Example, Parts

PLAN_TOKENS = 1024
PROBE_TOKENS = 32
PICTURE_TOKENS = 128

ATTEMPTS_SHOWN = 4
"""Of the earlier plans, the last ones: a model that failed more often needs no longer list of it."""

RAN_SHOWN = 8
"""Of each wish of a conversation, what ran last."""


def plan_prompt(brief: Brief, grammar: str = "") -> Prompt:
    """The prompt for a plan, or, where something was tried, for one that goes on from there (purpose `replan`)."""
    purpose = "replan" if brief.history or brief.failure else "plan"
    messages = (("system", _robot_part(brief.skills)), ("user", _task_part(brief)))
    return Prompt(purpose, messages, brief=brief, grammar=grammar, max_tokens=PLAN_TOKENS)


def probe_prompt(question: str, scene: Scene) -> Prompt:
    """The prompt for one short question about one scene."""
    asked = f"Scene:\n{quote(scene.describe())}\nQuestion:\n{quote(question)}\nAnswer:"
    brief = Brief(question, SkillSet(), Observation(scene))
    messages = (("system", text("probe.txt")), ("user", asked))
    return Prompt("probe", messages, brief=brief, question=question, max_tokens=PROBE_TOKENS)


def picture_prompt(question: str, scene: Scene, picture: bytes) -> Prompt:
    """The prompt for one short question about a picture (JPEG) of a scene."""
    prompt = probe_prompt(question, scene)
    messages = (("system", text("picture.txt")), *prompt.messages[1:])
    return replace(prompt, messages=messages, max_tokens=PICTURE_TOKENS, picture=picture)


def _robot_part(skills: SkillSet) -> str:
    """All that is the same for every task of one robot."""
    general, own = GENERAL["plan"], skills.guidance.get("plan", Parts())
    advice = [general.advice_for(skills), own.advice_for(skills)]
    shown = own.examples_for(skills) or general.examples_for(skills)
    return fill(
        text("plan.txt"),
        skills=skills.describe(),
        clauses=clauses(skills),
        guidance="\n".join(filter(None, advice)),
        examples="\n\n".join(map(_shown, shown)),
    )


def clauses(skills: SkillSet) -> str:
    """The goals that these skills can bring about, as a prompt explains them; empty where there are none."""
    known = sorted(reachable(skills))
    return fill(text("clauses.txt"), predicates=", ".join(map(signature, known))) if known else ""


def _shown(example: Example) -> str:
    before = f"Earlier plan:\n{quote(example.earlier)}\nIt ended:\n{quote(example.ended)}\n" if example.earlier else ""
    return f"{before}Scene:\n{quote(example.scene)}\nTask:\n{quote(example.task)}\nPlan:\n{example.answer}"


def _task_part(brief: Brief) -> str:
    """All that differs, the task last."""
    parts = [attempted(a) for a in brief.history[-ATTEMPTS_SHOWN:]]
    if brief.failure:
        parts.append(f"To mend:\n{quote(brief.failure)}")
    if brief.earlier:
        parts.append("Earlier in this conversation:\n" + "\n".join(_exchange(e) for e in brief.earlier))
    if brief.known:
        parts.append(f"Known:\n{quote_each(brief.known)}")
    parts.append(f"Scene:\n{quote(brief.scene.describe())}")
    parts.append(wished("Task", brief))
    return "\n".join([*parts, "Plan:"])


def attempted(attempt: Attempt, called: str = "Earlier plan", ended: str = "It ended", most: int = 2000) -> str:
    """An earlier plan and its outcome, under headings; `most` characters of the plan."""
    ran = f"\nOf it ran:\n{quote_each(tuple(map(str, attempt.ran)))}" if attempt.ran else "\nNothing of it ran."
    end = f"\n{ended}:\n{quote(attempt.ended, 1000)}" if attempt.ended else ""
    return f"{called}:\n{quote(attempt.plan, most)}{ran}{end}"


def _exchange(earlier: Exchange) -> str:
    """A wish of before, and what came of it."""
    ran, said = "; ".join(earlier.ran[-RAN_SHOWN:]) or "nothing", "; ".join(earlier.said) or "nothing"
    return quote(f"wish: {earlier.wish}\nran: {ran}\nsaid: {said}\nended: {earlier.outcome}")
