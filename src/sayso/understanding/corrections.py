"""Corrections in a sentence: "go 2 m, no wait, 1 m" is "go 1 m" (U4).

What follows replaces the last part of the same kind before it: an amount, a direction, a name or a whole command. Only
where that is plain; all else stays as it was said, and where something surely is taken back it is asked about.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sayso.grounding import amounts, numbers
from sayso.grounding.answers import begins_wish
from sayso.grounding.lexicon import known, means
from sayso.grounding.tokens import Phrases, Token, clean, tokens
from sayso.tables import toml
from sayso.understanding.operators import idle

CORRECTIONS_MAX = 5
"""Who takes back more than that in one sentence is not followed."""

VAGUE = ("little", "untold", "level", "height_before", "closer")
"""What an amount may tell more closely, by the lists of `grounding/amounts.toml`."""

AGAIN = "What do you take back? Please say all of it once more."

Span: TypeAlias = tuple[int, int]
"""Tokens from one up to another."""

Words: TypeAlias = Sequence[Token]


def corrected(sentence: str) -> str:
    """The sentence without what it takes back."""
    sentence = _excepting(sentence)
    for _ in range(CORRECTIONS_MAX):
        mended = _mended(clean(sentence)) or _closer(clean(sentence))
        if not mended:
            break
        sentence = mended
    return sentence


def _excepting(sentence: str) -> str:
    """With an exception behind the thing that it is of: "a drink, ANYTHING BUT milk"."""
    text = clean(sentence)
    words, says = tokens(text), _table()["anything_but"]
    for at in range(2, len(words) - 2):
        if words[at - 1].text == "," and " ".join(t.text for t in words[at : at + 2]) in says:
            return f"{text[: words[at - 2].end]} {_table()['but'][1]} {text[words[at + 2].start :]}"
    return sentence


def in_doubt(sentence: str) -> str:
    """What to ask where something surely is taken back and it is not plain what; else empty."""
    words = tokens(clean(sentence))
    taken = None if _quotes(words) else _taken_back(words)
    return AGAIN if taken and (taken.surely or (taken.mere and _is_bare(words[taken.end :]))) else ""


@dataclass(frozen=True, slots=True)
class _Taken:
    """The tokens that take back; `surely`, and whether the `whole` of what was said. A `mere` no may belong to what
    follows: "no move was made"."""

    start: int
    end: int
    surely: bool
    whole: bool
    mere: bool


def _taken_back(words: Words) -> _Taken | None:
    """The first words that take something back, with something before and behind them."""
    at, unmeant = 1, idle(words)  # "no rush"
    while at < len(words):
        end, said = (at, []) if at in unmeant else _run(words, at)
        phrases = [" ".join(p) for p in said]
        behind_mark = words[at - 1].kind == "mark"
        surely = bool(phrases) and any(f" {p} " in f" {' '.join(phrases)} " for p in _table()["surely"])
        goes_on = end < len(words) and words[end].text not in _table()["excludes"]
        if goes_on and any(p in _table()["takes_back"] for p in phrases) and (behind_mark or surely):
            whole = any(p in _table()["whole"] for p in phrases)
            return _Taken(at, end, surely, whole, phrases == _table()["mere"] and words[end - 1].kind != "mark")
        at = max(end, at + 1)
    return None


def _run(words: Words, at: int) -> tuple[int, list[list[str]]]:
    """Where a run of such words and the marks between them ends, and its phrases."""
    said: list[list[str]] = []
    end = at
    while at < len(words):
        if length := _phrases().at(words, at):
            said.append([t.text for t in words[at : at + length]])
            at = end = at + length
        elif said and words[at].kind == "mark":
            at = end = at + 1
        else:
            break
    return end, said


@functools.cache
def _phrases() -> Phrases:
    """All that takes back or may stand around that."""
    return Phrases([*_table()["takes_back"], *_table()["around"]])


def _mended(text: str) -> str:
    """Without the first thing that is taken back; empty where there is none, or where it is not plain what."""
    words = tokens(text)
    taken = _taken_back(words)
    if taken is None or _quotes(words[: taken.start]):
        return ""
    last = taken.start
    while last and words[last - 1].kind == "mark":
        last -= 1
    before, after = words[:last], words[taken.end :]
    if refined := _refined(text, before, after):
        return refined
    ways = [_all] if taken.whole else [_amount, _side, _name] if taken.mere else [_command, _amount, _side, _name]
    if taken.mere and _is_bare(after):  # "a picture, no people"
        ways.remove(_name)
        if any(means(t.text, _bare(after)) and not means(_bare(after), t.text) for t in before):  # "a drink, no coke"
            return f"{text[: before[-1].end]} {_table()['but'][0]} {text[words[taken.start].start :]}"
    found = next((found for way in ways if (found := way(before, after))), None)
    if found is None:
        return ""
    (start, end), (first, behind) = found
    parts = [(before, 0, start), (after, first, behind), (before, end, last), (after, behind, len(after))]
    said = [text[row[a].start : row[b - 1].end] for row, a, b in parts if b > a]
    return re.sub(r" (?=[,.!?;:])", "", " ".join(said))


def _refined(text: str, before: Words, after: Words) -> str:
    """The last thing as it is told more closely, "the chair. No, the red ONE"; empty where nothing is."""
    begin = next((n for n in range(len(before) - 1, 0, -1) if _determined(before, n)), 0)
    name, one = before[begin + 1 :], next((n for n, t in enumerate(after) if t.text in _table()["pronouns"]), 0)
    told = after[1:one]
    if not (begin and name and known(" ".join(t.text for t in name)) and one and _determined(after, 0)):
        return ""
    if any(t.kind != "word" or t.text in _table()["prepositions"] for t in told):
        return ""
    rest = text[after[one].end :]
    return f"{text[: name[0].start]}{''.join(f'{t.text} ' for t in told)}{text[name[0].start : name[-1].end]}{rest}"


def _is_bare(after: Words) -> bool:
    """Whether a name without an article follows a no, which may as well be left out as take the place of another."""
    led = _determined(after, 0) or after[0].text in _table()["prepositions"] or amounts.way(after, 0)
    return not led and known(_bare(after))


def _bare(after: Words) -> str:
    return " ".join(t.text for t in after[: _over(after, 0)] if t.text not in _table()["courtesy"])


def _closer(text: str) -> str:
    """With an amount in the place of what it tells more closely: "go up a bit, SAY 1 M"; empty where none does."""
    words = tokens(text)
    for at in range(2, len(words) - 1):
        said = amounts.read(words, at + 1) if words[at].text in _table()["closer"] else None
        if said and said.kind != amounts.BARE and words[at - 1].kind == "mark":
            begin = next((n for n in range(at - 2, 0, -1) if words[n].kind == "mark"), 0)
            start = next((n for n in range(begin, at) if any(amounts.starting(words, n, key) for key in VAGUE)), at - 1)
            return f"{text[: words[start].start].rstrip()} {text[words[at + 1].start :]}"
    return ""


def _all(before: Words, after: Words) -> tuple[Span, Span] | None:
    """All that was said, where a wish follows."""
    return ((0, len(before)), (0, len(after))) if _wishes(after) else None


def _command(before: Words, after: Words) -> tuple[Span, Span] | None:
    """A command takes the place of the only one, or of the last one with the same verb."""
    if not _wishes(after):
        return None
    joints = [n for n, t in enumerate(before) if t.kind == "mark" or t.text in _table()["joins"]]
    start = joints[-1] + 1 if joints else 0
    if joints and before[start].text != after[0].text:
        return None
    return (start, len(before)), (0, _over(after, 1))


def _amount(before: Words, after: Words) -> tuple[Span, Span] | None:
    """An amount takes the place of the last one of its kind; a bare number that of a number, whose unit stays."""
    first = 1 if after[0].text in _table()["prepositions"] else 0
    if (said := amounts.read(after, first)) is None or (said.number.article and said.kind == amounts.BARE):
        return None
    for at in range(len(before) - 1, -1, -1):
        old = amounts.read(before, at)
        starts = at == 0 or (inner := amounts.read(before, at - 1)) is None or inner.end <= at
        if (
            not (old and starts)
            or (old.number.article and old.kind == amounts.BARE)
            or said.kind not in (old.kind, amounts.BARE)
        ):
            continue
        if said.kind != amounts.BARE:
            return _with_side(before, after, (at, old.end), (first, said.end))
        return ((at, old.number.end), (first, said.end)) if _closed(after, said.end) else None
    return None


def _with_side(before: Words, after: Words, old: Span, new: Span) -> tuple[Span, Span] | None:
    """A direction behind the amount takes the place of the one before it too."""
    length = amounts.way(after, new[1])
    if not _closed(after, new[1] + length):
        return None
    side = _last_way(before) if length else None
    if side is None:
        return (old, new) if not length else None
    return (min(old[0], side[0]), max(old[1], side[1])), (new[0], new[1] + length)


def _side(before: Words, after: Words) -> tuple[Span, Span] | None:
    """A direction takes the place of the last one, and an amount behind it that of the one there."""
    length = amounts.way(after, 0)
    old = _last_way(before)
    if not length or old is None:
        return None
    said, was = amounts.read(after, length), amounts.read(before, old[1])
    if said and _closed(after, said.end):
        return (old[0], was.end if was else old[1]), (0, said.end)
    return (old, (0, length)) if _closed(after, length) else None


def _name(before: Words, after: Words) -> tuple[Span, Span] | None:
    """A name takes the place of the one that was said last."""
    led = after[0].text in _table()["prepositions"]
    first, behind = int(led), _over(after, int(led))
    row = [t.text for t in after[first:behind]]
    leads = [(n, t.text in _table()["prepositions"]) for n, t in enumerate(before)]
    begins = [n + lead for n, lead in leads if lead or _determined(before, n)]
    while begins and before[begins[-1] - 1].text in row[1:]:  # "a man in red, no, two men in red"
        begins.pop()
    old = (begins[-1], len(before)) if begins else (0, 0)
    if first == behind or old[0] == old[1] or _over(before, old[0]) < len(before):
        return None
    said, article = before[old[0] :], _determined(before, old[0])
    if led and before[old[0] - 1].text in _table()["prepositions"]:
        return (old[0] - 1, old[1]), (0, behind)
    if _determined(after, first):
        pronouns = {*_table()["pronouns"]}
        refines = pronouns & {*row} and not pronouns & {t.text for t in said}
        return None if refines else (old, (first, behind))
    if led or known(" ".join(row)) or (not article and len(row) == len(said)):  # "the chair, sorry, table"
        return (old[0] + article, old[1]), (first, behind)
    return None


def _determined(words: Words, at: int) -> bool:
    """Whether a name begins with an article or a number here."""
    return words[at].text in _table()["determiners"] or numbers.read(words, at) is not None


def _last_way(words: Words) -> Span | None:
    found = [(at, at + length) for at in range(len(words)) if (length := amounts.way(words, at))]
    return next(((a, b) for a, b in reversed(found) if all(not (c < a < d) for c, d in found)), None)


def _over(words: Words, at: int) -> int:
    """Where what begins there is over: at a mark, or where something is joined."""
    ends = (n for n in range(at, len(words)) if words[n].kind == "mark" or words[n].text in _table()["joins"])
    return next(ends, len(words))


def _closed(words: Words, at: int) -> bool:
    return at >= len(words) or words[at].kind == "mark" or words[at].text in (*_table()["joins"], *_table()["courtesy"])


def _wishes(words: Words) -> bool:
    """Whether a command begins here."""
    begin = next((n for n, t in enumerate(words) if t.text not in _table()["courtesy"]), 0)
    return begins_wish(" ".join(t.text for t in words[begin:]))


def _quotes(words: Words) -> bool:
    """Whether somebody is told what to say, in which anything may stand."""
    return any(t.text in _table()["quoting"] for t in words)


def _table() -> Mapping[str, Sequence[str]]:
    return toml("sayso.grounding", "corrections.toml")
