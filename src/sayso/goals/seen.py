"""The answers that looks give: which of the things that were seen are meant, and what they tell to a question.

A `Seen` is one scene, that of a look or of a look all round. It picks things as the verdict does (`evidence`), and its
answers rest on what was seen and on nothing else; where that does not tell there is none.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sayso.goal import ALL, ANYTHING, IT, ME, YOU, Pred, Which
from sayso.goals.clauses import whiches
from sayso.goals.evidence import BESIDE_M, NEAR_BY_M, Evidence, Moment, order, size_m
from sayso.goals.spoken import thing, told
from sayso.grounding.inflection import about, counted, indefinite, listed, none_of, plural, row, sentence, words
from sayso.grounding.lexicon import means
from sayso.grounding.matching import between
from sayso.grounding.phrases import coloured, label_of
from sayso.grounding.utterance import table
from sayso.scene import Scene, Thing

IN_VIEW = ("how many", "is it in view", "what is here")
"""Questions about the present view alone."""
NAMELESS = (ANYTHING, IT, ME, YOU)
LOOKS = ("color", "shirt", "garment", "holding", "text", "pose", "gesture", "gender", "name", "category", "on")
"""What perception may tell of a thing, by name."""


class Seen:
    """The answers that one scene gives; `around` where it shows everything around."""

    def __init__(self, scene: Scene, around: bool = False) -> None:
        self.scene, self.around = scene, around
        self._here = Evidence([Moment(scene.seen_s, scene.observer, {t.id: t for t in scene if t.label})])

    # Which things

    def things(self, which: Which) -> list[Thing]:
        """Those that are meant, in the order of their rank or else the nearest first; counts are not looked at."""
        meant = self._by_label(which)
        if meant is None:
            return []
        found = self._here.known(meant, 0)
        return found if which.rank else sorted(found, key=_away)

    def tells(self, which: Which) -> bool:
        """Whether a look tells of all of a kind what was said of it, so that what does not look so is not meant."""
        alike, colours = self.things(Which(which.kind, relation=which.relation)), table()["traits"]["colours"]
        looks = all({*t.attributes} & {"color", "shirt"} for t in alike)
        return all(looks if trait in colours else self.things(Which(traits=(trait,))) for trait in which.traits)

    def _by_label(self, which: Which) -> Which | None:
        """By the names that perception has; None where it has none for one of them."""
        label, traits = which.kind, which.traits
        if which.kind not in NAMELESS:
            colour, rest = coloured(which.kind)
            label = self._label(which.kind) or (self._label(rest) if colour else "")
            traits = (*traits, colour) if colour and not self._label(which.kind) else traits
        relation = which.relation
        if relation is not None:
            to = self._by_label(relation.to)
            relation = replace(relation, to=to) if to else None
        if not label or (which.relation and not relation):
            return None
        but = tuple(out for one in which.but if (out := self._by_label(one)))
        among = tuple(one for some in which.among if (one := self._by_label(some)))
        if which.among and not among:
            return None
        return replace(which, kind=label, traits=traits, relation=relation, but=but, among=among)

    def _label(self, kind: str) -> str:
        labels = {t.label for t in self.scene}
        if label := label_of(kind, labels):
            several = sum(means(kind, one) for one in labels) > 1 and label != kind
            return kind if several else label
        alike = self.scene.alike(kind)  # by its meaning, where somebody compares that
        return alike[0].label if alike else ""

    # What they tell

    def answer(self, asked: Pred) -> str:
        """The answer to an `answered(…)`, with what may hide more; empty where what was seen does not tell."""
        said = self._answer(asked)
        return f"{said} {self._hidden(asked)}".strip() if said else ""

    def _answer(self, asked: Pred) -> str:
        question, about_ = str(asked.args[0]), list(whiches(asked)) or [Which()]
        head, _, rank = question.partition("which is ")
        if rank and not head:
            return self._compared(rank, *about_[:2])
        if question in _OF_EACH:
            told, verb = _OF_EACH[question]
            return sentence(self._each(about_[0], lambda one: told(self, one), verb))
        tell = _TELLS.get(question)
        return sentence(tell(self, *about_)) if tell else ""

    def none(self, which: Which) -> str:
        """That there is no such thing."""
        where = "anywhere around me" if self.around and not which.relation else "from here"
        return f"I see {none_of(_one(which))} {where}."

    def _hidden(self, asked: Pred) -> str:
        """That something stands before the thing on which more may lie; empty where nothing does."""
        question, first = asked.args[0], next(whiches(asked), Which())
        of = first if question == "what is on" else first.relation.to if first.relation else None
        told = question == "is it here" and first.count == 1 and self.things(first)  # one more would change nothing
        there = self.things(of) if of and question in _OF_PLACES and of.kind != YOU and not told else []
        before = {t.label: t for one in there for t in self.scene if t.id != one.id and self._is_before(t, one)}
        return sentence(f"{row([f'the {label}' for label in before])} may hide more from me") if before else ""

    def _is_before(self, one: Thing, other: Thing) -> bool:
        """Whether it covers a part of what is seen of the other, on which it does not stand."""
        if not (one.box and other.box and one.pose and other.pose and self.scene.view):
            return False
        wide_rad = self.scene.view.half_width_rad * (one.box.width + other.box.width)
        aside_rad = abs(self.scene.observer.bearing_rad(one.pose) - self.scene.observer.bearing_rad(other.pose))
        across = abs(one.box.y - other.box.y) < (one.box.height + other.box.height) / 2
        nearer = _away(one) < _away(other) and not self._here.rests(one, other)
        return nearer and across and aside_rad < wide_rad

    def _how_many(self, which: Which) -> str:
        there = len(self.things(replace(which, count=1)))
        how, near = "I count {} from here" if self.around else "I see {} from here", which.relation
        if near and near.to.count == 1 and not near.to.rank and (several := len(self.things(near.to))) > 1:
            which = replace(which, relation=replace(near, to=replace(near.to, count=several)))
        return how.format(counted(there, _one(which)))

    def _either(self, one: Which, other: Which) -> str:
        there = sorted((one, other), key=lambda w: not self.things(w))
        told = [self._is_here(w).partition(", ")[2].rstrip(".") for w in there]
        return f"{'Yes' if self.things(there[0]) else 'No'}, {told[0]}; {told[1]}"

    def _is_here(self, which: Which) -> str:
        meant, there = self._by_label(which), self.things(replace(which, count=1))
        if meant and meant.relation:  # the closest to a thing may still be far from it
            there = [t for t in there if self._here.fits(t, meant, 0, self.scene.observer)]
        if which.count > 1:
            return f"{'Yes' if len(there) >= which.count else 'No'}, {self._how_many(which)}"
        if not there:
            return f"No, {self.none(which)}"
        first = there[0]
        same = meant is not None and {t.label for t in there} == {meant.kind}
        named = counted(len(there), _one(which)) if len(there) > 1 else indefinite(_one(which))
        beside_me = which.relation is not None and which.relation.to.kind == YOU
        spot = f"{_far(first)} away" if beside_me else self._spot(first)
        nearest = f"the nearest {spot}" if len(there) > 1 else spot
        return f"Yes, I see {named if same else all_of(there)}: {nearest}"

    def _not_under(self, one: Thing) -> list[Thing]:
        """All but what a thing lies on."""
        return [t for t in self.scene if not self._here.rests(one, t)]

    def _is_so(self, which: Which, like: Which) -> str:
        if like.among:
            answers = [self._is_so(which, one) for one in like.among]
            yes = sorted((one.removeprefix("Yes, ") for one in answers if one.startswith("Yes, ")), key=len)
            how = self._colour(which) if like.among[0].traits else self._each(which, self._spot, "is")
            return yes[-1] if yes else f"Neither: {how}" if all(answers) else ""
        there = self.things(which)
        near = like.relation.to if like.relation else None
        if not there or not (like.traits or near) or (near and near.kind != YOU and not self.things(near)):
            return ""
        so = self.things(replace(like, kind=which.kind, traits=(*which.traits, *like.traits), rank="", nth=1))
        if near and like.relation and like.relation.word == "beside":
            so = [t for t in so if not all(between(t, to, self._not_under(t)) for to in self.things(near))]
        several = len(there) > 1 and not which.rank
        how = thing(replace(like, kind="")).removeprefix("the")
        if several and so:
            need = len(there) if which.count == ALL else which.count
            says = "Yes," if len(so) >= need else "No, only"
            return f"{says} {counted(len(so), _one(which))} of {len(there)} {'is' if len(so) == 1 else 'are'}{how}"
        if any(t.id == there[0].id for t in so):
            return f"Yes, {thing(which)} is{how}"
        if not self.tells(replace(which, traits=like.traits)):
            return ""
        if several:
            return f"No, none of the {counted(len(there), _one(which))} is{how}"
        looks = there[0].attributes.get("color", "")
        if like.traits and (worn := self._worn(which)):
            return f"No, {worn}"
        return f"No, {thing(which)} is {looks}" if like.traits and looks else f"No, {thing(which)} is not{how}"

    def _apart(self, which: Which, other: Which) -> str:
        one, two = next(iter(self.things(which)), None), next(iter(self.things(other)), None)
        if not (one and two and one.pose and two.pose):
            return ""
        return f"{thing(which)} is {about(one.pose.distance_m(two.pose), 'm')} from {thing(other)}"

    def _colour(self, which: Which) -> str:
        if any("shirt" in t.attributes for t in self.things(which)):
            return self._worn(which)
        return self._each(which, lambda t: t.attributes.get("color", ""), "is")

    def _worn(self, which: Which) -> str:
        def worn(one: Thing) -> str:
            shirt = one.attributes.get("shirt", "")
            return indefinite(f"{shirt} {one.attributes.get('garment', 'shirt')}") if shirt else ""

        return self._each(which, worn, "wears")

    def _each(self, which: Which, tell: Callable[[Thing], str], verb: str) -> str:
        """The same of each that is meant; of one alone where nothing tells them apart but where they are."""
        there = self.things(which)
        each = [tell(one) for one in there]
        if not each or not all(each):
            return ""
        if len(there) == 1 or which.rank:
            return f"{thing(replace(which, count=1))} {verb} {each[0]}"
        return f"I see {counted(len(there), _one(which))}: {row([f'one {verb} {how}' for how in each])}"

    def _on(self, which: Which) -> str:
        there = self.things(which)[: 1 if which.rank else None]
        near = self.things(which.relation.to) if which.relation else []
        upon = [[t for t in self.scene if self._here.rests(t, one) and t.id != one.id] for one in there]
        if (
            which.relation and near and any(near[0] in some for some in upon)
        ):  # what is on the desk next to the keyboard that is on it
            return self._next_to(which.relation.to, [t for some in upon for t in some])
        surface = means("furniture", which.kind) or not self._label(which.kind)
        if len(there) > 1 and any(upon):
            each = [f"on {'the other' if n == 1 else 'one'} {all_of(some)}" for n, some in enumerate(upon)]
            return f"I see {counted(len(there), _one(which))}: {row(each)}"
        return f"On {thing(which)} I see {all_of(upon[0])}" if there and (upon[0] or surface) else ""

    def _next_to(self, which: Which, of: Sequence[Thing] = ()) -> str:
        there = self.things(which)
        if not there or there[0].pose is None:
            return ""
        apart = sorted(
            (t.pose.level_m(there[0].pose), t.id, t) for t in of or self.scene if t.pose and t.id != there[0].id
        )
        near = [t for far, _, t in apart if far <= BESIDE_M][: len(of) or 3] or [t for _, _, t in apart[:1]]
        return f"Next to {thing(which)} I see {all_of(near)}" if near else ""

    def _says(self, which: Which) -> str:
        text = next((t.attributes["text"] for t in self.things(which) if "text" in t.attributes), "")
        return f"It says: {text}" if text else ""

    def _what(self, which: Which) -> str:
        there = self.things(which)[: 1 if which.measured else None]
        where = "Around me" if self.around else "From here"
        if which.relation and which.relation.to.kind == YOU:
            if which.kind == ANYTHING:  # each thing is on one side
                there = [t for t in there if self._side_of(t) == which.relation.word]
            where = {"behind": "Behind me", "before": "In front of me", "left_of": "On my left"}.get(
                which.relation.word, "On my right"
            )
        elif which.relation:
            there = self._by(which.relation.to, there) if which.kind == ANYTHING else there
            return f"I see {_looks(there)}{told(which).removeprefix(which.kind)}" if there else self.none(which)
        return f"{where} I see {_looks(there) if there else none_of(which.kind)}"

    def _by(self, other: Which, things: list[Thing]) -> list[Thing]:
        """Those of them that are near a thing, or the one that is nearest to it."""
        at = next((t.pose for t in self.things(other) if t.pose), None)
        if at is None:
            return things
        apart = sorted((t.pose.level_m(at), t.id, t) for t in things if t.pose)
        return [t for far, _, t in apart if far <= NEAR_BY_M] or [t for _, _, t in apart[:1]]

    def _side_of(self, one: Thing) -> str:
        """The one of four sides of the robot on which a thing is."""
        turned = self.scene.observer.bearing_rad(one.pose) if one.pose else 0.0
        return ("before", "left_of", "behind", "right_of")[round(turned / (math.pi / 2)) % 4]

    def _most(self, which: Which) -> str:
        there = self.things(which)
        if not there:
            return ""
        looks = there[0].attributes.get("shirt", "")
        if which.kind == ANYTHING:
            return (
                f"{thing(which)} is {thing(Which(there[0].label, (looks,) if looks else ()))}: {self._spot(there[0])}"
            )
        return f"{thing(which)} is {f'the one in {looks}: ' if looks else ''}{self._spot(there[0])}"

    def _compared(self, rank: str, one: Which, other: Which) -> str:
        """Which of two is it, and where both are, or that they are much the same."""
        some, others = self.things(one), self.things(other)
        first = [t for t in some if t not in others or len(some) == 1][:1]  # the table or the desk, which is one too
        second = [t for t in others if t not in some or len(others) == 1][:1]
        if not (first and second) or first == second:
            return ""
        near = {"nearest": 1, "furthest": -1}.get(rank, 0)
        a, b = (near * _away(t) if near else order(rank, t, self.scene.observer) for t in (first[0], second[0]))
        if math.isinf(a) or math.isinf(b):
            return ""
        if abs(a - b) <= ALIKE * max(abs(a), abs(b)):
            return sentence(f"{thing(one)} and {thing(other)} are about the same in that")
        more, less = (one, other) if a < b else (other, one)
        far = " and ".join(f"{thing(w)} is {_far(self.things(w)[0])} away" for w in (more, less))
        ways = f": {far}" if rank in ("nearest", "furthest") else ""
        return sentence(f"{thing(more)} is {words()['more'][rank]}{ways}")

    def _side(self, one: Which, other: Which) -> str:
        first, second = self.things(one)[:1], self.things(other)[:1]
        if not (first and second and first[0].pose and second[0].pose):
            return ""
        here = self.scene.observer
        left = here.bearing_rad(first[0].pose) > here.bearing_rad(second[0].pose)
        return f"{thing(one)} is {'left' if left else 'right'} of {thing(other)}, seen from here"

    def _more(self, one: Which, other: Which) -> str:
        some, others = len(self.things(one)), len(self.things(other))
        first, second = plural(_one(one)), plural(_one(other))
        more = f"more {first if some > others else second}" if some != others else f"as many {first} as {second}"
        return f"There are {more}: {counted(some, _one(one))} and {counted(others, _one(other))}"

    def _big(self, one: Thing) -> str:
        high, wide = size_m(one, self.scene.view)
        return f"about {about(wide, 'm')} wide and {about(high, 'm')} high"

    def _spot(self, one: Thing) -> str:
        """Where a thing is from the robot."""
        far = f"{_far(one)} away" if one.distance_m is not None else ""
        bearing = math.degrees(self.scene.observer.bearing_rad(one.pose)) if one.pose else None
        if bearing is None:
            return far or "in view"
        side = "left" if bearing > 0 else "right"
        ways = ((AHEAD_DEG, "straight ahead of me"), (60.0, f"ahead of me on the {side}"), (120.0, f"on my {side}"),
                (160.0, f"behind me on the {side}"), (181.0, "behind me"))  # fmt: skip
        return ", ".join(filter(None, (far, next(told for most, told in ways if abs(bearing) <= most))))


ALIKE, AHEAD_DEG, FEW = 0.04, 15.0, 3

_OF_EACH: Mapping[str, tuple[Callable[[Seen, Thing], str], str]] = {
    "where": (Seen._spot, "is"), "how big": (Seen._big, "is"),
    "how far": (lambda seen, one: f"{_far(one)} away" if one.distance_m is not None else "", "is"),
    "how tall": (lambda seen, one: f"about {about(size_m(one, seen.scene.view)[0], 'm')} high", "is"),
    "what is held": (lambda seen, one: indefinite(held) if (held := one.attributes.get("holding")) else "", "holds"),
}  # fmt: skip
"""What is told of each thing that is meant, and the verb before it."""
_OF_PLACES = ("what is on", "is it here", "how many all round", "what is all round")
"""What may be asked of what lies on a thing."""
_TELLS: Mapping[str, Callable[..., str]] = {
    "how many": Seen._how_many, "how many all round": Seen._how_many, "is it in view": Seen._is_here,
    "is it here": Seen._is_here, "is it so": Seen._is_so,
    "how far apart": Seen._apart, "is either here": Seen._either, "what colour": Seen._colour,
    "what is worn": Seen._worn, "what is on": Seen._on, "what is next to": Seen._next_to,
    "what does it say": Seen._says, "what is here": Seen._what, "what is all round": Seen._what,
    "which one": Seen._most, "which side": Seen._side, "which are more": Seen._more,
}  # fmt: skip


def _one(which: Which) -> str:
    """One of what is meant, without an article."""
    return told(replace(which, count=1, rank="", nth=1))


def _far(one: Thing) -> str:
    """To its surface, as closely as one tells it."""
    return about(one.distance_m or 0.0, "m")


def _away(one: Thing) -> float:
    return math.inf if one.distance_m is None else one.distance_m


def _looks(things: Sequence[Thing]) -> str:
    """As `all_of`; a few people each by what they wear."""
    worn = [f"{t.label} in {t.attributes['shirt']}" for t in things if "shirt" in t.attributes]
    return listed([*map(indefinite, worn)]) if len(things) == len(worn) <= FEW else all_of(things)


def all_of(things: Sequence[Thing]) -> str:
    """Each kind once, with how many of it; "nothing" for none."""
    kinds = Counter(t.label for t in things if t.label)
    return listed([counted(n, label) if n > 1 else indefinite(label) for label, n in kinds.items()])
