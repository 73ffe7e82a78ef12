"""The things in view that a wish means, what they are called, and what to ask where a look does not tell."""

from dataclasses import replace

from sayso.goal import YOU, Which
from sayso.goals.evidence import whole
from sayso.goals.seen import Seen, all_of
from sayso.goals.spoken import told
from sayso.grounding.lexicon import kind, words
from sayso.grounding.phrases import coloured, described, same_as
from sayso.scene import Scene, Thing


class ThingsInView:
    """The things in view, and what a wish calls them."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._seen = scene, Seen(scene)

    def here(self, which: Which) -> Thing | None:
        """The thing that is meant, of those in view; None where none is, or where its looks do not tell."""
        beside = which.relation is not None and which.relation.word == "beside"  # the closest of all, in view or not
        if which.among or beside or not all(self.tells(Which(which.kind, out.traits)) for out in which.but):
            return None
        return self._told_apart(which) or next(iter(self._seen.things(which)), None)

    def several(self, which: Which) -> int:
        """How many of a kind there are."""
        return len(self._seen.things(Which(which.kind)))

    def name(self, which: Which) -> str:
        """How a statement names it; empty where it is not in view, or has no label: no plan can name that."""
        thing = self.here(which)
        if thing is None or not thing.label:
            return ""
        more = which.rank or which.traits or which.but or which.relation or kind(which.kind) != kind(thing.label)
        return self._scene.pick(thing) if more else thing.label

    def tells(self, which: Which) -> bool:
        """Whether looks tell of each of a kind in view what was said of it; of what is not in view they may."""
        return self._seen.tells(which)

    def wider(self, which: Which) -> bool:
        """Whether only things of a narrower kind are in view: of a table and a desk the desk may be neither's other."""
        there = self._seen.things(Which(which.kind))
        return bool(there) and not any(same_as(which.kind, [t.label]) for t in there)

    def shows(self, which: Which, entire: bool = False) -> bool:
        """Whether it is in view, or all of it; of the most of some, all of each."""
        some = self._seen.things(which) if entire else self._seen.things(which)[:1]
        return bool(some) and all(whole(t) or not entire for t in some)

    def has(self, which: Which) -> bool | None:
        """Whether one of a kind is like that; None where looks do not tell."""
        if not self.several(which) or not self.tells(which):
            return None
        return bool(self._seen.things(which))

    def called(self, which: Which) -> str:
        """As it was said."""
        kind_ = self._kind(which)
        if which.among:
            return " or ".join(map(self.called, which.among))
        return " ".join(filter(None, (which.rank, told(replace(which, kind=kind_)))))

    def question(self, which: Which) -> str:
        """What to ask for where a name does not say which thing is meant; empty where it does."""
        called = self.called(which)
        if which.relation and which.relation.to.kind != YOU:  # on which side of the robot, bearings tell
            to = self.called(which.relation.to)
            return f"What is on the {to}?" if which.relation.word == "on" else f"Which thing is closest to the {to}?"
        if which.but:
            out = " or ".join(trait for one in which.but for trait in one.traits)
            return f"Which {self.called(Which(which.kind))} is not {out}?"
        if which.rank:
            nth = {2: "second ", 3: "third ", 4: "fourth "}.get(which.nth, "")
            return f"Which is the {nth}{which.rank} {self._kind(which)}?"
        colour, rest = coloured(called)
        if colour:
            return f"Which {rest} is {colour}?"
        return f"Which is {called}?" if which.traits or described(which.kind) else ""

    def in_words(self) -> str:
        """What is in view, in a sentence."""
        return f"I see {all_of([*self._scene])}." if self._scene.names else "I see nothing that I know."

    def _told_apart(self, which: Which) -> Thing | None:
        """The only one of those of a kind of which perception tells what the phrase tells."""
        if not described(which.kind):
            return None
        head, said = words(which.kind)[0], f" {' '.join(words(which.kind))} "
        label = self._label(head)
        looks = [(t, [" ".join(words(v)) for v in t.attributes.values() if v]) for t in self._scene.alike(label)]
        fitting = [t for t, told in looks if any(f" {look} " in said for look in told)]
        return fitting[0] if label and len(fitting) == 1 else None

    def _label(self, phrase: str) -> str:
        return same_as(phrase, (t.label for t in self._scene))

    def _kind(self, which: Which) -> str:
        return self._label(which.kind) or which.kind
