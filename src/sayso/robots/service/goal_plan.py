"""The plan by which a service robot reaches a goal, as one list of calls, from rules that are few and written down.

- What was left out is asked first, while whoever wished is near: who, what, where to, and where somebody of a name is.
- Somebody is met where they were said to be; who is only described, and not said where, is looked for in every room.
- A thing is taken from where it was said to be, else from where its kind belongs. Where it is to go there, and is there
  already, something else was meant: it is asked about.
- What has to be found out is found out first, and told to whom it is for afterwards.
- All of a kind is a loop that ends where there is no more of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from sayso.errors import NotUnderstood
from sayso.goal import ALL, IT, ME, Clause, Never, Not, Pred, Which
from sayso.goals.clauses import preds, whiches
from sayso.goals.text import named as as_text
from sayso.goals.text import quoted
from sayso.grounding.addressed import asking, telling
from sayso.grounding.addressed import question as known_question
from sayso.grounding.inflection import is_are, plural, row, singular
from sayso.grounding.matching import MISPLACED
from sayso.grounding.names import Names
from sayso.language.printer import joined, repeated, when
from sayso.planners.goal_plan import UNANSWERED, UNREACHED, UNTOLD, GoalPlan, leaves
from sayso.robots.service.walk import Walk, say, written
from sayso.skills.moves import calls_for
from sayso.skills.name_resolver import ANYONE, SOMEWHERE, START, USUAL, Nameless, NameResolver, What, Who
from sayso.tables import toml
from sayso.understanding.questions import is_plain

_Do: TypeAlias = Callable[[Which], list[str]]

MOST = 12
"""Of all of a kind so many are dealt with."""

ABOUT = {"name": ("name", "The name is "), "gender": ("gender", "{} is "), "pose": ("pose", "{} is "),
         "gesture": ("gesture", "{} is "), "clothes": ("clothing", "{} wears a ")}  # fmt: skip
"""Questions about a person, what `person_info` calls it, and how it is told."""

OBJECT, REPLIES = " object", toml(__package__, "replies.toml")
KNOWN: Mapping[str, str] = REPLIES["known"]
"""Questions that the robot's own table answers, and how it is asked."""

LOOKED_UP = ("how many", "is it here", "where", "which are more", "what colour", "what is on", "what is next to")
"""Questions that are answered by going to look."""

QUESTIONS = (*ABOUT, *LOOKED_UP, "which", "reply")

TIDY, STRAY = (MISPLACED, USUAL), f"{MISPLACED} object"
"""What is to go where, for who wants it tidy; and how that is looked for."""

AT_ONCE = ("where it belongs", "what is here", "how many", "is it in view", "which is largest", "which is smallest",
           "which is tallest", "which is shortest")  # fmt: skip
"""Questions that need no way to anywhere."""


FOLLOW = say("Please follow me!")
WHERE_TO = "Where should it go?"
FLOOR = "Nothing can be put on the {}, so I put it on the floor there."


def plan_of(goal: Clause, names: Names, wish: str = "") -> str:
    """A plan that reaches the goal, in the robot's abbreviations. `wish` gives what is said its capitals back.

    Raises `NotUnderstood` for a goal that no skill reaches, and for names that nothing has.
    """
    plan = _ServicePlan(names, wish, goal)
    steps = plan.steps([goal])
    return joined([*plan.walk.first, *steps])


class _ServicePlan(GoalPlan):
    """Writes one plan."""

    def __init__(self, names: Names, wish: str, goal: Clause) -> None:
        self.named, self._names, self._wish = NameResolver(names), names, wish
        self.walk = Walk(self.named, self.variable)
        self._ask_by = "cf" if any(p.name == "agreed" for p in preds(goal)) else "ak"
        self._reply, self._looping = "", False

    def times(self, parts: Sequence[Clause]) -> list[str]:
        """Whoever it is done to is met once."""
        once, again = self.steps([parts[0]]), self.steps([parts[0]])
        return [*once, *(again if len(parts) == 2 else [repeated(len(parts) - 1, again)])]

    def pred(self, pred: Pred) -> list[str]:
        named, walk = self.named, self.walk
        match pred:
            case Pred("given", (Which() as which, Which() as who)):
                return self._many(which, lambda one: self._give(one, who))
            case Pred("placed", (Which() as which, Which() as place)) if to_person(place, named):
                return self._many(which, lambda one: self._give(one, place))
            case Pred("placed", (Which(traits=(trait,)) as which, Which(kind=to))) if (trait, to) == TIDY:
                return self._tidy(which.source)
            case Pred("placed", (Which() as which, Which() as place)):
                return self._many(which, lambda one: self._put(one, place))
            case Pred("holding", (Which() as which,)):
                return self._fetch(named.what(which))
            case Pred("at" | "visited" | "found", (Which() as which,)):
                return self._find(which)
            case Pred("home", ()):
                return walk.go(START, always=True)
            case Pred("guided", (Which() as who, Which() as place)):
                return self._guide(named.who(who), place)
            case Pred("followed", (Which() as who, *_)):
                one = named.who(who)
                met = walk.meet(one)
                walk.at = ""
                return [*met, f"f({walk.called(one)})"]
            case Pred("gone", (Which() as who,)):
                one = named.who(who)
                return [*walk.meet(one), say(f"{one.text}, please leave." if one.named else "Please leave.")]
            case Pred("heard", (Which() as who, str(text), *_)):
                one = named.who(who)
                return [*walk.meet(one), say(message(text, one, self._wish))]
            case Pred("said", (str(text),)):
                return [say(telling(text, self._wish))]
            case Pred("asked", (Which() as who, str(text))):
                self._reply = self.variable()
                asked = f"{self._reply}={self._ask_by}({quoted(asking(text, self._wish))})"
                return [*walk.meet(named.who(who)), asked]
            case Pred("introduced", (Which() as who, Which() as whom)):
                return self._introduce(named.who(who), named.who(whom))
            case Pred("named", (Which() as which,)):
                return self._inform(Who(ME), "which", [which])
            case Pred("answered", (str(question), *_)) if question not in QUESTIONS and is_plain(question):
                return self.looked_at(question, list(whiches(pred)))
            case Pred("moved" | "turned" | "waited", _):
                walk.anywhere()
                return [f"{skill}({amount})" for skill, amount in calls_for(pred)]
            case Pred("answered", (str(question), *_)):
                return self._inform(Who(ME), question, list(whiches(pred)))
            case Pred("informed", (Which() as who, str(question), *_)):
                return self._inform(named.who(who), question, list(whiches(pred))[1:])
            case Pred("there", (Which() as which,)) if is_door(which):
                verb = "open" if "open" in which.traits else "close"
                return [*walk.meet(Who(ME)), say(f"Please {verb} the {named.doors(which)}.")]
            case Pred("stayed", ()):
                return [] if walk.at else [say("All right, I leave it as it is.")]
        raise NotUnderstood(UNREACHED)

    def other(self, clause: Clause) -> list[str]:
        """What is never to be is left alone."""
        return [] if isinstance(clause, Never) else super().other(clause)

    # What it does with things

    def _many(self, which: Which, do: _Do) -> list[str]:
        """It of one, of so many, or of all."""
        one = replace(which, count=1)
        if which.count != ALL:
            return [step for _ in range(which.count) for step in do(one)]
        what = self.named.what(one)
        if not what.where:
            raise NotUnderstood(f"I do not know where all {what.text} are.")
        left = self.variable()
        there = f"{left}={_count(what.text, what.where)}"
        self.walk.anywhere()
        self._looping = True
        body = do(one)
        self._looping = False
        self.walk.anywhere()
        none = when(f"{left}==0", say.lost(f"I found no {what.text} there."))
        return [there, none, repeated(MOST, [when(f"{left}>0", [*body, there])])]

    def _tidy(self, source: str) -> list[str]:
        """Each thing that is where it does not belong to its place, spot by spot."""
        names, left, steps = self._names, self.variable(), list[str]()
        rooms = [source] if source in names.places and names.places[source].is_room else self.named.furnished()
        spots = [p.name for room in rooms for p in names.within(room)]
        self.walk.anywhere()
        for spot in spots if not source or source in rooms else [source]:
            there = f"{left}={_count(STRAY, spot)}"
            moved = [f"lo({quoted(STRAY)})", "gr('it')", f"pl({quoted(USUAL)})", there]
            steps += [there, repeated(MOST, [when(f"{left}>0", moved)])]
        return steps

    def _fetch(self, what: What) -> list[str]:
        """Into the hand."""
        text, it, place = quoted(what.text), quoted(what.text if what.text in self._names.kinds else "it"), what.where
        if what.place and (what.plain or what.text.endswith(OBJECT)):  # there and nowhere else
            near = "in" if self._names.places[what.place].is_room else "on"
            text, it = quoted(f"{what.text} {near} the {what.place}"), "'it'"
        if what.choices:
            text, it = self.walk.ask(f"Which one: {row([f'the {c}' for c in what.choices], 'or')}?"), "'it'"
            place = place or self.named.usual(what.choices[0])
        elif what.anything and not self._looping:
            text, it = self.walk.ask("Which object should I bring?"), "'it'"
        return [*self.walk.go(place), f"lo({text})", f"gr({it})"]

    def _give(self, which: Which, to: Which) -> list[str]:
        what, who, walk = self.named.what(which), self.named.who(to), self.walk
        if who.anyone:
            answer = walk.ask(f"Who should get {what.told}?" if not what.anything else "Who should get it?")
            fetched = self._fetch(what)
            went = walk.go(who.place or answer)
            walk.near, walk.last = "", Who(answer, who.place or answer, named=True)
            return [*fetched, *went, f"gv({answer})"]
        walk.ask_where(who)
        fetched = self._fetch(what)
        walk.near = ""
        if who.text == ME:
            walk.at, walk.near = START, ME
            return [*fetched, "gv('me')"]
        return [*fetched, *walk.meet(who), f"gv({walk.called(who)})"]

    def _put(self, which: Which, to: Which) -> list[str]:
        what, place, walk = self.named.what(which), self.named.place(to), self.walk
        if place == SOMEWHERE:
            place = walk.ask(f"Where should I put {'it' if what.anything else what.told}?")
        if place == USUAL and what.anything:
            place = walk.ask("Where should I put it?")
        if place == USUAL:
            place = what.usual or walk.ask(f"Where does {what.told} belong?")
        known, already = self._names.places.get(place), f"The {what.text} {is_are(what.text)} at the {place} already."
        told = [] if known is None or known.placement or known.bin or known.is_room else [say(FLOOR.format(place))]
        if place != what.where or to.kind == USUAL or what.anything:
            return [*told, *self._fetch(what), *walk.go(place), f"pl({written(place)})"]
        if what.place:
            raise NotUnderstood(f"{already} {WHERE_TO}")
        there, moved = walk.go(place), [*told, *self._fetch(what), *walk.go(place), f"pl({written(place)})"]
        is_there = f"{_count(what.text, place)}>0"
        return [*there, when(is_there, [] if self._looping else [say(already)], moved)]

    def _find(self, which: Which) -> list[str]:
        """Go to a place, a thing, or somebody."""
        if self.named.is_place(which) and not which.source:
            place = self.named.place(which)
            place = self.walk.ask("Where should I go?") if place in (SOMEWHERE, USUAL) else place
            return self.walk.go(place, always=True)
        if self.named.is_who(which):
            return self.walk.meet(self.named.who(which))
        what = self.named.what(which)
        return [*self.walk.go(what.where), f"lo({quoted(what.text)})"]

    # What it does with people

    def _guide(self, who: Who, to: Which) -> list[str]:
        if to_person(to, self.named):
            whom = self.named.who(to)
            place = self.walk.place_of(whom)
            place = place or self.walk.ask(f"Where can I find {whom.told if whom.text else 'them'}?")
        else:
            place = self.named.place(to)
        if place in (SOMEWHERE, USUAL):
            told = "you" if who.text == ME else who.told if who.text else "them"
            place = self.walk.ask(f"Where should I take {told}?")
        if place == START and to.kind != ME and who.place:
            place = who.place  # back is where they were
        met = self.walk.meet(who)
        near = self.walk.near
        steps = [*met, FOLLOW, *self.walk.go(place, always=True)]
        self.walk.near = near
        return steps

    def _introduce(self, who: Who, whom: Who) -> list[str]:
        """The one is brought to the other, and each hears the other's name."""
        if not whom.text or not who.text:
            raise NotUnderstood("I understood that I should introduce somebody, but not whom to whom.")
        steps, a = self._name_of(who)
        self.walk.near = ""
        more, b = self._name_of(whom)
        steps += [FOLLOW, *more]
        if whom.text == ME:
            return [*steps, say("This is ", a, ".")]
        return [*steps, f"sp({b}+', this is '+{a}+'. '+{a}+', this is '+{b}+'.')"]

    def _name_of(self, who: Who) -> tuple[list[str], str]:
        """Meet somebody, and what they are called, as an expression."""
        met = self.walk.meet(who)
        if who.named or who.text == ME:
            return met, quoted(who.text if who.named else "")
        name = self.variable()
        return [*met, f"{name}=pi('name')"], name

    # Conditions and loops

    def tells(self, pred: Pred) -> str:
        match pred:
            case Pred("agreed", _) if self._reply:
                return self._reply
            case Pred("found" | "there", (Which() as which,)) if not is_door(which):
                return f"{self._number(which)}>={max(1, which.count)}"
        raise NotUnderstood(UNTOLD)

    def _number(self, which: Which) -> str:
        """How many there are."""
        if self.named.is_who(which):
            who = self.named.who(which)
            text, places = who.text, self._rooms(who)
        else:
            what = self.named.what(which)
            text, places = what.text, [what.where] if what.where else []
        self.walk.anywhere()
        if not places or not text:
            raise NotUnderstood("I understood the condition, but not where I could tell.")
        return "+".join(_count(text, p) for p in places)

    def _rooms(self, who: Who) -> list[str]:
        """Where somebody may be."""
        return [who.place] if who.place else self.named.rooms()

    def either(self, test: Clause, yes: Clause, no: Clause | None) -> list[str]:
        """What it would not recognise it takes not to be there, and says so."""
        walk = self.walk
        try:
            asked = self.test(test)
        except Nameless as none:
            if (instead := yes if isinstance(test, Not) else no) is None:
                raise
            return [say(f"{none.unseen}."), *self.steps([instead])]
        kept = walk.at, walk.near, walk.last
        then = self.steps([yes])
        if no is None:
            otherwise = [_untrue(test)]
        else:
            walk.at, walk.near, walk.last = kept
            try:
                otherwise = self.steps([no])
            except Nameless as none:
                otherwise = say.lost(str(none))
        walk.anywhere()
        return [when(asked, then, otherwise)]

    def each(self, which: Which, body: Clause) -> list[str]:
        if not self.named.is_who(which):
            if all(p.args and isinstance(p.args[0], Which) and p.args[0].kind == IT for p in leaves(body)):
                return [step for p in leaves(body) for step in self.pred(Pred(p.name, (which, *p.args[1:])))]
            raise NotUnderstood(UNREACHED)
        who = self.named.who(which)
        if who.named or not who.text:
            raise NotUnderstood(UNREACHED)
        met, most, wanted = self.variable(), which.count, which.count
        if which.count == ALL:
            most, wanted = MOST, 1
        more = self.variable()
        steps, first = [f"{met}=0"], self.walk.first
        asked = len(first) + 1
        self._looping = True
        for place in self._rooms(who):
            self.walk.loops(place)
            inside = [f"{met}={met}+1", *self.steps([body])]
            next_one = when(
                f"mn({quoted(who.text)},{written(place)})", inside, [f"{more}=0"]
            )  # nobody is looked for in vain again
            steps += [f"{more}=1", repeated(most, [when(f"{more}==1", [next_one])])]
            del first[asked:]
        self._looping = False
        self.walk.anywhere()
        self.walk.last = Who("")
        lost = say.lost(f"I found no {who.text}." if wanted == 1 else f"I did not find {wanted} of them.")
        return [*steps, when(f"{met}<{wanted}", lost)]

    # Answers

    def looked_at(self, question: str, about: Sequence[Which]) -> list[str]:
        """Find it out by looking, and tell it to whoever asked."""
        found = self.variable()
        looks = _found(found, question, about)
        if question in AT_ONCE or self.named.places_asked_of(question, about[0]):
            return [looks, f"sp({found})"]
        self.walk.anywhere()
        return [looks, *self.walk.meet(Who(ME)), f"sp({found})"]

    def _inform(self, to: Who, question: str, about: Sequence[Which]) -> list[str]:
        """Find out, then tell."""
        walk = self.walk
        if question == "question":
            return [*walk.meet(to), "an('question')"]
        if question in KNOWN or question not in QUESTIONS:
            known = KNOWN.get(question) or known_question(question)
            here = to.text == ME and not walk.near and walk.at == START
            return [*([] if here else walk.meet(to)), f"an({quoted(known)})"]
        walk.ask_where(to)
        found, said = self._answer(question, about)
        return [*found, *walk.meet(to), said]

    def _answer(self, question: str, about: Sequence[Which]) -> tuple[list[str], str]:
        """Statements that find it out, and the one that tells it."""
        it, about = self.variable(), about or [Which(ANYONE)]
        which = about[0]
        if question == "reply" and self._reply:
            return [], say("The answer was: ", self._reply)
        who = self.named.who(which) if question in ABOUT or self.named.is_who(which) else None
        if who and (question in ABOUT or (question == "where" and who.text in ("", self.walk.last.text))):
            key, words = ABOUT.get(question, ("place", "{} is at the "))
            told = who.text[:1].upper() + who.text[1:] if who.named else "The person"
            return [*self.walk.meet(who), f"{it}=pi({quoted(key)})"], say(words.format(told), it)
        if question == "which":
            return self._which(which, it)
        if question not in LOOKED_UP or (question == "which are more" and len(about) == 1):
            raise NotUnderstood(UNANSWERED)
        if question == "what is on":
            self.named.place(which)
        asked = [which] if question == "what is on" else [self._from_where(one) for one in about]
        self.walk.anywhere()
        return [_found(it, "how many all round" if question == "how many" else question, asked)], f"sp({it})"

    def _from_where(self, which: Which) -> Which:
        """With the place where it is looked for first, if known. Raises `NotUnderstood` for unknown names."""
        known = self.named.who(which).place if self.named.is_who(which) else self.named.what(which).where
        return replace(which, source=which.source or known)

    def _which(self, which: Which, it: str) -> tuple[list[str], str]:
        if self.named.is_who(which):
            return [*self.walk.meet(self.named.who(which)), f"{it}=pi('name')"], say("It is ", it)
        what = self.named.what(which)
        if which.rank or which.relation or which.traits or not what.where:
            return [*self.walk.go(what.where), f"{it}=lo({quoted(what.text)})"], say("It is the ", it)
        self.walk.at = ""
        return [f"{it}=wi({quoted(what.text)},{written(what.where)})"], say("There are: ", it)


def message(text: str, to: Who, wish: str) -> str:
    """What is said to somebody; who is greeted by name hears it."""
    said = telling(text, wish)
    return f"{said[:-1]} {to.text}." if to.named and said[:-1].lower() in REPLIES["greetings"] else said


def found_out(asked: Pred, names: Names) -> str:
    """A plan that finds out what was asked by looking, and tells it to the operator."""
    plan = _ServicePlan(names, "", asked)
    return joined(plan.looked_at(str(asked.args[0]), list(whiches(asked))))


def _found(variable: str, question: str, about: Sequence[Which]) -> str:
    """Have a question answered by going to look."""
    return f"{variable}=fo({quoted(question)},{quoted(', '.join(map(as_text, about)))})"


def _count(text: str, place: str) -> str:
    return f"ct({quoted(text)},{written(place)})"


def to_person(place: Which, named: NameResolver) -> bool:
    """Whether what is to be put there is handed over: to somebody else than who wishes, who has a place."""
    return place.kind == IT or (named.is_who(place) and place.kind != ME)


def is_door(which: Which) -> bool:
    """Whether it is to be open or closed."""
    return bool({"open", "closed"} & {*which.traits})


def _are(which: Which) -> str:
    return "are" if plural(singular(which.kind)) == which.kind else "is"


def _untrue(test: Clause) -> str:
    match test:
        case Pred("agreed", _):
            return say("All right.")
        case Pred(_, (Which() as which, *_)):
            return say(f"There {_are(which)} no {which.kind} there.")
        case Not(Pred(_, (Which() as which, *_))):
            return say(f"The {which.kind} {_are(which)} there.")
    return say("That is not so.")
