"""A machine's check list comes before its first motion, whatever its adapter does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from trolley import FENCE_M, Trolley, ended, say

from sayso.agent import Agent
from sayso.events import Event, TaskStarted, Warned
from sayso.limits import Limits, Zone
from sayso.robots.real import Real
from sayso.roles import Check


class Machine(Trolley, Real):
    """The trolley, as a machine in the world."""

    def __init__(self, limits: Limits = Trolley.limits, charge: float = 1.0, stands: str = "") -> None:
        super().__init__()
        self.limits, self.charge, self.stands = limits, charge, stands

    def unfit(self) -> str:
        return self.stands


def driven(machine: Machine) -> list[Event]:
    [events] = say(["drive(1)"], machine)
    return events


def test_a_machine_that_meets_its_list_tells_it_and_sets_out() -> None:
    """S19."""
    machine = Machine()
    events = driven(machine)
    told = next(e.text for e in events if isinstance(e, Warned))
    assert told.startswith("before it moves: link answers; battery 100%")
    assert ended(events).outcome == "achieved" and machine.furthest_m > 0.5


@pytest.mark.parametrize(
    ("machine", "says"),
    [
        (Machine(Limits(battery_reserve=0.2)), "zone not set; must be one that a person sets"),
        (Machine(replace(Trolley.limits, zone=Zone(-FENCE_M, FENCE_M))), "zone not set"),
        (Machine(charge=0.25), "battery 25%; must be at least 30%"),
        (Machine(stands="lies on its side"), "place lies on its side; must be fit to set out"),
    ],
)
def test_a_machine_that_does_not_meet_its_list_stays_where_it_is(machine: Machine, says: str) -> None:
    """S19."""
    events = driven(machine)
    assert ended(events).outcome == "refused" and says in ended(events).reason
    assert machine.furthest_m == 0 and not any(isinstance(e, TaskStarted) for e in events)


def test_a_list_that_cannot_be_read_is_no_leave_to_move() -> None:
    """S19."""

    class Broken(Machine):
        def checks(self) -> Sequence[Check]:
            raise OSError("no such sensor")

    machine = Broken()
    assert "no such sensor" in ended(driven(machine)).reason
    assert machine.furthest_m == 0


def test_a_machine_that_set_out_is_not_kept_from_coming_down_by_its_list() -> None:
    """S19."""
    machine = Machine()

    def flat(agent: Agent) -> None:
        assert not machine.resting
        machine.charge = 0.27

    [first, second] = say(["drive(1)", "drive(1)"], machine, wishes=2, meanwhile=lambda agent: _later(flat, agent))
    assert ended(first).outcome == ended(second).outcome == "achieved"
    assert sum(e.text.startswith("before it moves") for e in first if isinstance(e, Warned)) == 1


async def _later(then: Callable[[Agent], None], agent: Agent) -> None:
    await asyncio.sleep(0.5)
    then(agent)
