"""Commands made from signatures, so that plain words work for any robot: "open the gripper to 40 mm", "drive to the
kitchen", "set speed to 30 percent".

A skill is asked for by the words of its name, by what its description begins with, or by what its kit adds; then comes
what it needs, in any order, each by its kind: a number with its unit, one of the choices, a thing, a place, words. What
is not said is never guessed.

A skill that moves along or turns by one amount is also found by its direction, so "go forward a bit" and "turn right"
need no words of their own.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from sayso.grounding import amounts
from sayso.planners.reflex.commands import times
from sayso.planners.reflex.grammar import Rule
from sayso.planners.reflex.reader import WAYS, Reader
from sayso.planners.reflex.steps import Call, Step, Test
from sayso.planners.reflex.words import Vocabulary, name_words
from sayso.planners.reflex.writer import Motion
from sayso.skill import Param, Range, Skill, SkillSet, Value
from sayso.tables.units import named, signed
from sayso.tables.words import Words

SIDES = ("clockwise", "counterclockwise")
ALIKE = (*WAYS, *SIDES, "go", "go_to", "turn", "picture", "find")
"""Parts of speech of which a word in a name stands for every other: "ahead" is forward, "rotate" is turn. What one
shoots one takes only where it is a picture."""

LED = {"back": "backward", "turned(left": "counterclockwise", "turned(right": "clockwise"}
"""Directions as the plain commands have them, where goals have another word."""

OTHER = {"forward": "backward", "left": "right", "up": "down", "clockwise": "counterclockwise"}
OTHER |= {other: way for way, other in OTHER.items()}

USUAL = {"cm": 50.0, "m": 1.0, "mm": 40.0, "deg": 90.0, "s": 5.0, "%": 50.0, "m/s": 0.5, "l": 1.0, "°C": 20.0}
"""An amount for an example."""

BOUNDS = {"measured_below": "<", "measured_above": ">", "measured_least": ">=", "measured_most": "<="}
"""How a measure may be compared."""

PLACE_WORDS = 4


def rules(skills: SkillSet, words: Words) -> list[Rule]:
    """A rule for every way to ask for a skill, the longest first, since it says most."""
    said = [(way, skill) for skill in skills.values() for way in phrases(skill, words)]
    said.sort(key=lambda pair: -len(pair[0]))
    return [*(partial(_called, words, skill) for words, skill in said), *(partial(_is_so, t) for t in tests(skills))]


def own_words(skills: SkillSet, words: Words) -> frozenset[str]:
    """Every word by which a skill of this robot is asked for, and those of its choices."""
    said = {word for skill in skills.values() for way in phrases(skill, words) for word in way}
    return frozenset(said | {w for s in skills.values() for p in s.params for o in p.options for w in name_words(o)})


def phrases(skill: Skill, words: Words) -> list[tuple[str, ...]]:
    """The words that ask for a skill, without what it needs: those of its signature, where it may be asked for by that,
    and those that its kit has for it."""
    ways = [way.lower().split() for way in words.ways.get(skill.name, ())]
    return list(dict.fromkeys(tuple(way) for way in (*(_signed(skill) if words.signatures else ()), *ways) if way))


def _signed(skill: Skill) -> Iterator[list[str]]:
    description = skill.description.lower()
    for mark in ".;:,(":
        description = description.partition(mark)[0]
    told = [w for w in description.replace("-", " ").split() if w not in ("a", "an", "the")]
    needs = {w for p in skill.params for w in (p.kind, *name_words(p.name))}
    named_ = name_words(named(skill.name)[0] if skill.unit else skill.name)
    yield from (named_, told, list(itertools.takewhile(lambda w: w not in needs, told)))
    yield from (told[: at + len(named_)] for at in range(len(told)) if told[at : at + len(named_)] == named_)


def motions(skills: SkillSet, vocab: Vocabulary) -> Mapping[str, Motion]:
    """Which skill moves along or turns by one amount, by direction."""
    found: dict[str, Motion] = {}
    for skill in skills.values():
        unit = signed(skill.params[0].unit) if len(skill.params) == 1 else None
        if unit and (way := _led(skill) or _named_way(vocab, name_words(skill.name), unit.kind)):
            found.setdefault(way, Motion(skill.name, unit.size))
    for way, motion in [*found.items()]:
        span = skills[motion.skill].params[0].range
        if way in OTHER and (span is None or span.low < 0):
            found.setdefault(OTHER[way], Motion(motion.skill, -motion.size))
    return found


def _led(skill: Skill) -> str:
    """The direction in which it leads by what it means."""
    led, _, amount = (skill.means or skill.leads).partition(", ")
    deed, _, side = led.partition("(")
    return LED.get(led, LED.get(side, side)) if deed in ("moved", "turned") and amount.startswith("{") else ""


def _named_way(vocab: Vocabulary, words: Sequence[str], kind: str) -> str:
    if kind == "length":
        return _only(vocab, words, ("go", "go_to"), WAYS)
    turned = {"left": "counterclockwise", "right": "clockwise"}
    side = _only(vocab, words, ("turn",), (*SIDES, *turned)) if kind == "angle" else ""
    return turned.get(side, side)


def _only(vocab: Vocabulary, words: Sequence[str], verbs: Sequence[str], ways: Sequence[str]) -> str:
    """The direction that these words say, where they say nothing but a verb beside it."""
    rest = [w for w in words if not any(vocab.says(verb, w) for verb in verbs)]
    return next((way for way in ways if len(rest) == 1 and vocab.says(way, rest[0])), "")


def examples(skills: SkillSet, names: Sequence[str]) -> list[str]:
    """A few commands that this robot understands, its own before those that any has."""
    plain = [s for s in skills.values() if not s.returns and all(p.kind != "any" for p in s.params)]
    return [" ".join([*name_words(s.name), *(_example(p, names) for p in s.params)]) for s in plain[:3]]


def _example(param: Param, names: Sequence[str]) -> str:
    if param.options:
        return param.options[0]
    match param.kind:
        case "number" | "integer":
            span = param.range or Range(0.0, 100.0)
            return f"{min(max(span.low, USUAL.get(param.unit, 1.0)), span.high):g} {param.unit}".strip()
        case "flag":
            return "on"
        case "thing" | "place":
            return f"the {names[0] if names else param.kind}"
    return '"hello"'


def _called(words: Sequence[str], skill: Skill, r: Reader) -> Step | None:
    began, start = r.at, _begun(words[0], skill, r)
    for at, alike in ((began, False), (start, False), (start, True)):
        r.at = at
        if often := _asked_for(r, words, alike):
            args = _arguments(r, skill)
            return None if args is None else times(r, often, (Call(skill.name, args),))
    return None


def _asked_for(r: Reader, words: Sequence[str], alike: bool) -> int:
    """How often something is asked for by these words, "circle twice over"; 0 where they are not there."""
    often, pictures = 1, any(r.vocab.says("picture", word) for word in words)
    others = (*ALIKE, *(["take"] if pictures else [])) if alike else ()
    for word in words:
        if not _word(r, word, others):
            often = r.count() or _number(r)
            if not (often and _word(r, word, others)):
                return 0
    return often


def _number(r: Reader) -> int:
    """The figure in "take three pictures of"; 0 for none."""
    found = r.number()
    return int(found.value) if found and found.value == int(found.value) and not found.article else 0


def _begun(word: str, skill: Skill, r: Reader) -> int:
    """Where a name stands before which people put a verb: a direction, what moves, what is asked for."""
    if any(r.vocab.says(way, word) for way in WAYS) or skill.path:
        r.take("go") or r.take("go_to")
    elif skill.returns and not skill.uses:
        r.take("ask_value")
    return r.at


def _word(r: Reader, word: str, alike: Sequence[str] = ()) -> bool:
    """Move past a word of a name, or another that stands for it by a part of speech in `alike`; articles between are
    nothing, but "our goal" is the own one."""
    if any(r.vocab.says(symbol, word) and r.take(symbol) for symbol in alike):
        return True
    start = r.at
    if r.take("determiner") and r.own(start):
        r.at = start
        return False
    token = r.token()
    if token and token.text == word:
        r.at += 1
        return True
    r.at = start
    return False


def _arguments(r: Reader, skill: Skill) -> tuple[Value, ...] | None:
    """What the skill needs, in any order, each perhaps with its name before it: "with speed 30 percent"."""
    found: dict[str, Value] = {}
    while missing := [p for p in skill.params if p.name not in found]:
        start = r.at
        for param in missing:
            value = _named_value(r, param, last=len(missing) == 1 and not param.optional)
            if value is not None:
                found[param.name] = value
                break
        else:
            r.at = start
            if needed := next((p for p in missing if not p.optional), None):
                r.expect("argument", f"For {skill.name} I need {needed}.")
                return None
            break
    return tuple(found.get(p.name, p.default) for p in skill.params)


def _named_value(r: Reader, param: Param, last: bool) -> Value:
    start = r.at
    for with_name in (True, False):
        r.at = start
        while with_name and r.take("preposition"):
            pass
        if with_name and not all(_word(r, word) for word in _label(param)):
            continue
        while (value := _value(r, param, last)) is None and r.take("preposition"):
            pass
        if value is not None:
            return value
    r.at = start
    return None


def _label(param: Param) -> list[str]:
    """The words of a parameter's name without its unit."""
    return name_words(named(param.name)[0] if param.unit else param.name)


def _value(r: Reader, param: Param, last: bool) -> Value:
    """What can be read here for this parameter; None for nothing."""
    if param.options:
        return next(iter(_chosen(r, param.options)), None)
    match param.kind:
        case "number" | "integer":
            return _amount(r, param)
        case "flag":
            return True if r.take("yes") else False if r.take("no") else None
        case "thing":
            return r.thing()
        case "place":
            return _place(r)
    return r.aloud() if last else r.quoted()


def _chosen(r: Reader, options: Sequence[str]) -> Iterator[str]:
    """The option that is said here, the longest first."""
    for option in sorted(options, key=len, reverse=True):
        start = r.at
        if all(_word(r, word, ALIKE) for word in name_words(option)):
            yield option
            return
        r.at = start


def _amount(r: Reader, param: Param) -> Value:
    """A number in the parameter's unit. One without a unit counts where there is none, and as degrees."""
    start, unit = r.at, signed(param.unit)
    minus = r.take("minus")
    amount = r.amount()
    if amount and unit and amount.kind == unit.kind:
        value = unit.of(amount.value)
    elif amount and amount.kind in _BARE.get(unit.kind if unit else "", ()):
        value = amount.value
        if unit is None:  # "3 levels"
            _word(r, _label(param)[-1]) or all(_word(r, word) for word in _label(param))
    else:
        if amount and amount.kind == "bare":
            r.expect("unit", f"I expected a unit such as {param.unit}." if unit else "")
        r.at = start
        return None
    value = -value if minus else value
    return int(value) if value == int(value) else value


_BARE = {"": ("bare",), "angle": ("bare",), "temperature": ("angle",)}
"""What counts as an amount of a kind besides its own: degrees are degrees."""


def tests(skills: SkillSet) -> list[Callable[[Reader], Test | None]]:
    """A rule for a condition on each skill that only tells something: "the soil moisture is below 30 percent"."""
    asked = sorted((s for s in skills.values() if s.measures), key=lambda s: -len(s.name))
    return [partial(_so if s.returns == "flag" else _compared, s) for s in asked]


def _compared(skill: Skill, r: Reader) -> Test | None:
    start = r.at
    if all(_word(r, word) for word in name_words(named(skill.name)[0])):
        bound = r.longest([*BOUNDS])
        if bound is None:
            r.expect("bound")
        elif r.take(bound):
            limit = _amount(r, Param(skill.name, "number", skill.unit))
            if isinstance(limit, int | float):
                return Test(skill.name, BOUNDS[bound], limit)
    r.at = start
    return None


def _is_so(test: Callable[[Reader], Test | None], r: Reader) -> Call | None:
    """ "is the door open?"."""
    asked = test(r) if r.take("is") else None
    return Call(asked.skill) if asked and asked.op == "==" else None


def _so(skill: Skill, r: Reader) -> Test | None:
    """Each word of its name, with "is" or "is not" between them."""
    start, negated = r.at, False
    for word in name_words(skill.name):
        while not _word(r, word):
            said = r.longest(("is_not", "is"))
            if said is None or not r.take(said):
                r.at = start
                return None
            negated = negated or said == "is_not"
    return Test(skill.name, "==", not negated)


def _counts(r: Reader) -> bool:
    """Whether it is told here how often: "twice"."""
    start, n = r.at, r.count()
    r.at = start
    return n is not None


def _place(r: Reader) -> str | None:
    """A name that is known here, or any few words after which the command is over; a figure may be a part of one, as in
    "B2"."""
    if r.take("it") or r.take("that_place"):
        return r.last_thing or None
    amount = amounts.read(r.words, r.at)  # "look around for a minute"
    r.take("determiner")
    if r.sees("start_place") and not r.label():
        return None  # that is the way home
    start = r.at
    while not r.label() and (token := r.token()) and r.at - start < PLACE_WORDS:
        part = r.at > start and token.kind == "number" and token.start == r.words[r.at - 1].end
        if token.kind != "word" and not part:
            break
        if r.sees("join") or r.sees("preposition") or r.sees("polite_after") or _counts(r):
            break
        r.at += 1
    if amount and amount.kind and amount.end >= r.at:
        return None
    r.last_thing = r.text(start, r.at) or r.last_thing
    return r.text(start, r.at) or None
