"""Plans as text: is one admissible for a robot where it stands, and what may it ask for."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from sayso.agent import Agent
from sayso.errors import UsageError
from sayso.language import faults, parse, show
from sayso.memory.remember import Blank
from sayso.memory.wording import clean_lines
from sayso.models.scripted import Scripted
from sayso.setup import Setup


def check(file: Path, setup: Setup, out: Console, err: Console) -> int:
    """Print the plan as it is understood, or every error with a caret under its spot; 0 for an admissible plan."""
    text = _read(file)
    agent = _agent(setup)
    errors = faults(text, agent.skills, agent.robot.state().pose, agent.limits)
    for error in errors:
        err.print(Text(clean_lines(error.pointed())), soft_wrap=True)
    if errors:
        many = f"{len(errors)} {'error' if len(errors) == 1 else 'errors'}"
        err.print(Text(f"{many}: this plan must not run", "red"))
        return 1
    out.print(Text(show(parse(text), agent.skills)), soft_wrap=True)
    return 0


def skills(setup: Setup) -> str:
    """The skills of the robot, those that need a model included."""
    return _agent(setup).skills.describe()


def _agent(setup: Setup) -> Agent:
    robot, world = setup.make_robot()
    return Agent(robot, world=world, model=Scripted([]), memory=Blank())


def _read(file: Path) -> str:
    try:
        return sys.stdin.buffer.read().decode() if str(file) == "-" else file.read_text("utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not text: {error}") from error
