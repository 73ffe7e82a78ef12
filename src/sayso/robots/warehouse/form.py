"""The short form in which the embedded model is asked about a wish to the warehouse robot: what it says, as a goal.

    <next>two lemons to the purchase table, please<do>placed(2 lemons, 'purchase table')<end>

The ledger makes of that what is owed, and the next step each time. What only a description can tell, the model's common
sense is asked about, among the names of things that there can be.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from sayso.errors import NotUnderstood, PlanSyntaxError
from sayso.goal import IT, ME, Clause, Each, Pred, Relation, Which
from sayso.goals.clauses import clauses, mapped, preds
from sayso.goals.text import parse, show
from sayso.grounding.lexicon import known, means
from sayso.grounding.mentions import Name, mentions
from sayso.grounding.pattern import pattern
from sayso.grounding.tokens import clean, tokens
from sayso.models.pocket.reading import ReadingForm, Sayable
from sayso.planners.reflex import by_amount
from sayso.plugins.steps import GIVE_UP
from sayso.prompts import probe_prompt
from sayso.robots.warehouse.ledger import Goal, comes_to, owed
from sayso.robots.warehouse.names import HOME, MISPLACED, OR, Table
from sayso.robots.warehouse.notes import Sights
from sayso.robots.warehouse.wanted import wanted
from sayso.roles import Brief, Prompt
from sayso.scene import Box, Scene, Thing
from sayso.tables import toml
from sayso.understanding.errands import Vocabulary, how_many
from sayso.understanding.forms import OTHERWISE, UNSURE, brief_of
from sayso.understanding.gaps import question, unread
from sayso.understanding.questions import asked, only_asked

REPLIES = toml(__package__, "replies.toml")

SAYABLE = Sayable(
    mark="next",
    goals=("placed(which, which)", "visited(which)"),
    tests=("found(which)", "placed(which, which)"),
    refusals=tuple(REPLIES["refuse"]),
    missing=tuple(REPLIES["ask"]),
    clauses=("if", "each"),
    relations=("on", "beside"),
    unsaid=("thing", "me", HOME, MISPLACED, *REPLIES["hints"]),
    among=True,
)
"""What a wish can say: things go to places (`home` is where each belongs, `me` whoever speaks); the robot goes
there."""
ALONE = Box(0.5, 0.5, 0.1, 0.1)
"""A picture with one thing: each may be meant, and is asked about by itself."""
ALIKE = 0.7
"""What is said to fit more of the names than this tells nothing."""


class WishForm(ReadingForm):
    """A wish, read once."""

    ways = frozenset({"stepwise"})
    lessons, threshold, says = "warehouse reading", SAYABLE.mark, SAYABLE

    def part(self, brief: Brief, text: str) -> Clause | None:
        return Vocabulary(Table(brief.knowledge).names).part(text, lambda said: by_amount(brief, said))

    def known(self, prompt: Prompt) -> str:
        brief = brief_of(prompt)
        if prompt.purpose not in self.ways or brief.history or not brief.knowledge:
            return ""
        table = Table(brief.knowledge)
        vocabulary = Vocabulary(table.names)
        if (asks := asked(brief.core, vocabulary.words)) is not None:
            return json.dumps({"want": show(_received(vocabulary.grounded(asks), brief.core, table))})
        try:
            errand = vocabulary.errand(brief.core, brief.instruction)  # "don't touch the bus, but bring the other toys"
            goal = errand.goal if errand else vocabulary.in_order(brief.core, lambda text: by_amount(brief, text))
        except NotUnderstood as why:
            return self.declined(prompt, str(why))
        return json.dumps({"want": show(table.sparing(goal, brief.instruction))}) if goal else ""

    def planned(self, prompt: Prompt, written: str) -> str:
        kind, _, why = written.partition(" ")
        if kind in ("refuse", "ask"):
            return self.declined(prompt, REPLIES[kind][why].format(wish=brief_of(prompt).core.strip(" .!?")))
        brief = brief_of(prompt)
        table = Table(brief.knowledge)
        goal = table.sparing(parse(written), brief.instruction)
        if any(_nameless(one.kind) for one in _things(goal) if one.kind not in (IT, ME)):
            raise NotUnderstood(f"{UNSURE} {OTHERWISE}")
        if any(_beside(pred, table) for pred in preds(goal)):
            raise NotUnderstood(REPLIES["ask"]["spot"])
        if any(_lies_there(pred, brief.core) for pred in preds(goal)):
            raise NotUnderstood(f"{UNSURE} {OTHERWISE}")
        match only_asked(goal, brief.request):
            case Pred("answered") as asks:
                return json.dumps({"want": show(Vocabulary(table.names).grounded(asks))})
        places = comes_to(owed(goal, table), table)
        if asked := question(unread(brief.core, goal, table.names, places)) or how_many(goal, table.names):
            raise NotUnderstood(asked)
        return json.dumps({"want": show(goal)})

    def held_to(self, prompt: Prompt, written: str) -> Clause | None:
        """What the ledger makes of it, where nothing hangs on what is not known."""
        table = Table(brief_of(prompt).knowledge)
        with suppress(NotUnderstood, PlanSyntaxError):
            goals = owed(self.goal(prompt, written), table)
            some = [one for one in goals if isinstance(one, Goal)]
            return wanted(some, Sights(table)) if len(some) == len(goals) else None
        return None

    def names(self, brief: Brief) -> Sequence[Name]:
        return Table(brief.knowledge).names

    def declined(self, prompt: Prompt, says: str) -> str:
        return json.dumps({"next_action": {"skill": GIVE_UP, "params": [says]}})

    def completed(self, prompt: Prompt, written: str, ask: Callable[[Prompt], str]) -> str:
        if self.refuses(prompt, written):
            return written
        try:
            goal = parse(written)
        except PlanSyntaxError:
            return written  # which is declined as it is
        table, meant = Table(brief_of(prompt).knowledge), dict[str, str]()
        for phrase in dict.fromkeys(w.kind for w in _things(goal) if w.kind != IT and table.told_apart(w.kind)):
            if means("food", phrase) or known(phrase) or _nameless(phrase):  # of these the dictionary knows
                continue
            some = table.kinds_of(phrase)
            shown = {n: {"color": colour} if (colour := table.paint.get(n)) else {} for n in some}
            alone = {n: Scene((Thing(n, n, ALONE, attributes=looks),)) for n, looks in shown.items()}
            names = [n for n in some if ask(probe_prompt(f"Which is {phrase}?", alone[n])) == n]
            if 0 < len(names) <= max(1, ALIKE * len(some)):
                meant[phrase] = OR.join(names)
        return show(mapped(goal, lambda which: _named(which, meant)))


def _nameless(phrase: str) -> bool:
    """Whether it begins as no name does: "nothing soft"."""
    return phrase.split()[0] in toml("sayso.grounding", "told.toml")["none"].values()


def _received(asks: Pred, core: str, table: Table) -> Pred:
    """What has come in is where things come in."""
    match asks:
        case Pred(name, (question, Which(kind, relation=None, source="") as which)) if (
            place := table.received(core)
        ) and kind != place:
            return Pred(name, (question, replace(which, relation=Relation("on", Which(place)))))
    return asks


def _things(goal: Clause) -> Iterator[Which]:
    """Those that are to be found or brought, and those that are excepted; no places."""
    for clause in clauses(goal):
        match clause:
            case Pred(name, (Which() as which, *_)) if name != "visited":
                yield from (which, *which.but)
            case Each(which, _):
                yield from (which, *which.but)


def _lies_there(pred: Pred, core: str) -> bool:
    """Whether something is to be put where it was said to be: who ships what is on a table takes it from there."""
    sends, words = toml("sayso.grounding", "said.toml")["purposes"]["out"], tokens(clean(core))
    to = pred.args[1] if pred.name == "placed" else None
    lies = isinstance(to, Which) and pattern(f"on [the] {to.kind}").search(words)
    return bool(lies) and words[0].text in sends


def _beside(pred: Pred, table: Table) -> bool:
    """Whether something is to be put to a thing, and not to a place."""
    to = pred.args[1] if pred.name == "placed" else None
    said = {m.what for m in mentions(to.kind, table.names)} if isinstance(to, Which) else set()
    return "kind" in said and "place" not in said


def _named(which: Which, meant: Mapping[str, str]) -> Which:
    but = tuple(_named(b, meant) for b in which.but)
    return replace(which, kind=meant.get(which.kind, which.kind), but=but)
