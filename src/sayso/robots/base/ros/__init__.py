"""A base that speaks ROS 2 through rmw_zenoh: bytes (`cdr`, `messages`), keys (`node`), the network (`session`), a face
that speaks it for a simulated base (`face`), and the adapter that drives one by it (`told`, `adapter`). docs/ros.md is
the page for who has one. zenoh is an extra, which is loaded where a machine is made; the dry run needs none."""

from functools import partial

from sayso.plugins.loading import extra
from sayso.plugins.machines import Machine, StakedRoom
from sayso.roles import Robot


def _make(address: str, room: StakedRoom | None) -> Robot:
    from sayso.robots.base.ros.adapter import Ros

    with extra("ros", "a ROS 2 machine"):
        from sayso.robots.base.ros.session import Address, connect
    where = Address.read(address)
    return Ros(room, str(where), where.graph, partial(connect, where.endpoint))


def _fake(room: StakedRoom | None) -> Robot:
    from sayso.robots.base.ros.emulator import Rehearsal  # with all of its physics, which nobody else waits for

    return Rehearsal(room)


MACHINE = Machine(says="a base on wheels with ROS 2, over rmw_zenoh", make=_make, fake=_fake)
