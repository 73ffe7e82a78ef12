"""A robot that this project does not know: `examples/rover` as an installed package, through the same doors as ours."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROVER = Path(__file__).parents[2] / "examples" / "rover"
RUNNER = Path(__file__).parents[1] / "terminal"
LINES_MAX = 250


DOOR = """
import json, sys
from pathlib import Path
from cli_runner import Home
for line in sys.stdin:
    ran = Home(Path(sys.argv[1])).sayso(*json.loads(line), COLUMNS="140")
    print(json.dumps([ran.code, ran.out + ran.err]), flush=True)
"""
"""One process in which command after command is given: only its start needs one of its own."""


class Site:
    """A folder with an installed package, and a process that finds it there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "home").mkdir()
        self.around = {
            **os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder, RUNNER))), "SAYSO_HOME": str(folder / "home"),
        }  # fmt: skip
        self.door = subprocess.Popen(
            [sys.executable, "-c", DOOR, str(folder / "home")],
            env=self.around, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def sayso(self, *words: str, code: int = 0) -> str:
        """What the command printed."""
        assert self.door.stdin and self.door.stdout
        self.door.stdin.write(json.dumps(words) + "\n")
        self.door.stdin.flush()
        ended, told = json.loads(self.door.stdout.readline())
        assert ended == code, told
        return str(told)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """What an installer leaves behind: the package, and its entry points beside it."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROVER / "sayso_rover", folder / "sayso_rover", ignore=shutil.ignore_patterns("__pycache__"))
    project = tomllib.loads((ROVER / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / f"sayso_rover-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = (
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in e.items()) for group, e in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups))
    there = Site(folder)
    yield there
    with there.door:
        there.door.kill()


def test_it_is_small() -> None:
    files = [ROVER / "pyproject.toml", *sorted((ROVER / "sayso_rover").glob("*.py"))]
    assert sum(len(f.read_text("utf-8").splitlines()) for f in files) <= LINES_MAX


def test_run_why_and_replay(site: Site) -> None:
    plan = site.folder / "plan.ms"
    plan.write_text("fw(100);gr;bk(100);le")
    told = site.sayso("run", "--world", "yard", "--model", f"scripted:{plan}", "fetch the red block")
    assert "done     grip" in told and "achieved" in told
    assert "forward(100)" in site.sayso("why", "LAST")
    assert "the replay ended the same" in site.sayso("replay", "LAST")


def test_check_and_skills_and_worlds(site: Site) -> None:
    plan = site.folder / "over.ms"
    plan.write_text("fw(300);fw(300)")
    refused = site.sayso("check", str(plan), "--world", "yard", code=1)
    assert "geofence" in refused
    assert "turn_left(angle_deg: number -180..180)" in site.sayso("skills", "--world", "yard")
    assert "a yard with three blocks" in site.sayso("worlds")


@pytest.mark.parametrize("chosen", [(), ("--model", "pocket"), ("--model", "pocket", "--planner", "stepwise")])
def test_the_embedded_model_says_that_it_was_not_taught_this_robot(site: Site, chosen: tuple[str, ...]) -> None:
    """Whichever way it is asked; nothing of another robot is said, and nothing moves."""
    told = " ".join(site.sayso("run", "--world", "yard", *chosen, "make me a sandwich", code=1).split())
    untaught = "pocket was not taught this robot's skills; plain commands work, or connect a model"
    assert (untaught if chosen else "other words need a model (--model)") in told
    assert "hands" not in told and "start " not in told
    if "--planner" not in chosen:
        assert "done forward" in " ".join(site.sayso("run", "--world", "yard", *chosen, "drive forward 1 m").split())


DESK = """
import asyncio, sys
from pathlib import Path
from sayso.console.choices import ConsoleSetup
from sayso.console.station import Station
from sayso.memory.journal import Journal

async def main() -> None:
    with Journal(Path(sys.argv[1])) as journal:
        desk = Station(ConsoleSetup(world="yard", planner="reflex"), make=lambda chosen: chosen.agent(journal))
        await desk.open()
        desk.seats.sit("ann")
        print(desk.trouble or await desk.say("ann", "turn left 20 degrees and forward 30 cm"))
        while desk.running:
            await asyncio.sleep(0.05)
        print([item.text for item in desk.shown.items if item.kind == "verdict"], desk.place is not None)
        await desk.close()

asyncio.run(main())
"""


def test_the_console_s_desk_knows_it(site: Site) -> None:
    """`sayso serve` without its pages: an operator's sentence moves the rover, and there is a place to draw."""
    pytest.importorskip("nicegui")
    script = site.folder / "desk.py"
    script.write_text(DESK)
    command = [sys.executable, script, str(site.folder / "desk.sqlite")]
    done = subprocess.run(command, env=site.around, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "achieved" in done.stdout and "True" in done.stdout


def test_plain_commands(site: Site) -> None:
    told = site.sayso("run", "--world", "yard", "--no-memory", "forward one metre, then close the gripper")
    assert "grip = 'red block'" in told and "achieved" in told


def test_its_suite(site: Site) -> None:
    told = site.sayso("bench", "rover", "--episodes", "1")
    assert "2/2" in told
    wrong = site.folder / "wrong.ms"
    wrong.write_text("tl(-90)")
    assert "0/2" in site.sayso("bench", "rover", "--episodes", "1", "--model", f"scripted:{wrong}", code=1)


def test_a_world_in_a_file(site: Site) -> None:
    """Without packaging: the class in a file is a world by its path."""
    where = str(site.folder / "sayso_rover" / "yard.py")
    plan = site.folder / "turn.ms"
    plan.write_text("tl(90)")
    assert "achieved" in site.sayso("run", "--world", where, "--model", f"scripted:{plan}", "turn left")
    assert "no World called Nowhere" in site.sayso("skills", "--world", f"{where}:Nowhere", code=2)
    assert "there is no file" in site.sayso("skills", "--world", "missing.py", code=2)
