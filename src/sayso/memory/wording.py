"""Events in words: a mark that says what an event is about, and a text, which may have several lines.

A log, the foot of a live picture and the story of a mission tell the same event in the same words; what needs more than
the event itself (which statement a task belongs to, what a model was asked before) they tell by themselves.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sayso import events as ev
from sayso.skill import say


def clean(text: str) -> str:
    """Text without control and format characters, which could move a terminal's cursor or turn writing round."""
    return "".join(c for c in text.replace("\t", " ") if unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


def clean_lines(text: str) -> str:
    """The same, with its lines left as they are."""
    return "\n".join(map(clean, text.split("\n")))


def call(task: ev.TaskStarted) -> str:
    """What was asked of which skill."""
    return f"{task.skill}({', '.join(map(say, task.args))})"


def asked(prompted: ev.Prompted) -> str:
    """What a model is asked, in a line: the question itself where it is one about a scene."""
    if prompted.purpose == "probe" and prompted.messages:
        question = prompted.messages[-1][1].partition("Question:\n")[2].rpartition("\nAnswer:")[0]
        if question := " ".join(line.removeprefix("| ") for line in question.splitlines()):
            return f"{prompted.model} is asked: {question}"
    return f"{prompted.model} is asked for a {prompted.purpose}"


def labels(look: ev.Observed) -> list[str]:
    """What a look has seen."""
    return [str(thing.get("label", "?")) for thing in look.scene.get("things") or ()]


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


def worded(event: ev.Event) -> tuple[str, str] | None:
    """The mark and the text; None for what is no news by itself."""
    match event:
        case ev.MissionStarted():
            return "wish", f"“{event.wish.latest}”"
        case ev.Instructed():
            return "wish", f"“{event.instruction}”"
        case ev.MissionEnded():
            return "end", event.verdict
        case ev.AnswerFailed():
            return "model", f"{'broke off' if event.received else 'no answer'}: {event.error}"
        case ev.Understood():
            return "means", event.line
        case ev.PlanRefused():
            return "refused", event.pointed or event.error
        case ev.Replanned():
            return "replan", event.reason
        case ev.ApprovalGiven():
            return "answer", "approved" if event.approved else "not approved"
        case ev.Said():
            return "says", event.text
        case ev.PictureTaken():
            shown = ", ".join(event.labels) or "nothing that has a name"
            return "picture", f"{event.file or '(nothing can render here)'} of {shown}"
        case ev.Judged():
            return "judges", str(event)
        case ev.Warned():
            return "note", event.text
    return _of_executive(event)


def _of_executive(event: ev.Event) -> tuple[str, str] | None:
    match event:
        case ev.TaskSuspended():
            return "waits", f"{event.skill}: {event.by}"
        case ev.TaskResumed():
            return "goes on", event.skill
        case ev.LimitHeld():
            return "limit", f"{event.limit} is {event.bound}; this would need {event.asked}"
        case ev.StopAsked():
            return "stop", f"asked for by {event.by}"
        case ev.Stopped():
            return "stopped", f"{event.state}{'' if event.confirmed else ' (NOT CONFIRMED: it may still move)'}"
        case ev.Released():
            return "stop", f"released by {event.by}"
    return None
