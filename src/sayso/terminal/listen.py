"""A conversation by voice: only what was recognised for sure is a wish, and it is read back."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.text import Text

from sayso.agent import Agent
from sayso.clock import Clock
from sayso.ears import Heard, Recogniser, Sound, confirms, understood
from sayso.ears.sound import Microphone, read_wav
from sayso.ears.voice import can_speak, speak
from sayso.planners.reflex import urgent
from sayso.terminal.chat import QUIT, Person, TypedInput

BY = "voice"
HELP = "say what you want; a “stop” that I hear stops the robot, but I may not hear it: Ctrl-C is the stop; “quit” ends"
AGAIN = "I did not understand. Please say it again."
ASIDE = "I do one thing at a time, and heard no stop in that"


class Files:
    """One utterance a file."""

    live = False

    def __init__(self, files: Sequence[Path]) -> None:
        self._sounds = [read_wav(file) for file in files]

    async def utterances(self) -> AsyncIterator[Sound]:
        for sound in self._sounds:
            yield sound

    def forget(self) -> None:
        """A file waits."""


Source: TypeAlias = Files | Microphone
"""Where utterances come from. A `live` one goes on while the robot is at it."""


class SpokenInput(TypedInput):
    """Wishes by voice."""

    help = HELP

    def __init__(self, console: Console, clock: Clock, hears: Recogniser, source: Source, *, aloud: bool) -> None:
        super().__init__(console, clock)
        self._hears, self._source, self._aloud = hears, source, aloud and can_speak()
        self._sounds = source.utterances()

    async def wish(self, agent: Agent, question: str) -> str | None:
        """The next utterance that was heard for sure, or twice the same; others are asked about."""
        before = Heard("", False)
        with self._clock.real():
            async for sound in self._sounds:
                heard = await self._hear(sound, agent)
                if confirms(heard, before):
                    heard = replace(heard, sure=True)
                before = heard
                if urgent(heard.text) == "stop":
                    agent.stop(BY)
                    return ""
                if heard.text.lower() in QUIT and heard.sure:
                    return None
                if heard.sure:
                    await self._speak([f"I heard: {heard.text}"])
                    return heard.text
                await self._speak([f"Did you say: {heard.text}? Then say it once more." if heard.text else AGAIN])
        return None

    async def overhear(self, agent: Agent) -> None:
        """While the robot is at it, a stop is all that is listened for."""
        while self._source.live:
            try:
                sound = await anext(self._sounds)
            except StopAsyncIteration:
                return
            if urgent((await self._hear(sound, agent)).text) == "stop":
                agent.stop(BY)
            else:
                self._console.print(Text(ASIDE, "dim"))

    async def ended(self, said: Sequence[str]) -> None:
        with self._clock.real():
            await self._speak(said)

    async def _hear(self, sound: Sound, agent: Agent) -> Heard:
        heard = await understood(self._hears, sound, agent)
        if heard.sure:
            self._console.print(Text(f"heard: “{heard.text}”", "bold"))
        else:
            like = f"did you say “{heard.text}”? Then say it once more; nothing is done yet"
            self._console.print(Text(like if heard.text else "heard nothing that I understand", "yellow"))
        return heard

    async def _speak(self, texts: Sequence[str]) -> None:
        """Say it where it can, and forget what the microphone took meanwhile, which was this."""
        if self._aloud and texts:
            await asyncio.to_thread(speak, ". ".join(texts))
            self._source.forget()


def listening(hears: Recogniser, files: Sequence[Path], *, aloud: bool) -> Person:
    """Who says what is wanted: these files, or whoever speaks into the microphone. Raises `UsageError`."""
    read = Files(files) if files else None
    return lambda console, clock: SpokenInput(console, clock, hears, read or Microphone(), aloud=aloud)
