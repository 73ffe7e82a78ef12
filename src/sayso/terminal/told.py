"""Events in words: one line each, for a log, a pipe, or the foot of the live picture.

Words come from people, models and the world; whatever could move the cursor or turn the writing round is taken out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.text import Text

from sayso import events as ev
from sayso.memory.story import clean
from sayso.skill import say

LONG = 400
"""Characters of somebody's words that a line shows."""


class Told(NamedTuple):
    """`mark` says in a word what it is about. A picture of the flight shows by itself what is not `notable`."""

    at_s: float
    mark: str
    text: str
    style: str = ""
    notable: bool = True

    def line(self) -> Text:
        """The whole line; always one."""
        return Text(f"{self.at_s:7.2f} s  {self.mark:<8} {one_line(self.text)}".rstrip(), self.style)


def one_line(text: str, limit: int = LONG) -> str:
    """Text on one line, safe to show, not longer than a line can sensibly be."""
    text = clean(" ".join(text.split()))
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def telling() -> Callable[[ev.Event], Told | None]:
    """`told` for events in their order: another look at what was in view already is not worth a line."""
    seen: list[str] = [""]

    def tell(event: ev.Event) -> Told | None:
        said = told(event)
        if said and said.mark == "sees":
            before, seen[0] = seen[0], said.text
            return said if said.text != before else None
        return said

    return tell


ASKED_FOR = {
    "rolling": "tasks",
    "stepwise": "the next step",
    "score": "what is sensible now",
    "rank": "what is sensible now",
    "mission": "what is to be searched",
}
"""What a model is asked for, where the name of the purpose does not tell a person."""


def told(event: ev.Event) -> Told | None:
    """What an event is worth in words, or None."""
    said = _told(event)
    return Told(event.at_s, *said) if said else None


ELSE = {"": "", ":": "else ", ":{": "else: "}
"""Before a statement, by what joins it to the branch before."""


def ending(end: ev.MissionEnded) -> str:
    """The style of how it ended. That something cannot be done is an answer, and so is a question: no accident."""
    return "bold green" if end.outcome == "achieved" else "bold yellow" if end.declined or end.asked else "bold red"


def _told(event: ev.Event) -> tuple[str, str, str, bool] | tuple[str, str, str] | None:
    match event:
        case ev.MissionStarted():
            return "wish", f"“{event.wish.latest}”", "bold", False
        case ev.Instructed():
            return "wish", f"“{event.instruction}”", "bold"
        case ev.MissionEnded():
            return "end", event.verdict, ending(event)
        case ev.Prompted():
            return "asks", f"{event.model} for {ASKED_FOR.get(event.purpose, f'a {event.purpose}')}", "dim", False
        case ev.AnswerFailed():
            return "model", f"{'broke off' if event.received else 'no answer'}: {event.error}", "red"
        case ev.Replanned():
            return "replan", event.reason, "yellow"
        case ev.Said():
            return "says", event.text, "cyan"
        case ev.PictureTaken():
            shown = ", ".join(event.labels) or "nothing that has a name"
            return "picture", f"{event.file or '(nothing can render here)'} of {shown}", "cyan"
        case ev.Judged():
            return "judges", str(event), "cyan"
        case ev.Warned():
            return "note", event.text, "yellow"
        case ev.Collided():
            return "touched", event.with_, "red"
    return _told_of_plan(event) or _told_of_task(event)


def _told_of_plan(event: ev.Event) -> tuple[str, str, str, bool] | tuple[str, str, str] | None:
    match event:
        case ev.StatementReady():
            return "plan", f"{'· ' * event.depth}{ELSE[event.behind]}{event.text}", "dim", False
        case ev.PlanRefused():
            return "refused", event.error, "red"
        case ev.Understood():
            return "means", event.line, "bold"
        case ev.ApprovalGiven():
            return "answer", "approved" if event.approved else "not approved", "bold"
        case ev.Observed(task=0):
            labels = [str(t.get("label", "?")) for t in event.scene.get("things", ())]
            return "sees", ", ".join(labels) or "nothing", "dim", False
    return None


def _told_of_task(event: ev.Event) -> tuple[str, str, str, bool] | tuple[str, str, str] | None:
    match event:
        case ev.TaskStarted():
            return "start", f"{event.skill}({', '.join(map(say, event.args))})", "", False
        case ev.TaskEnded(outcome="done"):
            value = "" if event.value is None else f"= {say(event.value)}"
            return "done", f"{event.skill} {value}{event.detail}", "", False
        case ev.TaskEnded():
            return event.outcome, f"{event.skill}: {event.detail}", "red"
        case ev.TaskSuspended():
            return "waits", f"{event.skill}: {event.by}", "yellow"
        case ev.TaskResumed():
            return "goes on", event.skill, "yellow"
        case ev.LimitHeld():
            return "limit", f"{event.limit} is {event.bound}; this would need {event.asked}", "magenta"
        case ev.StopAsked():
            return "stop", f"asked for by {event.by}", "bold red"
        case ev.Stopped():
            return "stopped", f"{event.state}{'' if event.confirmed else ' (NOT CONFIRMED)'}", "bold red"
        case ev.Released():
            return "released", f"by {event.by}", "bold"
    return None
