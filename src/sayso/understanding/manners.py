"""How a wish is to be done, read by code and taken out of the sentence (U5).

"Go to the cup, but stay two metres away from people" is the wish "go to the cup" with a manner: apart, 2 m, people.
Manners are limits of the mission, which the kernel holds whoever plans; who plans reads the rest.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sayso.goal import IT, Amount, Clause, Pred, Which, Within
from sayso.goals.clauses import changed, preds
from sayso.goals.evidence import GROUND_M
from sayso.goals.spoken import told
from sayso.grounding import pattern
from sayso.grounding.lexicon import means
from sayso.grounding.pattern import Found, Patterns
from sayso.grounding.phrases import coloured, fitting, several
from sayso.grounding.tokens import Token, clean, tokens
from sayso.limits import EVERYTHING, Limits
from sayso.tables import toml
from sayso.wish import How, Manner

TABLE = "manners.toml"
LESS = {"value": 0.0, "leaves": "", "alone": "", "about": ""}
"""What a row of the table may leave out."""

PERCENT = 0.01
PEOPLE_M = 1.0
"""How far off people are left who are to be avoided."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to say a manner: what it `leaves` in the sentence, what is asked for where it stands `alone`, and what it
    is always `about`."""

    how: How
    usual: float
    leaves: str
    alone: str
    about: str


def manners(sentence: str) -> tuple[str, tuple[Manner, ...]]:
    """The sentence without its manners, and these in the order in which they are said; empty where nothing else is.
    Of two that are alike the one that tells how much is meant."""
    text, said, alone = clean(sentence), list[tuple[Manner, bool]](), ""
    text = _unlasting(text) if _next(text) else text
    while (taken := _next(text)) is not None:
        text, manner, asked, exact = taken
        said.append((manner, exact))
        alone = alone or asked
    exactly = {(m.how, m.about) for m, exact in said if exact}
    found = [m for m, exact in said if exact or (m.how, m.about) not in exactly]
    slowest = min((m.value for m in found if m.how is How.GENTLY), default=0.0)
    once = {(m.how, m.value, m.about): m for m in found if m.how is not How.GENTLY or m.value == slowest}
    found = [*once.values()]
    if not any(t.kind != "mark" for t in tokens(text)):
        return alone, tuple(found)
    return (_pointed(text, found) if found else sentence), tuple(found)


def _unlasting(text: str) -> str:
    """Without what only tells that a manner lasts as long as the wish."""
    words, always = [*tokens(text)], _data()["joins"]["always"]
    for at in range(len(words) - 1, 0, -1):
        if length := fitting([word.text for word in words[at:]], always, whole=True):
            text = f"{text[: words[at].start].rstrip()}{text[words[at + length - 1].end :]}"
    return text


def _pointed(text: str, said: Sequence[Manner]) -> str:
    """The rest of a sentence with the name of what only a manner named: "stay 2 m from THE VASE while you go to it"."""
    words, names = tokens(text), [m.about for m in said if m.about and m.about not in _people()]
    it = next((word for word in words if word.text == IT), None)
    if it is None or len(names) != 1 or any(w.text in _data()["names"]["articles"] for w in words if w.end <= it.start):
        return text
    return f"{text[: it.start]}{the(names[0])}{text[it.end :]}"


def _next(text: str) -> tuple[str, Manner, str, bool] | None:
    """The sentence without its first manner, that, what it asks for by itself, and whether it tells how much."""
    words = tokens(text)
    if not (said := _said(words)):
        return None
    at, way = said
    if not way.leaves:
        behind = [word.text for word in words[at.end :]]
        at = replace(at, end=at.end + fitting(behind, _data()["joins"]["lasts"], whole=True))
    manner = _manner(way, at, text[words[at.start].start : words[at.end - 1].end])
    alone = way.alone.format(**at.slots) if "thing" in at.slots or "{" not in way.alone else ""
    exact = any(isinstance(v, float) for v in at.slots.values())
    return _without(text, words, at, way.leaves.format(**at.slots)), manner, alone, exact


def _said(words: Sequence[Token]) -> tuple[Found, _Way] | None:
    """The first manner, the longest of those that begin there; not inside of quotes, which are one token."""
    ways, patterns = _table()
    left = patterns.missing(words)
    for start in range(len(words)):
        near = [(n, pat) for n, pat in patterns.ways(words, start) if n not in left]
        if not near or _of_another(words, start) or _otherwise(words[:start]):
            continue
        said = [(at, ways[n], n) for n, pat in near if (at := pat.at(words, start))]
        left.update(n for at, way, n in said if _of_no_name(at, way, words[at.end :]))
        if named := [(at, way) for at, way, n in said if n not in left]:
            return max(named, key=lambda found: found[0].end)
    return None


def _of_no_name(at: Found, way: _Way, behind: Sequence[Token]) -> bool:
    """Whether what is to be left alone is only pointed to: that hangs on what was said before; or to keep away from the
    floor is a height."""
    some = {How.ALONE: "pointing", How.APART: "ground"}.get(way.how, "")
    named = {at.slots.get("thing"), *(word.text for word in behind[:2] if way.how is How.APART)}
    return bool(some) and bool(named & {*_data()["names"][some]})


def of_another(sentence: str, at: int) -> bool:
    """Whether the character there is told of somebody or something else."""
    words = tokens(clean(sentence))
    return _of_another(words, next((n for n, word in enumerate(words) if word.start >= at), len(words)))


def _of_another(words: Sequence[Token], at: int) -> bool:
    """Whether what stands there tells of somebody or something else: "the man who walks slowly"."""
    opens = _data()["names"]["opens"]
    while at and words[at - 1].kind == "word" and words[at - 1].text not in _data()["joins"]["before"]:
        at -= 1
        if words[at].text in _data()["names"]["tells"] and (at or _opening(words) not in opens):
            return True
    return False


def _otherwise(before: Sequence[Token]) -> bool:
    """Whether what comes next is only what is done otherwise, and no manner: "if not just stay on the ground"."""
    said = [word.text for word in before if word.text not in _data()["otherwise"]["light"]]
    return bool(fitting(said, _data()["otherwise"]["words"], end=True, whole=True))


def _opening(words: Sequence[Token]) -> str:
    return " ".join(word.text for word in words[:2])


def _manner(way: _Way, at: Found, said: str) -> Manner:
    value = next((v for v in at.slots.values() if isinstance(v, float)), way.usual)
    about, people = str(at.slots.get("thing", way.about)), _people()
    about = people[0] if about.partition("'s ")[0] in people else about  # who goes over no head goes over nobody
    if way.how is How.OFF and about == people[0]:
        return Manner(How.APART, PEOPLE_M, about, said)
    return Manner(way.how, value * PERCENT if way.how is How.GENTLY else value, about, said)


def _people() -> Sequence[str]:
    words: Sequence[str] = _data()["names"]["people"]
    return words


def _without(text: str, words: Sequence[Token], at: Found, leaves: str) -> str:
    """The sentence around it, without the word or mark that joined it."""
    joins, start, end = _data()["joins"], at.start, at.end
    if leaves:
        return f"{text[: words[start].start]}{leaves} {text[words[end].start :] if end < len(words) else ''}".strip()
    behind = end < len(words) and words[end].text not in ".!?"
    if start > 1 and words[start - 1].text in joins["verbs"] and words[start - 2].text in (*joins["before"], ",", ";"):
        start -= end == len(words) or words[end].kind == "mark" or words[end].text in _data()["names"]["tells"]
    while start and (words[start - 1].kind == "mark" and words[start - 1].text in (",", ";", "-")):
        start -= 1
    while start and not behind and (words[start - 1].text in (*joins["before"], ",", ";")):
        start -= 1
    if start == 0 or words[start - 1].text in joins["before"] or words[start - 1].text in (".", "!", "?"):
        while end < len(words) and words[end].text in (*joins["after"], ",", ";", ".", ":", "!"):
            end += 1
    before = text[: words[start].start].rstrip()
    after = text[words[end].start :].lstrip() if end < len(words) else ""
    return f"{before}{'' if after[:1] in '.,;!?' else ' '}{after}".strip()


@functools.cache
def _table() -> tuple[Sequence[_Way], Patterns]:
    """Each way to say a manner, and what is said, in the same order."""
    data = _data()
    rows = [(row, say.format(**data["words"])) for row in data["manner"] for say in row["say"]]
    ways = [_Way(How(row["how"]), *(row.get(key, no) for key, no in LESS.items())) for row, _ in rows]
    return ways, Patterns([pattern.pattern(say) for _, say in rows])


def _data() -> Mapping[str, Any]:
    return toml("sayso.grounding", TABLE)


def the(about: str) -> str:
    """As it is spoken of: the sofa, people, Mary; it, where nothing was named."""
    named = several(about) or about[:1].isupper() or about in ("", IT, _people()[0], EVERYTHING)
    return about or IT if named else f"the {about}"


def sentence(manner: Manner, limits: Limits) -> str:
    """How it will be done, as it is read back; `limits` are what the manner becomes."""
    if manner.how is How.CEILING and manner.value < GROUND_M:
        return "I stay on the ground."
    fast = f"{limits.speed_max_mps:.2g} m/s"
    said: str = _data()["says"][manner.how]
    return said.format(value=f"{manner.value:g}", about=the(manner.about), fast=fast, text=manner.text)


def kept(manner: Manner, limits: Limits) -> str:
    """How it was done; empty for what is no limit."""
    (who, does, how), past = sentence(manner, limits).split(" ", 2), _data()["past"]
    return f"{who} {past[does]} {how}" if does in past else ""


AIMS = ("at", "visited", "facing", "picture", "followed", "found")
"""What is done to a thing that the wish goes to."""


BESIDE_M = 0.5
"""Who keeps no more off a thing than this is at it all the same: not to touch it tells of no distance."""


def as_always(goal: Clause | None) -> str:
    """What is told of a deed that no manner changes; empty where there is none."""
    fixed: Mapping[str, str] = _data()["fixed"]
    return next((fixed[pred.name] for pred in preds(goal) if pred.name in fixed), "")


def applied(goal: Clause, manners: Sequence[Manner]) -> Clause:
    """The goal with its manners in it: where it may only come so near, and until when it is to be reached."""
    for manner in manners:
        if manner.how is How.APART:
            goal = _kept_away(goal, manner)
        elif manner.how is How.WITHIN and not isinstance(goal, Within):
            goal = Within(Amount(manner.value, "s"), goal)
    return goal


def _kept_away(goal: Clause, manner: Manner) -> Clause:
    match goal:
        case Pred("at", (Which(of) as which,)) if manner.about in ("", IT, told(which)) or means(
            coloured(manner.about)[1], of
        ):
            return goal if manner.value < BESIDE_M else Pred("at", (which, Amount(manner.value, "m")))
    return changed(goal, lambda part: _kept_away(part, manner))
