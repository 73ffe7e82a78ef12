"""A robot that this project does not know: `examples/rover` as an installed package, through the same doors as ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROVER = Path(__file__).parents[2] / "examples" / "rover"
LINES_MAX = 250


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    return folder


def sayso(site: Path, *words: str, code: int = 0) -> str:
    """What the command printed."""
    around = {**os.environ, "PYTHONPATH": str(site), "SAYSO_HOME": str(site / "home"), "COLUMNS": "140"}
    command = [sys.executable, "-m", "sayso", *words]
    done = subprocess.run(command, env=around, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_it_is_small() -> None:
    files = [ROVER / "pyproject.toml", *sorted((ROVER / "sayso_rover").glob("*.py"))]
    assert sum(len(f.read_text("utf-8").splitlines()) for f in files) <= LINES_MAX


def test_run_why_and_replay(site: Path) -> None:
    plan = site / "plan.ms"
    plan.write_text("fw(100);gr;bk(100);le")
    told = sayso(site, "run", "--world", "yard", "--model", f"scripted:{plan}", "fetch the red block")
    assert "done     grip" in told and "achieved" in told
    assert "forward(100)" in sayso(site, "why", "LAST")
    assert "the replay ended the same" in sayso(site, "replay", "LAST")


def test_check_and_skills_and_worlds(site: Path) -> None:
    plan = site / "over.ms"
    plan.write_text("fw(300);fw(300)")
    refused = sayso(site, "check", str(plan), "--world", "yard", code=1)
    assert "geofence" in refused
    assert "turn_left(angle_deg: number -180..180)" in sayso(site, "skills", "--world", "yard")
    assert "a yard with three blocks" in sayso(site, "worlds")


@pytest.mark.parametrize("chosen", [(), ("--model", "pocket"), ("--model", "pocket", "--planner", "stepwise")])
def test_the_embedded_model_says_that_it_was_not_taught_this_robot(site: Path, chosen: tuple[str, ...]) -> None:
    """Whichever way it is asked; nothing of another robot is said, and nothing moves."""
    told = " ".join(sayso(site, "run", "--world", "yard", *chosen, "make me a sandwich", code=1).split())
    assert "pocket was not taught this robot's skills; plain commands work, or connect a model" in told
    assert "hands" not in told and "start " not in told
    if "--planner" not in chosen:
        assert "done forward" in " ".join(sayso(site, "run", "--world", "yard", *chosen, "drive forward 1 m").split())


DESK = """
import asyncio, sys
from pathlib import Path
from sayso.console.choices import Choice
from sayso.console.desk import Desk
from sayso.memory.journal import Journal

async def main() -> None:
    with Journal(Path(sys.argv[1])) as journal:
        desk = Desk(Choice(world="yard", planner="reflex"), journal)
        await desk.open()
        desk.seats.sit("ann")
        print(desk.trouble or await desk.say("ann", "turn left 20 degrees and forward 30 cm"))
        while desk.running:
            await asyncio.sleep(0.05)
        print([item.text for item in desk.shown.items if item.kind == "verdict"], desk.place is not None)
        await desk.close()

asyncio.run(main())
"""


def test_the_console_s_desk_knows_it(site: Path) -> None:
    """`sayso serve` without its pages: an operator's sentence moves the rover, and there is a place to draw."""
    pytest.importorskip("nicegui")
    script = site / "desk.py"
    script.write_text(DESK)
    around = {**os.environ, "PYTHONPATH": str(site), "SAYSO_HOME": str(site / "home")}
    command = [sys.executable, script, str(site / "desk.sqlite")]
    done = subprocess.run(command, env=around, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "achieved" in done.stdout and "True" in done.stdout


def test_plain_commands(site: Path) -> None:
    told = sayso(site, "run", "--world", "yard", "--no-memory", "forward one metre, then close the gripper")
    assert "grip = 'red block'" in told and "achieved" in told


def test_its_suite(site: Path) -> None:
    told = sayso(site, "bench", "rover", "--episodes", "1")
    assert "2/2" in told
    wrong = site / "wrong.ms"
    wrong.write_text("tl(-90)")
    assert "0/2" in sayso(site, "bench", "rover", "--episodes", "1", "--model", f"scripted:{wrong}", code=1)


def test_a_world_in_a_file(site: Path) -> None:
    """Without packaging: the class in a file is a world by its path."""
    where = str(site / "sayso_rover" / "yard.py")
    plan = site / "turn.ms"
    plan.write_text("tl(90)")
    assert "achieved" in sayso(site, "run", "--world", where, "--model", f"scripted:{plan}", "turn left")
    assert "no World called Nowhere" in sayso(site, "skills", "--world", f"{where}:Nowhere", code=2)
    assert "there is no file" in sayso(site, "skills", "--world", "missing.py", code=2)
