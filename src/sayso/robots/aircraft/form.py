"""The short form in which the embedded model reads what a search is for: what is said, and nothing else.

    <mission>find the man in red in the north field, stay below 60 m<do>
        find(person); colour(red); in('north field'); under(60 m)<end>

Names and amounts can only be copied, and code makes a search of it (`heard`).
"""

import re
from collections.abc import Callable
from dataclasses import replace

from sayso.goal import All, Pred, Which
from sayso.grounding.terms import seeks, terms
from sayso.models.pocket.reading import ReadingForm, Sayable
from sayso.robots.aircraft.operator_wish import Grounds, clauses_of
from sayso.robots.aircraft.search.terrain import KINDS
from sayso.roles import Prompt
from sayso.understanding import account
from sayso.understanding.forms import brief_of
from sayso.understanding.gaps import leaving_out
from sayso.understanding.operators import Operator, operators, with_its_name, without

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


DENIED = frozenset(("off", "skip", "drop", "no", "gone", "over", "besides", "hands", "unsafe", "instead", "nothing"))
"""Clauses that tell what is not wanted."""


ENDED = frozenset(("within", "by", "battery"))
"""Clauses that tell how long a search goes on; it ends where somebody is found in any case."""


TOLD_WORDS = 16
"""Up to so many words are an order, of which each phrase asks for something; more may tell a story."""


class HearingForm(ReadingForm):
    """The form in which the model reads what an operator's words say."""

    ways = frozenset({"mission"})
    lessons, threshold, says, wish_chars = "aircraft reading", SEARCH.mark, SEARCH, SEARCH.chars

    def planned(self, prompt: Prompt, written: str) -> str:
        return written

    def ignored(self, prompt: Prompt, written: str, reread: Callable[[Prompt], str]) -> str:
        """What is excepted is no longer wanted by some clause, and how long it goes on is told by one; of an order each
        phrase is named by one, or without it another would be read."""
        core, grounds = brief_of(prompt).core, prompt.question.splitlines()
        said = {verb for verb, *_ in (*(clauses_of(written) or ()), *terms(core, grounds))}
        lost = [
            one
            for one in operators(core)
            if (one.kind == "exception" and not said & DENIED)
            or (one.kind == "waiting" and not (said & ENDED or seeks(with_its_name(core, one))))
        ]
        if len(core.split()) <= TOLD_WORDS:
            told = [word for clause in terms(core, grounds) for word in clause]
            words = " ".join([*re.findall(r"\w+", written), *told])
            heard = All(
                (Pred("said", (words,)), Pred("found", (Which("person"),)))
            )  # for somebody, where nothing is said
            unnamed = [one for one in account.phrases(core, heard) if not account.named(one, heard)]
            lost += [one for one in unnamed if self._read_without(prompt, one, reread) == written]
        return leaving_out(core, lost)

    def _read_without(self, prompt: Prompt, less: Operator, reread: Callable[[Prompt], str]) -> str:
        brief = brief_of(prompt)
        return reread(replace(prompt, brief=replace(brief, instruction=without(brief.core, less), request=None)))

    def hindered(self, prompt: Prompt, written: str) -> str:
        known = Grounds(tuple(prompt.question.splitlines()), KINDS)
        return known.lost(clauses_of(written) or ())

    def declined(self, prompt: Prompt, says: str) -> str:
        told = says.replace("'", "")
        return f"ask('{told}')"

    def refuses(self, prompt: Prompt, written: str) -> bool:
        return written.startswith("nothing")
