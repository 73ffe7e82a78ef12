"""A stage for the Director: providers that write a transcript, steps that wait until everything is quiet.

    s = Stage()
    s.say("S", "task executed")                        # a provider that only logs
    assert s.play(("emitting task", root("S"))) == script("emitting task › task executed")

A step is a tuple: text is logged, everything else is done, in order; then the stage waits for silence.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from typing import Any

from sayso.clock import SimClock
from sayso.executive.director.terms import Notice, Settings
from sayso.executive.director.tree import Run
from sayso.executive.loop import Director
from sayso.task import Provider, RunReason, Task, When, Word

Action = Callable[[Director], Any]


def script(text: str) -> list[str]:
    """The expected transcript, written as the rules page writes it."""
    return [line.strip() for line in " ".join(text.split()).split("›")]


def root(type: str, data: Any = (), p: int = 0, optional: bool = False) -> Action:
    return lambda d: d.emit(type, data, priority=p, optional=optional)


def off(type: str) -> Action:
    return lambda d: d.take_back(type)


def tell(state: str, value: int) -> Action:
    return lambda d: d.tell(state, value)


def send(message: str, value: Any = None) -> Action:
    return lambda d: d.send(message, value)


def pause(seconds: float) -> Action:
    return lambda d: asyncio.sleep(seconds)


def enable(provider: Provider) -> Action:
    return lambda d: d.enable(provider)


def disable(provider: Provider) -> Action:
    return lambda d: d.disable(provider)


def when(state: str, value: int) -> tuple[When, ...]:
    return (When(state, lambda v: v == value, f"{state} == {value}"),)


class Stage:
    """A Director whose providers log."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.log: list[str] = []
        self.notices: list[Notice] = []
        self.director = Director(settings, notice=self.notices.append)

    def add(self, type: str, body: Callable[[Run], Any] | None, word: Word = Word.PROVIDE, **words: Any) -> Provider:
        """`words` are the fields of Provider."""
        provider = Provider(type, body, word, **words)
        self.director.add(provider)
        return provider

    def say(self, type: str, text: str | Callable[[Run], str], **words: Any) -> Provider:
        """A provider that logs `text`, or what it makes of the run, and asks for nothing."""
        return self.does(type, text, None, **words)

    def does(
        self, type: str, text: str | Callable[[Run], str], then: Callable[[Run], Any] | None, **words: Any
    ) -> Provider:
        """A provider that logs, then does something with the run."""

        def body(run: Run) -> None:
            line = text(run) if callable(text) else text
            if line:
                self.log.append(line)
            if then is not None:
                then(run)

        return self.add(type, body, **words)

    def hooks(self, *types: str) -> None:
        """Start and Stop of each type log `start T` and `stop T`."""
        for type in types:
            self.on_start(type, f"start {type}")
            self.on_stop(type, f"stop {type}")

    def on_start(self, type: str, text: str | Callable[[Run], str]) -> None:
        self.say(type, text, word=Word.START)

    def on_stop(self, type: str, text: str | Callable[[Run], str]) -> None:
        self.say(type, text, word=Word.STOP)

    def play(self, *steps: tuple[str | Action, ...]) -> list[str]:
        """The transcript of these steps."""

        async def main() -> None:
            async with self.director:
                for step in steps:
                    await self._act(step)

        SimClock().run(main())
        return self.log

    async def _act(self, step: tuple[str | Action, ...]) -> None:
        for part in step:
            if isinstance(part, str):
                self.log.append(part)
                continue
            answer = part(self.director)
            if inspect.isawaitable(answer):
                await answer
        await self.director.quiet()


def emits(*wishes: str | tuple[Any, ...]) -> Callable[[Run], None]:
    """A body's second half: `emits("A", ("B", data), ("C", data, priority), ("D", data, priority, optional))`."""

    def then(run: Run) -> None:
        for wish in wishes:
            type, data, priority, optional = _spread(wish)
            run.emit(type, data, priority=priority, optional=optional)

    return then


def _spread(wish: str | tuple[Any, ...]) -> tuple[str, Any, int, bool]:
    given = (wish,) if isinstance(wish, str) else wish
    defaults = ((), 0, False)
    type, data, priority, optional = (*given, *defaults[len(given) - 1 :])
    return type, data, priority, optional


def passes_on(type: str) -> Callable[[Run], None]:
    """Emits `type` with the run's own data."""
    return lambda run: run.emit(type, run.data)


def first(run: Run) -> bool:
    return run.reason is RunReason.NEW_TASK


__all__ = [
    "Director", "Notice", "Provider", "Run", "RunReason", "Settings", "Stage", "Task", "When", "Word", "disable",
    "emits", "enable", "first", "off", "passes_on", "pause", "root", "script", "send", "tell", "when",
]  # fmt: skip


def play(main: Coroutine[Any, Any, None]) -> None:
    SimClock().run(main)


class Diary(list[str]):
    """A log with the time."""

    def note(self, text: str) -> None:
        self.append(f"{asyncio.get_running_loop().time():g} {text}")
