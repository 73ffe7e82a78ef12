"""Robots of several programs: who is there, and a stop for all of them."""

from __future__ import annotations

from typing import Annotated

import typer

from sayso.errors import UsageError
from sayso.terminal.commands import options

MeetOption = Annotated[
    str,
    typer.Option(
        "--fleet",
        metavar="WHERE",
        help="Where they meet: here (this computer), lan, an endpoint, or a FILE of zenoh's.",
        envvar="SAYSO_FLEET",
    ),
]


def stop(
    robot: Annotated[str, typer.Argument(metavar="ROBOT", help="Its name; see `sayso fleet`. Left out: all.")] = "",
    everyone: Annotated[
        bool, typer.Option("--all", help="Every robot, which is meant without a name as well.")
    ] = False,
    where: MeetOption = "here",
) -> None:
    """Stop the robots of other programs that run with --fleet, and wait until they rest; exit 1 where one does not."""
    if robot and everyone:
        raise UsageError("either a robot or --all")
    from sayso.terminal.fleet import stop as stop_them

    raise typer.Exit(stop_them(options.console(), where, robot))


def fleet(where: MeetOption = "here") -> None:
    """The robots of other programs that run with --fleet, as they tell of themselves."""
    from sayso.terminal.fleet import show

    raise typer.Exit(show(options.console(), where))
