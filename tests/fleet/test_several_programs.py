"""One person, robots in several programs: presence and a stop over zenoh, on this computer's loopback alone."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from fleet_cart import Cart, roll, rolled

from sayso.agent import Agent
from sayso.events import Event, MissionEnded, StopAsked
from sayso.models.scripted import Scripted

zenoh = pytest.importorskip("zenoh")

from sayso.serving.fleet import Fleet, Peer, _config  # noqa: E402  # needs what may not be installed

PATIENCE_S = 300.0


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path))


def free_port(kind: int = socket.SOCK_DGRAM) -> int:
    with closing(socket.socket(type=kind)) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def where() -> str:
    """A meeting point of this test's own."""
    return f"here:{free_port()}"


class Program:
    """A cart in a program of its own."""

    def __init__(self, where: str, name: str, what: str = "") -> None:
        script = str(Path(__file__).with_name("fleet_cart.py"))
        self.process = subprocess.Popen(
            [sys.executable, script, where, name, what], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def see(self, line: str) -> str:
        """Wait until it prints a line that begins so."""
        assert self.process.stdout
        for told in self.process.stdout:
            if told.startswith(line):
                return told.strip()
        raise AssertionError(f"it ended without {line!r}")

    def send(self, number: int) -> None:
        self.process.send_signal(number)


@contextmanager
def programs(where: str, *carts: tuple[str, str]) -> Iterator[list[Program]]:
    running: list[Program] = []
    try:
        for name, what in carts:
            running.append(Program(where, name, what))
        for program in running:  # they start beside each other
            program.see("rolls")
        yield running
    finally:
        for program in running:
            program.process.kill()
            program.process.communicate()


def meet(session: zenoh.Session) -> None:
    """Wait until this session has found the program that is there."""
    until_s = time.monotonic() + PATIENCE_S
    while not list(session.liveliness().get("sayso/@here/*")):
        assert time.monotonic() < until_s
        time.sleep(0.05)


def find(fleet: Fleet, programs: int) -> Fleet:
    """Wait until it has found so many others."""
    until_s = time.monotonic() + PATIENCE_S
    while len(fleet._there) < programs:
        assert time.monotonic() < until_s
        time.sleep(0.05)
    return fleet


def said(peers: list[Peer]) -> dict[str, bool]:
    return {peer.robot or "?": peer.rests for peer in peers}


def test_a_stop_reaches_robots_in_other_programs_and_stays_until_a_person_releases_it(where: str) -> None:
    """S20."""
    with programs(where, ("left", ""), ("right", "")) as (left, right), Fleet(where) as fleet:
        peers = find(fleet, 2).stop("anna", within_s=PATIENCE_S).result()
        assert said(peers) == {"left": True, "right": True}
        assert {peer.stopped_by for peer in peers} == {"fleet anna"}
        for program in (left, right):
            assert program.see("stopped") == "stopped: stopped by fleet anna"
            assert program.see("latched") == "latched: fleet anna"


def test_who_issues_it_stops_its_own_robot_first_and_the_others_too(where: str) -> None:
    """S20."""
    cart = Cart("mine")

    async def main(fleet: Fleet) -> list[Peer]:
        rolling = asyncio.ensure_future(roll(cart))
        while not cart.rolling_s:
            await asyncio.sleep(0.01)
        answered = fleet.stop("anna", within_s=PATIENCE_S)
        assert cart.halts, "before this program has asked anybody"
        await rolling
        return await asyncio.wrap_future(answered)

    with programs(where, ("other", "")) as (other,), Fleet(where) as fleet:
        assert said(asyncio.run(main(find(fleet, 1)))) == {"other": True}
        assert other.see("stopped") == "stopped: stopped by fleet anna"


@pytest.mark.slow
def test_one_robot_is_stopped_by_its_name(where: str) -> None:
    """S20."""
    with programs(where, ("left", ""), ("right", "")) as (left, right), Fleet(where) as fleet:
        assert said(fleet.stop("anna", "right").result(PATIENCE_S)) == {"right": True}
        right.see("stopped")
        assert said(fleet.peers())["left"] is False
        fleet.stop("anna")
        left.see("stopped")


def test_who_is_there_is_told_and_stops_nobody(where: str) -> None:
    """S20: nor does a question to everything there is."""

    async def main() -> None:
        async with Agent(Cart("left"), model=Scripted(["roll"])) as agent:
            doing = asyncio.ensure_future(rolled(agent))
            await asyncio.to_thread(look)
            assert agent.executive.stopped_by == "" and not doing.done()
            agent.stop("key")
            await doing

    def look() -> None:
        with Fleet(where) as other, zenoh.open(_config(zenoh, where)) as session:
            [peer] = other.peers()
            assert (peer.robot, peer.state, peer.stopped_by, peer.rests) == ("left", "rolls", "", False)
            for everything in ("**", "sayso/**", "sayso/*/*/*"):
                assert list(session.get(everything, timeout=1.0)) == []

    with Fleet(where):
        asyncio.run(main())


def test_a_program_that_was_killed_is_gone_and_the_others_are_stopped(where: str) -> None:
    """S20."""
    with programs(where, ("first", ""), ("left", ""), ("right", "")) as (first, left, right):
        first.process.kill()
        with Fleet(where) as fleet:
            stopped = find(fleet, 2).stop("anna", within_s=PATIENCE_S)
            assert said(stopped.result()) == {"left": True, "right": True}
        for program in (left, right):
            assert program.see("stopped") == "stopped: stopped by fleet anna"


@pytest.mark.slow
def test_a_program_that_stands_still_is_told_and_stops_when_it_goes_on(where: str) -> None:
    """S20: a stop that comes late is a stop."""
    with programs(where, ("frozen", ""), ("slow", "")) as (frozen, slow), Fleet(where) as fleet:
        assert len(fleet.peers()) == 2
        for program in (frozen, slow):
            program.process.send_signal(signal.SIGSTOP)
        answered = fleet.stop("anna", within_s=8.0)
        time.sleep(2.0)
        slow.process.send_signal(signal.SIGCONT)
        assert slow.see("stopped") == "stopped: stopped by fleet anna"
        assert [(p.robot, p.rests, p.answers) for p in answered.result(PATIENCE_S)] == [
            ("slow", True, True),
            ("", False, False),
        ]


@pytest.mark.slow
def test_a_robot_whose_brakes_fail_is_not_said_to_rest(where: str) -> None:
    """S20, S4."""
    with programs(where, ("deaf", "deaf")), Fleet(where) as fleet:
        [peer] = fleet.stop("anna", within_s=4.0).result(PATIENCE_S)
        assert peer.stopped_by == "fleet anna" and not peer.rests and peer.state == "rolls"


LIES = (b"\xff\xfe", b"[" * 100_000, b'{"rests": true, "state": "\x1b[2J", "stopped_by": "everybody"}')


@contextmanager
def liar(where: str, name: str) -> Iterator[None]:
    """Claims to be many programs, among them `name`, and answers for all of them, without a robot in any."""
    with zenoh.open(_config(zenoh, where)) as session:

        def answer(what: str, query: zenoh.Query) -> None:
            for told in LIES:
                with suppress(zenoh.ZError):
                    query.reply(f"sayso/{what}/{name}/left", told)
                    query.reply(f"sayso/{what}/{name}/liar", told)

        whats = ("@stop", "@state")
        kept = [session.declare_queryable(f"sayso/{what}/**", partial(answer, what)) for what in whats]
        tokens = [session.liveliness().declare_token(f"sayso/@here/{n}") for n in (name, *map(str, range(50)))]
        yield
        del kept, tokens


@pytest.mark.slow
def test_a_liar_is_shown_and_hides_nobody(where: str) -> None:
    """S20: it claims to be the other program too, and answers in its place."""
    with programs(where, ("left", "")) as (left,), Fleet(where) as fleet:
        [other] = fleet.peers()
        with liar(where, other.program):
            shown = fleet.peers()
            assert {"left", "liar"} <= {p.robot for p in shown}
            assert all(p.state.isprintable() and p.stopped_by.isprintable() for p in shown)
            peers = fleet.stop("anna", within_s=4.0)
            assert left.see("stopped") == "stopped: stopped by fleet anna"
            told = [p for p in peers.result(PATIENCE_S) if p.program == other.program]
            assert [(p.robot, p.rests, p.stopped_by) for p in told] == [("left", True, "fleet anna")]


GARBAGE = (b"", b"\xff\x00\x1b[2J\n", b"{" * 5000, b"release", b'{"by": "release", "release": true}', b"x" * 100_000)


@pytest.mark.parametrize("garbage", GARBAGE)
def test_whatever_a_stop_carries_it_is_a_stop(where: str, garbage: bytes) -> None:
    """S20: and what is kept of it is short and plain."""

    def send() -> None:
        with zenoh.open(_config(zenoh, where)) as session:
            until_s = time.monotonic() + PATIENCE_S
            while not [r for r in session.get("sayso/@stop/*/*", payload=garbage, timeout=1.0) if r.ok]:
                assert time.monotonic() < until_s
                time.sleep(0.1)

    async def main() -> Event:
        async with Agent(Cart("left"), model=Scripted(["roll"])) as agent:
            doing = asyncio.ensure_future(rolled(agent))
            await asyncio.to_thread(send)
            return (await doing)[-1]

    with Fleet(where):
        ended = asyncio.run(main())
    assert isinstance(ended, MissionEnded) and ended.reason.startswith("stopped by fleet")
    assert ended.reason.isprintable() and len(ended.reason) < 60


def test_nothing_that_others_send_releases(where: str) -> None:
    """S20."""
    cart = Cart("left")

    async def main() -> str:
        async with Agent(cart, model=Scripted(["roll"])) as agent:
            agent.stop("key")
            await asyncio.to_thread(ask_for_release)
            events = await rolled(agent)
            assert isinstance(events[-1], MissionEnded) and not cart.rolling_s
            return agent.executive.stopped_by

    def ask_for_release() -> None:
        """Everything that might be taken for one, asked, put and deleted."""
        with zenoh.open(_config(zenoh, where)) as session:
            meet(session)
            for what in ("@release", "@state", "@here", "release", "@stop"):
                for key in (f"sayso/{what}/*/left", f"sayso/{what}/**"):
                    list(
                        session.get(f"{key}?release=true", payload=b'{"stopped_by": "", "release": true}', timeout=1.0)
                    )
                    session.put(key, b"release")
                    session.delete(key)

    with Fleet(where):
        assert asyncio.run(main()) == "key"


def test_a_flood_of_stops_leaves_a_stopped_robot_that_answers(where: str) -> None:
    """S20, S17: what a network can have written into the journal is bounded."""
    cart = Cart("left")

    def flood() -> None:
        with zenoh.open(_config(zenoh, where)) as session:
            meet(session)
            until_s = time.monotonic() + PATIENCE_S
            while not cart.rolling_s:
                assert time.monotonic() < until_s
                time.sleep(0.01)
            for _ in range(2000):
                session.get("sayso/@stop/*/*", lambda reply: None, payload=b"x", timeout=1.0)

    async def main() -> int:
        async with Agent(cart, model=Scripted(["roll"])) as agent:
            flooding = asyncio.ensure_future(asyncio.to_thread(flood))
            events = await rolled(agent)
            await flooding
            assert agent.executive.stopped_by == "fleet x" and cart.halted_s
            return sum(isinstance(event, StopAsked) for event in events)

    with Fleet(where):
        assert asyncio.run(main()) < 100


class Wire:
    """A line between two programs that can be cut: it passes bytes on from its own port to another."""

    def __init__(self, to: int) -> None:
        self._to, self._open = to, True
        self._ends: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        with near, suppress(OSError), socket.create_connection(("127.0.0.1", self._to)) as far:
            if self._open:
                self._ends += [near, far]
                back = threading.Thread(target=self._pass_on, args=(far, near), daemon=True)
                back.start()
                self._pass_on(near, far)
                back.join()

    @staticmethod
    def _pass_on(a: socket.socket, b: socket.socket) -> None:
        with suppress(OSError):
            while data := a.recv(65536):
                b.sendall(data)
        with suppress(OSError):
            b.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        self._open = False
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends.clear()

    def mend(self) -> None:
        self._open = True

    def close(self) -> None:
        self.cut()
        self._listening.close()


@pytest.mark.slow
def test_across_a_partition_nobody_is_said_to_be_stopped_and_a_stop_after_it_arrives(tmp_path: Path) -> None:
    """S20: the robot beyond goes on inside its own limits."""
    port = free_port(socket.SOCK_STREAM)
    where, wire = f"tcp/127.0.0.1:{port}", Wire(port)
    with programs(where, ("left", "")) as (left,):
        # this side hears of the meeting point alone, and of that only through the wire
        config = _config(zenoh, f"tcp/127.0.0.1:{wire.port}")
        config.insert_json5("listen/endpoints", "[]")
        config.insert_json5("scouting/gossip/enabled", "false")
        file = tmp_path / "zenoh.json5"
        file.write_text(str(config), "utf-8")
        fleet = Fleet(str(file))
        try:
            assert said(fleet.peers()) == {"left": False}
            wire.cut()
            time.sleep(0.5)
            assert fleet.stop("anna").result(PATIENCE_S) == []
            assert left.process.poll() is None
            wire.mend()
            until_s = time.monotonic() + PATIENCE_S
            while not said(fleet.stop("anna").result(PATIENCE_S)):
                assert time.monotonic() < until_s
            assert left.see("stopped") == "stopped: stopped by fleet anna"
        finally:
            fleet.close()
            wire.close()
