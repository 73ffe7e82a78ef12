"""Before a multicopter sets out: what its autopilot must tell, and at which address it is reached."""

from __future__ import annotations

import socket
import sys

import pytest

pytest.importorskip("pymavlink")

from mavlink_wire import Wired, fly, kinds, told
from wire import ROOM

from sayso.clock import SimClock
from sayso.errors import RobotError, UsageError
from sayso.events import Warned
from sayso.plugins.machines import machines, reached
from sayso.robots.check import check
from sayso.robots.drone.mavlink.adapter import Mavlink
from sayso.robots.drone.mavlink.emulator import DryRun
from sayso.robots.drone.mavlink.link import Address
from sayso.robots.drone.mavlink.protocol import ARDUPILOT, PX4, Stack


def test_without_a_zone_nothing_moves_and_the_person_is_told_how_to_set_one() -> None:
    machine = Wired(room=None)
    ended = fly(machine, "take off and go forward 1 metre").ended
    assert ended.outcome == "refused" and "--zone ahead=3" in ended.reason
    assert told(machine) == []


def test_the_check_list_is_told_before_the_first_motion() -> None:
    [said] = [e.text for e in fly(Wired(), "take off").events if isinstance(e, Warned)]
    assert said == (
        "before it moves: link answers; battery 99%; zone x -2.5..2.5 m, y -2..2 m, up to 2.4 m; "
        "place stands at x 0.0 m, y 0.0 m; failsafe COM_OBL_RC_ACT 4, after 1 s; "
        "failsafe in hold NAV_DLL_ACT 3, after 10 s"
    )


@pytest.mark.parametrize(
    ("stack", "name", "value", "says"),
    [
        (PX4, "COM_OBL_RC_ACT", 0.0, "must be to land, by COM_OBL_RC_ACT 4"),
        (PX4, "COM_OBL_RC_ACT", 3.0, "COM_OBL_RC_ACT 3, after 1 s"),
        (PX4, "COM_OF_LOSS_T", 60.0, "must be COM_OF_LOSS_T at most 10 s"),
        (PX4, "NAV_DLL_ACT", 0.0, "must be to land, by NAV_DLL_ACT 3"),
        (PX4, "COM_DL_LOSS_T", 60.0, "must be COM_DL_LOSS_T at most 10 s"),
        (ARDUPILOT, "FS_GCS_ENABLE", 0.0, "must be to land, by FS_GCS_ENABLE 5"),
        (ARDUPILOT, "FS_GCS_ENABLE", 1.0, "must be to land, by FS_GCS_ENABLE 5"),
    ],
)
def test_a_machine_that_would_not_land_by_itself_does_not_set_out(
    stack: Stack, name: str, value: float, says: str
) -> None:
    machine = Wired(stack=stack)
    machine.face.params[name] = (value, machine.face.params[name][1])
    ended = fly(machine, "take off").ended
    assert ended.outcome == "refused" and says in ended.reason
    assert told(machine) == []


def test_one_that_tells_no_failsafe_or_no_battery_does_not_set_out(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Wired()
    del machine.face.params["COM_OBL_RC_ACT"]
    assert "COM_OBL_RC_ACT unknown" in fly(machine, "take off").ended.reason
    machine = Wired()
    machine.wire.eats = lambda data: "SYS_STATUS" in kinds(data)
    with pytest.raises(RobotError, match="tells no SYS_STATUS"):
        fly(machine, "take off")


def test_where_nobody_is_heard_the_person_is_told_what_to_look_at() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(RobotError, match="does another program"):
            SimClock().run(Mavlink(ROOM, Address(port=port)).open())
        with pytest.raises(RobotError, match="is it switched on"):
            SimClock().run(Mavlink(ROOM, Address(port=port, calls=True)).open())


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", "udp:127.0.0.1:14540"),
        ("udp://:14550", "udp:127.0.0.1:14550"),
        ("udp:0.0.0.0:14540", "udp:0.0.0.0:14540"),
        ("udpin://10.0.0.2:1", "udp:10.0.0.2:1"),
        ("udpout:10.0.0.7:14550", "udpout:10.0.0.7:14550"),
    ],
)
def test_addresses_are_written_as_others_write_them(text: str, address: str) -> None:
    assert reached(f"mavlink:{text}", "").identity == f"mavlink:{address}"


@pytest.mark.parametrize("text", ["tcp:127.0.0.1:5760", "udp:host:port", "/dev/ttyACM0"])
def test_what_is_no_address_is_a_clear_refusal(text: str) -> None:
    with pytest.raises(UsageError, match="is written udp:HOST:PORT"):
        reached(f"mavlink:{text}", "")


def test_it_is_one_machine_with_an_identity_and_its_dry_run_is_none() -> None:
    assert reached("fake:mavlink", "").identity == "" and "mavlink" in machines()
    assert check(Mavlink(ROOM, Address())) == [] and check(DryRun(ROOM)) == []


@pytest.mark.parametrize("where", ["mavlink", "fake:mavlink"])
def test_without_pymavlink_the_person_is_told_what_to_install(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*sys.modules]:
        if name.startswith(("pymavlink", "sayso.robots.drone.mavlink.")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pymavlink", None)
    with pytest.raises(UsageError, match=r"pip install 'sayso\[mavlink\]'"):
        reached(where, "")
