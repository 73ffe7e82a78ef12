"""The commands `fleet` and `stop`: the robots of several programs, and a stop for all of them."""

from __future__ import annotations

import getpass
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from sayso.errors import UsageError
from sayso.terminal.commands import options

if TYPE_CHECKING:
    from sayso.serving.fleet import Peer

NAME_COLUMNS = 24


def stop(
    robot: Annotated[str, typer.Argument(metavar="ROBOT", help="Its name; see `sayso fleet`. Left out: all.")] = "",
    everyone: Annotated[
        bool, typer.Option("--all", help="Every robot, which is meant without a name as well.")
    ] = False,
    where: options.FleetOption = "here",
) -> None:
    """Stop the robots of other programs that run with --fleet, and wait until they rest; exit 1 where one does not."""
    if robot and everyone:
        raise UsageError("either a robot or --all")
    from sayso.serving.fleet import Fleet

    with Fleet(where) as fleet:
        peers = fleet.stop(_person(), robot).result()
    raise typer.Exit(_told(peers, robot, lambda peer: peer.rests and bool(peer.stopped_by)))


def fleet(where: options.FleetOption = "here") -> None:
    """The robots of other programs that run with --fleet, as they tell of themselves."""
    from sayso.serving.fleet import Fleet

    with Fleet(where) as met:
        peers = met.peers()
    raise typer.Exit(_told(peers, "", lambda peer: peer.answers))


def _told(peers: Sequence[Peer], robot: str, well: Callable[[Peer], bool]) -> int:
    """Print them; the exit code."""
    from rich.text import Text

    console = options.console()
    for peer in peers:
        console.print(Text(_line(peer), "" if well(peer) else "bold red"), soft_wrap=True)
    if not any(peer.robot for peer in peers):
        console.print(Text(f"no {robot or 'robot'} is there", "bold red"))
        return 1
    return 0 if all(map(well, peers)) else 1


def _line(peer: Peer) -> str:
    if not peer.answers:
        return f"{'?':<{NAME_COLUMNS}} a program that does not answer ({peer.program[:8]}): its robots may move"
    stopped = f"stopped by {peer.stopped_by}" if peer.stopped_by else "free"
    return f"{peer.robot:<{NAME_COLUMNS}} {stopped}; {'' if peer.rests else 'NOT AT REST; '}{peer.state}"


def _person() -> str:
    """Who sits here, for the record."""
    user = "somebody"
    with suppress(Exception):  # a user without a name, by platform
        user = getpass.getuser()
    return f"{user}@{socket.gethostname()}"
