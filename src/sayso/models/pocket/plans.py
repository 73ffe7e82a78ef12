"""Forms whose answer is a plan: what was tried before in short, and how a plan says that it is none.

    <tried>tc(180);g('apple')<ran>turn_cw goto!<failed>the way to the apple is blocked 0.6 m ahead; it is 2.3 m away

Of earlier attempts the last one is shown; `!` marks a skill that did not succeed.
"""

from __future__ import annotations

import re

from sayso.forms import Constraint, Form, brief_of
from sayso.models.pocket.constraints import PlanConstraint
from sayso.models.pocket.text import clean
from sayso.parts import Brief, Prompt
from sayso.skill import SkillSet
from sayso.task import Ran

PLAN_CHARS = 300
FAILURE_CHARS = 160
RAN_MAX = 8
SPEAK, LOG = "speak", "log"
NO = "->F"
"""How a plan goes on that is not carried out."""


class PlanForm(Form):
    """Plans for the robot's skills, handed on statement by statement."""

    ways = frozenset({"plan", "replan"})
    threshold = "plan"

    def constraint(self, prompt: Prompt, reads: str) -> Constraint:
        return PlanConstraint(self.taught(brief_of(prompt).skills))

    def taught(self, skills: SkillSet) -> SkillSet:
        """Those that the lessons have."""
        return skills.only(skills.keys() - self.untaught)

    def declined(self, prompt: Prompt, says: str) -> str:
        """A plan that says so, where the robot has a voice, and ends without having moved."""
        by = voice(brief_of(prompt).skills)
        return f"{by}('{says}');->False" if by else "->False"

    def refuses(self, prompt: Prompt, written: str) -> bool | None:
        """What stands behind the words that the plan begins with tells."""
        by = voice(brief_of(prompt).skills)
        moves = written.partition("');")[2] if by and written.startswith(f"{by}('") else written
        return moves.startswith(NO) if len(moves) >= len(NO) else None


def voice(skills: SkillSet) -> str:
    """By what the robot speaks, as a plan calls it; empty where it cannot."""
    skill = skills.find(SPEAK) or skills.find(LOG)
    return skill.short if skill and [p.kind for p in skill.params] in (["text"], ["any"]) else ""


def earlier(brief: Brief) -> str:
    """The last attempt and why it failed; empty where there was none."""
    if not brief.history:
        return ""
    attempt = brief.history[-1]
    ran = " ".join(_outcome(one) for one in attempt.ran[-RAN_MAX:])
    plan = attempt.plan.strip().replace("<end>", "")[:PLAN_CHARS]
    why = (brief.failure or attempt.ended).partition("\n")[0]
    return f"<tried>{_unmarked(plan)}<ran>{ran}<failed>{clean(why, FAILURE_CHARS)}"


def _outcome(one: Ran) -> str:
    """`goto: failed no apple in view` as `goto!`."""
    return one.skill if one.done else f"{one.skill}!"


def _unmarked(plan: str) -> str:
    """An earlier plan keeps its comparisons, but nothing in it may look like a mark."""
    return re.sub(r"<(?=[a-z])", "< ", plan)
