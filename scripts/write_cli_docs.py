"""Write docs/cli.md from the command line itself, so that it cannot drift.

python scripts/write_cli_docs.py          writes the page; a test fails when that was forgotten
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from sayso.program import app

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"

BEGIN = """# The command line

<!-- written by scripts/write_cli_docs.py; change src/sayso/terminal/commands or src/sayso/program.py instead -->

Exit codes: 0 achieved or answered, 1 not achieved or refused (with the reason), 2 wrong usage, 3 a question back that
waits for its answer (`--answer-to`). Missions are kept in a journal in `$SAYSO_HOME` (or where this platform keeps data
of programs). `python -m sayso` is the same as `sayso`.
"""


def page() -> str:
    """The whole page."""
    commands: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return "\n".join([BEGIN, *(_command(name, command) for name, command in _flat(commands))])


def _flat(commands: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every command, those of groups under the group's name."""
    for name, command in commands.items():
        if hasattr(command, "commands"):
            yield from ((f"{name} {inner}", part) for inner, part in _flat(command.commands))
        else:
            yield name, command


def _command(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    usage = " ".join(["sayso", name, *(_written(a) for a in arguments), *(["[OPTIONS]"] if options else [])])
    rows = [f"| `{_written(a)}` | {_help(a)} |" for a in arguments] + [
        f"| `{_option(o)}` | {_help(o)} |" for o in options
    ]
    table = ["| | |", "|---|---|", *rows, ""] if rows else []
    return "\n".join([f"## `{usage}`", "", command.help.strip(), "", *table])


def _written(argument: Any) -> str:
    name = argument.name.upper() + ("..." if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _option(option: Any) -> str:
    names = ", ".join(sorted(option.opts, key=len))
    return names if option.is_flag else f"{names} {option.metavar or option.name.upper()}"


def _help(parameter: Any) -> str:
    """Its help, with a default that says something."""
    default = parameter.default
    told = default not in (None, "", False) and not callable(default)
    return f"{parameter.help} Default: {default}." if told else str(parameter.help)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print(f"wrote {PAGE}")
