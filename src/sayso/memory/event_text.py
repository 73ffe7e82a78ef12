"""The text of each event for people: a mark that says what it is about, and a sentence or several lines.

A log, the foot of a live picture, progress for another program, a page and the story of a mission all tell an event in
these words. What happens many times a second (chunks, positions, looks at an unchanged scene) is folded into its sum.
Words come from people, models and the world; whatever could move a cursor or turn the writing round is taken out.
"""

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sayso import events as ev
from sayso.skill import say
from sayso.tables import toml
from sayso.task import LIMIT

LONG = 400
"""Characters of somebody's words that one line shows."""

WEIGHED_SHOWN = 3
"""Of many choices that a model weighed, so many are told."""

TABLE = toml(__package__, "event_text.toml")
"""What is asked for, by purpose; what is told plainly, by event; the entries of a conversation, by mark."""

ELSE = {"": "", ":": "else ", ":{": "else: "}
"""Before a statement, by what joins it to the branch before."""

IN_TEXT = "· "
"""Before a statement, for each block that it stands in."""


def clean(text: str) -> str:
    """Text without control and format characters, which could move a terminal's cursor or turn writing round."""
    return "".join(c for c in text.replace("\t", " ") if unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


def clean_lines(text: str) -> str:
    """The same, with its lines left as they are."""
    return "\n".join(map(clean, text.split("\n")))


def one_line(text: str, limit: int = LONG) -> str:
    """Text on one line, safe to show, not longer than a line can sensibly be."""
    text = clean(" ".join(text.split()))
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def call(task: ev.TaskStarted) -> str:
    """What was asked of which skill."""
    return f"{task.skill}({', '.join(map(say, task.args))})"


class Branch(NamedTuple):
    """A task in the executive's tree: `more` says after its state what it holds, who pushes it, and why it waits."""

    depth: int
    label: str
    state: str
    more: str


def branches(tree: Sequence[Mapping[str, Any]], depth: int = 0) -> Iterator[Branch]:
    """Every task of the tree above those within it, the strongest root first."""
    for task in tree if depth else sorted(tree, key=lambda task: -task["priority"]):
        more = f", holds {' '.join(task['holds'])}" if task.get("holds") else ""
        more += f", pushed by {task['pushed_by']}" if task.get("pushed_by") else ""
        more += f": {task['why']}" if task["state"] != "runs" else ""
        yield Branch(depth, task["label"], task["state"], more)
        yield from branches(task["children"], depth + 1)


class Line(NamedTuple):
    """A line of a story, `at_s` since the mission began; `mark` says in a word what it is about; `text` may have
    several lines."""

    at_s: float
    mark: str
    text: str

    def __str__(self) -> str:
        """As one of a list, with what its text has in further lines below the first."""
        head = f"{self.at_s:8.2f} s  {self.mark:<9} "
        return head + self.text.replace("\n", "\n" + " " * len(head))

    @property
    def short(self) -> str:
        """Always one line."""
        text = self.text.partition("\n")[0] if self.mark == "refused" else self.text
        return f"{self.at_s:7.2f} s  {self.mark:<8} {one_line(text)}".rstrip()


def event_text(event: ev.Event) -> tuple[str, str] | None:
    """The mark and the text of an event; None for what is no news by itself."""
    match event:
        case ev.MissionStarted():
            replies = "".join(f"\n{reply.question} “{reply.answer}”" for reply in event.wish.replies)
            return "wish", f"“{event.instruction}”{replies}"
        case ev.Prompted():
            return "asks", f"{event.model}{_asked(event)}"
        case ev.AnswerFailed():
            return "model", f"{'broke off' if event.received else 'no answer'}: {event.error}"
        case ev.PlanRefused():
            return "refused", event.pointed or event.error
        case ev.StatementReady():
            return "plan", f"{IN_TEXT * event.depth}{ELSE[event.behind]}{event.text}"
        case ev.PlanEnded() if event.how not in ("finished", "failed") or event.value is not None:
            value = "" if event.value is None else f" with {say(event.value)}"
            return "plan", f"{event.how}{value}{f': {event.reason}' if event.reason else ''}"
        case ev.ApprovalGiven():
            return "answer", "approved" if event.approved else "not approved"
        case ev.Observed():
            return "sees", ", ".join(str(thing.get("label", "?")) for thing in _things(event)) or "nothing"
        case ev.PictureTaken():
            shown = ", ".join(event.labels) or "nothing that has a name"
            return "picture", f"{event.file or '(nothing can render here)'} of {shown}"
        case ev.TaskStarted():
            return "start", call(event)
        case ev.TaskEnded(outcome="done"):
            value = "" if event.value is None else f"= {say(event.value)}"
            return "done", f"{event.skill} {value}{event.detail}".rstrip()
        case ev.TaskEnded() if event.code == LIMIT:
            return None  # the limit was told
        case ev.TaskEnded():
            return event.outcome, f"{event.skill}: {event.detail}"
        case ev.Stopped():
            return "stopped", f"{event.state}{'' if event.confirmed else ' (NOT CONFIRMED: it may still move)'}"
    mark, says = TABLE["plainly"].get(type(event).__name__, ("", ""))
    return (mark, says.format(event)) if mark else None


def _things(look: ev.Observed) -> Sequence[Mapping[str, Any]]:
    return look.scene.get("things") or ()


def _asked(prompted: ev.Prompted) -> str:
    """What a model is asked: the question itself where it is one about a scene."""
    if prompted.purpose == "probe" and prompted.messages:
        question = prompted.messages[-1][1].partition("Question:\n")[2].rpartition("\nAnswer:")[0]
        if question := " ".join(line.removeprefix("| ") for line in question.splitlines()):
            return f": {question}"
    return f" for {TABLE['asked_for'].get(prompted.purpose, f'a {prompted.purpose}')}"


@dataclass
class _Call:
    """One model call, folded."""

    prompted: ev.Prompted
    first_s: float | None = None
    text: str = ""
    thought: str = ""


class EventNarrator:
    """Tells events in their order, each as a line or not at all."""

    def __init__(self) -> None:
        self._calls: dict[int, _Call] = {}
        self._running: dict[int, ev.TaskStarted] = {}
        self._seen: list[str] | None = None
        self._last_s, self._over = 0.0, True

    def __call__(self, event: ev.Event) -> Line | None:
        said, self._last_s = self._told(event), event.at_s
        self._over = isinstance(event, ev.MissionEnded) or (self._over and not isinstance(event, ev.MissionStarted))
        return Line(event.at_s, said[0], clean_lines(said[1])) if said else None

    def _told(self, event: ev.Event) -> tuple[str, str] | None:
        match event:
            case ev.Prompted():
                self._calls[event.call] = _Call(event)
            case ev.ChunkArrived() if awaited := self._calls.get(event.call):
                if event.text and awaited.first_s is None:
                    awaited.first_s = event.at_s
                awaited.text += event.text
                awaited.thought += event.thought
            case ev.AnswerEnded() if awaited := self._calls.pop(event.call, None):
                return "answers", _answer(awaited, event)
            case ev.AnswerFailed():
                self._calls.pop(event.call, None)
            case ev.TaskStarted():
                self._running[event.task] = event
            case ev.TaskEnded():
                self._running.pop(event.task, None)
            case ev.Observed():
                seen, self._seen = self._seen, sorted(str(thing.get("label")) for thing in _things(event))
                if seen == self._seen:
                    return None
        return event_text(event)

    def rest(self, alive: bool) -> Iterator[Line]:
        """The lines of what was going on where a record ends without a verdict; `alive`: it still runs."""
        if self._over:
            return
        open_ = [f"{call(task)} was running" for task in self._running.values()]
        for awaited in self._calls.values():
            received = f"; received so far: {awaited.text}" if awaited.text else ""
            open_.append(f"the answer of {awaited.prompted.model} was awaited{received}")
        yield from (Line(self._last_s, "open", clean_lines(text)) for text in open_)
        end = "the mission is still running" if alive else "the record ends here: the process died"
        yield Line(self._last_s, "end", end)


def story(events: Iterable[ev.Event], *, alive: bool = False) -> list[Line]:
    """All lines of a mission that are worth telling, and its figures; `alive`: its process still runs."""
    telling, lines = EventNarrator(), list[Line]()
    for event in events:
        if line := telling(event):
            figures = f"\n{_figures(event)}" if isinstance(event, ev.MissionEnded) else ""
            lines.append(line._replace(text=line.text + figures))
    return [*lines, *telling.rest(alive)]


def _answer(call: _Call, ended: ev.AnswerEnded) -> str:
    if ended.scores:
        return f"weighs {_weighed(call.prompted, ended.scores)} ({ended.tokens_in} tokens read)"
    first = "" if call.first_s is None else f", first text after {call.first_s - call.prompted.at_s:.2f} s"
    thought = call.thought and f"; it thought: {one_line(call.thought)}"
    tokens = f"{ended.tokens_out} tokens, {ended.tokens_in} read{first}{thought}"
    return f"{say(call.text)} ({tokens})" if call.prompted.purpose == "probe" else tokens


def _weighed(prompted: ev.Prompted, scores: Sequence[tuple[str, float]]) -> str:
    """The likeliest continuations, each with what its letter stands for in the prompt, where it is one."""
    lines = prompted.messages[-1][1].splitlines() if prompted.messages else []
    listed = {letter: says for letter, mark, says in (line.partition(") ") for line in lines) if mark}
    best = max(score for _, score in scores)
    weights = {c: math.exp(score - best) if math.isfinite(best) else 1.0 for c, score in scores}
    likeliest = sorted(weights, key=lambda c: -weights[c])[:WEIGHED_SHOWN]
    return ", ".join(f"{listed.get(c, c)} {weights[c] / sum(weights.values()):.0%}" for c in likeliest)


def _figures(end: ev.MissionEnded) -> str:
    figures = [
        f"first motion or word after {end.r_time_s:.2f} s" if end.r_time_s is not None else "",
        f"done after {end.c_time_s:.2f} s" if end.c_time_s is not None else "",
        f"{end.plan_tokens} plan tokens",
        f"{end.model_calls} model calls",
        f"{end.replans} replans" if end.replans else "",
    ]
    return ", ".join(f for f in figures if f)
