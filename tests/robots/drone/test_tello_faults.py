"""A Tello whose line fails: the rules of docs/safety.md on seeded missions (faults.py).

python tests/robots/drone/test_tello_faults.py [KIND [FIRST [COUNT]]]      plays more, and prints what was broken
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
import wire
from faults import KINDS, Stage, broken, killed_in_flight, report, until
from tello_wire import Wire
from wire import ROOM, office

from sayso.clock import WallClock
from sayso.robots.drone.tello.adapter import LIMITS, Tello
from sayso.robots.drone.tello.emulator import Emulator
from sayso.robots.drone.tello.protocol import SILENCE_S
from sayso.roles import Robot


class Far(Tello):
    """The adapter at its end of a wire."""

    def __init__(self, wire: Wire, port: int) -> None:
        super().__init__(ROOM, "127.0.0.1", port, 0)
        self.identity, self._wire = "", wire

    async def _connect(self) -> None:
        await super()._connect()
        self._wire.out.peer = ("127.0.0.1", self.link.ear.number)


class TelloStage(Stage):
    limits = LIMITS
    by_itself_s = SILENCE_S + 20.0
    moves = frozenset(("takeoff", "forward", "back", "left", "right", "up", "down", "cw", "ccw", "go", "rc"))
    cuts = "emergency"
    wire: Wire

    def machine(self, lost: float) -> tuple[wire.Wire, Emulator]:
        return Wire(lost, self.seed), Emulator(self.world.drone)

    async def plug(self) -> Robot:
        port = await self.wire.open(await self.face.open())
        self.face.state_port = await self.wire.states.open()
        return Far(self.wire, port)


@pytest.mark.parametrize("kind", KINDS)
def test_no_rule_is_broken_while_the_line_fails(kind: str) -> None:
    """S1, S3, S4, S10, S12 and S13, for one mission; the slow tests play two hundred."""
    assert broken(TelloStage, kind, range(1)) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_rule_is_broken_in_two_hundred_missions(kind: str) -> None:
    assert broken(TelloStage, kind, range(200)) == []


@pytest.mark.slow
def test_a_program_that_is_killed_leaves_a_machine_that_lands(tmp_path: Path) -> None:
    async def main() -> None:
        world = office()
        face, running = Emulator(world.drone), asyncio.ensure_future(world.run())
        wire = Wire()
        port, face.state_port = await wire.open(await face.open()), await wire.states.open()
        state_port = await (spare := type(wire.out)(lambda data: None)).open()
        spare.close()
        await asyncio.sleep(0.1)
        wire.out.peer = ("127.0.0.1", state_port)
        await killed_in_flight(world, f"tello:127.0.0.1:{port}:{state_port}", tmp_path)
        await asyncio.sleep(5.0)
        assert world.truth().flying
        await until(lambda: not world.truth().flying, TelloStage.by_itself_s)
        assert not world.truth().crashed
        running.cancel()
        face.close()
        wire.close()

    WallClock().run(main())


if __name__ == "__main__":
    report(TelloStage, sys.argv[1:])
