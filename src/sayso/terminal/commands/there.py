"""The commands that list what is installed: worlds, planners, models."""

from typing import Annotated

import typer

from sayso.terminal.commands import options


def worlds() -> None:
    """The embedded worlds and their scenes."""
    from sayso.terminal.tables import shown
    from sayso.worlds import places, scenes

    rows = ((name, world.says, ", ".join(scenes(name)) or "–") for name, world in places().items())
    shown(options.console(), ("world", "what it is", "scenes"), rows)


def planners() -> None:
    """What can turn a wish into a plan."""
    from sayso.mission.defaults import known
    from sayso.terminal.tables import shown

    shown(options.console(), ("planner", "how it works"), known())


def models() -> None:
    """What can be connected with --model."""
    from sayso.models import known
    from sayso.terminal.tables import shown

    shown(options.console(), ("--model", "what it is"), known())


def doctor(
    model: Annotated[str, typer.Option("--model", "-m", help="Ask this endpoint six small questions instead.")] = "",
) -> None:
    """What is installed here, and which endpoint answers."""
    from sayso.terminal.doctor import ask, examine

    raise typer.Exit(ask(options.console(), model) if model else examine(options.console()))
