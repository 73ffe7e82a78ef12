"""The failed plan, from which the next one goes on: its statements, which of them failed, and its end said aloud."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from sayso.goals.spoken import unmet
from sayso.language import parse, show
from sayso.language.nodes import Assign, Block, Invocation, Literal, Plan, Return, Statement, Variable, walk
from sayso.language.printer import joined
from sayso.roles import Attempt, Brief
from sayso.skill import SkillSet
from sayso.task import Ran

NO_PLAN = "I could not make a plan for that."


@dataclass(frozen=True, slots=True)
class FailedPlan:
    """A failed plan, as the texts of its statements, of which number `at` failed."""

    plan: Plan
    texts: tuple[str, ...]
    at: int

    @property
    def rest(self) -> str:
        """The text from the failed statement on."""
        return self.since(self.at)

    def since(self, at: int) -> str:
        """The text from a statement on, with what its variables are made of."""
        statements = self.plan.body.statements
        used = {part.name for part in walk(Block(statements[at:])) if isinstance(part, Variable)}
        used -= {s.name for s in statements[at:] if isinstance(s, Assign)}
        before = [self.texts[n] for n, s in enumerate(statements[:at]) if isinstance(s, Assign) and s.name in used]
        return joined((*before, *self.texts[at:]))

    def call(self, at: int) -> Invocation | None:
        """What a statement calls, if there is that statement and it calls something."""
        return next(map(_call, self.plan.body.statements[at : at + 1]), None)


def failure(last: Attempt) -> Ran | None:
    """The last call of an attempt that failed."""
    return next((r for r in reversed(last.ran) if r.outcome in ("failed", "refused", "preempted")), None)


def failed_plan(last: Attempt, failed: Ran, skills: SkillSet) -> FailedPlan | None:
    """The plan of a failed attempt; None where it failed inside a loop or a branch."""
    plan = parse(last.plan)
    done = sum(r.skill == failed.skill and r.args == failed.args and r.outcome == "done" for r in last.ran)
    at = [n for n, s in enumerate(plan.body.statements) if _is(s, failed, skills)]
    return FailedPlan(plan, tuple(_texts(plan, last.plan)), at[done]) if len(at) > done else None


def given_up(brief: Brief, sentence: str) -> str:
    """A plan that says aloud, where the robot can, that the wish is not done, and ends so."""
    voice = brief.skills.find("speak") or brief.skills.find("log")
    said = [Invocation(voice.name, [Literal(sentence)])] if voice else []
    return show(Plan(Block([*said, Return(Literal(False))], open=False)))


def fell_short(last: Attempt) -> str:
    """Why an attempt of which no call failed is not enough, for a person: what is wrong with its text is for models."""
    return unmet(last.missing) or (f"{short(last.ended)}." if last.whole or last.how == "unmet" else NO_PLAN)


def short(reason: str) -> str:
    """The first line of a reason, as one says it."""
    return next((line for line in reason.splitlines() if line.strip()), "it did not work")[:160].rstrip(".")


def _call(statement: Statement) -> Invocation | None:
    call = statement.value if isinstance(statement, Assign) else statement
    return call if isinstance(call, Invocation) else None


def _is(statement: Statement, failed: Ran, skills: SkillSet) -> bool:
    call = _call(statement)
    skill = skills.find(call.name) if call else None
    if call is None or skill is None or skill.name != failed.skill:
        return False
    return all(not isinstance(a, Literal) or a.value == b for a, b in zip(call.args, failed.args, strict=False))


def _texts(plan: Plan, text: str) -> Iterator[str]:
    starts = [*(s.at for s in plan.body.statements), len(text)]
    for start, end in pairwise(starts):
        yield text[start:end].strip().rstrip(";").strip()
