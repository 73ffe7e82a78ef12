"""The plan for a goal, as far as it is the same for every robot.

A kind of robot says by which statements it reaches a predicate, and how it tells whether something is so.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from sayso.errors import NotUnderstood
from sayso.goal import All, Any, Clause, Each, If, Not, Pred, Then, Until, Which
from sayso.goals.clauses import several
from sayso.goals.text import quoted
from sayso.language.printer import FAILED

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
