"""The options that several commands share, with the console, the journal and errors in one line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from importlib.metadata import entry_points
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from sayso.errors import SaysoError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from sayso.memory.journal import Journal
    from sayso.setup import Setup

PIPE_COLUMNS = 160
"""How wide tables may be where no terminal says so."""


def one_place(asked: typer.Context, value: str) -> str:
    """A world or a robot of one's own: what is typed for either rules out the other."""
    sources = [asked.get_parameter_source(name) for name in ("world", "robot")]
    if all(source is not None and source.name == "COMMANDLINE" for source in sources):
        raise UsageError("a robot of your own stands in no simulated world: --robot or --world, not both")
    return value


def left_to(typed: typer.Context, names: tuple[str, ...], why: str) -> None:
    """Raises `UsageError` where one of these options was typed."""
    for name in names:
        source = typed.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise UsageError(f"{why}: leave --{name.removesuffix('_mps').replace('_', '-')} out")


def registered(group: str, *before: str) -> Callable[[], list[str]]:
    """What completes a name: all that is registered in a group, and the same behind each word that may stand before."""

    def names() -> list[str]:
        there = sorted(entry.name for entry in entry_points(group=group))
        return [f"{word}{name}" for word in ("", *before) for name in there]

    return names


def _scenes(asked: typer.Context) -> list[str]:
    """The scenes of the world that is typed already, or of the usual one."""
    from sayso.worlds import scenes

    with suppress(UsageError):  # a world that is not there has none
        return list(scenes(asked.params["world"]))
    return []


def _planners() -> list[str]:
    from sayso.mission.defaults import PLANNERS

    return [*PLANNERS, *registered("sayso.planners")()]


def missions(asked: typer.Context) -> list[tuple[str, str]]:
    """The missions on record, the latest first, with their wishes."""
    from sayso.memory.event_text import one_line

    with suppress(SaysoError), journal(asked.params.get("journal")) as kept:
        return [("LAST", "the latest"), *((m.id, one_line(m.instruction, 60)) for m in kept.missions()[::-1])]
    return []


JournalOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The journal file, instead of the one in SAYSO_HOME.", envvar="SAYSO_JOURNAL"),
]
ModelOption = Annotated[
    str, typer.Option("--model", "-m", help="Who writes the plan; see `sayso models`.", envvar="SAYSO_MODEL")
]
PlannerOption = Annotated[
    str,
    typer.Option(
        help="One that `sayso planners` names, or FILE.py:NAME; chosen by itself when left out.",
        autocompletion=_planners,
    ),
]
WorldOption = Annotated[
    str,
    typer.Option(
        help="Where the robot is; see `sayso worlds`. FILE.py:NAME is your own.",
        envvar="SAYSO_WORLD",
        callback=one_place,
        autocompletion=registered("sayso.worlds"),
    ),
]
RobotOption = Annotated[
    str,
    typer.Option(
        metavar="NAME[:ADDRESS]",
        help="A machine (tello, mavlink, ros), its dry run (fake:tello), or your own, FILE.py:NAME; on real time.",
        callback=one_place,
        autocompletion=registered("sayso.machines", "fake:"),
    ),
]
ZoneOption = Annotated[
    str,
    typer.Option(
        metavar="SIDE=M,…",
        help="Where a machine may be, from where it stands: ahead=3,back=1,left=2,right=2,up=2. Else it stays there.",
    ),
]
DetectorOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="See through the robot's camera with a detector: office, FILE.onnx, FILE.toml or FILE.py:NAME.",
    ),
]
EarsOption = Annotated[
    str, typer.Option(metavar="NAME", help="Who understands speech: embedded, or FILE.py[:NAME] of your own.")
]
EyesOption = Annotated[
    str,
    typer.Option(
        metavar="MODEL",
        help="Who is shown the camera's picture and asked what no label tells: an endpoint, see --model.",
    ),
]
FleetOption = Annotated[
    str,
    typer.Option(
        "--fleet",
        metavar="WHERE",
        help="Where `sayso stop` reaches all who meet: here (this computer), lan, an endpoint, a FILE of zenoh's.",
        envvar="SAYSO_FLEET",
    ),
]
SceneOption = Annotated[str, typer.Option(help="Which scene of the world; see `sayso worlds`.", autocompletion=_scenes)]
SeedOption = Annotated[int, typer.Option(min=0, metavar="N", help="Same seed, same place.")]
PaceOption = Annotated[
    float | None,
    typer.Option(
        min=0, metavar="RATE", help="Simulated seconds a second; 0: no waiting. With --robot: it is a simulation."
    ),
]
ApproveOption = Annotated[bool, typer.Option("--approve", help="Show every checked plan, and ask before it runs.")]
MapOption = Annotated[str, typer.Option("--map", metavar="ID", help="Of this map alone, such as office/tour.")]
UnitArgument = Annotated[int, typer.Argument(help="A thing's number; see `sayso memory list`.")]
MissionArgument = Annotated[
    str, typer.Argument(help="A mission's id, the beginning of one, or LAST.", autocompletion=missions)
]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Who does what, and where, as typed: each field is an option of every command that has a robot do things."""

    model: ModelOption = ""
    planner: PlannerOption = ""
    world: WorldOption = "office"
    robot: RobotOption = ""
    zone: ZoneOption = ""
    detector: DetectorOption = ""
    eyes: EyesOption = ""
    fleet: FleetOption = ""
    scene: SceneOption = ""
    seed: SeedOption = 0
    journal: JournalOption = None

    def of_setup(self) -> dict[str, Any]:
        """What of it makes a setup."""
        return {name: value for name, value in asdict(self).items() if name not in ("fleet", "journal")}

    def setup(self, *, memory: bool = True, **more: Any) -> Setup:
        """What was typed, with what the command itself makes of it."""
        from sayso.setup import Setup

        return Setup(**self.of_setup(), memory=memory, **more)


def choosing(*without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command that takes a `Chosen` the fields of that as options, save those that it goes `without`."""
    left = {name: kind for name, kind in get_type_hints(Chosen, include_extras=True).items() if name not in without}
    each = [Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default) for f in fields(Chosen) if f.name in left]

    def made(command: Callable[..., None]) -> Callable[..., None]:
        def typed(**given: Any) -> None:
            command(Chosen(**{name: given.pop(name) for name in left}), **given)

        hints = get_type_hints(command, include_extras=True) | left
        own = [p.replace(kind=Parameter.KEYWORD_ONLY) for p in signature(command).parameters.values()][1:]
        first = [p for p in own if p.default is Parameter.empty]
        order = [*first, *each, *own[len(first) :]]
        typed.__name__, typed.__doc__ = command.__name__, command.__doc__
        typed.__annotations__ = {p.name: hints[p.name] for p in order}
        typed.__dict__["__signature__"] = Signature([p.replace(annotation=hints[p.name]) for p in order])
        return typed

    return made


def complain(text: str) -> None:
    """One helpful line."""
    from sayso.memory.event_text import clean_lines

    print(f"sayso: {clean_lines(text)}", file=sys.stderr)


def console(stderr: bool = False) -> Console:
    """Where a command prints."""
    from rich.console import Console

    plain = Console(stderr=stderr, highlight=False)
    return plain if plain.is_terminal else Console(stderr=stderr, highlight=False, width=PIPE_COLUMNS)


def journal(path: Path | None) -> Journal:
    """The journal that is asked for, or the usual one."""
    from sayso.memory.journal import Journal

    return Journal(path)
