"""The command line.

Exit codes: 0 achieved, 1 not achieved or refused (with the reason), 2 wrong usage.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sayso import __version__
from sayso.agent import Agent
from sayso.errors import SaysoError, UsageError
from sayso.events import MissionEnded
from sayso.limits import Limits
from sayso.memory.journal import Journal, home
from sayso.skill import SkillSet
from sayso.terminal.live import LiveView
from sayso.terminal.mission import Setup, fly

app = typer.Typer(
    help="Robots act on your say-so: plans that run while they stream, inside hard limits.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
out = Console()
err = Console(stderr=True)

JournalOption = Annotated[Path | None, typer.Option(help="The journal file.", envvar="SAYSO_JOURNAL")]
SetOption = Annotated[str, typer.Option("--world", help="Where the robot is; see `sayso worlds`.")]


def main() -> None:
    """Run the command line; errors made on purpose become one helpful line."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except typer.Abort:
        sys.exit(1)
    except UsageError as error:
        err.print(Text(f"sayso: {error}", "red"))
        sys.exit(2)
    except SaysoError as error:
        err.print(Text(f"sayso: {error}", "red"))
        sys.exit(1)
    except Exception as error:
        if hasattr(error, "format_message"):  # click's own usage errors
            err.print(Text(f"sayso: {error.format_message()}", "red"))
            sys.exit(2)
        raise


@app.command()
def run(
    instruction: Annotated[str, typer.Argument(help="What you want, in your own words.")],
    model: Annotated[
        str, typer.Option(help="openai:NAME, http://host:port/v1#NAME, scripted:FILE, recorded:FILE.")
    ] = "",
    planner: Annotated[str, typer.Option(help="reflex, stream; chosen by itself when left out.")] = "",
    world: SetOption = "office",
    scene: Annotated[str, typer.Option(help="Which scene of the world.")] = "",
    seed: Annotated[int, typer.Option(help="Same seed, same mission.")] = 0,
    wind_mps: Annotated[float, typer.Option("--wind", help="Wind in the simulated world, m/s.")] = 0.0,
    approve: Annotated[bool, typer.Option(help="Show the checked plan and ask before anything moves.")] = False,
    view: Annotated[Path | None, typer.Option(help="Write pictures and a film of the flight into this folder.")] = None,
    pace: Annotated[float | None, typer.Option(help="Simulated seconds per second; 0 is as fast as it can.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
    journal: JournalOption = None,
) -> None:
    """Do what a sentence wishes, live."""
    setup = Setup(model=model, planner=planner, world=world, scene=scene, seed=seed, wind_mps=wind_mps)
    console = Console(quiet=True) if as_json else out
    ended, mission = fly(instruction, setup, console=console, approve=approve, view=view, pace=pace, journal=journal)
    if as_json:
        print(json.dumps(_verdict(ended, mission), ensure_ascii=False))
    raise typer.Exit(0 if ended.outcome == "achieved" else 1)


def _verdict(ended: MissionEnded, mission: str) -> dict[str, Any]:
    return {
        "success": ended.outcome == "achieved",
        "mission": mission,
        "outcome": ended.outcome,
        "reason": ended.reason,
        "value": ended.value,
        "r_time_s": ended.r_time_s,
        "c_time_s": ended.c_time_s,
        "tokens": ended.plan_tokens,
        "model_calls": ended.model_calls,
        "replans": ended.replans,
    }


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A MiniSpec plan; - reads standard input.")],
    world: SetOption = "office",
) -> None:
    """Is this plan admissible for this robot? All errors with carets; exit 0 only where there is none."""
    from sayso.language import check as check_plan
    from sayso.language import parse, show

    text = _read(file)
    errors = check_plan(text, _skills(world))
    for error in errors:
        err.print(Text(error.pointed()), highlight=False)
    if errors:
        err.print(Text(f"{len(errors)} {'error' if len(errors) == 1 else 'errors'}: this plan must not run", "red"))
        raise typer.Exit(1)
    out.print(Text(show(parse(text))), highlight=False)


def _read(file: Path) -> str:
    if str(file) == "-":
        return sys.stdin.read()
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {file}: {error}") from error


@app.command()
def skills(world: SetOption = "office") -> None:
    """What can be asked of the robot, as the model sees it."""
    out.print(Text(_skills(world).describe()), highlight=False, soft_wrap=True)


def _skills(world: str) -> SkillSet:
    """The robot's skills, those that need a model included."""
    from sayso.models.scripted import Scripted

    made = Setup(world=world).make_world()
    return Agent(world=made, model=Scripted([])).skills


@app.command()
def worlds() -> None:
    """The embedded worlds and their scenes."""
    from sayso.worlds import WORLDS, scenes

    table = Table("world", "scenes", box=None)
    for name in WORLDS:
        table.add_row(name, ", ".join(scenes(name)))
    out.print(table)


@app.command()
def planners() -> None:
    """What can turn a wish into a plan."""
    from sayso.terminal.mission import PLANNERS

    table = Table("planner", "how it works", box=None)
    for name, says in PLANNERS.items():
        table.add_row(name, says)
    out.print(table)


@app.command()
def models() -> None:
    """What can be connected with --model."""
    from sayso.models import known

    table = Table("--model", "what it is", box=None)
    for name, says in known():
        table.add_row(name, says)
    out.print(table)


@app.command()
def why(
    mission: Annotated[str, typer.Argument(help="A mission's id, the beginning of one, or LAST.")] = "LAST",
    journal: JournalOption = None,
) -> None:
    """The story of a mission, from its journal."""
    from sayso.memory.story import tell

    with _journal(journal) as memory:
        id_ = memory.resolve(mission)
        story = tell(memory.events(id_), alive=memory.mission(id_).alive)
    table = Table(box=None, show_header=False, pad_edge=False)
    for line in story:
        table.add_row(Text(f"{line.at_s:.2f} s", "dim", justify="right"), Text(line.mark, "bold"), Text(line.text))
    out.print(table)


@app.command()
def replay(
    mission: Annotated[str, typer.Argument(help="A mission's id, the beginning of one, or LAST.")] = "LAST",
    journal: JournalOption = None,
) -> None:
    """Run a mission again from its journal; exit 0 where it ends the same."""
    from sayso.terminal.replay import replay as run_again

    with _journal(journal) as memory:
        events = memory.events(memory.resolve(mission))
    with LiveView(out, Limits()) as live:
        difference = run_again(events, live)
    if difference:
        err.print(Text(f"the replay went another way: {difference}", "red"))
        raise typer.Exit(1)
    out.print(Text("the replay ended the same", "bold green"))


@app.command()
def missions(journal: JournalOption = None) -> None:
    """All missions on record, the latest last."""
    with _journal(journal) as memory:
        table = Table("mission", "wish", "outcome", box=None)
        for m in memory.missions():
            table.add_row(m.id, m.instruction, m.outcome or "(no end on record)")
    out.print(table)


def _journal(path: Path | None) -> Journal:
    return Journal(path or home() / "journal.sqlite")


@app.command()
def bench(
    suite: Annotated[str, typer.Argument(help="drone or speed.")],
    planner: Annotated[str, typer.Option(help="Which planner is tried.")] = "stream",
    model: Annotated[str, typer.Option(help="Which model; `reference` is a hand-written double.")] = "reference",
    episodes: Annotated[int, typer.Option(min=1, help="Tries per task.")] = 2,
    seed: Annotated[int, typer.Option(help="The first episode's seed.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    only: Annotated[str, typer.Option(help="Task ids, separated by commas.")] = "",
    ablation: Annotated[str, typer.Option(help="Leave one thing out: no-streaming, no-probe, no-replan, python.")] = "",
    as_json: Annotated[str, typer.Option("--json", help="Write the figures to this file; - is standard output.")] = "",
) -> None:
    """The papers' tables, side by side with the published figures."""
    from sayso.bench.report import run_speed, run_suite

    if suite == "speed":
        raise typer.Exit(run_speed(out, as_json))
    options = {"planner": planner, "model": model, "ablation": ablation}
    raise typer.Exit(run_suite(out, suite, as_json, only, episodes, seed, workers, **options))


@app.command()
def doctor() -> None:
    """What is installed here, and which endpoint answers."""
    from sayso.terminal.doctor import examine

    raise typer.Exit(examine(out))


@app.callback(invoke_without_command=True)
def about(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Robots act on your say-so: plans that run while they stream, inside hard limits."""
    if version:
        out.print(__version__)
        raise typer.Exit


if __name__ == "__main__":
    main()
