"""Garbage is looked for when nobody waits."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable

import pytest
from console_robot import sled, station

from sayso.console import garbage, serve
from sayso.console.garbage import ALL, ARENAS, IDLE_S, LARGE_BYTES, LATEST_S, YOUNG, GarbageCollection, keep_apart


def test_all_objects_are_looked_through_only_when_nothing_runs_or_very_late() -> None:
    now_s = 0.0
    garbage = GarbageCollection(lambda: now_s)
    garbage.begin()
    try:
        assert not gc.isenabled() and gc.get_freeze_count() > 0
        assert garbage.some(busy=False) == YOUNG
        now_s = IDLE_S + 1
        assert garbage.some(busy=True) == YOUNG, "a stop could be asked for"
        assert garbage.some(busy=False) == ALL
        assert garbage.some(busy=False) == YOUNG
        now_s += LATEST_S + 1
        assert garbage.some(busy=True) == ALL, "memory is bounded in any case"
    finally:
        garbage.end()
    assert gc.isenabled() and gc.get_freeze_count() == 0


def test_what_was_given_up_is_let_go_at_the_next_quiet_moment() -> None:
    garbage = GarbageCollection(lambda: 0.0)
    garbage.soon()
    assert [garbage.some(busy) for busy in (True, True, False, False)] == [YOUNG, YOUNG, ALL, YOUNG]


class Hours:
    """NiceGUI's app, as far as a station is attended by it: what happens at its opening and closing. A double."""

    def __init__(self) -> None:
        self.open: Callable[[], Awaitable[None]]
        self.close: Callable[[], Awaitable[None]]
        self.forget_page: Callable[[], None]

    def on_startup(self, begin: Callable[[], Awaitable[None]]) -> None:
        self.open = begin

    def on_delete(self, forgotten: Callable[[], None]) -> None:
        self.forget_page = forgotten

    def on_shutdown(self, end: Callable[[], Awaitable[None]]) -> None:
        self.close = end


def test_the_first_robot_goes_like_any_other_when_another_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "app", hours := Hours())
    d = station()

    async def main() -> bool:
        serve._attend(d, [], lambda: None)
        await hours.open()
        first = weakref.ref(sled(d))
        assert await d.choose(d.choice) == ""
        gc.collect()
        gone = first() is None
        await hours.close()
        return gone

    assert asyncio.run(main())


def test_a_page_that_has_gone_is_let_go_at_the_next_quiet_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    given_back: list[None] = []
    monkeypatch.setattr(serve, "app", hours := Hours())
    monkeypatch.setattr(serve, "TIDY_S", 0.0)
    monkeypatch.setattr(garbage, "give_back", lambda: given_back.append(None))
    d = station("forward(30);")

    async def main() -> list[int]:
        serve._attend(d, [], lambda: None)
        await hours.open()
        d.seats.sit("a")
        assert await d.say("a", "go") == ""
        hours.forget_page()
        seen = []
        while d.running:
            seen.append(len(given_back))
            await asyncio.sleep(0.01)
        while not given_back:
            await asyncio.sleep(0)
        await hours.close()
        return seen

    assert set(asyncio.run(main())) == {0}, "while it moves, a stop could be asked for"
    assert len(given_back) == 1


def test_large_pieces_of_memory_are_kept_apart_where_that_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[int, int] = {}

    class Glibc:
        def __init__(self, _: None) -> None:
            pass

        def __getitem__(self, name: str) -> Callable[[int, int], None]:
            if name != "mallopt":
                raise AttributeError(name)
            return asked.__setitem__

    monkeypatch.setattr(garbage.sys, "platform", "linux")
    monkeypatch.setattr(garbage.ctypes, "CDLL", Glibc)
    keep_apart()
    assert asked == {garbage.MMAP_THRESHOLD: LARGE_BYTES, garbage.ARENA_MAX: ARENAS}
    garbage.give_back()  # this one has no malloc_trim, and needs none
    monkeypatch.setattr(garbage.sys, "platform", "darwin")
    asked.clear()
    keep_apart()
    assert not asked
