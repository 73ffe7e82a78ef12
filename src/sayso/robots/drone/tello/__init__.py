"""The Tello: its protocol (`protocol`), a face that speaks it for the simulated drone (`face`), and the adapter that
speaks it to a machine (`link`, `reckoning`, `adapter`). docs/tello.md is the page for who has one in hand."""

from sayso.errors import UsageError
from sayso.plugins.machines import Machine, StakedRoom
from sayso.robots.drone.tello.adapter import Tello
from sayso.robots.drone.tello.protocol import COMMAND_PORT, HOST, STATE_PORT
from sayso.roles import Robot


def _make(address: str, room: StakedRoom | None) -> Robot:
    """`HOST[:PORT[:STATE_PORT]]`; ports other than the usual are for faces."""
    host, *ports = address.split(":")
    try:
        port, state_port = (*map(int, ports), *(COMMAND_PORT, STATE_PORT)[len(ports) :])
    except ValueError:
        raise UsageError(f"a Tello's address is written HOST[:PORT[:STATE_PORT]], not {address!r}") from None
    return Tello(room, host or HOST, port, state_port)


def _fake(room: StakedRoom | None) -> Robot:
    from sayso.robots.drone.tello.emulator import DryRun  # with all of its physics, which nobody else waits for

    return DryRun(room)


MACHINE = Machine(says="a DJI Tello EDU or RoboMaster TT, over its Wi-Fi", make=_make, fake=_fake)
