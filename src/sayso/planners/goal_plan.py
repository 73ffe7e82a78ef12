"""The plan for a goal, and the repair of a failed plan, as far as both are the same for every robot.

A kind of robot says by which statements it reaches a predicate, and how it tells whether something is so.

What follows a plan that failed is its text from the statement on that failed (`failed_plan`), or the end, said aloud.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sayso.errors import NotUnderstood
from sayso.goal import All, Any, Clause, Each, If, Not, Pred, Then, Until, Which
from sayso.goals.clauses import several
from sayso.goals.spoken import unmet
from sayso.goals.text import quoted
from sayso.language import parse, show
from sayso.language.nodes import Assign, Block, Invocation, Literal, Plan, Return, Statement, Variable, walk
from sayso.language.printer import FAILED, joined
from sayso.roles import Attempt, Brief
from sayso.skill import SkillSet
from sayso.task import Ran

UNREACHED = "I understood what you want, but not how I could do it."
UNTOLD = "I understood the condition, but not how I could tell."
UNANSWERED = "I understood the question, but not how I could find the answer."


class Says:
    """The statement by which a robot says something, with the abbreviation of the skill."""

    def __init__(self, skill: str) -> None:
        self._skill = skill

    def __call__(self, words: str, value: str = "", more: str = "") -> str:
        """`value` is an expression, whose value is told between the words and `more`."""
        parts = (quoted(words), value, quoted(more) if more else "")
        return f"{self._skill}({'+'.join(filter(None, parts))})"

    def lost(self, words: str) -> list[str]:
        """It says so, and that ends the plan as failed."""
        return [self(words), FAILED]


class GoalPlan(ABC):
    """Writes the plan for one goal."""

    _variables = 0

    def variable(self) -> str:
        """The name of a variable that is not used yet."""
        self._variables += 1
        return f"_{self._variables}"

    def steps(self, clauses: Sequence[Clause]) -> list[str]:
        """The statements for clauses in order; what follows something that is waited for is in its loop."""
        done: list[str] = []
        for n, clause in enumerate(clauses):
            rest = clauses[n + 1 :]
            match clause:
                case Then(parts) | All(parts) if same(parts):
                    done += self.times(parts)
                case Then(parts) | All(parts):
                    return [*done, *self.steps([*parts, *rest])]
                case Until():
                    return [*done, *self.until(clause, rest)]
                case If(test, yes, no):
                    done += self.either(test, yes, no)
                case Any(parts):
                    done += self.any(parts)
                case Each(which, body):
                    done += self.each(which, body)
                case Pred():
                    done += self.pred(clause)
                case _:
                    done += self.other(clause)
        return done

    @abstractmethod
    def pred(self, pred: Pred) -> list[str]:
        """The statements that bring one predicate about. Raises `NotUnderstood` where there are none."""

    @abstractmethod
    def times(self, parts: Sequence[Clause]) -> list[str]:
        """The same round several times."""

    @abstractmethod
    def either(self, test: Clause, yes: Clause, no: Clause | None) -> list[str]: ...

    @abstractmethod
    def each(self, which: Which, body: Clause) -> list[str]: ...

    def until(self, loop: Until, then: Sequence[Clause]) -> list[str]:
        raise NotUnderstood(UNREACHED)

    def other(self, clause: Clause) -> list[str]:
        raise NotUnderstood(UNREACHED)

    def any(self, parts: Sequence[Clause]) -> list[str]:
        """The statements for the first alternative whose thing is there."""
        first, *rest = parts
        which = next((a for pred in leaves(first) for a in pred.args if isinstance(a, Which)), None)
        if not rest or which is None or self.in_reach(which):
            return self.steps([first])
        return self.either(Pred("found", (which,)), first, self.instead(which, several(Any, rest)))

    def instead(self, which: Which, other: Clause) -> Clause:
        """The statements for where a thing is not there."""
        return other

    def in_reach(self, which: Which) -> bool:
        """Whether a thing is known to be there."""
        return False

    def test(self, test: Clause) -> str:
        """A condition as an expression of the plan language. Raises `NotUnderstood` for what nothing tells."""
        match test:
            case Not(part):
                return f"!({self.test(part)})"
            case All(parts):
                return "&".join(f"({self.test(p)})" for p in parts)
            case Any(parts):
                return "|".join(f"({self.test(p)})" for p in parts)
            case Pred():
                return self.tells(test)
        raise NotUnderstood(UNTOLD)

    @abstractmethod
    def tells(self, pred: Pred) -> str:
        """What tells whether it is so, as an expression. Raises `NotUnderstood` where nothing does."""


def same(parts: Sequence[Clause]) -> bool:
    return len(parts) > 1 and all(part == parts[0] for part in parts)


def leaves(clause: Clause) -> list[Pred]:
    """The predicates that are done one after another."""
    match clause:
        case Pred():
            return [clause]
        case Then(parts) | All(parts):
            return [leaf for part in parts for leaf in leaves(part)]
    return []


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
    """The reason why an attempt of which no call failed is not enough, in words for a person."""
    return unmet(last.missing) or f"{short(last.ended)}."


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
    """The text of each statement."""
    starts = [*(s.at for s in plan.body.statements), len(text)]
    for start, end in pairwise(starts):
        yield text[start:end].strip().rstrip(";").strip()
