"""The recorder of a mission: hands its events to memory, and tells where that keeps them no more."""

import asyncio
from collections.abc import Callable

from sayso.errors import JournalError
from sayso.events import Event
from sayso.roles import Memory, MissionRecord

RECORDED_MAX_S = 10.0
"""A memory that has not kept an event after so long counts as broken."""


class MissionRecorder:
    """Hands one mission's events to `memory`, if there is one; `lost` is called once when that cannot write them."""

    def __init__(self, memory: Memory | None, lost: Callable[[str], None]) -> None:
        self._memory, self._lost = memory, lost
        self._record: MissionRecord | None = None
        self._unrecorded = ""
        self._put = self._safe = 0
        """How many events were put down, and how many of them are on record for certain."""

    def begin(self, mission: str) -> None:
        """Open the record."""
        if self._memory:
            try:
                self._record = self._memory.begin(mission)
            except Exception as error:
                self._lose(error)

    def put(self, event: Event) -> None:
        """Hand an event over without waiting for the disk."""
        self._put += 1
        if self._record:
            try:
                self._record.record(event)
            except Exception as error:
                self._lose(error)

    async def kept(self) -> None:
        """Return when all that was put down is on record. Raises `JournalError`."""
        if self._record and not self._unrecorded and self._safe < self._put:
            put = self._put
            try:
                async with asyncio.timeout(RECORDED_MAX_S):
                    await self._record.kept()
                self._safe = max(self._safe, put)
            except TimeoutError:
                self._lose(JournalError(f"it did not answer within {RECORDED_MAX_S:g} s"))
            except Exception as error:
                self._lose(error)
        if self._unrecorded:
            raise JournalError(self._unrecorded)

    def _lose(self, error: Exception) -> None:
        self._unrecorded = f"the journal cannot be written, and nothing moves without a record: {error}"
        self._lost(self._unrecorded)
