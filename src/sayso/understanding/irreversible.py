"""Deeds that cannot be undone: a wish names them, or the person is asked before they are done (U6).

A kit says which of its robot's deeds are final (`Kit.final`). Whoever plans, each is looked for in the whole plan
before anything moves, and in each call before it begins: what only becomes known on the way is asked about then.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from sayso.errors import NotUnderstood, Unclear
from sayso.goal import ANYTHING, IT, Pred, Which
from sayso.goals.spoken import doing
from sayso.grounding.answers import consented
from sayso.grounding.mentions import Name, mentions
from sayso.grounding.tokens import clean, tokens
from sayso.grounding.utterance import stem
from sayso.tables import toml
from sayso.understanding.operators import operators
from sayso.wish import Wish

LEAVES = ("placed", "given")
"""Deeds that leave a thing with somebody or somewhere."""
LEFT = "All right, I leave it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Irreversible:
    """A deed that cannot be undone: a thing gets to where `marks(thing, to)` says so.

    `deed` is its name in `grounding/final.toml`, which has the words by which a wish asks for it; `names` are those of
    things in a wish, and `kind_of` tells the category of one. `never` is said where the wish speaks of somebody as in
    `never_to`.
    """

    deed: str
    marks: Callable[[str, str], bool]
    names: Sequence[Name] = ()
    kind_of: Callable[[str], str] = lambda thing: ""
    never: str = ""
    never_to: Callable[[str], bool] = lambda wish: False


@dataclass
class IrreversibleDeeds:
    """The irreversible deeds of one robot. `wish` is what the person wants by now in one sentence, `asked` what was
    asked back of it, and `holding` what the hand has."""

    finals: Sequence[Irreversible]
    wish: Callable[[], str]
    asked: Callable[[], Wish | None]
    holding: Callable[[], str]
    _granted: set[tuple[str, str]] = field(default_factory=set, init=False)
    """Things, or all of them, and where a person has said that they may go."""

    def check(self, deeds: Iterable[Pred]) -> None:
        """Deeds in their order, which have not begun. Raises `Unclear` with the question where one of them is final and
        nobody named it, and `NotUnderstood` where the answer was no, or where it is never done."""
        held = self.holding() if self.finals else ""
        for deed in deeds:
            which = [a for a in deed.args if isinstance(a, Which)]
            thing = which[0].kind if which and which[0].kind not in (ANYTHING, IT) else ""
            if deed.name == "holding":
                held = thing
            elif deed.name in LEAVES and len(which) > 1:
                thing = thing or (held if which[0].count == 1 else "")
                self._final(replace(which[0], kind=thing or ANYTHING), which[1])

    def _final(self, which: Which, to: Which) -> None:
        thing = "" if which.kind == ANYTHING else which.kind
        for final in (f for f in self.finals if f.marks(thing, to.kind)):
            if final.never and final.never_to(self.wish()):
                raise NotUnderstood(final.never.format(thing=thing))
            if (
                self._named(final, thing)
                or {("", to.kind), (thing, to.kind), (final.kind_of(thing), to.kind)} & self._granted
            ):
                continue
            question = f"Shall I {doing(Pred('placed' if final.deed == 'thrown' else 'given', (which, to)))}?"
            answer = consented(self.asked(), question)
            if answer is False:
                raise NotUnderstood(LEFT)
            if not answer:
                raise Unclear(question)
            self._granted.add((thing, to.kind))

    def _named(self, final: Irreversible, thing: str) -> bool:
        """Whether the wish asks for this deed, and speaks of this thing or of none in particular."""
        wish = self.wish()
        words = {stem(t.text) for t in tokens(clean(wish))}
        deeds = toml("sayso.grounding", "final.toml")["deeds"][final.deed]
        if deeds and not words & {stem(word) for word in deeds}:
            return False
        spoken = [m for m in mentions(wish, final.names) if m.what != "place"]
        meant = {m.name for m in spoken if not m.denied}
        return (
            not (spoken and thing)
            or bool(meant & {thing, final.kind_of(thing)})
            or any(o.kind == "quantifier" for o in operators(wish))
        )
