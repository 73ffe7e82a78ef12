"""The way of a service robot through a plan: where it is, who is before it, and how it gets to places and people."""

from collections.abc import Callable, Sequence

from sayso.goal import IT, ME
from sayso.goals.text import quoted
from sayso.grounding.answers import UNTOLD
from sayso.language.printer import joined, when
from sayso.planners.goal_plan import Says
from sayso.skills.name_resolver import START, NameResolver, Who

say = Says("sp")


class Walk:
    """Writes the statements of one way; `variable` makes the name of an answer."""

    def __init__(self, named: NameResolver, variable: Callable[[], str]) -> None:
        self._named, self._variable = named, variable
        self.first: list[str] = []
        """Questions that come before all else."""
        self.at, self.near, self.last = START, "", Who("")
        """Places and people by name, or by the variable that holds an answer; whom a pronoun means."""
        self._asked_of: dict[str, str] = {}
        self._looped_at = ""

    def anywhere(self) -> None:
        """From here on it may be anywhere."""
        self.at = self.near = ""

    def loops(self, place: str) -> None:
        """Whoever a loop has found here stands before it."""
        self.at = self._looped_at = place
        self.near, self.last = IT, Who(IT)

    def go(self, place: str, always: bool = False) -> list[str]:
        """To a place, if there is one and it is not there already."""
        if place in ("", self.at) and not always:
            return []
        self.at, self.near = place, ""
        return [f"mt({written(place)})"]

    def ask(self, question: str, who: str = "") -> str:
        """Asked before all else; the variable that holds the answer. Where that is unknown nothing is done, unless it
        is asked where somebody is: `who` can be looked for, and nobody asks of whom they see."""
        variable = self._variable()
        unknown = "" if who else when(f"{variable}=={quoted(UNTOLD)}", say.lost(question))
        asks = ",".join(map(quoted, (question, who) if who else (question,)))
        self.first.append(joined((f"{variable}=ak({asks})", unknown)))
        return variable

    def ask_where(self, who: Who) -> None:
        """Where somebody of a name is, once, where nobody said it."""
        if who.named and not who.place and who.text not in self._asked_of:
            self._asked_of[who.text] = self.ask(f"Where can I find {who.text}?", who.text)

    def place_of(self, who: Who) -> str:
        """Where somebody was said to be; empty where nobody has."""
        return who.place or self._asked_of.get(who.text, "")

    def meet(self, who: Who) -> list[str]:
        """Stand before somebody."""
        if not who.text and not self.last.text:
            return self._meet_asked(who.place)
        who = who if who.text else self.last
        if who.text == self.near:
            return []
        if who.text == ME:
            self.at, self.near = START, ME
            return ["lp('me')"]
        if who.text == IT:
            back = self.go(self._looped_at, always=self.at != self._looped_at)
            self.near = IT
            return [*back, "lp('them')"]
        self.ask_where(who)
        place = self.place_of(who)
        if who.anyone and not place:
            return self._meet_asked("")
        everywhere, looks = nowhere(who.text, self._named.rooms()), f"lp({quoted(who.text)})"
        went = self.go(place)
        if went and not who.place:
            went = [when(f"{place}=={quoted(UNTOLD)}", [everywhere], went)]
        self.at, self.near, self.last = place, who.text, who
        return [*went, looks] if place else [everywhere]

    def _meet_asked(self, place: str) -> list[str]:
        """Whoever is named in an answer."""
        answer = self.ask("Who do you mean, and where?")
        went = self.go(place or answer)
        self.near, self.last = answer, Who(answer, place or answer, named=True)
        return [*went, f"lp({answer})"]

    def called(self, who: Who) -> str:
        """Somebody who was met, in a call."""
        text = self.last.text if who.text in ("", IT) else who.text
        return "'them'" if text in ("", IT) else written(text)


def nowhere(text: str, rooms: Sequence[str]) -> str:
    """A guard that ends the plan where nobody of that description is in any of these rooms."""
    lost = say.lost(f"I did not find {text}." if text[:1].isupper() else f"I found no {text}.")
    for room in reversed(rooms):
        lost = [when(f"!mn({quoted(text)},{quoted(room)})", lost)]
    return lost[0]


def written(name: str) -> str:
    """A name as a text, or a variable as it is."""
    return name if name.startswith("_") and name[1:].isdigit() else quoted(name)
