"""The command line.

Exit codes: 0 achieved, 1 not achieved or refused (with the reason), 2 wrong usage.

What a command does is in `sayso.terminal`, imported when the command is: `--help` waits for no simulator.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, runtime_checkable

import typer
from typer.core import TyperGroup

from sayso import __version__
from sayso.errors import SaysoError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from sayso.memory.journal import Journal

app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]}, pretty_exceptions_enable=False)
memory = typer.Typer(help="What was seen, on all missions: ask, correct, delete.", no_args_is_help=True)
app.add_typer(memory, name="memory")


def _one_place(asked: typer.Context, value: str) -> str:
    """A world or a robot of one's own: what is typed for either rules out the other."""
    sources = [asked.get_parameter_source(name) for name in ("world", "robot")]
    if all(source is not None and source.name == "COMMANDLINE" for source in sources):
        raise UsageError("a robot of your own stands in no simulated world: --robot or --world, not both")
    return value


JournalOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The journal file, instead of the one in SAYSO_HOME.", envvar="SAYSO_JOURNAL"),
]
ModelOption = Annotated[
    str, typer.Option("--model", "-m", help="Who writes the plan; see `sayso models`.", envvar="SAYSO_MODEL")
]
PlannerOption = Annotated[
    str, typer.Option(help="One that `sayso planners` names, or FILE.py:NAME; chosen by itself when left out.")
]
WorldOption = Annotated[
    str,
    typer.Option(
        help="Where the robot is; see `sayso worlds`. FILE.py:NAME is your own.",
        envvar="SAYSO_WORLD",
        callback=_one_place,
    ),
]
RobotOption = Annotated[
    str,
    typer.Option(
        metavar="FILE.py[:NAME]",
        help="A robot of your own, in no simulated world and on real time.",
        callback=_one_place,
    ),
]
SceneOption = Annotated[str, typer.Option(help="Which scene of the world; see `sayso worlds`.")]
MapOption = Annotated[str, typer.Option("--map", metavar="ID", help="Of this map alone, such as office/tour.")]
UnitArgument = Annotated[int, typer.Argument(help="A thing's number; see `sayso memory list`.")]
MissionArgument = Annotated[str, typer.Argument(help="A mission's id, the beginning of one, or LAST.")]

INTERRUPTED = 130
"""What Typer makes of Ctrl-C where nothing flies; 1 is this program's word for what was not achieved."""

PIPE_COLUMNS = 160
"""How wide tables may be where no terminal says so."""


@runtime_checkable
class Misused(Protocol):
    """An option or argument that cannot be, as Typer's parser tells it. By version Typer has these errors from Click or
    of its own."""

    ctx: typer.Context | None

    def format_message(self) -> str: ...


def main() -> None:
    """Run the command line; errors made on purpose become one helpful line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without some character shows another one
            stream.reconfigure(errors="replace")
    try:
        code = app(prog_name="sayso", standalone_mode=False, default_map=_configured()) or 0
        if code == INTERRUPTED:
            raise typer.Abort
        sys.exit(code)
    except (typer.Abort, KeyboardInterrupt):
        _complain("interrupted")
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
        if not isinstance(error, Misused):
            raise
        asked = error.ctx.command_path if error.ctx else "sayso"
        _complain(f"{error.format_message().rstrip('.')}; see {asked} --help")
        sys.exit(2)


def _configured() -> dict[str, dict[str, Any]]:
    """What the file of somebody's own says, by command."""
    from sayso.terminal.config import defaults

    whole = typer.main.get_command(app)
    assert isinstance(whole, TyperGroup)
    return defaults({name: frozenset(p.name for p in c.params if p.name) for name, c in whole.commands.items()})


def _complain(text: str) -> None:
    from sayso.memory.story import clean

    print("sayso: " + "\n".join(map(clean, text.split("\n"))), file=sys.stderr)


def _console(stderr: bool = False) -> Console:
    from rich.console import Console

    console = Console(stderr=stderr, highlight=False)
    return console if console.is_terminal else Console(stderr=stderr, highlight=False, width=PIPE_COLUMNS)


@app.command()
def run(
    instruction: Annotated[list[str], typer.Argument(help="What you want, in your own words; - reads standard input.")],
    model: ModelOption = "",
    planner: PlannerOption = "",
    world: WorldOption = "office",
    robot: RobotOption = "",
    scene: SceneOption = "",
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Same seed, same mission.")] = 0,
    wind_mps: Annotated[float, typer.Option("--wind", min=0, metavar="MPS", help="Wind, metres a second.")] = 0.0,
    approve: Annotated[bool, typer.Option("--approve", help="Show the checked plan and ask before it runs.")] = False,
    view: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a film and a picture of the flight there.")
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="RATE", help="Simulated seconds a second; 0: no waiting. With --robot: it is a simulation."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON; the flight shows on stderr.")] = False,
    show_tree: Annotated[bool, typer.Option("--show-tree", help="Show who runs and who waits for whom.")] = False,
    show_machine: Annotated[bool, typer.Option("--show-machine", help="Draw what ran as a state machine.")] = False,
    no_memory: Annotated[bool, typer.Option("--no-memory", help="As if nothing had ever been seen before.")] = False,
    journal: JournalOption = None,
) -> None:
    """Do what a sentence wishes, live. Ctrl-C stops the robot and lands it."""
    from sayso.terminal.stops import Stops

    with Stops() as stops:  # first of all: loading what flies takes longer than pressing a key
        from sayso.setup import Setup
        from sayso.terminal.mission import fly

        wish = sys.stdin.read() if instruction == ["-"] else " ".join(instruction)
        setup = Setup(
            model, planner, world, scene, seed, wind_mps, approve,
            memory=not no_memory, real_time=bool(robot) and pace is None, robot=robot,
        )  # fmt: skip
        console = _console(stderr=as_json)
        flown = fly(wish, setup, stops, console=console, view=view, pace=pace, journal=journal, show_tree=show_tree)
        if show_machine:
            from sayso.terminal.machine import drawn

            console.print(drawn(flown.events), soft_wrap=True)
        if as_json:
            print(json.dumps(flown.as_json()), flush=True)
    raise typer.Exit(0 if flown.ended.outcome == "achieved" else 1)


@app.command()
def chat(
    model: ModelOption = "",
    planner: PlannerOption = "",
    world: WorldOption = "office",
    robot: RobotOption = "",
    scene: SceneOption = "",
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Same seed, same place.")] = 0,
    approve: Annotated[bool, typer.Option("--approve", help="Show every checked plan before it runs.")] = False,
    pace: Annotated[
        float | None, typer.Option(min=0, metavar="RATE", help="Simulated seconds a second; 0: no waiting.")
    ] = None,
    journal: JournalOption = None,
) -> None:
    """Talk with a robot: each wish sees what was said and done before. quit ends, Ctrl-C stops the robot."""
    from sayso.terminal.stops import Stops

    with Stops() as stops:
        from sayso.setup import Setup
        from sayso.terminal.chat import chat as talk

        real_time = bool(robot) and pace is None
        setup = Setup(
            model, planner, world, scene, seed, approve=approve, memory=True, real_time=real_time, robot=robot
        )
        talk(setup, stops, _console(), pace, journal)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A MiniSpec plan; - reads standard input.")],
    world: WorldOption = "office",
    robot: RobotOption = "",
    scene: SceneOption = "",
) -> None:
    """Is a plan admissible for the robot where it stands? All errors with carets; exit 0 only where there is none."""
    from sayso.setup import Setup
    from sayso.terminal import plans

    raise typer.Exit(plans.check(file, Setup(world=world, scene=scene, robot=robot), _console(), _console(stderr=True)))


@app.command()
def release(
    machine: Annotated[str, typer.Argument(metavar="MACHINE", help="Its identity; left out: the one stopped.")] = "",
) -> None:
    """Lift the stop of a real machine, which outlives the program that it ran in. Look at the machine first."""
    from sayso.terminal.release import release as lift

    print("\n".join(lift(machine)))


@app.command()
def skills(world: WorldOption = "office", robot: RobotOption = "") -> None:
    """What can be asked of the robot, as the model sees it."""
    from sayso.setup import Setup
    from sayso.terminal import plans

    print(plans.skills(Setup(world=world, robot=robot)))


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


@memory.command("list")
def memory_list(
    place: Annotated[str, typer.Option(help="Only what lies at this place.")] = "",
    map_id: MapOption = "",
    stale: Annotated[bool, typer.Option("--stale", help="Only what is gone from its place.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
    journal: JournalOption = None,
) -> None:
    """All things that are remembered, the latest last."""
    from sayso.terminal import memories

    with _journal(journal) as file:
        memories.list_all(_console(), memories.Asked(file, map_id), place, stale, as_json)


@memory.command("where")
def memory_where(
    words: Annotated[list[str], typer.Argument(help="What you look for, such as: the red cup.")],
    place: Annotated[str, typer.Option(help="Only what lies at this place.")] = "",
    map_id: MapOption = "",
    top: Annotated[int, typer.Option(min=1, metavar="N", help="At most so many.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
    journal: JournalOption = None,
) -> None:
    """Where something was last seen; exit 1 where nothing of the kind was."""
    from sayso.terminal import memories

    with _journal(journal) as file:
        asked = memories.Asked(file, map_id)
        raise typer.Exit(memories.where(_console(), asked, " ".join(words), place, top, as_json))


@memory.command("correct")
def memory_correct(
    thing: UnitArgument,
    name: Annotated[str | None, typer.Option(help="What it is called; empty: as the camera calls it.")] = None,
    place: Annotated[str | None, typer.Option(help="Where it is now.")] = None,
    like: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="What it is like; KEY= takes away.")
    ] = None,
    gone: Annotated[bool, typer.Option("--gone", help="It is not there any more.")] = False,
    there: Annotated[bool, typer.Option("--there", help="It is there after all.")] = False,
    journal: JournalOption = None,
) -> None:
    """Put right what is remembered of a thing."""
    from sayso.terminal import memories

    if gone and there:
        raise UsageError("--gone and --there exclude each other")
    with _journal(journal) as file:
        present = (there or None) if not gone else False
        memories.correct(_console(), memories.Asked(file), thing, name, place, like or (), present)


@memory.command("forget")
def memory_forget(thing: UnitArgument, journal: JournalOption = None) -> None:
    """Delete a thing and its history. What the journal has of the missions stays."""
    from sayso.terminal import memories

    with _journal(journal) as file:
        memories.forget(_console(), memories.Asked(file), thing)


@memory.command("export")
def memory_export(
    file: Annotated[Path | None, typer.Argument(help="A new file; standard output when left out.")] = None,
    map_id: MapOption = "",
    journal: JournalOption = None,
) -> None:
    """Everything that is remembered, with histories, places and maps, as JSON."""
    from sayso.terminal import memories

    with _journal(journal) as kept:
        memories.export(memories.Asked(kept, map_id), file)


def _journal(path: Path | None) -> Journal:
    from sayso.memory.journal import Journal, home

    return Journal(path or home() / "journal.sqlite")


@app.command()
def bench(
    suite: Annotated[
        str, typer.Argument(help="A registered suite, all of them, compare or speed; a wrong name lists them.")
    ],
    files: Annotated[list[Path] | None, typer.Argument(help="compare only: two files of rows.")] = None,
    planner: Annotated[
        str, typer.Option(help="Which planner: any, or FILE.py:NAME of your own; the suite's own when left out.")
    ] = "",
    model: Annotated[str, typer.Option(help="Which model; `reference` is a hand-written double.")] = "reference",
    episodes: Annotated[int, typer.Option(min=1, metavar="N", help="Tries per task.")] = 2,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="The first episode's seed.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes.")] = 1,
    only: Annotated[str, typer.Option(help="Task ids, separated by commas.")] = "",
    ablation: Annotated[str, typer.Option(help="Leave one thing out, such as no-streaming or no-safety.")] = "",
    as_json: Annotated[
        str, typer.Option("--json", metavar="FILE", help="Write the figures there; - is standard output.")
    ] = "",
    rows: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a row an episode there: .jsonl as they end, or .csv.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Go on with these rows: play what they lack, add to them.")
    ] = None,
    on: Annotated[str, typer.Option(help="Where episodes are played: nothing for here, or ray.")] = "",
) -> None:
    """The papers' tables, side by side with the published figures. Ctrl-C keeps what is finished."""
    from sayso.bench import report

    console = _console(stderr=as_json == "-")
    if suite == "compare":
        raise typer.Exit(report.run_compare(console, files or [], as_json))
    if files:
        raise UsageError(f"only compare takes files, not the suite {suite}")
    if suite == "speed":
        raise typer.Exit(report.run_speed(console, as_json))
    wanted = report.Wanted(episodes, seed, jobs, only, planner, model, ablation, as_json, rows, resume, on)
    raise typer.Exit(report.run(console, suite, wanted))


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=1, max=65535, metavar="N", help="Where to listen.")] = 8080,
    host: Annotated[
        str, typer.Option(help="Which address to bind; one beyond this machine needs the token that is printed.")
    ] = "127.0.0.1",
    model: ModelOption = "",
    planner: PlannerOption = "",
    world: WorldOption = "office",
    robot: RobotOption = "",
    scene: SceneOption = "",
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Same seed, same place.")] = 0,
    approve: Annotated[bool, typer.Option("--approve", help="Show every checked plan before it runs.")] = False,
    dead_man_s: Annotated[
        float, typer.Option("--dead-man", min=0, metavar="S", help="Stop when the operator's page is silent so long.")
    ] = 0.0,
    journal: JournalOption = None,
) -> None:
    """The web console: say it, see it, stop it. Ctrl-C lands the robot and ends. SAYSO_TOKEN sets the token."""
    import os

    try:
        from sayso.console.serve import serve as serve_console
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("sayso"):
            raise
        raise UsageError("the console needs its extra: pip install 'sayso[console]'") from error
    from sayso.console.choices import Choice
    from sayso.memory.journal import home

    choice = Choice(model, planner, world, scene, seed, approve=approve, dead_man_s=dead_man_s, robot=robot)
    token, file = os.environ.get("SAYSO_TOKEN", ""), journal or home() / "journal.sqlite"
    serve_console(choice, file, host, port, token, lambda address: print(address, flush=True))


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


for _entry in sorted(entry_points(group="sayso.commands"), key=lambda e: e.name):
    app.command(_entry.name)(_entry.load())


if __name__ == "__main__":
    main()
