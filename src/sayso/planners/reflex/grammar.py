"""The grammar: recursive descent over the phrases of the vocabulary, one function a rule.

    request   := sequence
    sequence  := step { joiner step }              joiner: "and", "then", a comma, a full stop, …
    step      := command [ count ]                 count: "twice", "3 times"
    command   := condition | repetition | a skill of the robot's own (signatures.py) | one of commands.toml

A command must be followed by a joiner, a count or the end, else it is not that command and the next rule is tried.
So nothing of a sentence is ever skipped, and "go to the left" and "go to the left chair" come apart. `docs/reflex.md`
shows what each rule reads.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from sayso.grounding.utterance import speaks_of_view
from sayso.planners.reflex.commands import rules, times
from sayso.planners.reflex.reader import Reader
from sayso.planners.reflex.steps import (
    Call,
    Height,
    If,
    Move,
    Seek,
    Sees,
    Step,
    Steps,
    Test,
    Times,
    Turn,
    UntilTold,
    Wait,
)  # fmt: skip
from sayso.planners.reflex.writer import spoken

DEEPEST = 4
"""Conditions and repetitions within each other; people do not speak deeper than this."""

FULL_STOP = frozenset(".!?;")
PERSON = "person"
HALF_TURN, WHOLE_TURN = Turn("clockwise", 180.0), Turn("clockwise", 360.0)
CONDITIONS = ("otherwise", "if_so", "if_see", "if_find", "if_not_see", "if_not_find", "if_nobody", "when_find")

Rule: TypeAlias = Callable[[Reader], Step | None]


class Grammar:
    """Reads one request; `own` are the rules for this robot's skills, `tests` read what they tell."""

    def __init__(
        self, reader: Reader, own: Sequence[Rule] = (), tests: Sequence[Callable[[Reader], Test | None]] = ()
    ) -> None:
        self._r, self._own, self._tests = reader, own, tests
        self._conditions = (*CONDITIONS, *(("if", "until") if tests else ()))
        self._depth, self._verbless, self._joined = 0, False, ""
        self._last: Step | None = None

    def steps(self) -> Steps:
        """The whole request, or an error at the furthest place that made sense."""
        found = self._sequence()
        if not self._r.done:
            raise self._r.stumbled()
        return found

    def _sequence(self, branch: bool = False) -> Steps:
        """Steps up to the end; a branch ends before the end of its sentence and before an "otherwise"."""
        r, found, starts = self._r, list[Step](), [0]
        while True:
            if found and self._ends_politely():
                return tuple(found)
            r.skip_polite("polite_before")
            self._read_one(found, starts)
            before = r.at
            joined = self._joined = self._joiner()
            ends = self._condition_here() == "otherwise" or bool(FULL_STOP & set(joined))
            if r.done and r.words[r.at - 1].text in ("and", "plus", "before"):  # that joins nothing
                r.expect("command")
                raise r.stumbled()
            if r.done or (branch and ends):
                r.at = r.at if r.done else before
                return tuple(found)
            if not joined and self._condition_here() is None:
                r.expect("join")
                raise r.stumbled()
            if FULL_STOP & set(joined):
                starts.append(len(found))

    def _ends_politely(self) -> bool:
        """Nothing but courtesy is left: "…, please. Thank you!"."""
        r, start = self._r, self._r.at
        while not r.done and (r.take("polite_after") or r.take("polite_before") or r.marks()):
            pass
        if not r.done:
            r.at = start
        return r.done

    def _read_one(self, found: list[Step], starts: list[int]) -> None:
        """One more step, or one that takes up what was found before."""
        if self._takes_condition_on(found, starts) or self._takes_repetition_of(found, starts):
            return
        again = self._verbless
        step = self._step()
        if step is None or (again and self._verbless and isinstance(step, Times)):
            self._r.expect("command")
            raise self._r.stumbled()
        if found and self._said_twice(found[-1], step):
            found[-1] = step
            return
        if found and self._verbless and isinstance(step, Times):  # "go up and down 3 times"
            step = replace(step, body=(found.pop(), *step.body))
        found.append(step)

    def _said_twice(self, before: Step, step: Step) -> bool:
        """ "Turn round and face the other way", "go up to it and stop in front of it", "spin once, a full circle"."""
        whole = isinstance(step, Turn) and step.deg == WHOLE_TURN.deg
        if whole and before in (WHOLE_TURN, Times(1, (WHOLE_TURN,))):
            return self._joined == ","
        seeks = isinstance(step, Seek) and step.want == "at"
        return step == before and (step == HALF_TURN or seeks) and not self._verbless

    def _joiner(self) -> str:
        """What stands between two steps: its punctuation, or "and" for words; empty where nothing joins."""
        r = self._r
        r.skip_polite("polite_after")
        found = r.marks()
        while self._condition_here() is None and r.take("join"):
            found += "and" + r.marks()
        return found

    def _condition_here(self) -> str | None:
        return self._r.longest(self._conditions)

    def _step(self) -> Step | None:
        """The first rule that reads a command up to a boundary."""
        start = self._r.at
        for rule in (self._condition, self._repetition, self._go_and, *self._plain_rules()):
            self._r.began = start
            step = rule()
            if step is not None and self._at_boundary():
                self._last = step.body[-1] if isinstance(step, Times) else step
                return step
            self._r.at = start
        return None

    def _plain_rules(self) -> list[Callable[[], Step | None]]:
        """Each command with its count, then what can be said without a verb."""
        moves = rules("moved_by")
        match self._last:
            case Turn():
                moves = [*rules("behind_a_turn"), *moves]
            case Seek(want="at"):
                moves = [*rules("behind_go_to"), *moves]
            case Call(args=(_, *_)):
                moves = [*rules("behind_go_to")[:1], *moves]
            case Seek(want="found"):
                moves = [*rules("behind_find"), *moves]
            case Move():
                moves = [
                    *rules("behind_a_height"),
                    *(partial(self._each_time, rule) for rule in rules("behind_a_move")),
                ]
            case Height():
                moves = [*rules("behind_a_height"), *moves]
        verbless = [partial(self._counted, rule, True) for rule in (*moves, *rules("turned_by"))]
        return [*(partial(self._counted, rule) for rule in (*self._own, *rules())), *verbless]

    def _each_time(self, rule: Rule, r: Reader) -> Step | None:
        """Two moves with one verb have a distance each or none; "forward and back 1 metre" could mean two things."""
        step, before = rule(r), self._last
        if isinstance(step, Move) and isinstance(before, Move) and step.usual != before.usual:
            r.expect("distance", "How far, each time?")
            return None
        return step

    def _counted(self, rule: Rule, verbless: bool = False) -> Step | None:
        step, self._verbless = rule(self._r), verbless
        if step is None:
            return None
        height = self._high(step)
        n = self._r.count()
        height = height or self._high(step)
        done = step if n is None else times(self._r, n, (step,))
        return Times(1, (height, done)) if height else done

    def _high(self, step: Step) -> Step | None:
        """How high something is done to a place or a thing, or is gone along: "circle the village at 60 m"."""
        of = "with_a_place" if isinstance(step, Call) and step.args and not step.want else ""
        of = "with_a_way" if isinstance(step, Move) and step.way not in ("up", "down") else of
        return next((high for rule in rules(of) if (high := rule(self._r))), None) if of else None

    def _at_boundary(self) -> bool:
        r, start = self._r, self._r.at
        r.skip_polite("polite_after")
        token = r.token()
        ends = token is None or token.kind == "mark" or r.sees("join") or self._condition_here() is not None
        if not ends:
            r.expect("join")
        r.at = start
        return ends

    def _go_and(self) -> Step | None:
        """ "go and take a picture of the chair" means from near it; before other commands the words mean nothing."""
        if not self._r.take("go_and"):
            return None
        step = self._step()
        if isinstance(step, Seek) and step.want == "picture":
            return Times(1, (Seek("at", step.thing), step))
        return step

    def _condition(self) -> Step | None:
        """ "if you see a chair, …, otherwise …"; "if the light is above 300 lux, …"; "until it is below 5 bar, …"."""
        r, symbol = self._r, self._condition_here()
        if symbol is None or symbol in ("otherwise", "if_so"):
            return None
        r.take(symbol)
        if symbol in ("if", "until"):
            test = self._test()
            if symbol == "until":
                return self._repeated(test, self._branch())
            return If(test, *self._branches())
        thing = PERSON if symbol == "if_nobody" else r.thing()
        if thing is None:
            raise r.stumbled()
        then, other = self._branches()
        waits = symbol == "when_find"
        must = waits and other is None
        if must and all(isinstance(step, Wait) for step in then):  # there is nothing to stop yet
            r.expect("command", r.hint("when"))
            raise r.stumbled()
        looks = symbol.endswith("find") or (symbol == "if_nobody" and "scan" in r.able)
        search = waits or (looks and not speaks_of_view(r.sentence))
        return If(Sees(thing, search, not symbol.startswith(("if_not", "if_no"))), then, other, must)

    def _test(self) -> Test:
        """What one of the robot's own skills is to tell. Raises `NotUnderstood` where it is none of that."""
        test = next((test for read in self._tests if (test := read(self._r))), None)
        if test is None:
            self._r.expect("condition")
            raise self._r.stumbled()
        return test

    def _repeated(self, test: Test, body: Steps) -> UntilTold:
        return UntilTold(test, body, int(self._r.vocab.defaults["until_max"]))

    def _takes_test_on(self, found: list[Step], starts: list[int], symbol: str) -> bool:
        """ "water 100 ml until …", "… if …": of the step before, where that is all of its sentence."""
        self._r.take(symbol)
        if len(found) - max(start for start in starts if start < len(found)) > 1:
            self._r.expect("command", f"Say first what goes on {symbol} when: “{symbol} …, …”.")
            raise self._r.stumbled()
        test, last = self._test(), found.pop()
        found.append(self._repeated(test, (last,)) if symbol == "until" else If(test, (last,)))
        return True

    def _takes_condition_on(self, found: list[Step], starts: list[int]) -> bool:
        """ "find an apple. If so, …": the search becomes the condition; "go to the chair, otherwise …" likewise."""
        symbol = self._condition_here()
        last = found[-1] if found else None
        if last and symbol in ("if", "until") and not self._joined:
            return self._takes_test_on(found, starts, symbol)
        if symbol == "if_so" and isinstance(last, Seek) and last.want == "found":
            self._r.take("if_so")
            then, other = self._branches()
            found[-1] = If(Sees(last.thing, search=True), then, other, must=other is None)
            return True
        if symbol != "otherwise":
            return False
        match last:
            case If(other=None):
                found[-1] = replace(last, other=self._other())
            case Seek(want="at"):
                found[-1] = If(Sees(last.thing, search=True), (last,), self._other())
            case Seek(want="found", thing=thing):
                say = Call("log", (f"I see the {spoken(thing)}.",), "said")
                found[-1] = If(Sees(thing, search=True), (say,), self._other())
            case _:
                return False
        return True

    def _branches(self) -> tuple[Steps, Steps | None]:
        then = self._branch()
        start = self._r.at
        self._joiner()
        if self._condition_here() == "otherwise":
            return then, self._other()
        self._r.at = start
        return then, None

    def _other(self) -> Steps:
        self._r.take("otherwise")
        return self._branch()

    def _branch(self) -> Steps:
        if self._depth >= DEEPEST:
            self._r.expect("command", "There are too many conditions within each other.")
            raise self._r.stumbled()
        self._r.marks()
        self._r.take("then")
        self._depth += 1
        found = self._sequence(branch=True)
        self._depth -= 1
        return found

    def _repetition(self) -> Step | None:
        """ "repeat 3 times: …", "3 times: …"."""
        r = self._r
        r.take("repeat")
        n = r.count()
        if n is None or (self._at_boundary() and not r.marks()) or r.done:
            return None
        return times(r, n, self._branch())

    def _takes_repetition_of(self, found: list[Step], starts: list[int]) -> bool:
        """ "…, do that 3 times": all of its sentence, or of the one before when it is a sentence of its own."""
        r, start = self._r, self._r.at
        n = r.count() if found and r.take("repeat") else None
        token = r.token()
        if n is None or (token and token.text not in (".", "!", ";", ",") and not r.sees("join")):
            r.at = start
            return False
        first = max((start for start in starts if start < len(found)), default=0)
        found[first:] = [times(r, n, tuple(found[first:]))]
        return True
