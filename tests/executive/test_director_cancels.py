"""A body that awaits and loses its task is cancelled, says nothing more, and its successor waits for it (D14, D59)."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from director_stage import Diary, Director, Run, Settings, play


def test_d14_a_body_that_loses_its_task_is_cancelled_and_says_nothing() -> None:
    diary = Diary()

    async def main() -> None:
        async with Director() as d:

            @d.provide("drive", needs=["base"])
            async def drive(run: Run) -> None:
                try:
                    await asyncio.sleep(10)
                    run.emit("never")
                except asyncio.CancelledError:
                    diary.note(f"{run.data} cancelled")
                    raise

            d.provide("base")(lambda run: None)
            d.emit("drive", "far")
            await asyncio.sleep(3)
            d.take_back("drive")
            await d.quiet()
            assert d.tree() == []

    play(main())
    assert diary == ["3 far cancelled"]


def test_d14_a_body_that_swallows_its_cancellation_is_not_believed() -> None:
    ended = []

    async def main() -> None:
        async with Director(notice=lambda n: ended.append(n.what)) as d:

            @d.provide("S")
            async def stubborn(run: Run) -> None:
                try:
                    await asyncio.sleep(10)
                except asyncio.CancelledError:
                    run.done("anyway")

            d.emit("S")
            await asyncio.sleep(1)
            d.take_back("S")
            d.emit("S")
            await asyncio.sleep(1)
            assert d.tree()[0]["done"] is False

    play(main())
    assert "ended" not in ended


def test_d59_who_takes_over_waits_until_the_cancelled_body_has_let_go() -> None:
    """Two bodies never move the base at once, even if the first needs a moment to brake."""
    diary = Diary()

    async def main() -> None:
        async with Director() as d:

            @d.provide("drive", needs=["base"])
            async def drive(run: Run) -> None:
                try:
                    await asyncio.sleep(10)
                finally:
                    await asyncio.sleep(0.3)
                    diary.note("braked")

            @d.provide("avoid", needs=["base"])
            async def avoid(run: Run) -> None:
                diary.note("avoids")

            d.provide("base")(lambda run: None)
            d.emit("drive", priority=1)
            await asyncio.sleep(1)
            d.emit("avoid", priority=9)
            await d.quiet()

    play(main())
    assert diary == ["1.3 braked", "1.3 avoids"]


def test_d59_but_not_longer_than_the_grace() -> None:
    diary = Diary()

    async def main() -> None:
        async with Director(Settings(grace_s=0.5)) as d:

            @d.provide("drive", needs=["base"])
            async def drive(run: Run) -> None:
                try:
                    await asyncio.sleep(10)
                finally:
                    await asyncio.sleep(5)

            @d.provide("avoid", needs=["base"])
            async def avoid(run: Run) -> None:
                diary.note("avoids")

            d.provide("base")(lambda run: None)
            d.emit("drive", priority=1)
            await asyncio.sleep(1)
            d.emit("avoid", priority=9)
            await d.quiet()

    play(main())
    assert diary == ["1.5 avoids"]


def test_d59_a_body_that_swallows_its_cancellation_is_not_called_again_after_the_grace() -> None:
    laps = 0

    async def main() -> None:
        nonlocal laps
        async with Director(Settings(grace_s=0.5)) as d:

            @d.provide("drive")
            async def drive(run: Run) -> None:
                nonlocal laps
                while True:
                    laps += 1
                    with suppress(asyncio.CancelledError):
                        await asyncio.sleep(0.1)

            d.emit("drive")
            await asyncio.sleep(1)
            d.take_back("drive")
            await asyncio.sleep(1)
            before = laps
            await asyncio.sleep(5)
            assert laps == before > 10
            d.emit("drive")
            await asyncio.sleep(1)

    play(main())


def test_closing_cancels_whatever_awaits() -> None:
    diary = Diary()

    async def main() -> None:
        async with Director() as d:

            @d.provide("S")
            async def forever(run: Run) -> None:
                try:
                    await asyncio.Event().wait()
                finally:
                    diary.note("let go")

            d.emit("S")
            await asyncio.sleep(1)

    play(main())
    assert diary == ["1 let go"]


def test_a_body_cancelled_before_it_began_is_never_called() -> None:
    calls: list[str] = []

    async def main() -> None:
        async with Director() as d:

            @d.provide("S")
            async def body(run: Run) -> None:
                calls.append("called")

            d.emit("S")
            d.take_back("S")
            await d.quiet()
            assert d.tree() == []

    play(main())
    assert calls == []
