"""Skills: what can be asked of a robot, each declared once.

A native skill is an `async` method with a typed signature:

    @skill(uses="base")
    async def move_forward(self, distance_cm: Annotated[float, Range(20, 500)]) -> None:
        '''Fly straight ahead.'''

From this one signature come the prompt, the checker, the grammar for guided decoding, the help page and the console.
A composed skill has the same signature and a MiniSpec program instead of a Python body; `sayso.language.compose`
makes it, since reading the program is the language's work.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import math
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

from sayso.errors import UsageError
from sayso.tables.guidance import Guidance
from sayso.tables.paths import PathLaw, meant
from sayso.tables.units import named, signed

Value: TypeAlias = int | float | str | bool | None
"""Everything that a plan can hold."""


class Reading(float):
    """A number that a skill returned, with its unit."""

    unit = ""

    @classmethod
    def of(cls, value: Value, unit: str) -> Value:
        """The value as it is, where it is no number or has no unit."""
        if not unit or isinstance(value, bool) or not isinstance(value, int | float):
            return value
        reading = cls(value)
        reading.unit = unit
        return reading

    def __str__(self) -> str:
        return f"{float(self):g} {self.unit}"


RESERVED = frozenset({"rp", "replan", "int", "float", "str", "true", "false", "none"})
"""Names (in lower case) that the language keeps for itself."""


class ThingName(str):
    """Marks a parameter that names something in the scene; an instance may be picked: `chair[0.6]`."""


class PlaceName(str):
    """Marks a parameter that names a known place."""


@dataclass(frozen=True, slots=True)
class Range:
    """Inclusive bounds of a number, in the unit of the parameter's name."""

    low: float
    high: float

    def within(self, other: Range) -> Range:
        """Where both allow."""
        return Range(max(self.low, other.low), min(self.high, other.high))

    def parts(self, total: float) -> Sequence[float]:
        """`total` in parts that are not above it, none below it where that can be."""
        if total <= self.high:
            return [total]
        full = int(total // self.high)
        rest = total - full * self.high
        if rest < 1e-6:
            return [self.high] * full
        if rest >= self.low:
            return [*[self.high] * full, rest]
        return [*[self.high] * (full - 1), (self.high + rest) / 2, (self.high + rest) / 2]


@dataclass(frozen=True, slots=True)
class Choice:
    """The only words that a text parameter accepts."""

    options: tuple[str, ...]

    def __init__(self, *options: str) -> None:
        object.__setattr__(self, "options", options)


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter. `kind` is number, integer, text, flag, thing, place or any; an `optional` one may be left out, and
    then is its `default`."""

    name: str
    kind: str = "any"
    unit: str = ""
    range: Range | None = None
    options: tuple[str, ...] = ()
    optional: bool = False
    default: Value = None

    def problem(self, value: Value) -> str | None:
        """The reason why `value` cannot be passed here, or None. The checker and the run time both ask this."""
        if self.optional and value is self.default:
            return None
        if self.kind in ("number", "integer"):
            return self._number_problem(value)
        if self.kind in ("text", "thing", "place"):
            if not isinstance(value, str):
                return f"{self.name} takes text in quotes, not {say(value)}"
            if self.kind != "text" and not value.strip():
                return f"{self.name} must name something"
            if self.options and value not in self.options:
                return f"{self.name} is one of {', '.join(self.options)}, not {say(value)}"
        if self.kind == "flag" and not isinstance(value, bool):
            return f"{self.name} is True or False, not {say(value)}"
        return None

    def _number_problem(self, value: Value) -> str | None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f"{self.name} takes a number, not {say(value)}"
        if not math.isfinite(value):
            return f"{self.name} must be finite"
        if self.kind == "integer" and value != int(value):
            return f"{self.name} takes a whole number, not {say(value)}"
        if self.range and not self.range.low <= value <= self.range.high:
            unit = f" {self.unit}" if self.unit else ""
            return f"{self.name} must be {self.range.low:g} to {self.range.high:g}{unit}, not {value:g}"
        return None

    def __str__(self) -> str:
        otherwise = f" = {say(self.default)}" if self.optional else ""
        if self.options:
            return f"{self.name}: {'|'.join(self.options)}{otherwise}"
        bounds = f" {self.range.low:g}..{self.range.high:g}" if self.range else ""
        return f"{self.name}: {self.kind}{bounds}{otherwise}"


def say(value: Value) -> str:
    """A value as a plan would write it, short enough for a message."""
    if isinstance(value, str):
        shown = value if len(value) <= 40 else value[:37] + "..."
        return repr(shown)
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill: its signature, and its body where it is native.

    Exactly one of `body` (native: an async callable over the arguments), `source` (composed: MiniSpec) and `provided`
    (a provider of that name is registered with the executive) is set. `calls` holds the full names of the skills that
    a composed body uses. `again` says that the skill may be begun again after an interruption, since it leads to the
    same end from anywhere: true of going to a thing, not of moving a metre. A `lasting` one never reports an end: it
    goes on until nobody asks for it. `means` is what it brings about, as a
    goal in text (`sayso.goals`) with the names of its parameters in braces; `leads` the same as its path tells it.
    `unit` is that of the number it returns.
    """

    name: str
    params: tuple[Param, ...] = ()
    returns: str = ""
    uses: tuple[str, ...] = ()
    description: str = ""
    short: str = ""
    body: Callable[..., Awaitable[Value]] | None = None
    source: str = ""
    calls: frozenset[str] = frozenset()
    path: PathLaw | None = None
    provided: bool = False
    again: bool = False
    lasting: bool = False
    means: str = ""
    leads: str = ""
    unit: str = ""

    def problem(self, args: Sequence[Value]) -> str | None:
        """The reason why this skill cannot be called with `args`, or None."""
        if not self.takes(len(args)):
            return f"{self.miscounted(len(args))}: {self.signature}"
        problems = (param.problem(arg) for param, arg in zip(self.params, args, strict=False))
        return next((p for p in problems if p), None)

    def takes(self, n: int) -> bool:
        """Whether it can be called with so many arguments."""
        return sum(not p.optional for p in self.params) <= n <= len(self.params)

    def miscounted(self, n: int) -> str:
        """The reason why it cannot be called with so many arguments."""
        least = sum(not p.optional for p in self.params)
        most = count(len(self.params), "argument")
        return f"{self.name} takes {f'{least} to {most}' if least < len(self.params) else most}, not {n}"

    def filled(self, args: Sequence[Value]) -> tuple[Value, ...]:
        """The arguments, with defaults in place of those that were left out."""
        return (*args, *(p.default for p in self.params[len(args) :]))

    @property
    def measures(self) -> bool:
        """Whether it only reads something, a number or a condition, without parameters that must be given."""
        return self.returns in ("number", "integer", "flag") and self.takes(0) and not (self.means or self.uses)

    @property
    def brings(self) -> frozenset[str]:
        """The predicates that it makes true, by name."""
        return frozenset(part.partition("(")[0].strip() for part in self.means.split(";")) - {""}

    @property
    def signature(self) -> str:
        """`mf move_forward(distance_cm: number 20..500)`"""
        returns = f" -> {' '.join(filter(None, (self.returns, self.unit)))}" if self.returns else ""
        return f"{self.name}({', '.join(map(str, self.params))}){returns}"

    def __str__(self) -> str:
        short = f"{self.short} " if self.short not in ("", self.name) else ""
        return f"{short}{self.signature}  {self.description}".rstrip()


def count(n: int, noun: str) -> str:
    return f"{n or 'no'} {noun}{'' if n == 1 else 's'}"


F = TypeVar("F", bound=Callable[..., Awaitable[Any]])

MARK = "__sayso_skill__"


def skill(
    uses: str | Sequence[str] = (),
    *,
    short: str = "",
    name: str = "",
    path: PathLaw | None = None,
    again: bool = False,
    means: str = "",
) -> Callable[[F], F]:
    """Declare an async method as a native skill.

    `uses` names the resources it holds, `short` fixes its abbreviation, `path` predicts where a motion leads, `again`
    allows it to be begun again after an interruption, `means` says what it brings about (see `Skill`).
    """
    resources = (uses,) if isinstance(uses, str) else tuple(uses)

    def mark(method: F) -> F:
        if not inspect.iscoroutinefunction(cast(object, method)):
            raise UsageError(f"@skill goes on an async method; {method.__qualname__} is not one")
        called = name or method.__name__
        setattr(method, MARK, Skill(called, uses=resources, short=short, path=path, again=again, means=means))
        return method

    return mark


def _marks(member: object) -> Skill | None:
    """What `@skill` noted on a function or a method of it: the skill without what its signature tells."""
    noted = vars(member).get(MARK) if inspect.isfunction(member) or inspect.ismethod(member) else None
    return noted if isinstance(noted, Skill) else None


def _native(method: Callable[..., Awaitable[Value]]) -> Skill:
    """The skill that a decorated method declares, before it is bound."""
    marks = _marks(method)
    if marks is None:
        raise UsageError(f"{method.__qualname__} is no skill: put @skill on it")
    hints = get_type_hints(method, include_extras=True)
    _, *given = inspect.signature(method).parameters.values()
    params = tuple(_param(p, hints.get(p.name, Any)) for p in given)
    returns = _kind(hints.get("return", type(None)))
    unit = _unit(marks.name) if returns in ("number", "integer") else ""
    doc = (inspect.getdoc(method) or "").strip().split("\n")[0]
    if not doc:
        raise UsageError(f"skill {method.__qualname__} needs a docstring: its first line is what the model reads")
    returns = "" if returns == "none" else returns
    leads = _leads(marks.path, params)
    return replace(marks, params=params, returns=returns, description=doc, unit=unit, leads=leads)


def _leads(path: PathLaw | None, params: Sequence[Param]) -> str:
    """What a motion by one amount brings about, as far as its path tells."""
    unit = signed(params[0].unit) if path and len(params) == 1 else None
    if path is None or unit is None:
        return ""
    span = params[0].range or Range(-math.inf, math.inf)
    return meant(path, params[0].name, unit, span.low, span.high)


def _param(of: inspect.Parameter, hint: Any) -> Param:
    extras: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        extras = tuple(rest)
    span = next((e for e in extras if isinstance(e, Range)), None)
    choice = next((e for e in extras if isinstance(e, Choice)), None)
    options, optional = choice.options if choice else (), of.default is not of.empty
    return Param(of.name, _kind(hint), _unit(of.name), span, options, optional, of.default if optional else None)


def _unit(name: str) -> str:
    unit = named(name)[1]
    return unit.sign if unit else ""


_KINDS: dict[Any, str] = {
    int: "integer", float: "number", str: "text", bool: "flag",
    ThingName: "thing", PlaceName: "place", type(None): "none",
}  # fmt: skip


def _kind(hint: Any) -> str:
    if hint in _KINDS:
        return _KINDS[hint]
    options = [_KINDS[a] for a in get_args(hint) if a in _KINDS and a is not type(None)]
    return options[0] if len(options) == 1 else "any"


def skills_of(thing: object) -> list[Skill]:
    """Every native skill that an object's class declares, in order of definition, base classes first."""
    return [replace(skill, body=getattr(thing, name)) for name, skill in _declared(*type(thing).__mro__)]


@functools.cache
def _declared(*classes: Hashable) -> Sequence[tuple[str, Skill]]:
    """Those of a class, given with its bases, each with the name of its method."""
    names = dict.fromkeys(n for base in reversed(classes) for n, member in vars(base).items() if _marks(member))
    return [(name, _native(getattr(classes[0], name))) for name in names]


class SkillSet(Mapping[str, Skill]):
    """The skills of one robot, by full name; `find` also knows abbreviations.

    An abbreviation is declared with its skill and means the same in every set; `given` is what the set was made of,
    `skills` the same where one without an abbreviation has its name for that. A set in which composed skills call each
    other in a circle is refused, so every plan ends. `guidance` is what a model should know of the robot besides.
    """

    def __init__(self, skills: Iterable[Skill] = (), guidance: Guidance | None = None) -> None:
        self.given, self.guidance = tuple(skills), guidance or {}
        _refuse_doubles(self.given)
        _refuse_shorts(self.given)
        self.skills = tuple(s if s.short else replace(s, short=s.name) for s in self.given)
        self._by_name = {s.name: s for s in self.skills}
        self._by_any = {s.short: s for s in self.skills} | self._by_name
        _refuse_circles(self._by_name)

    def __getitem__(self, name: str) -> Skill:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self.skills)

    @property
    def flies(self) -> bool:
        """Whether one of them leads into the air."""
        return any(skill.means == "airborne" for skill in self.skills)

    def find(self, name: str) -> Skill | None:
        """By full name or abbreviation."""
        return self._by_any.get(name)

    def stands_for(self, short: str) -> str:
        """The full name of an abbreviation; empty where nothing is abbreviated so."""
        found = self.find(short)
        return found.name if found else ""

    def suggest(self, name: str, more: Iterable[str] = ("replan",)) -> str | None:
        """The known name that `name` was probably meant to be."""
        close = difflib.get_close_matches(name[:64].lower(), [*self._by_any, *more], n=1, cutoff=0.55)
        return close[0] if close else None

    def only(self, names: Iterable[str]) -> SkillSet:
        """Some of these skills."""
        keep = set(names)
        return SkillSet((s for s in self.given if s.name in keep), self.guidance)

    def describe(self) -> str:
        """One line a skill, as the model reads them."""
        return "\n".join(map(str, self.skills))


def _refuse_doubles(skills: Sequence[Skill]) -> None:
    seen: set[str] = set()
    for s in skills:
        if s.name in seen:
            raise UsageError(f"two skills are called {s.name}")
        if not s.name.isidentifier() or s.name.startswith("_") or s.name.lower() in RESERVED:
            raise UsageError(
                f"{s.name!r} cannot name a skill: letters, digits and _, not first, and no word of MiniSpec"
            )
        if (s.body is not None) + bool(s.source) + s.provided != 1:
            raise UsageError(f"skill {s.name} needs either a body, a MiniSpec source or a provider")
        if s.body and any(s.name in other.uses for other in skills):
            raise UsageError(f"the skill {s.name} is called as what it uses; one of the two needs another name")
        seen.add(s.name)


def _refuse_shorts(skills: Sequence[Skill]) -> None:
    """An abbreviation is one or two letters that mean nothing else here."""
    taken = {s.name for s in skills} | RESERVED
    for s in skills:
        if s.short not in ("", s.name) and (s.short in taken or len(s.short) > 2 or not s.short.isalpha()):
            raise UsageError(f"the abbreviation {s.short!r} of {s.name} is taken, reserved, or not one or two letters")
        taken |= {s.short} - {""}


def _refuse_circles(skills: Mapping[str, Skill]) -> None:
    try:
        TopologicalSorter({name: skill.calls for name, skill in skills.items()}).prepare()
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        raise UsageError(f"composed skills must not call each other in a circle: {circle}") from None


__all__ = [
    "Choice", "Param", "PlaceName", "Range", "Skill", "SkillSet", "ThingName", "Value",
    "say", "skill", "skills_of",
]  # fmt: skip
