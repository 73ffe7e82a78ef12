"""The command line: its commands (each in a file of `terminal/commands`), errors in one line, the user's defaults.

Exit codes: 0 achieved or answered, 1 not achieved or refused (with the reason), 2 wrong usage, 3 asked back.

What a command takes is in `sayso.terminal.commands`; what it does is imported when the command is: `--help` waits for
no simulator. What somebody always wants stands in `config_file()`; a flag beats the environment, that beats the file.
"""

import contextlib
import io
import os
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Protocol, runtime_checkable

import typer
from typer.core import TyperGroup

from sayso import __version__
from sayso.errors import SaysoError, UsageError
from sayso.plugins.loading import extra
from sayso.terminal.commands import fleet as fleets
from sayso.terminal.commands import missions, options, records, there
from sayso.terminal.commands.memory import memory

app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]}, pretty_exceptions_enable=False)
app.add_typer(memory, name="memory")
for command in (
    missions.run, missions.chat, missions.listen, missions.mcp, missions.check, fleets.stop, fleets.fleet,
    missions.release, missions.skills, there.worlds, there.planners, there.models, records.missions, records.why,
    records.replay, records.export,
):  # fmt: skip
    app.command()(command)

INTERRUPTED = 130
"""What Typer makes of Ctrl-C where nothing flies; 1 is this program's word for what was not achieved."""


@runtime_checkable
class Misused(Protocol):
    """An argument that Typer's parser refuses. By version Typer has these errors from Click or of its own."""

    ctx: typer.Context | None

    def format_message(self) -> str: ...


def main() -> None:
    """Run the command line; errors made on purpose become one helpful line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without some character shows another one
            stream.reconfigure(errors="replace")
    try:
        code = _whole()(prog_name="sayso", standalone_mode=False, default_map=_configured()) or 0
        if code == INTERRUPTED:
            raise typer.Abort
        sys.exit(code)
    except (typer.Abort, KeyboardInterrupt):
        options.complain("interrupted")
        sys.exit(1)
    except BrokenPipeError:  # nobody reads on; the interpreter would complain about that once more at its exit
        with contextlib.suppress(OSError):
            sys.stdout.close()
        sys.exit(1)
    except UsageError as error:
        options.complain(str(error))
        sys.exit(2)
    except SaysoError as error:
        options.complain(str(error))
        sys.exit(1)
    except Exception as error:
        if not isinstance(error, Misused):
            raise
        asked = error.ctx.command_path if error.ctx else "sayso"
        options.complain(f"{error.format_message().rstrip('.')}; see {asked} --help")
        sys.exit(2)


def _configured() -> dict[str, dict[str, Any]]:
    """What the file of somebody's own says, by command."""
    return defaults({name: frozenset(p.name for p in c.params if p.name) for name, c in _whole().commands.items()})


@cache
def _whole() -> TyperGroup:
    """Every command with its options, worked out once."""
    whole = typer.main.get_command(app)
    assert isinstance(whole, TyperGroup)
    return whole


@app.command()
def bench(
    suite: Annotated[
        str,
        typer.Argument(
            help="A registered suite, all of them, or compare; a wrong name lists them.",
            autocompletion=options.registered("sayso.suites"),
        ),
    ],
    files: Annotated[list[Path] | None, typer.Argument(help="compare only: two files of rows.")] = None,
    planner: Annotated[
        str, typer.Option(help="Which planner: any, or FILE.py:NAME of your own; left out: what `sayso run` takes.")
    ] = "",
    model: Annotated[
        str, typer.Option(help="Which model; `reference` is a hand-written double. Left out: what `sayso run` takes.")
    ] = "",
    episodes: Annotated[int, typer.Option(min=1, metavar="N", help="Tries per task.")] = 2,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="The first episode's seed.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes.")] = 1,
    only: Annotated[str, typer.Option(help="Task ids or groups, separated by commas.")] = "",
    ablation: Annotated[str, typer.Option(help="Leave one thing out, such as no-streaming or no-safety.")] = "",
    detector: options.DetectorOption = "",
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
    from sayso.plugins.loading import located

    out = options.console(stderr=as_json == "-")
    if suite == "compare":
        raise typer.Exit(report.run_compare(out, files or [], as_json))
    if files:
        raise UsageError(f"only compare takes files, not the suite {suite}")
    wanted = report.BenchOptions(
        episodes, seed, jobs, only, planner, model, ablation, as_json, rows, resume, on, located(detector)
    )
    raise typer.Exit(report.run(out, suite, wanted))


@app.command()
@options.choosing("detector", "eyes")
def serve(
    chosen: options.Chosen,
    port: Annotated[int, typer.Option(min=1, max=65535, metavar="N", help="Where to listen.")] = 8080,
    host: Annotated[
        str, typer.Option(help="Which address to bind; one beyond this machine needs the token that is printed.")
    ] = "127.0.0.1",
    ears: options.EarsOption = "",
    approve: options.ApproveOption = False,
    dead_man_s: Annotated[
        float, typer.Option("--dead-man", min=0, metavar="S", help="Stop when the operator's page is silent so long.")
    ] = 0.0,
) -> None:
    """The web console: say it, see it, stop it. Ctrl-C lands the robot and ends. SAYSO_TOKEN sets the token."""
    import os

    with extra("console", "the console"):
        from sayso.console.serve import serve as serve_console
    from sayso.console.choices import ConsoleSetup
    from sayso.memory.journal import home

    choice = ConsoleSetup(**chosen.of_setup(), approve=approve, dead_man_s=dead_man_s)
    token, file = os.environ.get("SAYSO_TOKEN", ""), chosen.journal or home() / "journal.sqlite"
    serve_console(choice, file, host, port, token, lambda address: print(address, flush=True), chosen.fleet, ears)


app.command()(there.doctor)


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


MISSIONS = ("run", "chat", "check", "skills", "serve")
"""The commands that heed what stands outside a table: a bench that did would publish somebody's taste."""


def config_file() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "sayso" / "config.toml"


def defaults(takes: Mapping[str, frozenset[str]]) -> dict[str, dict[str, Any]]:
    """By command, what the file has for its parameters; `takes` names these. Raises `UsageError`."""
    file = config_file()
    if not file.is_file():
        return {}
    try:
        said = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from error
    tables = {k: v for k, v in said.items() if isinstance(v, dict)}
    common = {k: v for k, v in said.items() if k not in tables}
    heeding = [name for name in MISSIONS if name in takes]
    found = {name: {k: v for k, v in common.items() if k in takes[name]} for name in heeding}
    for name, table in tables.items():
        if name not in takes:
            raise UsageError(f"{file}: there is no command {name!r}")
        found[name] = found.get(name, {}) | table
    strange = [k for k in common if not any(k in takes[name] for name in heeding)]
    strange += [f"{name}.{k}" for name, table in tables.items() for k in table if k not in takes[name]]
    if strange:
        raise UsageError(f"{file}: nothing is called {', '.join(map(repr, strange))}; see sayso --help")
    return found
