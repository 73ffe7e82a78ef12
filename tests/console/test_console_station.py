"""The station: what operators do, and what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import pytest
from console_robot import Hanging, Sled, ended, sled, station

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.console.choices import ConsoleSetup
from sayso.console.station import Station
from sayso.errors import UsageError
from sayso.models.scripted import Scripted


def run(main: Coroutine[Any, Any, None]) -> None:
    SimClock().run(main)


async def opened(of: Station) -> Station:
    await of.open()
    of.seats.sit("ann")
    return of


def test_a_sentence_is_done_and_shown() -> None:
    async def main() -> None:
        d = await opened(station("forward(100);"))
        assert await d.say("ann", "go") == ""
        await ended(d)
        assert sled(d).pose.x_m == pytest.approx(1.0)
        assert [i.kind for i in d.shown.items] == ["wish", "plan", "verdict"] and d.shown.figures.r_time_s is not None
        await d.close()

    run(main())


@pytest.mark.parametrize("moment_s", [0.0, 0.7])
def test_stop_stops_at_once_and_stays_until_it_is_released(moment_s: float) -> None:
    async def main() -> None:
        d = await opened(station("forward(290);", "forward(10);"))
        await d.say("ann", "go")
        await asyncio.sleep(moment_s)
        d.stop("key")
        assert d.stopped_by == "key"
        await ended(d)
        assert sled(d).halts == 1 and sled(d).pose.x_m <= 0.5
        assert "release" in await d.say("ann", "go on")
        assert d.release("ann") == "" and d.stopped_by == ""
        assert await d.say("ann", "go on") == ""
        await ended(d)
        await d.close()

    run(main())


def test_stop_works_while_the_model_hangs() -> None:
    async def main() -> None:
        d = await opened(station(model=Hanging()))
        await d.say("ann", "go")
        await asyncio.sleep(5)
        assert d.running, "it waits for the rest of the plan"
        d.stop("button")
        await ended(d)
        assert d.shown.ended and d.shown.ended.outcome == "stopped"
        await d.close()

    run(main())


def test_anybody_may_stop_and_only_who_holds_control_may_speak_and_release() -> None:
    async def main() -> None:
        d = await opened(station("forward(290);"))
        d.seats.sit("bob")
        assert "operator 1 holds control" in await d.say("bob", "go")
        await d.say("ann", "go")
        await asyncio.sleep(0.3)
        assert await d.say("bob", "stop") == ""
        await ended(d)
        assert d.stopped_by == "word"
        assert "holds control" in d.release("bob")
        d.take("bob")
        assert d.release("bob") == ""
        assert "operator 2 holds control" in await d.say("ann", "go")
        await d.close()

    run(main())


def test_control_goes_to_nobody_who_did_not_ask() -> None:
    d = station()
    for seat in ("ann", "bob"):
        d.seats.sit(seat)
    d.seats.leave("ann")
    assert d.seats.holder == ""
    d.seats.sit("ann")
    assert d.seats.holder == "operator 1", "who comes back to a free station holds control again, under the same name"


def test_a_change_of_mind_ends_the_plan_and_begins_another() -> None:
    async def main() -> None:
        d = await opened(station("forward(290);", "forward(20);"))
        await d.say("ann", "go far")
        await asyncio.sleep(1)
        assert await d.say("ann", "no, just a little") == ""
        await ended(d)
        assert d.shown.wish == "no, just a little" and d.shown.ended and d.shown.ended.outcome == "achieved"
        assert [item.kind for item in d.shown.items].count("wish") == 2 and d.stopped_by == ""
        await d.close()

    run(main())


def test_a_change_of_mind_never_lifts_a_persons_stop() -> None:
    async def main() -> None:
        d = await opened(station("forward(290);", "forward(20);"))
        await d.say("ann", "go far")
        await asyncio.sleep(1)
        d.stop("key")
        assert "stopped" in await d.say("ann", "go on")
        assert d.stopped_by == "key"
        await ended(d)
        await d.close()

    run(main())


def test_a_stop_during_a_change_of_mind_wins() -> None:
    async def main() -> None:
        d = await opened(station("forward(290);", "forward(20);"))
        await d.say("ann", "go far")
        await asyncio.sleep(1)
        changing = asyncio.ensure_future(d.say("ann", "go back"))
        await asyncio.sleep(0)
        d.stop("key")
        assert "stopped meanwhile" in await changing
        assert d.stopped_by and not d.running
        await d.close()

    run(main())


@pytest.mark.parametrize("approved", [True, False])
def test_a_plan_waits_for_its_approval_and_shows_where_it_leads(approved: bool) -> None:
    async def main() -> None:
        d = await opened(station("forward(100);forward(50);", approve=True))
        await d.say("ann", "go")
        await asyncio.sleep(2)
        assert d.shown.approval and sled(d).pose.x_m == 0
        assert d.foreseen == ((0, 0, 0), (1, 0, 0), (1.5, 0, 0))
        assert "holds control" in d.answer("bob", True)
        assert d.answer("ann", approved) == ""
        await ended(d)
        assert sled(d).pose.x_m == pytest.approx(1.5 if approved else 0)
        assert d.foreseen == () and d.shown.approval == ""
        assert "no plan waits" in d.answer("ann", True)
        await d.close()

    run(main())


def test_a_stop_does_not_wait_for_an_approval() -> None:
    async def main() -> None:
        d = await opened(station("forward(100);", approve=True))
        await d.say("ann", "go")
        await asyncio.sleep(1)
        d.stop("button")
        await ended(d)
        assert d.shown.approval == "" and sled(d).pose.x_m == 0
        await d.close()

    run(main())


def test_the_dead_man_stops_a_robot_whose_operator_is_silent() -> None:
    async def main() -> None:
        d = await opened(station("forward(290);", dead_man_s=1))
        d.seats.sit("bob")
        await d.say("ann", "go")
        for _ in range(5):
            await asyncio.sleep(0.5)
            d.alive("ann")
        assert d.running, "as long as the page is there, it goes on"
        for _ in range(4):
            await asyncio.sleep(0.5)
            d.alive("bob")
        assert d.stopped_by == "watchdog", "a page that only looks on is no operator"
        await d.close()

    run(main())


@pytest.mark.parametrize("text", ["", "   ", "x" * 2001])
def test_what_is_no_sentence_begins_nothing(text: str) -> None:
    async def main() -> None:
        d = await opened(station("forward(100);"))
        assert await d.say("ann", text)
        assert not d.running and d.shown.items == ()
        await d.close()

    run(main())


def test_a_key_is_never_said_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")

    async def main() -> None:
        d = await opened(station("forward(100);"))
        assert "journal" in await d.say("ann", "use sk-very-secret please")
        assert not d.running
        await d.close()

    run(main())


def test_a_choice_that_cannot_be_changes_nothing() -> None:
    async def make(choice: ConsoleSetup) -> Agent:
        if choice.world == "moon":
            raise UsageError("there is no world 'moon'")
        return Agent(Sled())

    async def main() -> None:
        d = Station(make=make)
        await d.open()
        before = d.agent
        assert "no world" in await d.choose(replace(d.choice, world="moon"))
        assert d.agent is before and d.ready
        assert await d.choose(replace(d.choice, seed=3)) == ""
        assert d.agent is not before and d.choice.seed == 3
        await d.close()

    run(main())


def test_a_stop_is_heard_while_another_setup_is_being_built() -> None:
    building = asyncio.Event()

    async def make(choice: ConsoleSetup) -> Agent:
        if choice.seed:
            await building.wait()
        return Agent(Sled(), model=Scripted(["forward(290);"]))

    async def main() -> None:
        d = await opened(Station(make=make))
        await d.say("ann", "go")
        await asyncio.sleep(0.5)
        choosing = asyncio.create_task(d.choose(replace(d.choice, seed=3)))
        await asyncio.sleep(0.5)
        assert d.running, "the old robot goes on until the new one is ready"
        d.stop("key")
        await ended(d)
        building.set()
        assert await choosing == "" and d.choice.seed == 3
        assert d.stopped_by == "key", "another robot is no release (S2, S18)"
        assert "release the robot first" in await d.say("ann", "go")
        assert d.release("ann") == "" and await d.say("ann", "go") == ""
        await d.close()

    run(main())


def test_a_stop_between_two_robots_is_not_lost() -> None:
    """S18: while the old robot is gone and the new one is not yet there."""
    opening = asyncio.Event()

    class Slow(Sled):
        async def open(self) -> None:
            await opening.wait()

    async def make(choice: ConsoleSetup) -> Agent:
        return Agent(Slow() if choice.seed else Sled())

    async def main() -> None:
        d = await opened(Station(make=make))
        choosing = asyncio.create_task(d.choose(replace(d.choice, seed=3)))
        await asyncio.sleep(0.5)
        d.stop("button")
        opening.set()
        assert await choosing == "" and d.stopped_by == "button"
        await d.close()

    run(main())


def test_a_stop_from_another_thread_reaches_the_desk_and_survives_a_change_of_mind() -> None:
    """S20, S2: as the fleet stops it; the new wish releases only what it stopped itself."""

    async def scenario() -> None:
        of = station("forward(500)", "forward(100)")
        await of.open()
        of.seats.sit("a")
        await of.say("a", "go")
        await asyncio.sleep(0.3)
        changing = asyncio.ensure_future(of.say("a", "go elsewhere"))
        await asyncio.sleep(0)
        await asyncio.to_thread(of.stop_soon, "fleet anna")
        assert "stopped meanwhile" in await changing
        assert of.stopped_by
        await of.close()

    asyncio.run(scenario())
