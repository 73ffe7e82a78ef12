"""A fleet: the robots of several programs and computers, and one stop for all of them.

    sayso/@here/PROGRAM           a token: there as long as the program lives
    sayso/@stop/PROGRAM/ROBOT     who asks this stops it, and is answered how it is
    sayso/@state/PROGRAM/ROBOT    how it is

Whatever is asked there, a stop that is heard is a stop; no word releases. What others tell of themselves is shown to a
person, and changes nothing here (S20). No wildcard meets an `@`, so that who merely looks around stops nobody.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, unquote

from sayso.clock import Bucket
from sayso.errors import UsageError
from sayso.executive.ownership import Driver, driven
from sayso.limits import REST_MPS
from sayso.memory.event_text import clean

if TYPE_CHECKING:
    import zenoh

HERE, LAN = "here", "lan"
LOOPBACK = "lo0" if sys.platform == "darwin" else "lo"
GROUP, PORT = "224.0.0.224", 17446
"""Where programs of one computer find each other, by multicast that does not leave it."""

AGAIN_MS = 500
"""How often a program looks for the endpoint where it is to meet others."""

FIND_S = 1.5
"""Nobody is there who was not found by then."""

STOP_S, ROUND_S, WAIT_S = 10.0, 0.5, 0.1
"""How long a stop is asked for, how long one question waits for answers, and how long until the next."""

BY_CHARS, TOLD_CHARS, TOLD_BYTES = 40, 120, 800
PROGRAMS_MAX, ROBOTS_MAX, REPLIES_MAX = 1000, 50, 100
"""What is read of others: who stops, a line, an answer (too short to be nested deep), programs, robots of each;
and how many answers may be on their way."""

NOBODY = b"no such robot here"
"""What a program answers that has none."""

REPEATS_HZ, REPEATS = 2.0, 50.0
"""How often a robot that is stopped already is stopped again: each time is journaled."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A robot of another program, as it tells of itself; one that does not answer is there, and `robot` is empty.

    `rests` says that it has come to rest; `stopped_by` is empty while it may move.
    """

    program: str
    robot: str = ""
    state: str = ""
    stopped_by: str = ""
    rests: bool = False
    answers: bool = True


class Fleet:
    """This program among others that meet `where`: `here` on this computer (`here:PORT` apart from others there), `lan`
    by multicast, an endpoint such as tcp/192.168.1.5:17446, which who is started there first listens on, or a file of
    zenoh's configuration.

    The robots of this program are those of its agents, from `open` to `close`; `heard` is told of every stop besides,
    in a thread of zenoh's. Raises `UsageError` where the fleet cannot be entered.
    """

    def __init__(self, where: str = HERE, heard: Callable[[str], None] = lambda by: None) -> None:
        self._zenoh, self._heard = _zenoh(), heard
        self._session = _session(self._zenoh, where)
        self._program = str(self._session.zid())
        self._repeats = Bucket(REPEATS_HZ, REPEATS)
        self._there: set[str] = set()
        self._settling: set[asyncio.Task[None]] = set()
        self._replying, self._room = ThreadPoolExecutor(1, "sayso fleet"), threading.Semaphore(REPLIES_MAX)
        liveliness = self._session.liveliness()
        declare = self._session.declare_queryable
        self._kept = (
            declare(f"sayso/@stop/{self._program}/*", self._hear),
            declare(f"sayso/@state/{self._program}/*", partial(self._answer, "@state")),
            liveliness.declare_subscriber("sayso/@here/*", self._presence, history=True),
            liveliness.declare_token(f"sayso/@here/{self._program}"),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the fleet. Robots of this program are stopped by no other one from then on."""
        self._replying.shutdown()
        with suppress(self._zenoh.ZError):  # it waits for a peer that does not answer only so long
            self._session.close()

    def stop(self, by: str = "api", robot: str = "", within_s: float = STOP_S) -> Future[list[Peer]]:
        """Stop every robot, or the one of that name: this program's own at once, then all others, again until each
        has answered that it rests, for so long. Returns at once; the future has what the others answered."""
        stop_own(by, robot)
        answered: Future[list[Peer]] = Future()
        reach = threading.Thread(
            target=self._reach, args=(by, robot, within_s, answered), name="sayso fleet", daemon=True
        )
        reach.start()
        return answered

    def peers(self, within_s: float = FIND_S) -> list[Peer]:
        """The robots of other programs, as they tell. Waits for so long."""
        return self._round("@state", "", lambda found: True, within_s)

    def _reach(self, by: str, robot: str, within_s: float, answered: Future[list[Peer]]) -> None:
        try:
            answered.set_result(self._round("@stop", robot, lambda peer: peer.rests, within_s, by))
        except Exception as error:
            answered.set_exception(error)

    def _round(self, what: str, robot: str, done: Callable[[Peer], bool], within_s: float, by: str = "") -> list[Peer]:
        """Ask all, then those again who have not answered; and those who have how they are, until each is done."""
        found, began_s, name = _Found(), time.monotonic(), quote(robot, safe="") or "*"
        there: set[str] = set()
        asked_s: dict[str, float] = {}
        self._ask(f"sayso/{what}/*/{name}", by, found)
        while (now_s := time.monotonic()) - began_s < within_s:
            time.sleep(WAIT_S)
            here = self._there.copy()
            there |= here
            for program in here - found.programs:
                if now_s - asked_s.get(program, -math.inf) > ROUND_S:
                    asked_s[program] = now_s
                    self._ask(f"sayso/{what}/{program}/{name}", by, found)
            waiting = {p.program for p in found.peers() if p.program in here and not done(p)}
            for program in waiting:
                self._ask(f"sayso/@state/{program}/{name}", "", found)
            if now_s - began_s > FIND_S and not waiting and there <= found.programs:
                break
        return found.peers() + [Peer(program, answers=False) for program in sorted(there - found.programs)]

    def _presence(self, token: zenoh.Sample) -> None:
        program = str(token.key_expr).rsplit("/", 1)[-1]
        if token.kind == self._zenoh.SampleKind.DELETE:
            self._there.discard(program)
        elif program != self._program and len(self._there) < PROGRAMS_MAX:
            self._there.add(program)

    def _ask(self, selector: str, by: str, found: _Found) -> None:
        with suppress(self._zenoh.ZError):  # whom it does not reach now is asked again
            self._session.get(
                selector,
                found.hear,
                payload=by.encode("ascii", "replace"),
                target=self._zenoh.QueryTarget.ALL,
                consolidation=self._zenoh.ConsolidationMode.NONE,
                priority=self._zenoh.Priority.REAL_TIME,
                express=True,
                timeout=ROUND_S,
                allowed_destination=self._zenoh.Locality.REMOTE,
            )

    # What this program hears, in a thread of zenoh's

    def _hear(self, query: zenoh.Query) -> None:
        """Somebody stops robots of this program."""
        meant, by = self._meant("@stop", query), _by(query)
        if self._repeats.takes(time.monotonic()) or not all(map(_stopped, meant)):
            for driver in meant:
                _stop(driver, by)
            if meant or query.key_expr.intersects(self._key("@stop", "=")):  # no robot's
                self._heard(by)
        self._answer("@stop", query)

    def _answer(self, what: str, query: zenoh.Query) -> None:
        """Each driver tells how it is on its own loop, after what has just been asked of it."""
        meant = self._meant(what, query)
        if not [d for d in meant if d.soon(self._tell, what, query, d)]:
            self._send(query.reply_err, NOBODY)

    def _meant(self, what: str, query: zenoh.Query) -> list[Driver]:
        return [d for d in driven() if query.key_expr.intersects(self._key(what, _name(d)))]

    def _tell(self, what: str, query: zenoh.Query, driver: Driver) -> None:
        if what == "@stop":
            settling = asyncio.ensure_future(self._tell_settled(query, driver))
            self._settling.add(settling)
            settling.add_done_callback(self._settling.discard)
        self._reply(what, query, driver, driver.reading.now().resting or driver.reading.still())

    async def _tell_settled(self, query: zenoh.Query, driver: Driver) -> None:
        """Its program may end as soon as it rests: that is told before anybody asks again."""
        await driver.executive.settled()
        self._reply("@stop", query, driver, driver.reading.now().connected and driver.reading.speed_mps() <= REST_MPS)

    def _reply(self, what: str, query: zenoh.Query, driver: Driver, rests: bool) -> None:
        state, by = driver.reading.now(), driver.executive.stopped_by
        told = {"state": state.summary if state.connected else "no link", "stopped_by": by}
        said = {key: text[:TOLD_CHARS] for key, text in told.items()} | {"rests": rests}
        self._send(query.reply, self._key(what, _name(driver)), json.dumps(said, ensure_ascii=False))

    def _send(self, reply: Callable[..., None], *given: Any) -> None:
        """In a thread of its own: who asks and does not read on must hold up neither a robot's loop nor a stop."""
        if not self._room.acquire(blocking=False):
            return

        def send() -> None:
            with suppress(self._zenoh.ZError):
                reply(*given)
            self._room.release()

        with suppress(RuntimeError):  # it is being closed
            self._replying.submit(send)

    def _key(self, what: str, name: str) -> str:
        return f"sayso/{what}/{self._program}/{name}"


class _Found:
    """What others answered, by the program that zenoh says it came from; bounded, and read as data."""

    def __init__(self) -> None:
        self._robots: dict[str, dict[str, Peer]] = {}
        self._lock = threading.Lock()

    def hear(self, reply: zenoh.Reply) -> None:
        # an error of zenoh's own, such as a time-out, is no answer
        if reply.replier_id is None or (reply.err is not None and reply.err.payload.to_bytes() != NOBODY):
            return
        program = str(reply.replier_id.zid)
        with self._lock:
            if program not in self._robots and len(self._robots) >= PROGRAMS_MAX:
                return
            robots = self._robots.setdefault(program, {})
            name = str(reply.ok.key_expr).rsplit("/", 1)[-1] if reply.ok else ""
            if reply.ok and (len(robots) < ROBOTS_MAX or name in robots):
                robots[name] = _read(program, _line(unquote(name)), reply.ok.payload.to_bytes()[:TOLD_BYTES])

    def peers(self) -> list[Peer]:
        """The robots, by name."""
        with self._lock:
            robots = [peer for robots in self._robots.values() for peer in robots.values()]
        return sorted(robots, key=lambda peer: (peer.robot, peer.program))

    @property
    def programs(self) -> set[str]:
        """Who has answered, with a robot or without one."""
        with self._lock:
            return set(self._robots)


def stop_own(by: str, robot: str = "") -> None:
    """Stop the robots of this program, or that of one name, from any thread: those of the running loop at once."""
    for driver in driven():
        if robot in ("", driver.robot.identity or driver.robot.name):
            _stop(driver, by)


def _stop(driver: Driver, by: str) -> None:
    with suppress(Exception):  # whatever is wrong with one keeps no other from being stopped
        driver.stop(by)


def joined(where: str, heard: Callable[[str], None] = lambda by: None) -> AbstractContextManager[object]:
    """The fleet that a person named, or none."""
    return Fleet(where, heard) if where else nullcontext()


def _name(driver: Driver) -> str:
    return quote(driver.robot.identity or driver.robot.name, safe="") or "robot"


def _stopped(driver: Driver) -> bool:
    try:
        return bool(driver.executive.stopped_by)
    except RuntimeError:  # its loop changes it just now
        return False


def _by(query: zenoh.Query) -> str:
    """Who stops, in few plain letters: it stands in the record, and may be shown to a model."""
    said = query.payload.to_bytes()[:TOLD_BYTES].decode("ascii", "replace") if query.payload else ""
    plain = "".join(c for c in said if c.isascii() and (c.isalnum() or c in " .@-_"))
    return f"fleet {plain[:BY_CHARS]}".strip()


def _read(program: str, name: str, told: bytes) -> Peer:
    try:
        data: Any = json.loads(told)
    except ValueError:
        data = None
    if not isinstance(data, Mapping):
        return Peer(program, name, "answers what cannot be read")
    state, stopped_by = (_line(data.get(key, "")) for key in ("state", "stopped_by"))
    return Peer(program, name, state, stopped_by, data.get("rests") is True)


def _line(text: object) -> str:
    return clean(str(text))[:TOLD_CHARS]


def _zenoh() -> Any:
    try:
        import zenoh
    except ModuleNotFoundError as error:
        raise UsageError("robots of other programs need the extra: pip install 'sayso[fleet]'") from error
    return zenoh


def _session(zenoh: Any, where: str) -> Any:
    try:
        return zenoh.open(zenoh.Config.from_file(where) if Path(where).is_file() else _config(zenoh, where))
    except zenoh.ZError as error:
        raise UsageError(f"no fleet can be met at {where}: {_line(error)}") from error


def _config(zenoh: Any, where: str) -> Any:
    """Peers that find each other by multicast, or by one of them that listens where they meet."""
    port = where.removeprefix(f"{HERE}:") if where.startswith(f"{HERE}:") else str(PORT)
    settings: dict[str, Any] = {"mode": "peer"}
    if where == HERE or (where == f"{HERE}:{port}" and port.isdecimal()):
        settings |= {
            "listen/endpoints": ["tcp/127.0.0.1:0"],
            "scouting/multicast/interface": LOOPBACK,
            "scouting/multicast/address": f"{GROUP}:{port}",
        }
    elif "/" in where and where.rpartition(":")[2].isdecimal():
        settings |= {
            "scouting/multicast/enabled": False,
            "listen/endpoints": [where, "tcp/127.0.0.1:0" if "/127.0.0.1:" in where else "tcp/0.0.0.0:0"],
            "listen/exit_on_failure": False,
            "connect/endpoints": [where],
            "connect/exit_on_failure": False,
            "connect/timeout_ms": 0,
            "connect/retry": {"period_init_ms": AGAIN_MS, "period_max_ms": AGAIN_MS, "period_increase_factor": 1},
        }
    elif where != LAN:
        raise UsageError(f"a fleet meets {HERE}, {LAN}, at tcp/HOST:PORT, or as a FILE of zenoh's says; not {where!r}")
    config = zenoh.Config()
    for key, value in settings.items():
        config.insert_json5(key, json.dumps(value))
    return config
