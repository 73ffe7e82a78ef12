"""What a wish says, in the language of goals: what the model reads and writes, and what it may copy.

    <plan>fly 40 cm up and go to the rubber duck<do>moved(up, 40 cm) then at('rubber duck')<end>

Amounts stand in figures before the model sees them (`sayso.grounding`), and can only be copied. So can names: a thing
is called by words of the wish, or by one of the few in `Sayable.unsaid`. Instead of a goal it may say why nothing is
done, `refuse handle`, or what is missing, `ask where`. Which goals, refusals and questions there are, a kind of robot
tells (`Sayable`); what it does about a goal is no matter of reading.
"""

import json
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar

from sayso.errors import NotUnderstood, PlanSyntaxError
from sayso.goal import ANYTHING, RANKS, Clause, If, Not, Pred, Then, Which
from sayso.goals.clauses import clauses, mapped, preds, whiches
from sayso.goals.spoken import spoken
from sayso.goals.spoken import told as naming
from sayso.goals.text import is_bare, parse
from sayso.grounding import lexicon
from sayso.grounding.clock import clocked
from sayso.grounding.mentions import Name
from sayso.grounding.people import is_person, is_pronoun
from sayso.grounding.tokens import clean as plain
from sayso.grounding.utterance import figured, onward, read
from sayso.models.pocket.constraints import GrammarConstraint
from sayso.models.pocket.text import WISH_CHARS, clean
from sayso.roles import Brief, Prompt
from sayso.tables import toml
from sayso.understanding import account
from sayso.understanding import operators as ops
from sayso.understanding.acts import questions
from sayso.understanding.forms import OTHERWISE, UNSURE, Form, brief_of
from sayso.understanding.gaps import DECIDES, leaving_out, undirected
from sayso.understanding.operators import Operator, doubtful, is_most, missing, operators, stands, unheard, without
from sayso.understanding.picks import joined
from sayso.understanding.questions import ANSWERS, PERSON, UNREAD, asks_anything, only_asked, untold
from sayso.wish import Act

AROUND = "360"
"""A whole turn is copied from nowhere."""
COUNT_MAX = 20
SPEAK, LOG = "speak", "log"
AIMS = ("at", "visited", "facing", "followed")
"""Ways to go to a thing."""
METRES_BELOW = 10.0
"""A bare number of a move that is smaller is one of metres, else of centimetres."""

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")
_WORD = re.compile(r"[a-z][\w'-]*")
_BARE = re.compile(r"\b(moved|turned)\((\w+), (\d+(?:\.\d+)?)\)|\b(waited)\((\d+(?:\.\d+)?)\)")
_MOVED, _LENGTH = re.compile(r"\bmoved\(\w+, (\d+(?:\.\d+)? c?m)\)"), re.compile(r"\b\d+(?:\.\d+)? c?m\b")
_SIGNATURE = re.compile(r"(\w+)(?:\((.*)\))?")

_CLAUSES = {
    "if": '"if " test block (" else" block)?',
    "until": '"until " test block (" most " times)?',
    "times": "times block",
    "each": '"each(" {each} ")" block',
    "within": '"within(" amount " s)" block',
    "never": '"never " pred',
}
_ARGUMENTS = {
    "which": "which", "way": "way", "side": "side", "count": "count",
    "distance": 'amount (" cm" | " m")?', "angle": 'amount (" deg")?', "time": 'amount (" s")?',
    "share": 'amount " %"', "number": "amount", "name": "name", "who": '((count | amount) " ")? name',
    "text": "\"'\" SAID \"'\"", "question": "\"'\" question \"'\"", "asking": "\"'\" ( question | SAID ) \"'\"",
}  # fmt: skip

_GRAMMAR = """
start: goal | "refuse " refusal | "ask " missing
refusal: {refusals}
missing: {missing}
goal: {goal}
chain: either (" then " either)*
either: clause (" or " clause)*
clause: pred{clauses}
block: " {{ " goal " }}"
test: ("not ")? tested | "{{ " ("not ")? tested "; " ("not ")? tested " }}"
tested: {tests}
pred: {goals}
way: "forward" | "back" | "left" | "right" | "up" | "down"
side: "left" | "right" | "back"
question: {questions}
which: "it" | (count " ")? ("nth " count " ")? (rank " ")? thing relation? {which}
relation: ({relations}) thing
thing: name ("." name){traits}
rank: {ranks}
name: {bare} | "'" QUOTED "'"
QUOTED: {said} | {unsaid}
SAID: {said} | {spoken}
amount: {amounts}
count: {counts}
times: {times}
"""


@dataclass(frozen=True, slots=True)
class Sayable:
    """What a wish to one kind of robot can say.

    `mark` is what stands before a wish, so that the model knows whom it is for. `goals` and `tests` are predicates with
    what each takes, `moved(way, distance?)`; `?` may be left out, and another word than in `_ARGUMENTS` stands as
    it is, of `a|b` either. `clauses` are those of `_CLAUSES` that there are.
    With `among` things may be all of a kind, from a place, with several traits and exceptions, and wanted in any order
    (`;`). `unsaid` are names that may be written although nobody said them, `spoken` words that are to be said. Without
    `units` amounts stay as they were said, and only counts stand in figures; with `clocks` times of day do too. `chars`
    of a wish are read.
    """

    mark: str
    goals: tuple[str, ...]
    tests: tuple[str, ...]
    refusals: tuple[str, ...]
    missing: tuple[str, ...]
    questions: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ("if",)
    relations: tuple[str, ...] = ("on", "beside", "behind")
    unsaid: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ("yes", "no", "none")
    among: bool = False
    units: bool = True
    clocks: bool = False
    chars: int = WISH_CHARS

    def reads(self, wish: str) -> str:
        """A wish in short, up to the mark behind which its reading begins."""
        said = figured(onward(clocked(wish) if self.clocks else wish), self.units)
        return f"<{self.mark}>{clean(said, self.chars)}<do>"

    def constraint(self, reads: str) -> GrammarConstraint:
        """Readings of what is `read`: names and amounts are copied out of it."""
        said = reads[reads.index(">") + 1 : reads.rindex("<")]
        numbers = dict.fromkeys((*_NUMBER.findall(said), AROUND))
        found = [part for w in _WORD.findall(said) for part in dict.fromkeys((w, w.partition("'")[0]))]
        words = dict.fromkeys((*filter(is_bare, found), *filter(is_bare, self.unsaid)))
        near = {n + d for n in map(float, numbers) if n == int(n) and n < COUNT_MAX for d in (0, 1)}
        counts = [str(n) for n in sorted({1, 2, 3, *(int(n) for n in near if n)})]
        escaped = said.replace("\\", " ").replace("'", "\\'")
        related, there = (f" {r} " for r in self.relations), '(" from " name)?'
        but = f'(" but " thing {there if self.among else ""})'
        each = "which" if self.among else '("all" | count) " " name'
        return GrammarConstraint(
            _GRAMMAR.format(
                refusals=_any(self.refusals), missing=_any(self.missing), questions=_any(self.questions),
                ranks=_any(RANKS), goals=_signatures(self.goals), tests=_signatures(self.tests),
                clauses="".join(f" | {_CLAUSES[c].format(each=each)}" for c in self.clauses), relations=_any(related),
                traits="*" if self.among else "?",
                goal='chain ("; " chain)*' if self.among else "chain",
                which=f"{there} {but}*" if self.among else f"{but}?",
                bare=_any(words), unsaid=_any(self.unsaid), spoken=_any(self.spoken), amounts=_any(numbers),
                counts=_any(["all", *counts] if self.among else counts), times=_any(counts),
                said=f'%regex {json.dumps({"substring_words": escaped})}',
            )
        )  # fmt: skip


NOTHING = frozenset(toml("sayso.grounding", "told.toml")["none"].values())
"""What stands for none of anything, and is no words to be said."""


class ReadingForm(Form):
    """A wish is read, once; what comes of it is no matter of the model."""

    says: ClassVar[Sayable]

    @abstractmethod
    def planned(self, prompt: Prompt, written: str) -> str:
        """What a reading comes to, as the planner reads it. Raises `PlanSyntaxError`, `NotUnderstood`."""

    def reads(self, prompt: Prompt) -> str:
        return self.says.reads(brief_of(prompt).core)

    def constraint(self, prompt: Prompt, reads: str) -> GrammarConstraint:
        return self.says.constraint(reads)

    def goal(self, prompt: Prompt, written: str) -> Clause:
        """The goal that is written. Raises `PlanSyntaxError`."""
        return parse(with_units(written, brief_of(prompt).core) if self.says.units else written)

    def hindered(self, prompt: Prompt, written: str) -> str:
        try:
            self._made(prompt, written)
        except (PlanSyntaxError, NotUnderstood) as error:
            return str(error)
        return ""

    def _made(self, prompt: Prompt, written: str) -> str:
        """What a reading comes to; none where a thing is to go where it is taken from."""
        made = self.planned(prompt, written)
        with suppress(PlanSyntaxError):
            goal = self.goal(prompt, written)
            if contradicts(goal) or any(pred.name == "said" and pred.args[0] in NOTHING for pred in preds(goal)):
                raise NotUnderstood(f"{UNSURE} {OTHERWISE}")
        if any(re.search(r" from (\w+|'[^']*'), \1\)", text) for text in (written, made)):
            raise NotUnderstood(f"{UNSURE} {OTHERWISE}")
        return made

    def answer(self, prompt: Prompt, written: str) -> str:
        if self.refuses(prompt, written) and _asks(prompt):
            return self.declined(prompt, UNREAD)
        try:
            return self._made(prompt, written)
        except (PlanSyntaxError, NotUnderstood) as error:
            return self.declined(prompt, str(error))

    def doubt(self, prompt: Prompt, written: str, why: str = UNSURE, *, sure: bool = False) -> str:
        """Asks whether that was meant, in the words of the wish; for what is no goal there are none. A question about
        the world is one about a goal only where it was read as a question (U1)."""
        try:
            goal = self.goal(prompt, written)
        except PlanSyntaxError:
            return UNREAD if _asks(prompt) else super().doubt(prompt, written, why)
        wish = brief_of(prompt).core
        if isinstance(goal, Pred) and goal.args == (wish.strip(" ?.!").lower(),) and goal.name == "answered":
            return ""  # it answers the very question
        guessed = {one.kind for one in whiches(goal)} & {*self.says.unsaid} - {*lexicon.words(wish)}
        guessed = {kind for kind in guessed if " " in kind or (kind == PERSON and not is_person(wish))}
        if _asks(prompt) and (guessed or all(pred.name not in ANSWERS for pred in preds(goal))):
            return UNREAD
        if guessed and not sure and not any({*lexicon.words(kind)} & {*lexicon.words(wish)} for kind in guessed):
            return super().doubt(prompt, written, why)
        held = self.held_to(prompt, written) or goal
        if lost := [o for o in missing(wish, held) if o.kind in (*DECIDES, *ops.CHOOSES)]:
            return leaving_out(wish, lost, held)
        named = mapped(held, lambda which: replace(which, kind=_as_said(which.kind, wish)))
        asked = spoken(named).removesuffix(".").replace("'", "’")
        return f"{why} Is this what you want: {asked}?"

    def part(self, brief: Brief, text: str) -> Clause | None:
        """What code reads by itself of a part of a sentence; None where a word of it is not read."""
        return None

    def ignored(self, prompt: Prompt, written: str, reread: Callable[[Prompt], str]) -> str:
        """Besides, what code reads by itself of a part of the sentence is part of its goal."""
        brief = brief_of(prompt)
        try:
            goal = self.goal(prompt, written)
            asked = only_asked(goal, brief.request)
        except (PlanSyntaxError, NotUnderstood):
            return ""
        match goal:
            case Pred("answered" | "named") if not asks_anything(brief.core):
                return f"{UNSURE} {OTHERWISE}"
            case Pred("found") if not asks_anything(brief.core.strip("?")):  # what any other deed may begin with
                return f"{UNSURE} {OTHERWISE}"
        if ways := undirected(brief.core, goal) or leaving_out(brief.core, _turned_from(brief.core, goal)):
            return ways
        some = joined(brief.core)
        pairs = [(text, f"{some[n - 1]} and {text}" if n else text) for n, text in enumerate(some)]
        read = [(text, self.part(brief, text) or self.part(brief, both)) for text, both in pairs]  # left and then right
        if parts := [one for text, meant in read if meant and (one := unheard(text, meant, goal))]:
            return leaving_out(brief.core, parts)
        unnamed = [one for one in account.phrases(brief.core, goal) if not account.named(one, goal, brief.core)]

        def reading(text: str) -> str:
            return reread(replace(prompt, brief=replace(brief, instruction=text, request=None)))

        doubts = [one for one in (*doubtful(brief.core, goal), *unnamed) if not self.settled(brief.core, one, goal)]
        asks = isinstance(goal, Pred) and goal.name == "answered"
        sure = [
            o
            for o in doubts
            if o.kind in ops.PLAIN
            or ((ops.is_some(o) or (o.kind == "bound" and ops.brings(goal))) and not stands(o, goal))
            or account.untested(o, goal)
            or (
                o.kind == "alternative"
                and not stands(o, goal)
                and account.named(replace(o, text=ops.with_its_name(brief.core, o)[len(o.text) :]), goal)
            )
            or ((asks or is_most(o)) and o.kind in ops.CHOOSES and not stands(o, goal))
        ]
        lost = [o for o in doubts if o in sure or self._alike(prompt, reading(without(brief.core, o)), written, o)]
        lost = [o for o in lost if not (alone := account.by_itself(o)) or self._unheard(prompt, alone, reading, goal)]
        for unheard_ in account.CHECKS:
            lost += unheard_(brief.core, goal)
        lost += [Operator("measure", word) for word in untold(brief.core, asked)]
        told = sum(pred.name in ANSWERS for pred in preds(goal))
        lost += [Operator("measure", one) for one in questions(brief.core)[told:] if _asks(prompt) and told]
        if held := self.held_to(prompt, written):
            lost += [o for o in missing(brief.core, held) if stands(o, goal)]
            lost += account.lost(brief.core, goal, held, self.names(brief))
        return leaving_out(brief.core, lost, asked if self.says.clauses else None)

    def _unheard(self, prompt: Prompt, part: str, reread: Callable[[str], str], goal: Clause) -> bool:
        """Whether a part means by itself what the goal does not do: "and bring it to me" of what is given."""
        it = next((f"the {naming(which)}" for which in whiches(goal)), "it")
        try:
            alone = self.goal(prompt, reread(" ".join(it if is_pronoun(word) else word for word in part.split())))
            return unheard(part, alone, goal) is not None
        except PlanSyntaxError:
            _, _, rest = part.partition(" ")  # "put on the table" has no thing to put there
            return not account.named(Operator("phrase", rest), goal, brief_of(prompt).core) or len(rest.split()) < 2

    def settled(self, sentence: str, said: Operator, goal: Clause) -> bool:
        """Whether these words of a sentence are done in any case, or ask for nothing of what is read here."""
        return False

    def names(self, brief: Brief) -> Sequence[Name]:
        """The names of the robot's table."""
        return ()

    def _alike(self, prompt: Prompt, one: str, other: str, less: Operator) -> bool:
        """Whether two readings want the same of the same kinds of things, however many of them a name speaks of; with a
        phrase `less`, also where they are said back alike."""
        try:
            goals = [self.goal(prompt, text) for text in (one, other)]
        except PlanSyntaxError:
            return one == other
        first, second = (mapped(goal, lambda which: replace(which, kind=lexicon.kind(which.kind))) for goal in goals)
        return first == second or (less.kind == "phrase" and spoken(first) == spoken(second))

    def held_to(self, prompt: Prompt, written: str) -> Clause | None:
        """The goal that is made of a reading, where code makes another one of it."""
        return None

    def refuses(self, prompt: Prompt, written: str) -> bool:
        return written.startswith(("refuse", "ask"))


class PlannedForm(ReadingForm):
    """A wish of which code makes a plan."""

    ways = frozenset({"plan", "replan"})

    def held_to(self, prompt: Prompt, written: str) -> Clause | None:
        """The one behind its plan."""
        _, _, goal = self.answer(prompt, written).rpartition("\n")
        try:
            return parse(goal) if goal.startswith("want ") else None
        except PlanSyntaxError:
            return None

    def declined(self, prompt: Prompt, says: str) -> str:
        """A plan that says so, where the robot has a voice, and ends without having moved."""
        skills, told = brief_of(prompt).skills, says.replace("'", "’")
        skill = skills.find(SPEAK) or skills.find(LOG)
        by = skill.short if skill and [p.kind for p in skill.params] in (["text"], ["any"]) else ""
        return f"{by}('{told}');->False" if by else "->False"


def contradicts(goal: Clause) -> bool:
    """Whether it goes to somebody or something only where there is none: "if nobody is in the hall, go there"; or ends
    with landing, over and over: "turn twice and land"."""
    for part in clauses(goal):
        match part:
            case Then((Then((*_, Pred("landed"))) as first, second, *_)) if first == second:
                return True
            case If(Not(Pred("found" | "sees", (Which() as none,))), yes):
                aims = [pred for pred in preds(yes) if pred.name in AIMS]
                if any(which.kind == none.kind != ANYTHING for pred in aims for which in whiches(pred)):
                    return True
    return False


def _turned_from(wish: str, goal: Clause) -> list[Operator]:
    """The one of left and right that was said and that it does not move or turn to, where it does to the other."""
    said = read(wish).sides & {"left", "right"}
    done = {str(pred.args[0]) for pred in preds(goal) if pred.name in ("moved", "turned")} & {"left", "right"}
    told = ops.texts(goal)
    return [Operator("place", side) for side in said - done if len(said) > len(done) == 1 and side not in told]


def _asks(prompt: Prompt) -> bool:
    """Whether the wish only asks about the world."""
    request = brief_of(prompt).request
    return request is not None and request.act is Act.WORLD


def _as_said(name: str, wish: str) -> str:
    """With its capitals, where they are not a sentence's."""
    found = re.search(rf"[\w,;] ({re.escape(name)})\b", wish, re.IGNORECASE)
    return found[1] if found else name


def _any(words: Iterable[str]) -> str:
    return " | ".join(json.dumps(w) for w in words) or '"-"'


def _signatures(written: Iterable[str]) -> str:
    """`moved(way, distance?)` as a part of a grammar."""
    return " | ".join(map(_signature, written)) or '"-"'


def _signature(written: str) -> str:
    match = _SIGNATURE.fullmatch(written)
    assert match, written
    rest, takes = "", [a.strip() for a in (match[2] or "").split(",") if a.strip()]
    for at, one in reversed([*enumerate(takes)]):
        is_ = one.removesuffix("?")
        takes_ = _ARGUMENTS.get(is_) or f"({_any(is_.split('|'))})"
        part = f"{json.dumps(', ') if at else ''} {takes_} {rest}"
        rest = f"({part})?" if one.endswith("?") else part
    if not takes:
        return json.dumps(match[1])
    if all(t.endswith("?") for t in takes):
        return f'{json.dumps(match[1])} ("(" {rest[1:-2]} ")")?'
    return f'{json.dumps(match[1])} "(" {rest} ")"'


def with_units(text: str, wish: str = "") -> str:
    """`moved(up, 40)` is 40 cm and `moved(up, 2)` is 2 m; a bare number of a turn is one of degrees. Where the wish
    speaks of a height above the floor, a move by that amount goes there."""

    def unit(found: re.Match[str]) -> str:
        verb, side, much, waited, long = found.groups()
        if waited:
            return f"waited({long} s)"
        return f"{verb}({side}, {much} {'deg' if verb == 'turned' else 'm' if float(much) < METRES_BELOW else 'cm'})"

    high = _heights(wish)
    return _MOVED.sub(lambda found: f"height({found[1]})" if found[1] in high else found[0], _BARE.sub(unit, text))


def _heights(wish: str) -> set[str]:
    """The amounts, in figures, that are heights wherever they are said."""
    heights, rest = [o for o in operators(wish) if o.kind == "height"], plain(wish)
    for one in reversed(heights):
        rest = f"{rest[: one.start]} {rest[one.end :]}"
    return {a for one in heights for a in _LENGTH.findall(figured(one.text))} - {*_LENGTH.findall(figured(rest))}
