"""How a service robot reaches a goal: the goal as one list of calls, from rules that are few and written down.

- What was left out is asked first, while whoever wished is near: who, what, where to, and where somebody of a name is.
- Somebody is met where they were said to be; who is only described, and not said where, is looked for in every room.
- A thing is taken from where it was said to be, else from where its kind belongs. Where it is to go there, and is there
  already, something else was meant: it is asked about.
- What has to be found out is found out first, and told to whom it is for afterwards.
- All of a kind is a loop that ends where there is no more of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sayso.errors import NotUnderstood
from sayso.goal import ALL, IT, ME, All, Amount, Any, Clause, Not, Pred, Which
from sayso.goals.planned import preds
from sayso.goals.text import quoted
from sayso.grounding.addressed import asking, telling
from sayso.grounding.addressed import question as known_question
from sayso.grounding.names import Names
from sayso.planners.ways import UNREACHED, Ways, joined, leaves
from sayso.robots.service.named import ANYONE, SOMEWHERE, START, USUAL, Named, What, Who, either, is_all

_Do: TypeAlias = Callable[[Which], list[str]]

MOST = 12
"""Of all of a kind so many are dealt with."""

ABOUT = {"name": "name", "gender": "gender", "pose": "pose", "gesture": "gesture", "clothes": "clothing"}
"""Questions about a person, and what `person_info` calls it."""

KNOWN = {
    "joke": "Tell a joke", "time": "What time is it?", "day": "What day is it today?",
    "tomorrow": "What day is it tomorrow?", "date": "What is the day of the month?",
    "week": "What day of the week is it?", "your name": "What is your name?",
    "yourself": "Tell something about yourself",
}  # fmt: skip
"""Questions that the robot's own table answers, and how it is asked."""

FOLLOW = "sp('Please follow me!')"


def plan_of(goal: Clause, names: Names, wish: str = "") -> str:
    """A plan that reaches the goal, in the robot's abbreviations. `wish` gives what is said its capitals back.

    Raises `NotUnderstood` for a goal that no skill reaches, and for names that nothing has.
    """
    way = Way(names, wish)
    way.confirming = any(p.name == "agreed" for p in preds(goal))
    steps = way.steps([goal])
    return joined([*way.first, *steps])


class Way(Ways):
    """Writes one plan, and knows where the robot is and who stands before it as it goes along."""

    def __init__(self, names: Names, wish: str = "") -> None:
        self.named, self._names, self._wish = Named(names), names, wish
        self.first: list[str] = []
        """Questions that come before all else."""
        self.confirming = False
        self._at, self._near, self._last = START, "", Who("")
        self._asked_of: dict[str, str] = {}
        self._reply, self._count = "", 0
        self._looping = False

    # One thing after another

    def times(self, parts: Sequence[Clause]) -> list[str]:
        """Whoever it is done to is met once."""
        once, again = self.steps([parts[0]]), self.steps([parts[0]])
        return [*once, *(again if len(parts) == 2 else [f"{len(parts) - 1}{{{joined(again)}}}"])]

    def pred(self, pred: Pred) -> list[str]:
        match pred:
            case Pred("given", (Which() as which, Which() as who)):
                return self._many(which, lambda one: self._give(one, who))
            case Pred("placed", (Which() as which, Which() as place)) if self._to_person(place):
                return self._many(which, lambda one: self._give(one, place))
            case Pred("placed", (Which() as which, Which() as place)):
                return self._many(which, lambda one: self._put(one, place))
            case Pred("holding", (Which() as which,)):
                return self._fetch(self.named.what(which))
            case Pred("at" | "visited" | "found" | "sees", (Which() as which, *_)):
                return self._find(which)
            case Pred("home", ()):
                return self._go(START, always=True)
            case Pred("guided", (Which() as who, Which() as place)):
                return self._guide(self.named.who(who), place)
            case Pred("followed", (Which() as who, *_)):
                one = self.named.who(who)
                met = self._meet(one)
                self._at = ""
                return [*met, f"f({self._called(one)})"]
            case Pred("gone", (Which() as who,)):
                one = self.named.who(who)
                return [
                    *self._meet(one),
                    f"sp({quoted(f'{one.text}, please leave.' if one.named else 'Please leave.')})",
                ]
            case Pred("heard", (Which() as who, str(text), *_)):
                return self._say(who, text)
            case Pred("said", (str(text),)):
                return [f"sp({quoted(telling(text, self._wish))})"]
            case Pred("asked", (Which() as who, str(text))):
                return self._ask(self.named.who(who), text)
            case Pred("introduced", (Which() as who, Which() as whom)):
                return self._introduce(self.named.who(who), self.named.who(whom))
            case Pred("named", (Which() as which,)):
                return self._inform(Who(ME), "which", [which])
            case Pred("answered", (str(question), *about)):
                return self._inform(Who(ME), question, [a for a in about if isinstance(a, Which)])
            case Pred("informed", (Which() as who, str(question), *about)):
                return self._inform(self.named.who(who), question, [a for a in about if isinstance(a, Which)])
            case Pred("there", (Which() as which,)) if {"open", "closed"} & {*which.traits}:
                verb = "open" if "open" in which.traits else "close"
                return [*self._meet(Who(ME)), f"sp({quoted(f'Please {verb} the {self.named.doors(which)}.')})"]
            case Pred("stayed", ()):
                return ["sp('All right, I leave it as it is.')"]
            case Pred("waited", (Amount(value, _),)):
                raise NotUnderstood(f"I cannot wait for {value:g} s in between.")
        raise NotUnderstood(UNREACHED)

    # Where it goes

    def _go(self, place: str, always: bool = False) -> list[str]:
        """`place` is a name, or a variable that holds an answer."""
        if place == self._at and not always:
            return []
        self._at, self._near = place, ""
        return [f"mt({_value(place)})"]

    def _to_person(self, place: Which) -> bool:
        return place.kind == IT or (self.named.is_who(place) and place.kind != ME)

    def _meet(self, who: Who) -> list[str]:
        """Stand before somebody."""
        if not who.text:
            if not self._last.text:
                return self._meet_asked("Who do you mean, and where?", who.place)
            who = self._last
        if who.text == self._near:
            return []
        if who.text == ME:
            self._at, self._near = START, ME
            return ["lp('me')"]
        if who.text == IT:
            back = self._go(self._looped_at) if self._at != self._looped_at else []
            self._near = IT
            return [*back, "lp('them')"]
        place = who.place or self._asked_of.get(who.text, "")
        if who.anyone and not place:
            return self._meet_asked("Who do you mean, and where?", "")
        if not place and who.named:
            place = self._asked_of[who.text] = self._first(f"Where can I find {who.text}?")
        if not place:
            return self._anywhere(who)
        went = self._go(place)
        self._near, self._last = who.text, who
        return [*went, f"lp({quoted(who.text)})"]

    def _meet_asked(self, question: str, place: str) -> list[str]:
        """Whoever is named in an answer."""
        answer = self._first(question)
        self._last = Who(answer, place or answer, named=True)
        went = self._go(place or answer)
        self._near = answer
        return [*went, f"lp({answer})"]

    def _anywhere(self, who: Who) -> list[str]:
        """Every room, until they are found."""
        self._at, self._near, self._last = "", who.text, who
        return [self.nowhere(who.text, self.named.rooms())]

    @staticmethod
    def nowhere(text: str, rooms: Sequence[str]) -> str:
        """A guard that ends the plan where nobody of that description is in any of these rooms."""
        told = text if text[:1].isupper() else f"no {text}"
        lost = f"sp({quoted(f'I did not find {told}.' if told == text else f'I found {told}.')});->False"
        for room in reversed(rooms):
            lost = f"?!mn({quoted(text)},{quoted(room)}){{{lost}}}"
        return lost

    def _called(self, who: Who) -> str:
        """Somebody who was met, in a call."""
        if not who.text or who.text == IT:
            who = self._last
        return "'them'" if who.text in ("", IT) else _value(who.text)

    def _first(self, question: str) -> str:
        """Asked before all else; the variable that holds the answer."""
        self._count += 1
        variable = f"_{self._count}"
        self.first.append(f"{variable}=ak({quoted(question)})")
        return variable

    # What it does with things

    def _many(self, which: Which, do: _Do) -> list[str]:
        """It of one, of so many, or of all."""
        if not is_all(which) and which.count == 1:
            return do(which)
        one = Which(which.kind, which.traits, 1, which.rank, which.nth, which.relation, which.source, which.but)
        if not is_all(which):
            return [step for _ in range(which.count) for step in do(one)]
        what = self.named.what(one)
        place = what.place or what.usual
        if not place:
            raise NotUnderstood(f"I do not know where all {what.text} are.")
        there = f"ct({quoted(what.text)},{_value(place)})"
        self._at = self._near = ""
        self._looping = True
        body = joined(do(one))
        self._looping, self._at, self._near = False, "", ""
        none = f"sp({quoted(f'I found no {what.text} there.')});->False"
        return [f"?{there}==0{{{none}}}", f"{MOST}{{?{there}>0{{{body}}}}}"]

    def _fetch(self, what: What) -> list[str]:
        """Into the hand."""
        text, it = quoted(what.text), quoted(what.text if what.plain else "it")
        if what.choices:
            text = self._first(f"Which one: {either([f'the {c}' for c in what.choices])}?")
        elif what.anything and not self._looping:
            text = self._first("Which object should I bring?")
        place = what.place or what.usual
        if what.choices and not place:
            place = self._names_usual(what.choices[0])
        went = self._go(place) if place else []
        return [*went, f"lo({text})", f"gr({it if text == quoted(what.text) else quoted('it')})"]

    def _names_usual(self, name: str) -> str:
        found = self._names.usual_place(name)
        return found.name if found else ""

    def _give(self, which: Which, to: Which) -> list[str]:
        what, who = self.named.what(which), self.named.who(to)
        if who.anyone:
            question = f"Who should get {what.told}?" if not what.anything else "Who should get it?"
            answer = self._first(question)
            fetched = self._fetch(what)
            went = self._go(who.place or answer)
            self._near, self._last = "", Who(answer, who.place or answer, named=True)
            return [*fetched, *went, f"gv({answer})"]
        if who.named and not who.place and who.text not in self._asked_of:
            self._asked_of[who.text] = self._first(f"Where can I find {who.text}?")
        fetched = self._fetch(what)
        self._near = ""
        if who.text == ME:
            self._at, self._near = START, ME
            return [*fetched, "gv('me')"]
        return [*fetched, *self._meet(who), f"gv({self._called(who)})"]

    def _put(self, which: Which, to: Which) -> list[str]:
        what, place = self.named.what(which), self.named.place(to)
        if place == SOMEWHERE:
            place = self._first(f"Where should I put {'it' if what.anything else what.told}?")
        if place == USUAL and what.anything:
            place = self._first("Where should I put it?")
        if place == USUAL:
            place = what.usual or self._first(f"Where does {what.told} belong?")
        at, there = what.place or what.usual, []
        if place == at and to.kind != USUAL and not what.anything:
            already = f"The {what.text} is at the {place} already. Where should it go?"
            if what.place:
                raise NotUnderstood(already)
            there = [*self._go(place), f"?ct({quoted(what.text)},{_value(place)})>0{{sp({quoted(already)});->False}}"]
        fetched = self._fetch(what)
        return [*there, *fetched, *self._go(place), f"pl({_value(place)})"]

    def _find(self, which: Which) -> list[str]:
        """Go to a place, a thing, or somebody."""
        if self.named.is_place(which) and not which.source:
            place = self.named.place(which)
            return self._go(self._first("Where should I go?") if place in (SOMEWHERE, USUAL) else place, always=True)
        if self.named.is_who(which):
            return self._meet(self.named.who(which))
        what = self.named.what(which)
        place = what.place or what.usual
        return [*(self._go(place) if place else []), f"lo({quoted(what.text)})"]

    # What it does with people

    def _guide(self, who: Who, to: Which) -> list[str]:
        told = who.told if who.text else "them"
        if self._to_person(to):
            whom = self.named.who(to)
            place = whom.place or self._asked_of.get(whom.text, "")
            place = place or self._first(f"Where can I find {whom.told if whom.text else 'them'}?")
        else:
            place = self.named.place(to)
        if place in (SOMEWHERE, USUAL):
            place = self._first(f"Where should I take {'you' if who.text == ME else told}?")
        if place == START and to.kind != ME and who.place:
            place = who.place  # back is where they were
        met = self._meet(who)
        near = self._near
        steps = [*met, FOLLOW, *self._go(place, always=True)]
        self._near = near
        return steps

    def _say(self, to: Which, text: str) -> list[str]:
        who = self.named.who(to)
        said = telling(text, self._wish)
        return [*self._meet(who), f"sp({quoted(said)})"]

    def _ask(self, who: Who, text: str) -> list[str]:
        self._count += 1
        self._reply = f"_{self._count}"
        ask = "cf" if self.confirming else "ak"
        return [*self._meet(who), f"{self._reply}={ask}({quoted(asking(text, self._wish))})"]

    def _introduce(self, who: Who, whom: Who) -> list[str]:
        """The one is brought to the other, and each hears the other's name."""
        if not whom.text or not who.text:
            raise NotUnderstood("I understood that I should introduce somebody, but not whom to whom.")
        names: list[str] = []
        steps = self._meet(who)
        for one in (who, whom):
            if one is whom:
                steps += [FOLLOW]
                self._near = ""
                steps += self._meet(whom)
            if one.named or one.text == ME:
                names.append(quoted(one.text if one.named else ""))
            else:
                self._count += 1
                names.append(f"_{self._count}")
                steps.append(f"_{self._count}=pi('name')")
        a, b = names
        if whom.text == ME:
            return [*steps, f"sp('This is '+{a}+'.')"]
        return [*steps, f"sp({b}+', this is '+{a}+'. '+{a}+', this is '+{b}+'.')"]

    # Conditions and loops

    def test(self, test: Clause) -> str:
        """As an expression."""
        match test:
            case Not(part):
                return f"!({self.test(part)})"
            case All(parts):
                return "&".join(f"({self.test(p)})" for p in parts)
            case Any(parts):
                return "|".join(f"({self.test(p)})" for p in parts)
            case Pred("agreed", _) if self._reply:
                return self._reply
            case Pred("found" | "sees" | "there", (Which() as which,)) if not {"open", "closed"} & {*which.traits}:
                return f"{self._number(which)}>={max(1, which.count)}"
        raise NotUnderstood("I understood the condition, but not how I could tell.")

    def _number(self, which: Which) -> str:
        """How many there are."""
        if self.named.is_who(which):
            who = self.named.who(which)
            places = [who.place] if who.place else self.named.rooms()
            text = who.text
        else:
            what = self.named.what(which)
            text, places = what.text, [p for p in (what.place or what.usual,) if p]
        self._at = self._near = ""
        if not places or not text:
            raise NotUnderstood("I understood the condition, but not where I could tell.")
        return "+".join(f"ct({quoted(text)},{_value(p)})" for p in places)

    def either(self, test: Clause, yes: Clause, no: Clause | None) -> list[str]:
        asked, count = self.test(test), self._count
        kept = self._at, self._near, self._last
        yes_steps = joined(self.steps([yes]))
        if no is None:
            self._at = self._near = ""
            return [f"?{asked}{{{yes_steps}}}:{{{self._untrue(test)}}}"]
        self._at, self._near, self._last = kept
        self._count = max(count, self._count)
        no_steps = joined(self.steps([no]))
        self._at = self._near = ""
        return [f"?{asked}{{{yes_steps}}}:{{{no_steps}}}"]

    def _untrue(self, test: Clause) -> str:
        match test:
            case Pred("agreed", _):
                return "sp('All right.')"
            case Pred(_, (Which() as which, *_)):
                return f"sp({quoted(f'There is no {which.kind} there.')})"
        return "sp('That is not so.')"

    def each(self, which: Which, body: Clause) -> list[str]:
        if not self.named.is_who(which):
            if all(p.args and isinstance(p.args[0], Which) and p.args[0].kind == IT for p in leaves(body)):
                return [step for p in leaves(body) for step in self.pred(Pred(p.name, (which, *p.args[1:])))]
            raise NotUnderstood(UNREACHED)
        who = self.named.who(which)
        if who.named or not who.text:
            raise NotUnderstood(UNREACHED)
        self._count += 1
        met, most = f"_{self._count}", MOST if which.count == ALL else which.count
        steps, first = [f"{met}=0"], len(self.first)
        for place in [who.place] if who.place else self.named.rooms():
            self._at, self._near, self._last, self._looping = place, IT, Who(IT), True
            self._looped_at = place
            inside = joined([f"{met}={met}+1", *self.steps([body])])
            steps.append(f"{most}{{?mn({quoted(who.text)},{_value(place)}){{{inside}}}}}")
            del self.first[first + 1 :]
        self._looping, self._at, self._near, self._last = False, "", "", Who("")
        wanted = 1 if which.count == ALL else which.count
        lost = (
            f"sp({quoted(f'I found no {who.text}.' if wanted == 1 else f'I did not find {wanted} of them.')});->False"
        )
        return [*steps, f"?{met}<{wanted}{{{lost}}}"]

    _looped_at = ""

    # Answers

    def _inform(self, to: Who, question: str, about: Sequence[Which]) -> list[str]:
        """Find out, then tell."""
        if question == "question":
            return [*self._meet(to), "an('question')"]
        if question in KNOWN or question not in QUESTIONS:
            known = KNOWN.get(question) or known_question(question)
            return [
                *(self._meet(to) if to.text != ME or self._near or self._at != START else []),
                f"an({quoted(known)})",
            ]
        if to.named and not to.place and to.text not in self._asked_of:
            self._asked_of[to.text] = self._first(f"Where can I find {to.text}?")
        found, said = self._answer(question, list(about))
        return [*found, *self._meet(to), said]

    def _answer(self, question: str, about: list[Which]) -> tuple[list[str], str]:
        """Statements that find it out, and the one that tells it."""
        self._count += 1
        it = f"_{self._count}"
        which = about[0] if about else Which(ANYONE)
        if question == "reply" and self._reply:
            return [], f"sp('The answer was: '+{self._reply})"
        if question in ABOUT or (question == "where" and self.named.is_who(which) and self._met(which)):
            who = self.named.who(which)
            met = self._meet(who)
            value = ABOUT.get(question, "place")
            return [*met, f"{it}=pi({quoted(value)})"], f"sp({quoted(_about(question, who))}+{it})"
        if question == "where" and self.named.is_who(which):
            return self._whereabouts(self.named.who(which), it)
        match question:
            case "how many":
                return [f"{it}={self._number(which)}"], f"sp('I count '+{it}+{quoted(f': {self._told(which)}.')})"
            case "is it here" | "is it in view":
                told = self._told(which)
                return [f"{it}={self._number(which)}"], (
                    f"?{it}>0{{sp({quoted(f'Yes, I see {told}.')})}}:{{sp({quoted(f'No, I see no {told}.')})}}"
                )
            case "which are more" if len(about) > 1:
                one, other = about[:2]
                self._count += 1
                also = f"_{self._count}"
                a, b = self._told(one), self._told(other)
                return [f"{it}={self._number(one)}", f"{also}={self._number(other)}"], (
                    f"?{it}>{also}{{sp({quoted(f'More {a}.')})}}:?{also}>{it}{{sp({quoted(f'More {b}.')})}}:"
                    f"{{sp({quoted(f'As many {a} as {b}.')})}}"
                )
            case "where":
                what = self.named.what(which)
                return [*self._find(which), f"{it}=oi('place',{quoted(what.text)})"], (
                    f"sp({quoted(f'The {what.text} is on the ')}+{it})"
                )
            case "what colour":
                what = self.named.what(which)
                return [*self._find(which), f"{it}=oi('color',{quoted(what.text)})"], (
                    f"sp({quoted(f'The {what.text} is ')}+{it})"
                )
            case "what is on" | "what is here":
                place = self.named.place(which)
                self._at = ""
                return [f"{it}=wi('object',{_value(place)})"], f"sp({quoted('There is: ')}+{it})"
            case "what is next to":
                beside = self.named.what(which)
                place = beside.place or beside.usual
                went = self._go(place) if place else []
                return [*went, f"{it}=lo({quoted(f'object next to {beside.text}')})"], f"sp('It is the '+{it})"
            case "which":
                return self._which(which, it)
        raise NotUnderstood("I understood the question, but not how I could find the answer.")

    def _which(self, which: Which, it: str) -> tuple[list[str], str]:
        if self.named.is_who(which):
            return [*self._meet(self.named.who(which)), f"{it}=pi('name')"], f"sp('It is '+{it})"
        what = self.named.what(which)
        place = what.place or what.usual
        if which.rank or which.relation or which.traits or not place:
            return [*(self._go(place) if place else []), f"{it}=lo({quoted(what.text)})"], f"sp('It is the '+{it})"
        self._at = ""
        return [f"{it}=wi({quoted(what.text)},{_value(place)})"], f"sp('There are: '+{it})"

    def _whereabouts(self, who: Who, it: str) -> tuple[list[str], str]:
        """The room that somebody is in, and no question about where they are."""
        self._at = self._near = ""
        rooms = [who.place] if who.place else self.named.rooms()
        ways = ":".join(f"?mn({quoted(who.text)},{quoted(r)}){{{it}=pi('place')}}" for r in rooms)
        told = who.told[:1].upper() + who.told[1:]
        return [f"{it}='';{ways}"], (
            f"?{it}==''{{sp({quoted(f'I did not find {who.told}.')})}}:{{sp({quoted(f'{told} is at the ')}+{it})}}"
        )

    def _met(self, which: Which) -> bool:
        who = self.named.who(which)
        return not who.text or who.text == self._last.text

    def _told(self, which: Which) -> str:
        """As it was said."""
        if self.named.is_who(which) and which.traits:
            which = Which(self.named.who(which).text, source=which.source)
        near = f" {which.relation.word.replace('_', ' ')} the {which.relation.to.kind}" if which.relation else ""
        place = self.named.find_place(which.source)
        there = f" {'in' if place in self.named.rooms() else 'at'} the {place}" if place else ""
        return " ".join((*which.traits, which.kind)) + near + there


QUESTIONS = (*ABOUT, "how many", "is it here", "where", "which", "which are more", "what colour", "what is on",
             "what is next to", "reply")  # fmt: skip


def _about(question: str, who: Who) -> str:
    one = who.text if who.named else "the person"
    one = one[:1].upper() + one[1:]
    return {"name": "The name is ", "clothes": f"{one} wears a ", "where": f"{one} is at the "}.get(
        question, f"{one} is "
    )


def _value(name: str) -> str:
    """A name as a text, or a variable as it is."""
    return name if name.startswith("_") and name[1:].isdigit() else quoted(name)
