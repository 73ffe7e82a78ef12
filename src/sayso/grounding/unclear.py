"""Amounts that a sentence leaves open: a number without a unit where one is needed, or an unknown unit (U4).

Which amount a number is, a way, a height or a time, what stands around it tells; an angle needs no unit, and what is
counted has none. An answer with a unit or an amount in it completes the sentence.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.grounding import amounts, numbers, units
from sayso.grounding.amounts import BARE, Measure, ending, starting, table, way
from sayso.grounding.tokens import Token, clean, tokens
from sayso.tables.units import Unit

LENGTH, TIME, ANGLE, ASIDE = "length", "time", "angle", "aside"
KINDS = {LENGTH: ("length",), TIME: ("time",), ANGLE: ("angle",), ASIDE: ("length", "angle")}
"""What an open amount may be; to a side, where no verb tells, one moves or turns."""

USUAL = {LENGTH: "metres", TIME: "seconds", ANGLE: "degrees", ASIDE: "metres"}
"""The unit in which a question asks how much an unknown one is."""


@dataclass(frozen=True, slots=True)
class Open:
    """An amount that is left open: a `number` as it was said, of a `kind` of `KINDS`; `unit` is the word behind it that
    names no known unit. Without a number `unit` is all that was said: "a few metres".

    `start` and `end` cut it out of the clean sentence.
    """

    kind: str
    number: str
    unit: str
    start: int
    end: int


def open_amounts(sentence: str) -> list[Open]:
    """What a sentence leaves open, from left to right."""
    text = clean(sentence)
    words, found = tokens(text), list[Open]()
    for at, said in _amounts(words):
        behind = words[said.end].text if said.end < len(words) and words[said.end].kind == "word" else ""
        if said.kind != BARE or said.number.part or behind in table()["counted"] or _clock(words, said.end):
            continue
        kind, alone = _kind(words, at, said.end)
        unit = "" if amounts.closed(words, said.end) else behind
        if kind and (not unit or (not alone and amounts.closed(words, said.end + 1))):
            number = text[words[at].start : words[said.end - 1].end]
            found.append(Open(kind, number, unit, words[at].start, words[said.end - (not unit)].end))
    untold = [
        Open(kind, "", text[words[at].start : words[end - 1].end], words[at].start, words[end - 1].end)
        for at, end, kind in _untold(words)
    ]
    rest = [one for one in found if not any(u.start <= one.start < u.end for u in untold)]
    return sorted([*rest, *untold], key=lambda one: one.start)


def completed(sentence: str, answer: str) -> str:
    """The sentence with what it leaves open as the answer tells it; empty where that tells nothing of it."""
    text, told = clean(sentence), clean(answer)
    words, made = tokens(told), list[tuple[Open, str]]()
    given = [(m.kind, told[words[at].start : words[m.end - 1].end]) for at, m in _amounts(words)]
    named = [(at, *found) for at in range(len(words)) if (found := units.read(words, at)) and not given]
    unit = {u.kind: told[words[at].start : words[end - 1].end] for at, u, end in named}
    for one in open_amounts(sentence):
        kinds = KINDS[one.kind]
        if amount := next((g for g in given if g[0] in kinds or (one.unit and g[0] == BARE)), None):
            given.remove(amount)
            made.append((one, f"{amount[1]} {USUAL[one.kind]}" if amount[0] == BARE else amount[1]))
        elif not one.unit and (name := next((unit[k] for k in kinds if k in unit), "")):
            made.append((one, f"{one.number} {name}"))
    for one, said in reversed(made):
        text = f"{text[: one.start]}{said}{text[one.end :]}"
    return text if made else ""


def _amounts(words: Sequence[Token]) -> Iterator[tuple[int, Measure]]:
    """Where an amount or a number begins, and what it is."""
    at = 0
    while at < len(words):
        said = amounts.read(words, at)
        if said and not (said.kind == BARE and said.number.article):
            yield at, said
        at = said.end if said else at + 1


def _untold(words: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Where an amount stands that nobody can tell, or one less than nothing, and its kind."""
    for at, token in enumerate(words):
        said = starting(words, at, "untold")
        unit = units.read(words, at + said) if said else None
        end = unit[1] if unit else at + said
        if token.text in table()["minus"] and (less := amounts.read(words, at + 1)) and less.kind != BARE:
            unit, end = (Unit(less.kind, 1.0), less.end), less.end
        elif token.kind == "odd" and token.text.startswith("-"):
            unit = units.read(words, at + 1)
            end = unit[1] if unit else at
        if (level := starting(words, at, "level")) and _leads_to_height(words, at):
            yield at, at + level, LENGTH
        if lasts := _lasts(words, at):
            yield at, *lasts
        if end == at or not amounts.closed(words, end):
            continue
        kind = ANGLE if unit and unit[0].kind == ANGLE else _kind(words, at, end)[0]
        if kind:
            yield at, end, kind


def _lasts(words: Sequence[Token], at: int) -> tuple[int, str] | None:
    """Where a time ends by which a way or a turn is measured, and what it should be."""
    if words[at].text not in table()["lasting"] or not ending(words, at, "ways"):
        return None
    said, verb, (_, sides) = amounts.read(words, at + 1), _last_verb(words, at), _led(words, at)
    if said is None or said.kind != TIME or not verb or (verb == "turn" and not _aside(sides)):
        return None
    return said.end, ANGLE if verb == "turn" else LENGTH


def _kind(words: Sequence[Token], at: int, end: int) -> tuple[str, bool]:
    """Which amount the number there is, empty for none; and whether a word behind it is no unit of it."""
    for key, kind in (("time_before", TIME), ("height_before", LENGTH), ("bound_before", LENGTH)):
        if words[at].text != "one" and ending(words, at, key):
            return kind, key != "height_before"
    begin, sides = _led(words, at)
    sides += [words[end : end + n] for n in [way(words, end)] if n]
    verb = words[begin - 1].text if begin else ""
    if sides:
        begins = begin == 0 or words[begin - 1].kind == "mark" or verb in table()["joins"]
        moves = begins or any(verb in table()[key] for key in ("go", "move", "get"))
        turns = _aside(sides) and _last_verb(words, at) == "turn"
        kind = ASIDE if _aside(sides) and not _last_verb(words, at) else LENGTH
        return (kind if moves and not turns else ""), False
    if words[at].text == "one":
        return "", True  # what stands for a thing
    if verb in table()["stay"]:
        return LENGTH if end < len(words) and words[end].text in table()["apart"] else TIME, True
    kinds = {"go": (LENGTH, False), "move": (LENGTH, True), "wait": (TIME, False)}
    return next((kind for key, kind in kinds.items() if verb in table()[key]), ("", True))


def _clock(words: Sequence[Token], end: int) -> bool:
    """Whether the number is one of a time of day: "ten to six", "5:50"."""
    return end < len(words) and words[end].text in (":", "to", "past") and numbers.read(words, end + 1) is not None


def _led(words: Sequence[Token], at: int) -> tuple[int, list[Sequence[Token]]]:
    """Where the words begin that lead up to a number, and the directions among them."""
    sides = []
    while length := max(ending(words, at, key) for key in ("by", "bound", "ways")):
        if ending(words, at, "ways") == length:
            sides.append(words[at - length : at])
        at -= length
    return at, sides


def _aside(sides: Sequence[Sequence[Token]]) -> bool:
    """Whether one turns to these directions as well as one moves there."""
    return all(" ".join(t.text for t in side) in table()["aside"] for side in sides)


def _last_verb(words: Sequence[Token], at: int) -> str:
    """Whether what was spoken of last is to go or to turn."""
    kinds = (key for t in reversed(words[:at]) for key in ("turn", "go", "move", "get") if t.text in table()[key])
    return next(kinds, "")


def _leads_to_height(words: Sequence[Token], at: int) -> bool:
    """Whether somebody goes or stays at what follows."""
    at -= ending(words, at, "by")
    return at > 0 and words[at - 1].text in table()["to"] and any(t.text in amounts.verbs() for t in words[:at])
