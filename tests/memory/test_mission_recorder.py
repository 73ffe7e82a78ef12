"""What a mission puts down is asked of its record once, and who listens gives way all the same (S16)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import pytest

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import JournalError
from sayso.events import ChunkArrived, Event, Said
from sayso.memory.background_writer import ANSWER_MAX_S, BackgroundWriter
from sayso.memory.mission_recorder import MissionRecorder
from sayso.models.scripted import Scripted
from sayso.roles import Robot, RobotState
from sayso.skill import Range, skill


class Disk:
    """A memory that counts how often it is asked, and breaks when told."""

    def __init__(self) -> None:
        self.asked = 0
        self.broken = False

    def begin(self, mission: str) -> Disk:
        return self

    def record(self, event: Event) -> None:
        """Taken."""

    async def kept(self) -> None:
        self.asked += 1
        await asyncio.sleep(0)
        if self.broken:
            raise JournalError("the disk is full")


class Statue(Robot):
    """Stands."""

    def state(self) -> RobotState:
        return RobotState()

    async def halt(self) -> None:
        """It does."""

    @skill(uses="head")
    async def nod(self, times: Annotated[int, Range(1, 3)]) -> None:
        """Move the head."""


def test_what_is_on_record_is_not_asked_for_again() -> None:
    async def main() -> None:
        disk, lost = Disk(), list[str]()
        recorder = MissionRecorder(disk, lost.append)
        recorder.begin("m-1")
        recorder.put(Said(text="a"))
        await asyncio.gather(recorder.kept(), recorder.kept())
        await recorder.kept()
        assert disk.asked == 2
        waiting = asyncio.ensure_future(recorder.kept())
        recorder.put(Said(text="b"))
        await waiting
        recorder.put(Said(text="c"))
        first = asyncio.ensure_future(recorder.kept())
        await asyncio.sleep(0)
        recorder.put(Said(text="d"))  # after it was asked: not meant by that answer
        await first
        asked = disk.asked
        disk.broken = True
        with pytest.raises(JournalError, match="full"):
            await recorder.kept()
        assert disk.asked == asked + 1 and lost

    SimClock().run(main())


def test_who_hears_much_at_once_gives_way_after_each_of_it() -> None:
    async def main() -> None:
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        heard = list[int]()
        async with Agent(Statue(), model=Scripted(["nod(1);" * 50], chunk=1), memory=Disk()) as agent:
            beside: asyncio.Task[None] | None = None
            async for event in agent.say("stand about"):
                if isinstance(event, ChunkArrived) and len(heard) < 300:
                    beside = beside or asyncio.ensure_future(others())
                    heard.append(turns)
                elif beside and len(heard) == 300:
                    beside.cancel()
        assert len(heard) == 300 and all(b > a for a, b in pairwise(heard))

    SimClock().run(main())


def test_a_flush_outlasts_a_disk_that_fails_once() -> None:
    """S16: a lock that passes keeps nobody from what was taken before."""
    failing, kept = [OSError("database is locked")], list[Said]()

    def write(events: Sequence[Said]) -> None:
        if failing:
            raise failing.pop()
        kept.extend(events)

    writer: BackgroundWriter[Said] = BackgroundWriter("m", lambda: (write, lambda: None))
    writer.record(Said(text="hello"))
    writer.flush(ANSWER_MAX_S)
    assert [event.text for event in kept] == ["hello"] and writer.settled
    writer.close(ANSWER_MAX_S)
