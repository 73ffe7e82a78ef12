"""`sayso export`: a planned search for a ground station."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    file: Annotated[Path, typer.Argument(help="A new file: .waypoints (MAVLink), .plan (QGroundControl) or .kml.")],
    areas: Annotated[list[str], typer.Argument(help="What to search, in order: areas of the scene or squares.")],
    scene: Annotated[str, typer.Option(help="Which scene of the world rescue.")] = "valley",
    altitude: Annotated[float, typer.Option(metavar="METRES", help="30, 60 or 90 above the ground.")] = 60.0,
    middle: Annotated[
        str, typer.Option(metavar="LAT,LON[,M]", help="Where the middle of the map lies, and metres at home.")
    ] = "47.75,11.38",
) -> None:
    """A planned search as a file for a ground station."""
    from sayso.robots.aircraft.export import write  # with all of the search behind it, which no other command waits for

    written, *warnings = write(file, areas, scene, altitude, middle)
    typer.echo(written)
    for warning in warnings:
        typer.secho(warning, fg="yellow")
