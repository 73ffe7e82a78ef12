"""The short form in which the embedded model is asked about a household wish: what it says, as a goal.

    <command>bring mary at the sink a cola from the kitchen<do>given(cola from kitchen, mary from sink)<end>

Code finds what the words stand for, writes the plan with the goal that it is held to behind it, and mends it when it
fails.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sayso.errors import NotUnderstood
from sayso.goal import ALL, ANYTHING, IT, ME, PREDICATES, All, Argument, Clause, Each, If, Not, Pred, Then, Which
from sayso.goals.clauses import changed, mapped, whiches
from sayso.goals.text import parse, show
from sayso.grounding.addressed import asking, telling
from sayso.grounding.answers import asks_of, consented
from sayso.grounding.inflection import singular
from sayso.grounding.matching import MISPLACED
from sayso.grounding.mentions import Name
from sayso.grounding.names import Names, read_names
from sayso.grounding.people import is_person, is_pronoun
from sayso.grounding.tokens import clean, tokens
from sayso.language.printer import joined
from sayso.models.pocket.reading import PlannedForm, Sayable
from sayso.planners.reflex import by_amount
from sayso.robots.service.goal_plan import KNOWN, QUESTIONS, REPLIES, found_out, is_door, message, plan_of, to_person
from sayso.robots.service.repair import mended
from sayso.robots.service.walk import say
from sayso.roles import Brief, Prompt
from sayso.skills.name_resolver import ANYONE, SOMEWHERE, START, USUAL, Nameless, NameResolver
from sayso.tables import toml
from sayso.understanding.errands import HOME, Vocabulary, how_many
from sayso.understanding.forms import brief_of
from sayso.understanding.gaps import Gap, question, unread
from sayso.understanding.irreversible import LEFT
from sayso.understanding.operators import texts
from sayso.understanding.questions import asked, only_asked

SAYABLE = Sayable(
    mark="command",
    goals=("given(which, which)", "placed(which, which)", "holding(which)", "found(which)", "at(which)", "home",
           "guided(which, which)", "followed(which, which?)", "introduced(which, which)", "gone(which)",
           "heard(which, text)", "said(text)", "asked(which, text)", "named(which)", "answered(asking, which?, which?)",
           "informed(which, asking, which?, which?)", "there(which)", "stayed"),
    tests=("found(which)", "agreed(which)", "there(which)"),
    refusals=tuple(REPLIES["refuse"]),
    missing=tuple(REPLIES["ask"]),
    questions=("question", *QUESTIONS, *KNOWN),
    clauses=("if", "times", "each"),
    relations=("on", "in", "beside", "behind", "before", "under", "left_of", "right_of"),
    unsaid=(ANYONE, "thing", SOMEWHERE, USUAL, ME, "open", "closed", *REPLIES["hints"]),
    spoken=("hello", "goodbye", "yes", "no", "dinner is ready"),
    among=True,
    units=False,
)  # fmt: skip
"""What a household wish can say, and the names that may be written though nobody said them."""


class CommandForm(PlannedForm):
    lessons, threshold, says = "service reading", SAYABLE.mark, SAYABLE
    mends = 12
    """So many plans at most does code make of one reading, and ends by itself: every room of a home is looked into."""

    def planned(self, prompt: Prompt, written: str) -> str:
        return planned(written, brief_of(prompt))

    def names(self, brief: Brief) -> Sequence[Name]:
        return read_names(brief.knowledge).spoken

    def part(self, brief: Brief, text: str) -> Clause | None:
        return _vocabulary(read_names(brief.knowledge)).part(text, lambda said: by_amount(brief, said))

    def known(self, prompt: Prompt) -> str:
        brief = brief_of(prompt)
        if prompt.purpose not in self.ways or not brief.knowledge:
            return ""
        if brief.history:
            return mended(brief)
        names = read_names(brief.knowledge)
        try:
            return _known(brief, names)
        except NotUnderstood as why:
            return self.declined(prompt, str(why))


def _vocabulary(names: Names) -> Vocabulary:
    return Vocabulary(names.spoken, names.people, next((p.name for p in names.places.values() if p.bin), ""))


def _known(brief: Brief, names: Names) -> str:
    """A plan for what code reads by itself; empty where it does not. Raises `NotUnderstood`."""
    known = _vocabulary(names)
    if (asks := asked(brief.core, known.words)) is not None:
        asks = known.grounded(asks)
        if len(asks.args) > 1 and isinstance(about := asks.args[1], Which) and about.kind in KNOWN:
            asks = Pred("answered", (about.kind,))  # has anybody got the time
            return _with_goal(asks, names, brief)
        return f"{found_out(asks, names)}\n{show(asks)}"
    if (errand := known.errand(brief.core)) is None:
        ordered = known.in_order(brief.core, lambda text: by_amount(brief, text))
        return _with_goal(ordered, names, brief) if ordered else ""
    if errand.vague and (agreed := consented(brief.wish, tidied := _tidying(errand.goal, names))) is not True:
        raise NotUnderstood(LEFT if agreed is False else tidied)

    def stray(which: Which) -> Which:
        """Of whatever there is what is not where it belongs, and where things belong as the plan calls it."""
        if errand.vague and which.kind == ANYTHING and which.count == ALL:
            return replace(which, traits=(MISPLACED,))
        return Which(USUAL) if which == Which(HOME) else which

    return _with_goal(mapped(errand.goal, stray), names, brief)


def _tidying(goal: Clause, names: Names) -> str:
    """What is asked of who wants it tidy: whether each thing is to go to where it belongs."""
    source = next((w.source for w in whiches(goal) if w.source), "")
    room = source in names.places and names.places[source].is_room
    asks: str = REPLIES["tidy"]["room" if room else "place" if source else "all"]
    return asks.format(source=source)


def planned(reading: str, brief: Brief) -> str:
    """The plan that a reading asks for, and behind it its goal. Raises `PlanSyntaxError`, `NotUnderstood`."""
    kind, _, why = reading.partition(" ")
    if kind in ("refuse", "ask") and why in REPLIES[kind]:
        return joined(say.lost(REPLIES[kind][why]))
    goal, names = only_asked(answering(parse(reading), brief.core), brief.request), read_names(brief.knowledge)
    if parted := [*unread(brief.core, goal, names.spoken), *_people_left_out(brief.core, goal, names)]:
        raise NotUnderstood(question(parted))
    if several := how_many(goal, names.spoken):
        raise NotUnderstood(several)
    return _with_goal(goal, names, brief)


def _people_left_out(wish: str, goal: Clause, names: Names) -> Iterator[Gap]:
    """Who is named and stands nowhere in the goal; everybody, who stands there, of whom nothing was said."""
    said, told = {t.text.removesuffix("'s") for t in tokens(clean(wish.lower()))}, texts(goal).lower()
    yield from (Gap("left_out", name) for name in names.people if name.lower() in said and name.lower() not in told)
    everybody = toml("sayso.grounding", "errands.toml")["people"]["everybody"]
    spoken_of = any(is_person(word) or is_pronoun(word) or word in everybody for word in said)
    if not spoken_of and any((which.count, which.kind) == (ALL, ANYONE) for which in whiches(goal)):
        yield Gap("unsaid", "everybody")


def _with_goal(goal: Clause, names: Names, brief: Brief) -> str:
    named = NameResolver(names)
    goal = named.one_by_one(_them(goal, named))
    return f"{plan_of(goal, names, brief.core)}\n{show(wanted(goal, names, brief.core))}"


def _them(goal: Clause, named: NameResolver) -> Clause:
    """Whoever is spoken of where somebody is there is one of those who are."""

    def anyone(which: Which, *sources: str) -> bool:
        some = named.is_who(which) and named.who(which).text in ("", ANYONE)
        return some and which.source in sources

    match changed(goal, lambda part: _them(part, named)):
        case If(Pred("found" | "there", (Which() as who,)) as test, yes, no) if anyone(who, who.source):
            one = replace(who, count=1, rank="nearest")
            return If(test, mapped(yes, lambda which: one if anyone(which, "", who.source) else which), no)
        case If(Not(Pred("found", (Which() as who,))) as test, Pred("at" | "found" | "visited", to), no) if (
            who.source and to == (who,)
        ):
            return If(test, Pred("visited", (Which(who.source),)), no)  # to where nobody is
        case same:
            return same


def answering(goal: Clause, wish: str) -> Clause:
    """Who asks whether there is something wants to hear of it, and not only that it be found; nobody is to go to what
    is only for a use ("I'm starving")."""
    match goal:
        case Pred("at", (Which(kind) as which,)) if kind in REPLIES["hints"]:
            return Pred("given", (which, Which(ME)))
        case Pred("found", (Which() as which,)) if asks := asks_of(wish):
            return Pred("answered", (asks, which))
        case Pred("heard", (who, "yourself")):
            return Pred("informed", (who, "yourself"))
    return changed(goal, lambda part: answering(part, wish)) if isinstance(goal, Each | All | Then) else goal


def wanted(goal: Clause, names: Names, wish: str = "") -> Clause:
    """The goal as it can be held against what the robot does: things and people as the table has them and as skills are
    told of them, messages as they are said."""
    return _Wanted(NameResolver(names), wish).of(goal)


class _Wanted:
    def __init__(self, named: NameResolver, wish: str) -> None:
        self._named, self._wish = named, wish

    def of(self, clause: Clause) -> Clause:
        match clause:
            case Pred("followed", (Which() as who, Which() as place)):
                return Then((self.of(Pred("followed", (who,))), self.of(Pred("guided", (who, place)))))
            case Pred("at", (Which() as place,)) if self._named.is_place(place):
                return self.of(Pred("visited", (place,)))
            case Pred("heard", (Which() as who, str(text), *_)):
                name = self._argument("who", who)
                return Pred("heard", (name, message(text, self._named.who(who), self._wish)))
            case Pred("placed", (Which() as which, Which() as place)):
                if to_person(place, self._named):
                    return Pred("given", (self._which(which), self._argument("who", place)))
                return Pred("placed", (self._which(which), self._put_on(which, place)))
            case Pred("asked", (Which() as who, str(text))):
                question = Pred("asked", (Which("person"), asking(text, self._wish)))
                named = self._argument("who", who)
                return Then((Pred("found", (named,)), question)) if self._named.who(who).named else question
            case Pred("there", (Which() as which,)) if is_door(which):
                return Pred("there", (replace(which, kind=self._named.doors(which)),))
            case Pred("said", (str(text),)):
                return Pred("said", (telling(text, self._wish),))
            case Pred(name, args):
                roles = (p.name for p in PREDICATES[name].parameters)
                return Pred(name, tuple(self._argument(role, a) for role, a in zip(roles, args, strict=False)))
            case If(Pred("found", (Which() as who,)) | Not(Pred("found", (Which() as who,))) as test, yes, no) if (
                who.source and self._named.is_who(who)
            ):
                there = Which(self._named.who(who).text or "person", source=self._named.place(Which(who.source)))
                found = Pred("found", (there,))
                return If(Not(found) if isinstance(test, Not) else found, self.of(yes), self.of(no) if no else None)
            case Each(which, body):
                some = self._which(which)
                every = replace(some, count=which.count, source=which.source) if self._named.is_who(which) else some
                return Each(every, self.of(body))
        return changed(clause, self.of)

    def _put_on(self, which: Which, place: Which) -> Which:
        """Where a look can tell that something is; outside it only is on the floor."""
        there = self._named.place(place)
        known = self._named.names.places.get(self._named.what(which).usual if there == USUAL else there)
        if known is None and there == USUAL:
            return Which(HOME)
        return Which(known.name) if known and (known.placement or known.bin or known.is_room) else Which()

    def _argument(self, role: str, argument: Argument) -> Argument:
        if not isinstance(argument, Which) or argument.kind == IT:
            return argument
        return Which(self._named.who(argument).text or "person") if role in ("who", "whom") else self._which(argument)

    def _which(self, which: Which) -> Which:
        if which.kind == IT:
            return which
        if self._named.is_place(which):
            place = self._named.place(which)
            return Which() if place in (SOMEWHERE, USUAL) else Which("me" if place == START else place)
        if self._named.is_who(which):
            return Which(self._named.who(which).text or "person")
        try:
            what = self._named.what(replace(which, but=()))
        except Nameless:
            return which
        but = tuple(map(self._which, which.but))
        unsaid = what.anything or what.choices or what.text == "object"
        sort = what.text.split(" ")[-1] in self._named.names.categories
        one = singular(what.text) if sort or what.text in self._named.names.categories else what.text
        return Which(ANYTHING if unsaid else one, count=which.count, source=what.place, but=but)
