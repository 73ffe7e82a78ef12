"""Simulated time jumps, repeats, follows the wall while something outside is in flight; hand-cranked time waits."""

from __future__ import annotations

import asyncio
import time

import pytest

from sayso.clock import HandClock, SimClock, WallClock


def test_simulated_minute_takes_no_time_and_ends_on_the_dot() -> None:
    clock = SimClock(start_s=5.0)

    async def main() -> None:
        await asyncio.sleep(60)

    clock.run(main())
    assert clock.now_s() == pytest.approx(65.0)


def test_timeouts_and_queues_keep_simulated_time() -> None:
    async def main() -> list[str]:
        said: list[str] = []

        async def speak(after_s: float, word: str) -> None:
            await asyncio.sleep(after_s)
            said.append(word)

        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2.5):
                await asyncio.gather(speak(3, "late"), speak(1, "first"), speak(2, "second"))
        return said

    assert SimClock().run(main()) == ["first", "second"]


def test_same_program_gives_the_same_order_every_time() -> None:
    async def main() -> list[tuple[float, int]]:
        seen: list[tuple[float, int]] = []

        async def tick(n: int) -> None:
            for _ in range(20):
                await asyncio.sleep(0.01 * (n + 1))
                seen.append((asyncio.get_running_loop().time(), n))

        await asyncio.gather(*(tick(n) for n in range(5)))
        return seen

    assert SimClock().run(main()) == SimClock().run(main())


def test_outside_work_is_charged_as_long_as_it_took() -> None:
    clock = SimClock()

    async def main() -> float:
        ticks = 0

        async def world() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        stepping = asyncio.ensure_future(world())
        with clock.real():
            began_s = time.monotonic()
            await asyncio.to_thread(time.sleep, 0.1)
            took_s = time.monotonic() - began_s
        stepping.cancel()
        assert ticks >= 2, "the world goes on while the call is out"
        return took_s

    took_s = clock.run(main())
    assert clock.now_s() >= took_s
    assert clock.now_s() < took_s + 5.0, "and does not run away to the next timer"


def test_pace_slows_simulated_time_to_the_wall() -> None:
    clock = SimClock(pace=20.0)
    began_s = time.monotonic()
    clock.run(asyncio.sleep(1.0))
    assert time.monotonic() - began_s >= 0.04
    assert clock.now_s() == pytest.approx(1.0, abs=0.05)


def test_hand_clock_moves_only_when_cranked() -> None:
    clock = HandClock()

    async def main() -> list[float]:
        woke: list[float] = []

        async def sleeper() -> None:
            await asyncio.sleep(10)
            woke.append(clock.now_s())

        waiting = asyncio.ensure_future(sleeper())
        await clock.advance(9.9)
        assert woke == []
        await clock.advance(0.2)
        await waiting
        return woke

    assert clock.run(main()) == [pytest.approx(10.1)]


def test_wall_clock_is_the_plain_loop() -> None:
    async def main() -> float:
        return asyncio.get_running_loop().time()

    assert WallClock().run(main()) == pytest.approx(WallClock().now_s(), abs=5.0)
