"""The gaps between a wish and the goal of a plan, as far as code reads the wish: each is a reason to ask."""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeAlias

from sayso.goal import ANYTHING, OTHER_SIDE, Amount, Argument, Clause, If, Pred, Which
from sayso.goals.clauses import arguments, mapped, preds, whiches
from sayso.goals.evidence import order
from sayso.goals.spoken import doing, spoken
from sayso.grounding.amounts import usual
from sayso.grounding.inflection import words
from sayso.grounding.mentions import Name, mentions
from sayso.grounding.phrases import breaks_off
from sayso.grounding.tokens import clean, tokens
from sayso.grounding.utterance import Quantity, Utterance, figured, read, table
from sayso.scene import Scene, Thing
from sayso.understanding.operators import Operator, missing, with_its_name

QUESTION_GAPS_MAX = 3
"""More than so many at once help nobody to say it better."""

NEAR = 0.04
"""An amount is the one that was said within this share of it."""

HALF_TURN_DEG = 180.0

ALONG = ("moved", "turned")
"""What goes on where another of the same direction follows it."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Where wish and plan part: `what` was said and is `left_out` of the plan, stands there and was `unsaid`, or was
    `refused`; it is one of several that are alike and nobody said `which`; or its description is `broken_off`."""

    kind: str
    what: str

    def __str__(self) -> str:
        return str(words()["parted"][self.kind]).format(self.what)


Alike: TypeAlias = Callable[[str, Utterance], bool]
"""Whether something that was said means a thing of this label, in other words."""


def gaps(said: Utterance, want: Clause | None, scene: Scene, *, alike: Alike | None = None) -> list[Gap]:
    """The gaps between a wish and a goal. Both know the things of the scene by label or id."""
    wanted = list(preds(want))
    found = [*_amounts(said, wanted), *_sides(said, wanted), *_names(said, wanted, scene, alike)]
    done = {p.name for p in wanted}
    found += [Gap("unsaid", told) for deed, told in END.items() if deed in done and deed not in said.maybe]
    found += _alike(said, [p for p in wanted if p.name in AIMS], scene)
    return list(dict.fromkeys(found))


def unread(wish: str, goal: Clause, names: Sequence[Name], places: Collection[str] | None = None) -> list[Gap]:
    """Names of a table that a wish speaks of and its reading does not, those that are read though not wanted, and
    descriptions that the reading breaks off.

    `places` are those that the reading comes to. Where people may stand at one that is not read, they are not told,
    and only those count that something is to get to.
    """
    phrases = [phrase for argument in arguments(goal) for phrase in _phrases(argument)]
    told = {name for phrase in phrases for name in _named(phrase, names)}
    some = [({*_named(w.kind, names)}, {n for b in w.but for n in _named(b.kind, names)}) for w in whiches(goal)]
    wanted = {name for of, but in some for name in of - (but if of - but else set())}
    named = mentions(wish, names)
    live = [m for m in named if not (m.denied or m.withdrawn)]
    counted = {"kind": told, "place": told | {*(places or ())}}
    unsaid = [m for m in live if m.what in counted and m.name not in counted[m.what]]
    missing = [m.name for m in unsaid if m.what == "kind" or m.to or (m.by and places is not None)]
    denied = [m.name for m in named if m.denied and not m.absent and m.what != "place" and m.name in wanted]
    refused = [name for name in denied if all(m.name != name for m in live)]
    parted = {"left_out": missing, "refused": refused, "broken_off": [p for p in phrases if breaks_off(p)]}
    return [Gap(kind, what) for kind, some in parted.items() for what in dict.fromkeys(some)]


def _phrases(argument: Argument) -> Iterator[str]:
    """All words of it."""
    if isinstance(argument, str):
        yield argument
    if isinstance(argument, Which):
        yield from (argument.kind, argument.source, *argument.traits)
        for other in (*argument.but, *([argument.relation.to] if argument.relation else [])):
            yield from _phrases(other)


def _named(phrase: str, names: Sequence[Name]) -> set[str]:
    return {phrase, *(m.name for m in mentions(phrase, names))}


AIMS = ("at", "facing", "picture", "visited")
"""What is done to a thing, and may be asked for of every one."""

END = {"landed": "land", "home": "come back", "picture": "take a picture"}
"""What a plan does only where that was said."""


def unsaid_in(sentence: str, goal: Clause | None, scene: Scene) -> list[Gap]:
    """Words that change what a sentence asks for, and stand in no clause of the goal, nor tell what a thing that it
    picks from the scene is like."""
    picked = [t for w in whiches(goal) for t in scene if t.id == w.kind]
    looks = {text.lower() for thing in picked for text in thing.attributes.values()}
    lost = [o for o in missing(sentence, goal) if o.text not in looks]
    alike = [(t, [other for other in scene if other.label == t.label]) for t in picked]
    most = {rank for rank in table()["ranks"] if any(_is_most(rank, t, some, scene) for t, some in alike)}
    lost = [o for o in lost if not most & {*read(o.text).ranks}]
    return [Gap("left_out", text) for text in dict.fromkeys(o.text for o in lost)]


LEAVE = "Shall I leave that out?"

DECIDES = ("negation", "exception", "condition", "waiting", "signal", "state", "alternative", "order")
"""Kinds of words without which a wish may be the contrary of what was said: to leave them out is not offered."""


def leaving_out(core: str, lost: Sequence[Operator], goal: Clause | None = None) -> str:
    """What is asked where words of a wish are in no clause of its goal; empty where all are in one."""
    if not lost:
        return ""
    deciding = [with_its_name(core, one) for one in lost if one.kind in DECIDES]
    said, goal = list(dict.fromkeys(deciding or [one.text for one in lost])), goal and _as_named(core, goal)
    words = " and ".join(f"“{text}”" for text in said[:QUESTION_GAPS_MAX])
    if deciding:
        return f"{_meant(goal, '. ')}What shall I do about {words}?"
    return f"{_meant(goal, ', but ')}I do not know what to make of {words}. {LEAVE}"


def _as_named(core: str, goal: Clause) -> Clause:
    """The goal with the names of people as they were written."""
    text = clean(core)
    said = () if text.isupper() else tokens(text)[1:]
    names = {t.text: text[t.start : t.end] for t in said if text[t.start].isupper() and t.end - t.start > 1}
    return mapped(goal, lambda which: replace(which, kind=names.get(which.kind, which.kind)))


def _meant(goal: Clause | None, joint: str) -> str:
    """What was understood, before a question about what was not."""
    if goal is None:
        return ""
    return f"{spoken(goal)} " if isinstance(goal, If) else f"I would {doing(goal)}{joint}"


def question(asked: Sequence[Gap]) -> str:
    """What is asked of a person where wish and plan part; empty where they do not."""
    if which := next((g.what for g in asked if g.kind == "which"), ""):
        return f"Which {which} do you mean? I see several."
    told = "; ".join(str(g) for g in asked[:QUESTION_GAPS_MAX])
    return f"I am not sure that I understood: as I read it, {told}. Could you say it in other words?" if told else ""


def _amounts(said: Utterance, wanted: Sequence[Pred]) -> Iterator[Gap]:
    """An amount is one that was said, where any of its unit was, alone or with those that go on in its direction."""
    for way, run in groupby(wanted, lambda p: (p.name, p.args[:-1])):
        amounts = [a for p in run for a in p.args if isinstance(a, Amount)]
        total = [Amount(sum(a.value for a in amounts), amounts[0].unit)] if amounts and way[0] in ALONG else []
        if any(_same(q, a) for q in said.quantities for a in total):
            continue
        for amount in amounts:
            vague = said.vague and math.isclose(amount.value, usual("little_cm") / 100) and amount.unit == "m"
            alike = any(q.unit == amount.unit or (not q.unit and q.value >= 10) for q in said.quantities)
            if alike and not (vague or any(_same(q, amount) for q in said.quantities)):
                yield Gap("unsaid", f"{amount.value:g} {amount.unit}")


def _same(quantity: Quantity, amount: Amount) -> bool:
    values = [quantity.value] if quantity.unit == amount.unit else []
    if not quantity.unit:
        values = [quantity.value, quantity.value / 100] if amount.unit == "m" else [quantity.value]
    return any(abs(v - amount.value) <= max(NEAR * abs(v), 1e-6) for v in values)


def _sides(said: Utterance, wanted: Sequence[Pred]) -> Iterator[Gap]:
    """A side in the plan is not the opposite of the only one that was said."""
    about = Amount(HALF_TURN_DEG, "deg")  # either way round is the same
    sides = {str(p.args[0]) for p in wanted if p.name in ALONG and about not in p.args}
    for side in sorted(sides):
        if side not in said.sides and OTHER_SIDE.get(side) in said.sides:
            yield Gap("unsaid", side)


def undirected(wish: str, goal: Clause) -> str:
    """The question to which side it shall move, where no word tells: who pulls out a metre may go any way."""
    aimed = (str(pred.args[0]) for pred in preds(goal) if pred.name == "moved")
    said = read(figured(wish))
    unsaid = next((side for side in aimed if side not in {*said.sides, *said.words}), "")
    return f"{_meant(goal, ', but ')}nobody said “{unsaid}”. Which way do you mean?" if unsaid else ""


def _which(wanted: Sequence[Pred]) -> Iterator[Which]:
    for pred in wanted:
        yield from (a for a in pred.args if isinstance(a, Which) and a.kind != ANYTHING)


def _names(said: Utterance, wanted: Sequence[Pred], scene: Scene, alike: Alike | None) -> Iterator[Gap]:
    """A thing in the plan is one that was spoken of, by a word for it, or by what tells it from all others."""
    if said.any_thing:
        return
    for which in _which(wanted):
        thing = next((t for t in scene if t.id == which.kind), None) or scene.find(which.kind)
        label = thing.label if thing else which.kind
        told = said.names(label) or (thing and any(_is_most(rank, thing, list(scene), scene) for rank in said.ranks))
        if not told and not (alike is not None and alike(label, said)):
            yield Gap("unsaid", label)


def _is_most(rank: str, thing: Thing, things: Sequence[Thing], scene: Scene) -> bool:
    """Whether a superlative picks this thing, as it is or as it looks: people mean the one or the other."""
    sign = {"largest": -1.0, "smallest": 1.0}.get(rank, 0.0)
    looks = min(things, key=lambda t: sign * (t.box.area if t.box else 0.0))
    return thing.id in (min(things, key=lambda t: order(rank, t, scene.observer)).id, looks.id if sign else "")


def _alike(said: Utterance, aims: Sequence[Pred], scene: Scene) -> Iterator[Gap]:
    """“The crate”, where several are in view and nothing said tells them apart."""
    for which in _which(aims):
        alike = [t for t in scene if t.label == which.kind]
        if len(alike) > 1 and said.the_one(which.kind) and not said.ranks and not said.colours and not said.sides:
            yield Gap("which", which.kind)
