"""A multicopter whose MAVLink line fails: the rules of docs/safety.md on seeded missions (faults.py).

python tests/robots/drone/test_mavlink_faults.py [KIND [FIRST [COUNT]]]      plays more, and prints what was broken
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

pytest.importorskip("pymavlink")

from faults import KINDS, Stage, broken, killed_in_flight, report, until
from mavlink_wire import join
from wire import ROOM, Wire, office

from sayso.clock import WallClock
from sayso.robots.drone.mavlink.adapter import LIMITS, Mavlink
from sayso.robots.drone.mavlink.emulator import Emulator
from sayso.robots.drone.mavlink.link import HOST, Address
from sayso.robots.drone.mavlink.protocol import ARDUPILOT, PX4
from sayso.roles import Robot


class Near(Mavlink):
    """The adapter at its end of a wire."""

    def __init__(self, wire: Wire, face: Emulator) -> None:
        super().__init__(ROOM, Address(HOST, 0))
        self.identity, self._wire, self._face = "", wire, face

    async def _connect(self) -> None:
        await super()._connect()
        await join(self._wire, self._face, self.link.port)


class MavlinkStage(Stage):
    """By turns with PX4 and with ArduPilot."""

    limits = LIMITS
    by_itself_s = 25.0
    moves = frozenset(("arm", "takeoff", "mode offboard", "mode guided"))
    cuts = "cut"

    def machine(self, lost: float) -> tuple[Wire, Emulator]:
        return Wire(lost, self.seed), Emulator(self.world.drone, (PX4, ARDUPILOT)[self.seed % 2])

    async def plug(self) -> Robot:
        return Near(self.wire, self.face)


@pytest.mark.parametrize(("kind", "seed"), [(kind, n % 2) for n, kind in enumerate(KINDS)])
def test_no_rule_is_broken_while_the_line_fails(kind: str, seed: int) -> None:
    """S1, S3, S4, S10, S12 and S13, for one mission, with PX4 and ArduPilot by turns; slow tests play two hundred."""
    assert broken(MavlinkStage, kind, range(seed, seed + 1)) == []


def test_one_that_was_stopped_in_the_air_lands_when_its_program_is_gone() -> None:
    """A PX4 in hold is not led any more: NAV_DLL_ACT brings it down."""
    stage = MavlinkStage("program gone", 16)
    assert stage.stops_s < stage.fails_s and stage.face.stack is PX4
    assert broken(MavlinkStage, "program gone", range(16, 17)) == []


def test_one_that_loses_the_line_as_soon_as_it_takes_off_has_heard_a_heartbeat_to_miss() -> None:
    """An ArduPilot that never heard one hovers on."""
    stage = MavlinkStage("cut 5", 19)
    assert stage.fails_s < 1.0 and stage.face.stack is ARDUPILOT
    assert broken(MavlinkStage, "cut 5", range(19, 20)) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_rule_is_broken_in_two_hundred_missions(kind: str) -> None:
    assert broken(MavlinkStage, kind, range(200)) == []


@pytest.mark.slow
def test_a_program_that_is_killed_leaves_a_machine_that_lands(tmp_path: Path) -> None:
    """A second after the last setpoint, as COM_OF_LOSS_T says."""

    async def main() -> None:
        world = office()
        face, running = Emulator(world.drone), asyncio.ensure_future(world.run())
        port = await face.open()
        await killed_in_flight(world, f"mavlink:udpout:127.0.0.1:{port}", tmp_path)
        await until(lambda: not world.truth().flying, MavlinkStage.by_itself_s)
        assert not world.truth().crashed and "failsafe" in [text for _, text in face.log]
        running.cancel()
        face.close()

    WallClock().run(main())


if __name__ == "__main__":
    report(MavlinkStage, sys.argv[1:])
