"""The zenoh session of a node: a peer of the router that every robot with rmw_zenoh has."""

import asyncio
import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self

import zenoh
import zenoh.ext

from sayso.errors import RobotError, UsageError
from sayso.robots.base.ros.node import DOMAIN_MAX, EVERYWHERE, Graph, Line, Serves

ROUTER = "tcp/127.0.0.1:7447"
"""Where `ros2 run rmw_zenoh_cpp rmw_zenohd` listens."""

FIND_S, ANSWERS_S, PENDING_MAX = 1.0, 3600.0, 200
"""How long others have to tell what they do, and to answer: the end of a goal is an answer too; how much may wait to be
heard, above which it is left."""

DROP = zenoh.CongestionControl.DROP
"""A network that is full holds up nobody."""


@dataclass(frozen=True, slots=True)
class Address:
    """Which robot is meant, and where it is met: `endpoint` is zenoh's, or a file of its configuration."""

    graph: Graph = EVERYWHERE
    endpoint: str = ROUTER

    @classmethod
    def read(cls, text: str) -> Self:
        """`[NAMESPACE][@ENDPOINT]`, such as `/robot1@tcp/192.168.1.7:7447`; the domain is ROS_DOMAIN_ID's."""
        space, _, endpoint = text.partition("@")
        names = space.strip("/").split("/") if space else []
        domain = os.environ.get("ROS_DOMAIN_ID", "") or "0"
        if not all(name.isidentifier() and name.isascii() for name in names):
            raise UsageError(f"a ROS 2 robot is written [/NAMESPACE][@ENDPOINT], not {text!r}")
        if not domain.isdecimal() or int(domain) > DOMAIN_MAX:
            raise UsageError(f"ROS_DOMAIN_ID is a number of at most {DOMAIN_MAX}, not {domain!r}")
        return cls(Graph(int(domain), "".join(f"/{name}" for name in names)), endpoint or ROUTER)

    def __str__(self) -> str:
        domain = f" in domain {self.graph.domain}" if self.graph.domain else ""
        return f"{self.graph.namespace or '/'}@{self.endpoint}{domain}"


async def connect(endpoint: str) -> Line:
    """A line to a router. Raises `RobotError`."""
    try:
        return Session(await asyncio.to_thread(zenoh.open, _config(connect=endpoint)))
    except (zenoh.ZError, OSError) as error:
        raise RobotError(
            f"no router of ROS 2 answers at {endpoint}: is `ros2 run rmw_zenoh_cpp rmw_zenohd` started there, and is "
            "this address right?"
        ) from error


def listen(endpoint: str) -> Line:
    """A line that is a router itself, for a simulated robot. Raises `RobotError`."""
    try:
        return Session(zenoh.open(_config(listen=endpoint)))
    except zenoh.ZError as error:
        raise RobotError(f"the simulated robot cannot listen on {endpoint}: {error}") from error


def _config(connect: str = "", listen: str = "") -> zenoh.Config:
    if Path(connect).is_file():
        return zenoh.Config.from_file(connect)
    config = zenoh.Config()
    settings = {
        "mode": "router" if listen else "peer",
        "scouting/multicast/enabled": False,
        "listen/endpoints": [listen or "tcp/127.0.0.1:0"],
        "connect/endpoints": [connect] if connect else [],
        "connect/timeout_ms": 3000,
        "connect/exit_on_failure": True,
    }
    for key, value in settings.items():
        config.insert_json5(key, json.dumps(value))
    return config


class Session(Line):
    """A session of zenoh: its threads hear; the loop on which something is heard first is told."""

    def __init__(self, session: Any) -> None:
        self._session, self.name = session, str(session.zid())
        self._kept: list[Any] = []
        self._pending = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    def put(self, key: str, payload: bytes, attachment: bytes) -> None:
        with suppress(zenoh.ZError):
            self._session.put(key, payload, attachment=attachment, congestion_control=DROP, express=True)

    def hear(self, key: str, heard: Callable[[bytes], None], kept: bool = False) -> None:
        self._loop, soon = asyncio.get_running_loop(), partial(self._soon, heard)
        if kept:
            late = zenoh.ext.HistoryConfig(detect_late_publishers=True)
            self._kept.append(zenoh.ext.declare_advanced_subscriber(self._session, key, soon, history=late))
        else:
            self._kept.append(self._session.declare_subscriber(key, soon))

    def _soon(self, heard: Callable[[bytes], None], sample: zenoh.Sample) -> None:
        """Tell it on the loop, unless too much waits there already."""

        def tell(payload: bytes) -> None:
            self._pending -= 1
            heard(payload)

        if self._loop and self._pending < PENDING_MAX:
            self._pending += 1
            with suppress(RuntimeError):  # the loop is over
                self._loop.call_soon_threadsafe(tell, sample.payload.to_bytes())

    def ask(self, key: str, payload: bytes, attachment: bytes, answered: Callable[[bytes], None]) -> None:
        def soon(reply: zenoh.Reply) -> None:
            if reply.ok:
                self._soon(answered, reply.ok)

        with suppress(zenoh.ZError):
            self._session.get(
                key,
                soon,
                payload=payload,
                attachment=attachment,
                target=zenoh.QueryTarget.ALL_COMPLETE,
                consolidation=zenoh.ConsolidationMode.NONE,
                timeout=ANSWERS_S,
                congestion_control=DROP,
                express=True,
            )

    def serve(self, key: str, answer: Serves) -> None:
        def asked(query: zenoh.Query) -> None:
            def reply(payload: bytes, attachment: bytes) -> None:
                with query, suppress(zenoh.ZError):
                    query.reply(query.key_expr, payload, attachment=attachment)

            request, attached = (part.to_bytes() if part else b"" for part in (query.payload, query.attachment))
            answer(request, attached, reply)

        self._kept.append(self._session.declare_queryable(key, asked, complete=True))

    def declare(self, token: str) -> None:
        self._kept.append(self._session.liveliness().declare_token(token))

    async def declared(self, pattern: str) -> list[str]:
        def found() -> list[str]:
            replies = self._session.liveliness().get(pattern, timeout=FIND_S)
            tokens = [str(reply.ok.key_expr) for reply in replies if reply.ok]
            return [token for token in tokens if f"/{self.name}/" not in token]

        return await asyncio.to_thread(found)

    def close(self) -> None:
        with suppress(zenoh.ZError):  # it waits for a peer that does not answer only so long
            self._session.close()
