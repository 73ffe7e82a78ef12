"""The commands that have something done, or check beforehand whether it can be."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sayso.errors import UsageError
from sayso.plugins.loading import extra
from sayso.terminal.commands import options
from sayso.terminal.stops import Stops

if TYPE_CHECKING:
    from sayso.agent import Agent

SETUP = ("model", "planner", "world", "robot", "detector", "eyes", "scene", "seed", "wind_mps", "approve", "no_memory")
"""What an answer takes over from the mission that asked."""

ASKED = 3
"""The exit code of a mission that ended with a question."""


@contextmanager
def attended(fleet: str) -> Iterator[Stops]:
    """Stops are heard first of all, also the fleet's: loading what flies takes longer than pressing a key."""
    with Stops() as stops:
        from sayso.serving.fleet import joined

        with joined(fleet):
            yield stops


@options.choosing()
def run(
    chosen: options.Chosen,
    typed: typer.Context,
    instruction: Annotated[list[str], typer.Argument(help="What you want, in your own words; - reads standard input.")],
    wind_mps: Annotated[float, typer.Option("--wind", min=0, metavar="MPS", help="Wind, metres a second.")] = 0.0,
    approve: options.ApproveOption = False,
    view: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a film and a picture of the flight there.")
    ] = None,
    pace: options.PaceOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON; the flight shows on stderr.")] = False,
    show_tree: Annotated[bool, typer.Option("--show-tree", help="Show who runs and who waits for whom.")] = False,
    show_machine: Annotated[bool, typer.Option("--show-machine", help="Draw what ran as a state machine.")] = False,
    no_memory: Annotated[bool, typer.Option("--no-memory", help="As if nothing had ever been seen before.")] = False,
    answer_to: Annotated[
        str,
        typer.Option(
            metavar="ID",
            help="Answers what that mission asked (an id or LAST); goes on with its wish.",
            autocompletion=options.missions,
        ),
    ] = "",
) -> None:
    """Do what a sentence wishes, live. Ctrl-C stops the robot and lands it. Exit 0: achieved or answered; 3: asked back
    (--answer-to goes on); 1: anything else."""
    with attended(chosen.fleet) as stops:
        from sayso.terminal.mission import asked_by, fly
        from sayso.wish import Wish

        said = sys.stdin.read() if instruction == ["-"] else " ".join(instruction)
        real_time = bool(chosen.robot) and pace is None
        setup = chosen.setup(real_time=real_time, memory=not no_memory, approve=approve, wind_mps=wind_mps)
        wish = Wish(said)
        if answer_to:
            options.left_to(typed, SETUP, "--answer-to goes on with the setup of the mission that asked")
            wish, setup = asked_by(chosen.journal, answer_to, said)
        console = options.console(stderr=as_json)
        flown = fly(
            wish, setup, stops, console=console, view=view, pace=pace, journal=chosen.journal,
            show_tree=show_tree, answers=console.is_terminal and not as_json and sys.stdin.isatty(),
        )  # fmt: skip
        if show_machine:
            from sayso.terminal.mission import drawn

            console.print(drawn(flown.result.events), soft_wrap=True)
        if as_json:
            print(json.dumps(flown.as_json()), flush=True)
    raise typer.Exit(ASKED if flown.result.asked else 0 if flown.result else 1)


@options.choosing()
def chat(chosen: options.Chosen, approve: options.ApproveOption = False, pace: options.PaceOption = None) -> None:
    """Talk with a robot: each wish sees what was said and done before. quit ends, Ctrl-C stops the robot."""
    with attended(chosen.fleet) as stops:
        from sayso.terminal.chat import chat as talk

        setup = chosen.setup(real_time=bool(chosen.robot) and pace is None, approve=approve)
        talk(setup, stops, options.console(), pace, chosen.journal)


@options.choosing()
def listen(
    chosen: options.Chosen,
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE.wav]...", help="One utterance each; none: the microphone.")
    ] = None,
    ears: options.EarsOption = "",
    approve: Annotated[
        bool, typer.Option("--approve/--no-approve", help="Show every checked plan and ask at the keyboard.")
    ] = True,
    aloud: Annotated[bool, typer.Option("--aloud/--silent", help="Speak, where espeak-ng is installed.")] = True,
    pace: options.PaceOption = None,
) -> None:
    """Say it aloud: what was heard is read back, and its plan approved. Ctrl-C stops the robot; a voice may not."""
    with attended(chosen.fleet) as stops:
        from sayso.ears import recogniser
        from sayso.terminal.chat import chat as talk
        from sayso.terminal.listen import listening

        setup = chosen.setup(real_time=bool(chosen.robot) and pace is None, approve=approve)
        by = listening(recogniser(ears), files or [], aloud=aloud)
        talk(setup, stops, options.console(), pace, chosen.journal, by)


@options.choosing()
def mcp(
    chosen: options.Chosen,
    approve: Annotated[
        bool, typer.Option("--approve", help="Ask in this terminal before a plan runs; without a terminal none runs.")
    ] = False,
    single_skills: Annotated[bool, typer.Option("--skills", help="Each skill is a tool as well.")] = False,
    http: Annotated[
        int, typer.Option(min=0, max=65535, metavar="PORT", help="Listen on this machine, not on standard input.")
    ] = 0,
    pace: Annotated[
        float | None,
        typer.Option(min=0, metavar="RATE", help="Simulated seconds a second; 0: no waiting. Left out: real time."),
    ] = None,
) -> None:
    """Serve the robot to other programs (Model Context Protocol). Ctrl-C brings it to rest and ends."""
    with attended(chosen.fleet) as stops:
        with extra("mcp", "serving other programs"):
            from sayso.terminal.mcp import serve

        setup = chosen.setup(real_time=pace is None, approve=approve)
        serve(setup, stops, options.console(stderr=True), pace, chosen.journal, http=http, skills=single_skills)


def check(
    file: Annotated[Path, typer.Argument(help="A MiniSpec plan; - reads standard input.")],
    world: options.WorldOption = "office",
    robot: options.RobotOption = "",
    zone: options.ZoneOption = "",
    scene: options.SceneOption = "",
) -> None:
    """Is a plan admissible for the robot where it stands? All errors with carets; exit 0 only where there is none."""
    from sayso.language import faults, parse, show
    from sayso.memory.event_text import clean_lines

    text, agent = _read(file), _standing(world, scene, robot, zone)
    errors = faults(text, agent.skills, agent.robot.state().pose, agent.limits)
    if not errors:
        options.console().print(show(parse(text), agent.skills), markup=False, soft_wrap=True)
        return
    console = options.console(stderr=True)
    for error in errors:
        console.print(clean_lines(error.pointed()), markup=False, soft_wrap=True)
    many = f"{len(errors)} {'error' if len(errors) == 1 else 'errors'}"
    console.print(f"{many}: this plan must not run", style="red")
    raise typer.Exit(1)


def _read(file: Path) -> str:
    try:
        return sys.stdin.buffer.read().decode() if str(file) == "-" else file.read_text("utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not text: {error}") from error


def _standing(world: str, scene: str, robot: str, zone: str) -> Agent:
    """An agent of all skills, those that need a model or a memory included; nothing moves."""
    from sayso.agent import Agent
    from sayso.memory.agent_memory import EmptyMemory
    from sayso.models.scripted import Scripted
    from sayso.setup import Setup

    acts, around = Setup(world=world, scene=scene, robot=robot, zone=zone).make_robot()
    return Agent(acts, world=around, model=Scripted([]), memory=EmptyMemory())


def release(
    machine: Annotated[str, typer.Argument(metavar="MACHINE", help="Its identity; left out: the one stopped.")] = "",
) -> None:
    """Lift the stop of a real machine, which outlives the program that it ran in. Look at the machine first."""
    print(lifted(machine))


def lifted(machine: str) -> str:
    """Lift the stop of `machine`, or of the only one that is stopped (S6); what was done. Raises `UsageError`."""
    from sayso.executive.latch import Latch, latched
    from sayso.memory.journal import stops_folder

    stopped = latched(stops_folder())
    if machine and machine not in stopped:
        raise UsageError(f"{machine} is not stopped; stopped: {', '.join(stopped) or 'none'}")
    if not machine and len(stopped) > 1:
        raise UsageError(f"several machines are stopped, name one of them: {', '.join(stopped)}")
    if not stopped:
        return "no machine is stopped"
    name = machine or next(iter(stopped))
    latch = Latch(stops_folder(), name, lambda problem: None)  # what is wrong shows in that the record is still there
    latch.lift()
    latch.flush(5.0)
    if latch.read():
        raise UsageError(f"the record of the stop, {latch.file}, cannot be removed")
    return f"{name} is released; it was stopped by {stopped[name]}"


def skills(world: options.WorldOption = "office", robot: options.RobotOption = "") -> None:
    """What can be asked of the robot, as the model sees it."""
    print(_standing(world, "", robot, "").skills.describe())
