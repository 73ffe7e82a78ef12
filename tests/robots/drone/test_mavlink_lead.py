"""Who leads a multicopter: the pilot has the last word, its autopilot's failsafes the next, and a stop is to hold."""

from __future__ import annotations

import asyncio
import threading

import pytest

pytest.importorskip("pymavlink")

from mavlink_wire import STACKS, Wired, in_the_air, pilot, told
from pymavlink.dialects.v20 import common as mavlink

from sayso.clock import SimClock
from sayso.errors import RobotError, SkillFailed
from sayso.robots.drone.mavlink.protocol import PX4, Stack


def test_what_a_pilot_has_in_the_air_is_left_to_him() -> None:
    machine = Wired()

    async def main() -> None:
        machine.world.quadrotor.arm()
        with pytest.raises(RobotError, match="whoever flies it brings it down first"):
            await machine.open()

    SimClock().run(main())
    assert told(machine) == []


def test_who_takes_the_remote_control_has_the_last_word() -> None:
    machine = Wired()
    position = next(mode for mode, name in PX4.modes.items() if name == "position")

    async def script() -> None:
        moving = asyncio.ensure_future(machine.move(2.0, 0.0, 0.0))
        await asyncio.sleep(1.0)
        pilot(machine.face, position)
        with pytest.raises(SkillFailed, match="has chosen the mode position"):
            await moving
        with pytest.raises(SkillFailed, match="which it keeps until it has landed"):
            await machine.turn(1.0)
        for told_to in (machine.halt, machine.land, machine.rest):
            with pytest.raises(RobotError, match="its pilot flies it by hand"):
                await told_to()
        assert machine.face.mode == position and "by its pilot" in machine.state().summary
        pilot(machine.face, PX4.lead)
        await asyncio.sleep(1.5)
        await machine.move(0.5, 0.0, 0.0)

    in_the_air(machine, script)


def test_what_the_autopilot_does_by_itself_is_not_taken_back_in_the_air() -> None:
    machine = Wired()

    async def script() -> None:
        moving = asyncio.ensure_future(machine.move(2.0, 0.0, 0.0))
        await asyncio.sleep(1.0)
        machine.face._complain("Low battery, landing")
        machine.face._go(PX4.land)
        with pytest.raises(SkillFailed, match=r"the mode land \(Low battery, landing\)"):
            await moving
        with pytest.raises(SkillFailed, match="keeps until it has landed"):
            await machine.move(0.5, 0.0, 0.0)
        assert machine.face.mode == PX4.land

    in_the_air(machine, script)


@STACKS
def test_stop_is_to_hold_and_the_next_motion_takes_the_lead_again(stack: Stack) -> None:
    machine = Wired(stack=stack)

    async def script() -> None:
        moving = asyncio.ensure_future(machine.move(2.0, 0.0, 0.0))
        await asyncio.sleep(1.5)
        assert machine.world.truth().speed_mps > 0.4
        moving.cancel()
        await machine.halt()
        assert machine.world.truth().speed_mps < 0.2 and machine.face.mode == stack.hold
        here = machine.world.truth().pose
        await asyncio.sleep(5.0)
        assert machine.world.truth().pose.distance_m(here) < 0.1
        await machine.move(0.5, 0.0, 0.0)
        assert machine.world.truth().pose.distance_m(here.moved(0.5)) < 0.2

    in_the_air(machine, script)


def test_where_it_refuses_to_hold_the_point_that_leads_it_stands_still() -> None:
    """PX4 knows no hold without satellites."""
    machine = Wired()
    obey = machine.face._set_mode
    no = int(mavlink.MAV_RESULT_DENIED)
    machine.face._set_mode = lambda mode: no if mode == PX4.hold else obey(mode)  # type: ignore[method-assign]

    async def script() -> None:
        moving = asyncio.ensure_future(machine.move(2.0, 0.0, 0.0))
        await asyncio.sleep(1.5)
        moving.cancel()
        await machine.halt()
        assert machine.face.mode == PX4.lead and machine.world.truth().speed_mps < 0.2
        here = machine.world.truth().pose
        await asyncio.sleep(5.0)
        assert machine.world.truth().pose.distance_m(here) < 0.15 and machine.face.mode == PX4.lead

    in_the_air(machine, script)


def test_it_halts_from_any_thread_and_while_the_loop_is_blocked() -> None:
    """A datagram needs no loop (S5)."""
    machine = Wired()

    async def script() -> None:
        moving = asyncio.ensure_future(machine.move(2.0, 0.0, 0.0))
        await asyncio.sleep(1.0)
        thread = threading.Thread(target=machine.halt_now)
        thread.start()
        thread.join()
        await asyncio.sleep(1.0)
        assert "mode hold" in told(machine) and machine.world.truth().speed_mps < 0.3
        with pytest.raises(SkillFailed, match="told to stop"):
            await moving

    in_the_air(machine, script)


def test_motors_are_cut_only_where_a_person_set_that() -> None:
    machine = Wired()
    assert machine.cut is None
    machine.cut = machine.drop

    async def script() -> None:
        await machine.drop()
        assert not machine.world.truth().flying

    in_the_air(machine, script)
