"""Events in words: one line each, for a log, a pipe, or the foot of the live picture.

Words come from people, models and the world; whatever could move the cursor or turn the writing round is taken out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.text import Text

from sayso import events as ev
from sayso.memory.wording import call, clean, labels, worded
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


STYLES = {
    "wish": "bold", "means": "bold", "answer": "bold", "asks": "dim", "plan": "dim", "sees": "dim",
    "says": "cyan", "picture": "cyan", "judges": "cyan", "limit": "magenta",
    "replan": "yellow", "note": "yellow", "waits": "yellow", "goes on": "yellow",
    "model": "red", "refused": "red", "failed": "red", "preempted": "red",
    "stop": "bold red", "stopped": "bold red",
}  # fmt: skip

DRAWN = ("asks", "plan", "sees", "start", "done")
"""What a picture of the flight shows by itself, as it does the wish that a mission begins with."""

ELSE = {"": "", ":": "else ", ":{": "else: "}
"""Before a statement, by what joins it to the branch before."""


def told(event: ev.Event) -> Told | None:
    """What an event is worth in words, or None."""
    said = _told(event)
    if said is None:
        return None
    mark, text = said
    style = ending(event) if isinstance(event, ev.MissionEnded) else STYLES.get(mark, "")
    return Told(event.at_s, mark, text, style, mark not in DRAWN and not isinstance(event, ev.MissionStarted))


def ending(end: ev.MissionEnded) -> str:
    """The style of how it ended. That something cannot be done is an answer, and so is a question: no accident."""
    return "bold green" if end.outcome == "achieved" else "bold yellow" if end.declined or end.asked else "bold red"


def _told(event: ev.Event) -> tuple[str, str] | None:
    """As it is worded anywhere, and what a story tells in other places than where it happened."""
    match event:
        case ev.Prompted():
            return "asks", f"{event.model} for {ASKED_FOR.get(event.purpose, f'a {event.purpose}')}"
        case ev.StatementReady():
            return "plan", f"{'· ' * event.depth}{ELSE[event.behind]}{event.text}"
        case ev.PlanRefused():
            return "refused", event.error
        case ev.Observed(task=0):
            return "sees", ", ".join(labels(event)) or "nothing"
        case ev.TaskStarted():
            return "start", call(event)
        case ev.TaskEnded(outcome="done"):
            value = "" if event.value is None else f"= {say(event.value)}"
            return "done", f"{event.skill} {value}{event.detail}"
        case ev.TaskEnded():
            return event.outcome, f"{event.skill}: {event.detail}"
    return worded(event)
