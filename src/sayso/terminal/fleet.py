"""`sayso stop` and `sayso fleet`: what other programs' robots answer, a line each."""

from __future__ import annotations

import getpass
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress

from rich.console import Console
from rich.text import Text

from sayso.fleet import Fleet, Peer

NAME_COLUMNS = 24


def stop(console: Console, where: str, robot: str) -> int:
    """Stop them, and say what each answered; the exit code."""
    with Fleet(where) as fleet:
        peers = fleet.stop(_person(), robot).result()
    return _told(console, peers, robot, lambda peer: peer.rests and bool(peer.stopped_by))


def show(console: Console, where: str) -> int:
    """Who is there; the exit code."""
    with Fleet(where) as fleet:
        peers = fleet.peers()
    return _told(console, peers, "", lambda peer: peer.answers)


def _told(console: Console, peers: Sequence[Peer], robot: str, well: Callable[[Peer], bool]) -> int:
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
