"""What a wish says, in the language of goals: what the model reads and writes, and what it may copy.

    <plan>fly 40 cm up and go to the rubber duck<do>moved(up, 40 cm) then at('rubber duck')<end>

Amounts stand in figures before the model sees them (`sayso.grounding`), and can only be copied. So can names: a thing
is called by words of the wish, or by one of the few words in `UNSAID`. Instead of a goal it may say why nothing is
done, `refuse handle`, or what is missing, `ask where`. What a robot does about a goal is no matter of reading.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from sayso.goal import RANKS
from sayso.goals.text import is_bare
from sayso.grounding.said import figured
from sayso.models.pocket.constraints import GrammarConstraint
from sayso.models.pocket.text import clean

REFUSALS = ("absurd", "away", "chat", "foreign", "handle", "harm", "inject", "knowledge", "negative", "nonsense",
            "order", "other")  # fmt: skip
MISSING = ("count", "move", "picture", "say", "turn", "wait", "what", "where", "which")
QUESTIONS = ("how far", "how many", "how many all round", "is it here", "is it in view", "what colour",
             "what does it say", "what is held", "what is here", "what is next to", "what is on", "where",
             "which are more")  # fmt: skip
UNSAID = ("person", "thing", "place")
"""Names that may be written although nobody said them."""
SPOKEN = ("yes", "no", "none")
AROUND = "360"
"""A whole turn is copied from nowhere."""
COUNT_MAX = 20
METRES_BELOW = 10.0
"""A bare number of a move that is smaller is one of metres, else of centimetres."""

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")
_WORD = re.compile(r"[a-z][\w'-]*")
_BARE = re.compile(r"\b(moved|turned)\((\w+), (\d+(?:\.\d+)?)\)|\b(waited)\((\d+(?:\.\d+)?)\)")

_GRAMMAR = """
start: goal | "refuse " refusal | "ask " missing
refusal: {refusals}
missing: {missing}
goal: either (" then " either)*
either: clause (" or " clause)*
clause: pred | "if " test block (" else" block)? | "until " test block (" most " count)? | times block
      | "each(" ("all" | count) " " name ")" block | "within(" amount " s)" block
block: " {{ " goal " }}"
test: ("not ")? tested | "{{ " ("not ")? tested "; " ("not ")? tested " }}"
tested: ("sees" | "found") "(" which ")" | "turned(" side ", " amount " deg)"
pred: ("at" | "facing" | "found" | "picture" | "sees" | "named" | "visited") "(" which ")"
    | "picture" | "home" | "landed" | "airborne" | "stayed"
    | "moved(" way (", " amount (" cm" | " m")?)? ")" | "turned(" side (", " amount (" deg")?)? ")"
    | "waited(" amount (" s")? ")" | "said('" SAID "')" | "answered('" question "'" (", " which (", " which)?)? ")"
way: "forward" | "back" | "left" | "right" | "up" | "down"
side: "left" | "right" | "back"
question: {questions}
which: "it" | (count " ")? ("nth " count " ")? (rank " ")? name ("." name)? relation? (" but " name ("." name)?)?
relation: (" on " | " beside " | " behind ") name ("." name)?
rank: {ranks}
name: {bare} | "'" QUOTED "'"
QUOTED: {said} | {unsaid}
SAID: {said} | {spoken}
amount: {amounts}
count: {counts}
times: {counts}
"""


def reading_input(wish: str) -> str:
    """A wish in short, up to the mark behind which its reading begins."""
    return f"<plan>{clean(figured(wish))}<do>"


def reading_constraint(reads: str, hints: tuple[str, ...] = ()) -> GrammarConstraint:
    """Readings of what is `read`, a `reading_input`: names and amounts are copied out of it. `hints` are what things
    may be called that a wish only lets be guessed."""
    said = reads[reads.index(">") + 1 : reads.rindex("<")]
    numbers = dict.fromkeys((*_NUMBER.findall(said), AROUND))
    words = dict.fromkeys((*(w for w in _WORD.findall(said) if is_bare(w)), *UNSAID))
    near = {n + d for n in map(float, numbers) if n == int(n) and n < COUNT_MAX for d in (0, 1)}
    counts = sorted({1, 2, 3, *(int(n) for n in near if n)})
    escaped = said.replace("\\", " ").replace("'", "\\'")
    return GrammarConstraint(
        _GRAMMAR.format(
            refusals=_any(REFUSALS), missing=_any(MISSING), questions=_any(QUESTIONS), ranks=_any(RANKS),
            bare=_any(words), unsaid=_any((*UNSAID, *hints)), spoken=_any(SPOKEN), amounts=_any(numbers),
            counts=_any(map(str, counts)), said=f'%regex {json.dumps({"substring_words": escaped})}',
        )
    )  # fmt: skip


def _any(words: Iterable[str]) -> str:
    return " | ".join(json.dumps(w) for w in words) or '"-"'


def with_units(text: str) -> str:
    """`moved(up, 40)` is 40 cm and `moved(up, 2)` is 2 m; a bare number of a turn is one of degrees."""

    def unit(found: re.Match[str]) -> str:
        verb, side, much, waited, long = found.groups()
        if waited:
            return f"waited({long} s)"
        return f"{verb}({side}, {much} {'deg' if verb == 'turned' else 'm' if float(much) < METRES_BELOW else 'cm'})"

    return _BARE.sub(unit, text)
