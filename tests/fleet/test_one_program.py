"""Several robots in one program: one stop for all of them, without any network."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from pathlib import Path

import pytest
from fleet_cart import Cart, rolled

from sayso import sync
from sayso.agent import Agent
from sayso.events import Event, MissionEnded
from sayso.models.scripted import Scripted
from sayso.serving.fleet import Fleet, stop_own


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path))


async def until_they_roll(*carts: Cart) -> None:
    async with asyncio.timeout(300):
        while not all(cart.rolling_s for cart in carts):
            await asyncio.sleep(0.01)


def test_a_stop_reaches_every_robot_of_the_program_and_is_latched() -> None:
    """S20."""

    async def main() -> None:
        carts = Cart("left"), Cart("right")
        async with (
            Agent(carts[0], model=Scripted(["roll"])) as left,
            Agent(carts[1], model=Scripted(["roll"])) as right,
        ):
            missions = [asyncio.ensure_future(rolled(agent)) for agent in (left, right)]
            await until_they_roll(*carts)
            stop_own("key")
            assert [cart.halts > 0 for cart in carts] == [True, True], "at once, before the loop turns"
            ends = [events[-1] for events in await asyncio.gather(*missions)]
            assert [isinstance(e, MissionEnded) and e.reason for e in ends] == ["stopped by key"] * 2
            assert left.executive.stopped_by == right.executive.stopped_by == "key"

    asyncio.run(main())


def test_one_robot_is_stopped_by_its_name_and_the_other_goes_on() -> None:
    """S20."""

    async def main() -> None:
        carts = Cart("left"), Cart("right")
        async with (
            Agent(carts[0], model=Scripted(["roll"])) as left,
            Agent(carts[1], model=Scripted(["roll"])) as right,
        ):
            missions = [asyncio.ensure_future(rolled(agent)) for agent in (left, right)]
            await until_they_roll(*carts)
            stop_own("key", "left")
            await missions[0]
            assert (left.executive.stopped_by, right.executive.stopped_by) == ("key", "")
            assert carts[1].halts == 0
            stop_own("key")
            await missions[1]

    asyncio.run(main())


def test_a_robot_in_another_thread_is_halted_from_this_one_even_while_its_loop_stands_still() -> None:
    """S20, S1, S5: its driver is told in the thread that stops it."""
    cart, over = Cart("left"), threading.Event()
    agent = sync.Agent(cart, model=Scripted(["roll"]))
    doing = threading.Thread(target=lambda: (agent.do("go"), over.set()))
    doing.start()
    while not cart.rolling_s and doing.is_alive():
        time.sleep(0.01)
    agent._agent.soon(lambda: time.sleep(0.2))
    time.sleep(0.05)
    stop_own("key")
    assert cart.halted_s, "before that loop turns again"
    assert over.wait(300)
    doing.join()
    agent.close()


def test_a_robot_that_is_being_connected_is_stopped_too() -> None:
    """S20: and does not set out once it is connected."""
    cart, connecting, go_on = Cart("left"), threading.Event(), threading.Event()

    async def slowly() -> None:
        connecting.set()
        await asyncio.to_thread(go_on.wait, 300)

    cart.open = slowly  # type: ignore[method-assign]

    async def main() -> Event:
        agent = Agent(cart, model=Scripted(["roll"]))
        mission = asyncio.ensure_future(rolled(agent))
        await asyncio.to_thread(connecting.wait, 300)
        await asyncio.to_thread(stop_own, "key")
        go_on.set()
        events = await mission
        await agent.close()
        return events[-1]

    ended = asyncio.run(main())
    assert isinstance(ended, MissionEnded) and ended.outcome == "stopped" and not cart.rolling_s


def test_its_own_robots_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """S20: before anything is said to others, and whatever becomes of that."""
    pytest.importorskip("zenoh")
    cart, order = Cart("left"), []

    async def main() -> None:
        async with Agent(cart, model=Scripted(["roll"])) as agent:
            with Fleet("tcp/127.0.0.1:0") as fleet:
                mission = asyncio.ensure_future(rolled(agent))
                await until_they_roll(cart)

                def no_way(*_: object, **__: object) -> None:
                    order.append(cart.halts > 0)
                    raise OSError("no network")

                monkeypatch.setattr(fleet, "_ask", no_way)
                answered = fleet.stop("key")
                await mission
                with contextlib.suppress(OSError):
                    await asyncio.to_thread(answered.result, 20)

    asyncio.run(main())
    assert order == [True] and cart.halted_s
