"""The story of a mission, from its journal: what was said, planned, done and refused, and how it ended.

Plain data comes out, one `Line` per thing worth telling, in the order of time; the command line and the console make it
pretty. What happens many times a second (chunks, positions, looks at an unchanged scene) is folded into its sum. Text
from the world and from models is shown as text: control characters are taken out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sayso import events as ev
from sayso.memory.wording import asked, call, clean_lines, labels, worded
from sayso.skill import say

WEIGHED_SHOWN = 3
"""Of many choices that a model weighed, so many are told."""


class Line(NamedTuple):
    """`at_s` since the mission began; `mark` says in a word what it is about; `text` may have several lines."""

    at_s: float
    mark: str
    text: str

    def __str__(self) -> str:
        """As one of a list, with what its text has in further lines below the first."""
        head = f"{self.at_s:8.2f} s  {self.mark:<9} "
        return head + self.text.replace("\n", "\n" + " " * len(head))


def tell(events: Iterable[ev.Event], *, alive: bool = False) -> list[Line]:
    """The story of one mission. `alive`: its process still runs, so that an open end is no death."""
    story = _Story(list(_counted_on(events)))
    for event in story.events:
        story.tell(event)
    story.close(alive)
    return [line._replace(text=clean_lines(line.text)) for line in story.lines]


def _counted_on(events: Iterable[ev.Event]) -> Iterator[ev.Event]:
    """The same with statements counted through the mission, not from 1 in each of its plans."""
    before = most = 0
    for event in events:
        if isinstance(event, ev.StatementReady | ev.TaskStarted) and event.statement:
            event = replace(event, statement=event.statement + before)
            most = max(most, event.statement)
        elif isinstance(event, ev.PlanEnded):
            before = most
        yield event


@dataclass
class _Run:
    """What became of the tasks of one statement."""

    began_s: float = 0.0
    ended_s: float | None = None
    tasks: int = 0
    ends: list[ev.TaskEnded] = field(default_factory=list)

    def __str__(self) -> str:
        if self.ended_s is None or len(self.ends) < self.tasks:
            times = f"{self.tasks} times, " if self.tasks > 1 else ""
            return f"ran {times}from {self.began_s:.1f} s, no end on record"
        times = f"{self.tasks} times, " if self.tasks > 1 else ""
        return f"ran {times}{self.began_s:.1f} to {self.ended_s:.1f} s: {_endings(self.ends)}"


def _endings(ends: Sequence[ev.TaskEnded]) -> str:
    """How tasks ended; the same ending many times is said once."""
    count = Counter(_ending(end) for end in ends)
    return ", ".join(f"{n} × {text}" if n > 1 else text for text, n in count.items())


def _ending(end: ev.TaskEnded) -> str:
    value = "" if end.value is None else f" = {say(end.value)}"
    detail = f": {end.detail}" if end.detail else ""
    return f"{end.outcome}{value}{detail}"


@dataclass
class _Call:
    """One model call, folded."""

    prompted: ev.Prompted
    first_s: float | None = None
    text: str = ""


class _Story:
    """Walks the events once. Statements are told when they arrive, with what became of them."""

    def __init__(self, events: list[ev.Event]) -> None:
        self.events = events
        self.lines: list[Line] = []
        self._runs = _runs(events)
        self._calls: dict[int, _Call] = {}
        self._open: dict[int, ev.TaskStarted] = {}
        self._seen: list[str] | None = None
        self._ended = False

    def tell(self, event: ev.Event) -> None:
        """One event: nothing, or a line."""
        match event:
            case ev.MissionStarted():
                self._add(event, "said", f'"{event.instruction}"')
                for reply in event.wish.replies:
                    self._add(event, "asked", f'"{reply.question}"')
                    self._add(event, "said", f'"{reply.answer}"')
            case ev.Instructed():
                self._add(event, "said", f'"{event.instruction}"')
            case ev.MissionEnded():
                self._ended = True
                self._add(event, "end", _verdict(event))
            case ev.Prompted() | ev.ChunkArrived() | ev.AnswerEnded() | ev.AnswerFailed():
                self._model(event)
            case ev.StatementReady():
                run = self._runs.get(event.statement)
                beside = f"   {run}" if run else ""
                if event.behind == ":{":
                    self._add(event, "plan", f"{'  ' * (event.depth - 1)}:")
                sign = ":" if event.behind == ":" else ""
                self._add(event, "plan", f"{'  ' * event.depth}{sign}{event.text}{beside}")
            case ev.TaskStarted() | ev.TaskEnded():
                self._task(event)
            case ev.Observed():
                self._look(event)
            case ev.PlanEnded():
                value = "" if event.value is None else f" with {say(event.value)}"
                self._add(event, "plan", f"{event.how}{value}{f': {event.reason}' if event.reason else ''}")
            case ev.ApprovalAsked():
                self._add(event, "approval", f"asked for\n{event.plan}")
            case _:
                if said := worded(event):
                    self._add(event, *said)

    def close(self, alive: bool) -> None:
        """A record without a verdict: say what was going on when it ended."""
        if self._ended or not self.events:
            return
        last = self.events[-1]
        for task in self._open.values():
            self._add(last, "open", f"{call(task)} was running")
        for awaited in self._calls.values():
            received = f"; received so far: {awaited.text}" if awaited.text else ""
            self._add(last, "open", f"the answer of {awaited.prompted.model} was awaited{received}")
        end = "the mission is still running" if alive else "the record ends here: the process died"
        self._add(last, "end", end)

    def _add(self, event: ev.Event, mark: str, text: str) -> None:
        self.lines.append(Line(event.at_s, mark, text))

    def _model(self, event: ev.Prompted | ev.ChunkArrived | ev.AnswerEnded | ev.AnswerFailed) -> None:
        if isinstance(event, ev.Prompted):
            self._calls[event.call] = _Call(event)
            self._add(event, "model", asked(event))
            return
        awaited = self._calls.get(event.call)
        if isinstance(event, ev.ChunkArrived):
            if awaited:
                awaited.first_s = event.at_s if awaited.first_s is None else awaited.first_s
                awaited.text += event.text
            return
        self._calls.pop(event.call, None)
        if awaited and isinstance(event, ev.AnswerEnded):
            self._add(event, "model", _answer(awaited, event))
        elif said := worded(event):
            self._add(event, *said)

    def _task(self, event: ev.TaskStarted | ev.TaskEnded) -> None:
        """Tasks of statements are told beside them; what nobody planned, and what went wrong, has its own line."""
        if isinstance(event, ev.TaskStarted):
            self._open[event.task] = event
            return
        started = self._open.pop(event.task, None)
        if started is None or started.statement in self._runs:
            if event.outcome != "done":
                self._add(event, event.outcome, f"{event.skill}: {event.detail}" if event.detail else event.skill)
            return
        self._add(event, "did", f"{call(started)}   from {started.at_s:.1f} s: {_ending(event)}")

    def _look(self, event: ev.Observed) -> None:
        """A scene is told when other things are in it than before."""
        seen = sorted(labels(event))
        if seen != self._seen:
            self._seen = seen
            self._add(event, "sees", ", ".join(seen) or "nothing")


def _runs(events: Sequence[ev.Event]) -> dict[int, _Run]:
    """What became of each statement of the mission's plans, by its number."""
    runs: dict[int, _Run] = {}
    owner: dict[int, int] = {}
    ready = {event.statement for event in events if isinstance(event, ev.StatementReady)}
    for event in events:
        if isinstance(event, ev.TaskStarted) and event.statement in ready:
            owner[event.task] = event.statement
            run = runs.setdefault(event.statement, _Run(event.at_s))
            run.tasks += 1
        elif isinstance(event, ev.TaskEnded) and event.task in owner:
            run = runs[owner[event.task]]
            run.ended_s = event.at_s
            run.ends.append(event)
    return runs


def _answer(call: _Call, ended: ev.AnswerEnded) -> str:
    first = "" if call.first_s is None else f", first text after {call.first_s - call.prompted.at_s:.2f} s"
    tokens = f"{ended.tokens_out} tokens, {ended.tokens_in} read"
    if ended.scores:
        return f"weighs {_weighed(call.prompted, ended.scores)} ({ended.tokens_in} tokens read)"
    if call.prompted.purpose == "probe":
        return f"answers {say(call.text)} ({tokens}{first})"
    return f"the answer is whole ({tokens}{first})"


def _weighed(prompted: ev.Prompted, scores: Sequence[tuple[str, float]]) -> str:
    """The likeliest continuations, each with what its letter stands for in the prompt, where it is one."""
    lines = prompted.messages[-1][1].splitlines() if prompted.messages else []
    listed = {letter: says for letter, mark, says in (line.partition(") ") for line in lines) if mark}
    best = max(score for _, score in scores)
    weights = {c: math.exp(score - best) if math.isfinite(best) else 1.0 for c, score in scores}
    likeliest = sorted(weights, key=lambda c: -weights[c])[:WEIGHED_SHOWN]
    return ", ".join(f"{listed.get(c, c)} {weights[c] / sum(weights.values()):.0%}" for c in likeliest)


def _verdict(end: ev.MissionEnded) -> str:
    figures = [
        f"first motion or word after {end.r_time_s:.2f} s" if end.r_time_s is not None else "",
        f"done after {end.c_time_s:.2f} s" if end.c_time_s is not None else "",
        f"{end.plan_tokens} plan tokens",
        f"{end.model_calls} model calls",
        f"{end.replans} replans" if end.replans else "",
    ]
    return f"{end.verdict}\n{', '.join(f for f in figures if f)}"
