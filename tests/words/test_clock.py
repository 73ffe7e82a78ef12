"""Simulated time jumps, repeats, follows the wall while something outside is in flight; hand-cranked time waits."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from sayso.clock import SimClock, WallClock


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
    seen = threading.Event()

    async def main() -> tuple[float, float, float]:
        async def world() -> None:
            for _ in range(10):
                await asyncio.sleep(0.01)
            seen.set()  # the world goes on while the call is out: the call comes back when it has seen ten steps of it

        stepping = asyncio.ensure_future(world())
        outside_s, before_s = time.monotonic(), clock.now_s()
        with clock.real():
            inside_s = time.monotonic()
            assert await asyncio.to_thread(seen.wait, 60)
            inside_s = time.monotonic() - inside_s
        charged_s = clock.now_s() - before_s
        outside_s = time.monotonic() - outside_s
        await stepping
        return inside_s, charged_s, outside_s

    inside_s, charged_s, outside_s = clock.run(main())
    assert inside_s - 1e-6 <= charged_s <= outside_s + 1e-6


def test_pace_slows_simulated_time_to_the_wall() -> None:
    clock = SimClock(pace=20.0)

    async def main() -> tuple[float, float]:
        began_s, wall_s = clock.now_s(), time.monotonic()
        await asyncio.sleep(1.0)
        return clock.now_s() - began_s, time.monotonic() - wall_s

    simulated_s, wall_s = clock.run(main())
    assert simulated_s == pytest.approx(1.0) and wall_s >= 0.045


def test_wall_clock_is_the_plain_loop() -> None:
    async def main() -> float:
        return asyncio.get_running_loop().time()

    clock = WallClock()
    assert clock.now_s() <= clock.run(main()) <= clock.now_s()
