"""The command line.

Exit codes: 0 achieved, 1 not achieved or refused (with the reason), 2 wrong usage.

What a command does is in `sayso.terminal`, imported when the command is: `--help` waits for no simulator.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sayso import __version__
from sayso.errors import SaysoError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from sayso.memory.journal import Journal

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

JournalOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The journal file, instead of the one in SAYSO_HOME.", envvar="SAYSO_JOURNAL"),
]
WorldOption = Annotated[str, typer.Option(help="Where the robot is; see `sayso worlds`.")]
SceneOption = Annotated[str, typer.Option(help="Which scene of the world; see `sayso worlds`.")]
MissionArgument = Annotated[str, typer.Argument(help="A mission's id, the beginning of one, or LAST.")]

INTERRUPTED = 130
"""What Typer makes of Ctrl-C where nothing flies; 1 is this program's word for what was not achieved."""

PIPE_COLUMNS = 160
"""How wide tables may be where no terminal says so."""


def main() -> None:
    """Run the command line; errors made on purpose become one helpful line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without some character shows another one
            stream.reconfigure(errors="replace")
    try:
        code = app(standalone_mode=False) or 0
        sys.exit(1 if code == INTERRUPTED else code)
    except typer.Abort:
        sys.exit(1)
    except BrokenPipeError:  # nobody reads on; the interpreter would complain about that once more at its exit
        with contextlib.suppress(OSError):
            sys.stdout.close()
        sys.exit(1)
    except UsageError as error:
        _complain(str(error))
        sys.exit(2)
    except SaysoError as error:
        _complain(str(error))
        sys.exit(1)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        asked = getattr(error, "ctx", None)  # an option or argument that cannot be, told by Typer's parser
        _complain(f"{error.format_message().rstrip('.')}; see {asked.command_path if asked else 'sayso'} --help")
        sys.exit(2)


def _complain(text: str) -> None:
    from sayso.memory.story import clean

    print("sayso: " + "\n".join(map(clean, text.split("\n"))), file=sys.stderr)


def _console(stderr: bool = False) -> Console:
    from rich.console import Console

    console = Console(stderr=stderr, highlight=False)
    return console if console.is_terminal else Console(stderr=stderr, highlight=False, width=PIPE_COLUMNS)


@app.command()
def run(
    instruction: Annotated[str, typer.Argument(help="What you want, in your own words.")],
    model: Annotated[str, typer.Option(help="Who writes the plan; see `sayso models`.")] = "",
    planner: Annotated[str, typer.Option(help="reflex, stream or rolling; chosen by itself when left out.")] = "",
    world: WorldOption = "office",
    scene: SceneOption = "",
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Same seed, same mission.")] = 0,
    wind_mps: Annotated[float, typer.Option("--wind", min=0, metavar="MPS", help="Wind, metres a second.")] = 0.0,
    approve: Annotated[bool, typer.Option("--approve", help="Show the checked plan and ask before it runs.")] = False,
    view: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a film and a picture of the flight there.")
    ] = None,
    pace: Annotated[
        float | None, typer.Option(min=0, metavar="RATE", help="Simulated seconds a second; 0: no waiting.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON; the flight shows on stderr.")] = False,
    show_tree: Annotated[bool, typer.Option("--show-tree", help="Show who runs and who waits for whom.")] = False,
    journal: JournalOption = None,
) -> None:
    """Do what a sentence wishes, live. Ctrl-C stops the robot and lands it."""
    from sayso.terminal.stops import Stops

    with Stops() as stops:  # first of all: loading what flies takes longer than pressing a key
        from sayso.terminal.mission import Setup, fly

        setup = Setup(model, planner, world, scene, seed, wind_mps, approve)
        console = _console(stderr=as_json)
        flown = fly(
            instruction, setup, stops, console=console, view=view, pace=pace, journal=journal, show_tree=show_tree
        )
        if as_json:
            print(json.dumps(flown.as_json()), flush=True)
    raise typer.Exit(0 if flown.ended.outcome == "achieved" else 1)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A MiniSpec plan; - reads standard input.")],
    world: WorldOption = "office",
    scene: SceneOption = "",
) -> None:
    """Is a plan admissible for the robot where it stands? All errors with carets; exit 0 only where there is none."""
    from sayso.terminal import plans
    from sayso.terminal.mission import Setup

    raise typer.Exit(plans.check(file, Setup(world=world, scene=scene), _console(), _console(stderr=True)))


@app.command()
def skills(world: WorldOption = "office") -> None:
    """What can be asked of the robot, as the model sees it."""
    from sayso.terminal import plans

    print(plans.skills(world))


@app.command()
def worlds() -> None:
    """The embedded worlds and their scenes."""
    from sayso.terminal import tables

    tables.worlds(_console())


@app.command()
def planners() -> None:
    """What can turn a wish into a plan."""
    from sayso.terminal import tables

    tables.planners(_console())


@app.command()
def models() -> None:
    """What can be connected with --model."""
    from sayso.terminal import tables

    tables.models(_console())


@app.command()
def missions(journal: JournalOption = None) -> None:
    """All missions on record, the latest last."""
    from sayso.terminal import tables

    with _journal(journal) as memory:
        tables.missions(_console(), memory)


@app.command()
def why(mission: MissionArgument = "LAST", journal: JournalOption = None) -> None:
    """The story of a mission, from its journal."""
    from sayso.terminal import tables

    with _journal(journal) as memory:
        tables.why(_console(), memory, mission)


@app.command()
def replay(
    mission: MissionArgument = "LAST",
    pace: Annotated[float, typer.Option(min=0, metavar="RATE", help="Recorded seconds a second; 0: no waiting.")] = 0.0,
    journal: JournalOption = None,
) -> None:
    """Run a mission again from its journal; exit 0 where it ends the same."""
    from sayso.terminal.replay import replay as run_again

    with _journal(journal) as memory:
        events = memory.events(memory.resolve(mission))
    if difference := run_again(events, _console(), pace):
        _complain(f"the replay went another way: {difference}")
        raise typer.Exit(1)
    print("the replay ended the same")


def _journal(path: Path | None) -> Journal:
    from sayso.memory.journal import Journal, home

    return Journal(path or home() / "journal.sqlite")


@app.command()
def bench(
    suite: Annotated[str, typer.Argument(help="drone, soccer, hostile or speed.")],
    planner: Annotated[str, typer.Option(help="Which planner is tried; the suite's own when left out.")] = "",
    model: Annotated[str, typer.Option(help="Which model; `reference` is a hand-written double.")] = "reference",
    episodes: Annotated[int, typer.Option(min=1, metavar="N", help="Tries per task.")] = 2,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="The first episode's seed.")] = 0,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Processes.")] = 1,
    only: Annotated[str, typer.Option(help="Task ids, separated by commas.")] = "",
    ablation: Annotated[str, typer.Option(help="Leave one thing out, such as no-streaming or no-safety.")] = "",
    as_json: Annotated[
        str, typer.Option("--json", metavar="FILE", help="Write the figures there; - is standard output.")
    ] = "",
) -> None:
    """The papers' tables, side by side with the published figures."""
    from sayso.bench.report import run_speed, run_suite

    console = _console(stderr=as_json == "-")
    if suite == "speed":
        raise typer.Exit(run_speed(console, as_json))
    options = {"planner": planner, "model": model, "ablation": ablation}
    raise typer.Exit(run_suite(console, suite, as_json, only, episodes, seed, workers, **options))


@app.command()
def doctor() -> None:
    """What is installed here, and which endpoint answers."""
    from sayso.terminal.doctor import examine

    raise typer.Exit(examine(_console()))


@app.callback(invoke_without_command=True)
def about(
    asked: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    """Robots act on your say-so: plans that run while they stream, inside hard limits."""
    if version:
        print(__version__)
        raise typer.Exit
    if asked.invoked_subcommand is None:
        asked.get_help()  # Typer prints it by itself


if __name__ == "__main__":
    main()
