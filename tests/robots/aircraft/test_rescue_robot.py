"""The rescue drone on a clock: direct commands, plans, the battery guard, stop, record."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import Event, LimitHeld, MissionEnded, Observed, TaskEnded
from sayso.memory.journal import Journal
from sayso.models.scripted import Scripted
from sayso.robots.aircraft.search.sweep import looks_in
from sayso.robots.aircraft.world.country import Rescue
from sayso.scene import scene_from
from sayso.worlds import make


def fly(world: Rescue, wish: str, plan: str = "", **more: object) -> list[Event]:
    """A whole mission on virtual time; `plan` is what a model would write."""

    async def main() -> list[Event]:
        model = Scripted([plan]) if plan else None
        async with Agent(world=world, model=model, **more) as agent:  # type: ignore[arg-type]
            return [event async for event in agent.say(wish)]

    return SimClock().run(main())


def valley(seed: int = 1) -> Rescue:
    world = make("rescue", "valley", seed=seed)
    assert isinstance(world, Rescue)
    return world


def ended(events: list[Event]) -> MissionEnded:
    assert isinstance(events[-1], MissionEnded)
    return events[-1]


def test_a_plan_searches_and_comes_home() -> None:
    world = valley()
    events = fly(world, "search", 'to;as(60);_1=sr("C4");l(_1);rh')
    assert ended(events).outcome == "achieved"
    done = [e.skill for e in events if isinstance(e, TaskEnded) and e.outcome == "done"]
    assert done == ["take_off", "ascend", "search_area", "log", "return_home"]
    assert world.truth().at_home


def test_plain_words_fly_it_and_the_record_holds(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as memory:
        events = fly(valley(), "take off and return home", memory=memory)
        assert ended(events).outcome == "achieved"
        assert memory.missions()


def test_what_would_not_leave_the_reserve_is_refused() -> None:
    world = valley()
    world.frame.charge = world.aircraft.limits.battery_reserve + 0.06
    events = fly(world, "search", 'to;sr("A1");rh')
    held = [e for e in events if isinstance(e, LimitHeld)]
    assert held and held[0].limit == "battery reserve" and held[0].skill == "search_area"
    assert world.truth().at_home


def test_the_battery_guard_brings_it_home() -> None:
    world = valley()
    world.frame.charge = world.aircraft.limits.battery_reserve + 0.03

    async def main() -> None:
        async with Agent(world=world) as agent:
            _ = [event async for event in agent.say("take off")]
            await asyncio.sleep(120.0)
            assert world.truth().at_home and agent.executive.grounded  # type: ignore[attr-defined]

    SimClock().run(main())


def test_stop_hovers_and_the_end_of_the_day_is_at_home() -> None:
    world = valley()

    async def main() -> None:
        async with Agent(world=world, model=Scripted(['to;sr("A1");rh'])) as agent:
            asyncio.get_running_loop().call_later(60.0, agent.stop, "key")
            events = [event async for event in agent.say("search")]
            assert ended(events).outcome == "stopped"
            at = world.aircraft.at
            await asyncio.sleep(5.0)
            assert world.aircraft.at == at and world.frame.flying

    SimClock().run(main())
    assert world.truth().at_home


def test_an_unknown_area_fails_with_the_known_ones() -> None:
    events = fly(valley(), "search", 'to;sr("beach")')
    failed = [e for e in events if isinstance(e, TaskEnded) and e.outcome == "failed"]
    assert failed and "north field" in failed[0].detail


def test_a_planner_is_told_what_was_searched() -> None:
    world = valley()

    async def main() -> list[Event]:
        async with Agent(world=world, model=Scripted(['to;sr("C4");rp', "rh"])) as agent:
            return [event async for event in agent.say("search")]

    events = SimClock().run(main())
    scenes = [scene_from(e.scene) for e in events if isinstance(e, Observed)]
    assert looks_in(scenes[0]) == [] and [look.area for look in looks_in(scenes[-1])][:1] == ["C4"]


@pytest.mark.parametrize("scene", ["moor", "night"])
def test_every_scene_can_be_flown(scene: str) -> None:
    world = make("rescue", scene)
    assert isinstance(world, Rescue)
    assert ended(fly(world, "take off and return home")).outcome == "achieved"
