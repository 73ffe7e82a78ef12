"""A multicopter whose autopilot (PX4, ArduPilot) speaks MAVLink: what is said (`protocol`), a face that says
it for the simulated drone (`face`), and the adapter that flies a machine by it (`link`, `adapter`). docs/mavlink.md is
the page for who has one in hand. The wire format is pymavlink's, an extra, which is loaded where a machine is made."""

from sayso.plugins.loading import extra
from sayso.plugins.machines import Machine, StakedRoom
from sayso.roles import Robot

EXTRA = "mavlink", "a MAVLink machine"


def _make(address: str, room: StakedRoom | None) -> Robot:
    with extra(*EXTRA):
        from sayso.robots.drone.mavlink.adapter import Mavlink
    from sayso.robots.drone.mavlink.link import Address

    return Mavlink(room, Address.read(address))


def _fake(room: StakedRoom | None) -> Robot:
    with extra(*EXTRA):
        from sayso.robots.drone.mavlink.emulator import DryRun
    return DryRun(room)


MACHINE = Machine(says="a multicopter with PX4 or ArduPilot, over MAVLink", make=_make, fake=_fake)
