"""The command `sayso mcp`: a robot served to other programs; the person at this terminal alone approves and releases.

On standard input and output there is no such person: the terminal, if any, is the other program's. Nothing is printed
to standard output then but the protocol.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from rich.console import Console
from rich.text import Text

from sayso.agent import Agent
from sayso.clock import SimClock, WallClock, current
from sayso.errors import SaysoError, UsageError
from sayso.mcp.remote_access import WISH_CHARS, RemoteAccess
from sayso.mcp.server import build
from sayso.memory.event_text import clean_lines, one_line
from sayso.memory.journal import Journal, home
from sayso.serving.access import AccessMiddleware, AccessRule
from sayso.setup import Setup
from sayso.terminal.person import read_line
from sayso.terminal.stops import Stops

HOST, PATH = "127.0.0.1", "/mcp"
HELP = "type stop, release or quit here; a plan that waits for approval takes y or n"
WISHES_MAX = 4
NOBODY = "nobody can be asked here; start it with --http in a terminal of its own"


def serve(
    setup: Setup, stops: Stops, console: Console, pace: float | None, journal: Path | None, *, http: int, skills: bool
) -> None:
    """Until the other program leaves, a signal, or `quit`. The robot comes to rest before this returns."""
    if pace is not None and (http or setup.robot):
        raise UsageError("--pace is for a simulated robot on standard input; all else happens in real time")
    clock = WallClock() if pace is None else SimClock(pace=pace)
    clock.run(_serve(setup, stops, console, journal, http, skills))


async def _serve(setup: Setup, stops: Stops, console: Console, file: Path | None, http: int, skills: bool) -> None:
    robot, world = setup.make_robot()
    over = asyncio.Event()
    with Journal(file) as kept:
        agent = setup.make_agent(robot, world, memory=setup.remembers(kept), pictures=home() / "pictures")
        async with agent:
            stops.heard_by(lambda by: over.set())
            person = Person(agent, console, over) if http and sys.stdin.isatty() else None
            approve = (person.approve if person else _nobody) if setup.approve else None
            remote = RemoteAccess(agent, kept.file, approve)
            robot.told_to_say = Wishes(remote, console).hear if person and approve else None
            server = build(remote, skills=skills)
            serving = _http(server, remote, http, console) if http else server.run_stdio_async()
            beside = [asyncio.ensure_future(over.wait()), asyncio.ensure_future(_keep_time(remote))]
            beside += [asyncio.ensure_future(person.attend())] if person else []
            ended = asyncio.ensure_future(serving)
            await asyncio.wait([ended, beside[0]], return_when=asyncio.FIRST_COMPLETED)
            remote.closed, robot.told_to_say = True, None
        stops.unheard()
        for task in beside:
            task.cancel()
    if not http and not ended.done():
        os._exit(0)  # all is at rest and on file; the thread that reads standard input cannot be waited for
    ended.cancel()
    with suppress(asyncio.CancelledError):
        await ended


async def _http(server: MCPServer[Any], remote: RemoteAccess, port: int, console: Console) -> None:
    """Streamable HTTP on this machine alone, behind the same gate as the console."""
    app = AccessMiddleware(server.streamable_http_app(), AccessRule(programs=True), lambda word: remote.stop())
    config = uvicorn.Config(app, HOST, port, log_level="critical", lifespan="on", access_log=False)
    told = Text(f"http://{HOST}:{port}{PATH}\n{HELP if sys.stdin.isatty() else ''}".rstrip(), "dim")
    await Listening(config, lambda: console.print(told)).serve()


class Listening(uvicorn.Server):
    """A server that leaves signals to those who stop the robot, and says where it is once it is there."""

    def __init__(self, config: uvicorn.Config, begun: Callable[[], None]) -> None:
        super().__init__(config)
        self._begun = begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._begun()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _keep_time(remote: RemoteAccess) -> None:
    """Between missions simulated time follows the wall, so that waiting for the other program costs nothing."""
    while True:
        with current().real():
            await remote.begun.wait()
        await remote.idle.wait()


async def _untold(line: str) -> None:
    """Nobody hears of progress."""


async def _nobody(plan: str) -> bool:
    raise UsageError(NOBODY)


class Wishes:
    """What somebody says at the machine itself, such as in its ROS graph. The person here approves each plan of it."""

    def __init__(self, remote: RemoteAccess, console: Console) -> None:
        self._remote, self._console = remote, console
        self._saying: set[asyncio.Task[None]] = set()

    def hear(self, wish: str, answer: Callable[[str], None]) -> None:
        """Have it done, and `answer` with what came of it."""
        if len(wish) > WISH_CHARS or len(self._saying) > WISHES_MAX:
            answer(f"refused: a wish has at most {WISH_CHARS} characters, and {WISHES_MAX} may wait")
            return
        self._saying.add(saying := asyncio.ensure_future(self._say(wish, answer)))
        saying.add_done_callback(self._saying.discard)

    async def _say(self, wish: str, answer: Callable[[str], None]) -> None:
        if self._remote.idle.is_set():
            self._console.print(Text(f"somebody says at the machine: {one_line(wish)}"))
        try:
            report = await self._remote.say(wish, _untold)
        except SaysoError as error:
            answer(f"refused: {error}")
        else:
            answer(" ".join((*report.said, f"{report.outcome}: {report.asked or report.reason}")))


class Person:
    """Who sits at the terminal in which the server was started."""

    def __init__(self, agent: Agent, console: Console, over: asyncio.Event) -> None:
        self._agent, self._console, self._over = agent, console, over
        self._answer: asyncio.Future[bool] | None = None

    async def approve(self, plan: str) -> bool:
        """Show the plan and wait for y or n."""
        self._answer = asyncio.get_running_loop().create_future()
        self._console.print(Text(clean_lines(plan), "bold"), soft_wrap=True)
        self._console.print("Run this plan? [y/N] ", markup=False, highlight=False)
        try:
            return await self._answer
        finally:
            self._answer = None

    async def attend(self) -> None:
        """Do what is typed, until `quit` or the end of the input."""
        while (line := await read_line()) and (word := line.strip().lower()) != "quit":
            if word == "stop":
                self._agent.stop("key")
            elif self._answer and not self._answer.done():
                self._answer.set_result(word in ("y", "yes"))
            elif word == "release":
                self._agent.release("key")
            elif word:
                self._console.print(Text(HELP, "dim"))
            if by := self._agent.executive.stopped_by:
                self._console.print(Text(f"stopped by {by}; release lets it go on", "bold red"))
        self._over.set()
