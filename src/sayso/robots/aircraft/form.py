"""The short forms in which the embedded model reads what a search is for. Its weights tell which they were taught.

    <mission>find the man in red in the north field, stay below 60 m<do>
        find(person); colour(red); in('north field'); under(60 m)<end>

What is said, and nothing else: names and amounts can only be copied, and code makes a search of it (`heard`). Until
there are weights for it, the whole search is written:

    <mission>find the man in red in the north field<tried><see>north field;forest;a1-f6
        <say>find person;colour red|in north field|then confirm home<end>
    <mission>he was seen in the forest<tried>find person;colour red|in north field|then confirm home<see>north field;...
        <say>find person;colour red;seen forest|in north field|then confirm home<end>

The answer is a line of `SearchWish.in_short`, whole also where a search is running; or `nothing` where the words ask
for no search. It is read back by the reader that also reads a large model's JSON.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sayso.forms import Form, brief_of
from sayso.models.pocket.constraints import GrammarConstraint, one_of
from sayso.models.pocket.reading import ReadingForm, Sayable
from sayso.models.pocket.text import item
from sayso.parts import Prompt
from sayso.robots.aircraft.search.terrain import KINDS

MISSION_CHARS = 600

_SQUARE = re.compile(r"[a-z]\d{1,2}")


SEARCH = Sayable(
    mark="mission",
    goals=("find(who)", "also(who)", "instead(who)", "gone(who)", "of(who)", "all",
           "colour(name)", "aged(number)", "size(distance)", "is(dementia|hiker|child)",
           "moves(still|slow|walking|fast|drifting)", "toward(name)", "seen(name)", "ago(time)", "ago(now)",
           "since(name, name)", "in(name)", "more(name)", "drop(name)", "skip(name)", "off(name)", "free(name)",
           "everywhere", "ordered", "under(distance)", "most(distance)", "least(distance)", "at(distance)",
           "within(time)", "by(name, name?)", "battery(share)", "then(confirm|image|hover|home|on)",
           "no(confirm|image|hover|home)", "tell(name)", "besides(name)", "hands(name)", "unsafe(name)",
           "over", "nothing"),
    tests=(),
    refusals=(),
    missing=(),
    clauses=(),
    unsaid=("person", "child", "dog"),
    among=True,
    chars=900,
    clocks=True,
)  # fmt: skip
"""What may be said of a search (`heard` tells what comes of it). They may tell a story."""


class HearingForm(ReadingForm):
    """What an operator's words say."""

    ways = frozenset({"mission"})
    lessons, threshold, says, wish_chars = "aircraft reading", SEARCH.mark, SEARCH, SEARCH.chars

    def planned(self, prompt: Prompt, written: str) -> str:
        return written

    def declined(self, prompt: Prompt, says: str) -> str:
        return f"ask('{says}')"

    def refuses(self, prompt: Prompt, written: str) -> bool | None:
        return written.startswith("nothing")


class MissionForm(Form):
    """What to search for, and where. Where it is in doubt, it says nothing, and the planner asks."""

    ways = frozenset({"mission"})
    lessons, threshold, whole_wish = "mission", "mission", False
    better = HearingForm()

    def reads(self, prompt: Prompt) -> str:
        """The places are the lines of `question`, and the first note is the running search, where there is one."""
        brief = brief_of(prompt)
        running = "|".join(map(_listed, brief.notes[0].split("|"))) if brief.notes else ""
        places = ";".join(squared([item(p, 40) for p in prompt.question.splitlines()]))
        return f"<mission>{item(brief.instruction)}<tried>{running}<see>{places}<say>"

    def constraint(self, prompt: Prompt, reads: str) -> MissionConstraint:
        return MissionConstraint(prompt.question.splitlines(), MISSION_CHARS)

    def declined(self, prompt: Prompt, says: str) -> str:
        return ""


def squared(places: Sequence[str]) -> list[str]:
    """The squares of a grid as their first and last one: there are too many to be read."""
    squares = [p for p in places if _SQUARE.fullmatch(p)]
    others = [p for p in places if p not in squares]
    return [*others, f"{squares[0]}-{squares[-1]}"] if len(squares) > 1 else list(places)


def _listed(part: str) -> str:
    return ";".join(item(fact, 60) for fact in part.split(";"))


class MissionConstraint(GrammarConstraint):
    """A search in one line in which every place is one of the map: a name half copied is no name.

    A word that names have in common stands for all of them; toward may also be a kind of ground.
    """

    def __init__(self, places: Sequence[str], most: int) -> None:
        names = {*map(item, places)}
        words = {word.removesuffix("s") for name in names for word in name.split() if len(word) > 2}
        area, place, goal = (one_of(sorted(some)) for some in (names | words, names, names | {*KINDS}))
        rules = {
            "start": "MISSION",
            "MISSION": rf"PART ( /\|/ PART )* & /.{{1,{most}}}/",
            "PART": rf"/(in|not) {area}(;{area})*/ | /find( [^|;\n]*)?/ ( /;/ FACT )* | OTHER",
            "OTHER": r"/[^|\n]*/ & ~/(in|not|find)( .*)?/",
            "FACT": rf"/seen {place}|toward {goal}/ | /[^|;\n]*/ & ~/(seen|toward)( .*)?/",
        }
        super().__init__("".join(f"{name}: {body}\n" for name, body in rules.items()))

    @property
    def whole(self) -> int:
        return len(self.text)
