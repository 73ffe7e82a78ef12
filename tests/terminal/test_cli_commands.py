"""Every other command, with its real output."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cli_runner import TOUR, Home

import sayso
from sayso.memory.journal import Journal
from sayso.terminal.doctor import EXTRAS, packages

COMMANDS = ["run", "check", "skills", "worlds", "planners", "models", "missions", "why", "replay", "bench", "doctor"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_version(home: Home) -> None:
    assert home.sayso("--version").out == f"{sayso.__version__}\n"


@pytest.mark.parametrize("words", [[], ["--help"]])
def test_help_lists_every_command(home: Home, words: list[str]) -> None:
    ran = home.sayso(*words)
    assert ran.code == 0 and ran.err == ""
    assert all(f" {name} " in ran.out for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_helps(home: Home, command: str) -> None:
    ran = home.sayso(command, "--help")
    assert ran.code == 0 and f"sayso {command}" in ran.out


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"]])
def test_help_loads_no_simulator_and_no_client(words: list[str]) -> None:
    heavy = "{'mujoco', 'numpy', 'openai', 'PIL', 'sqlite3'} & set(sys.modules)"
    code = f"""
import sys
from sayso.program import main
sys.argv = ['sayso', *{words!r}]
try:
    main()
finally:
    print({heavy}, file=sys.stderr)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr.strip() == "set()"


# check


def test_an_admissible_plan_is_printed_as_it_is_understood(home: Home) -> None:
    plan = home.file("plan.ms", "to ; mf( 50 ) ;\n ?iv('chair') { tp ; } ")
    ran = home.sayso("check", plan)
    assert (ran.code, ran.out) == (0, "take_off;move_forward(50);?is_visible('chair'){take_picture}\n")


def test_all_errors_with_carets(home: Home) -> None:
    ran = home.sayso("check", "-", stdin=b"to;jump(3);mf(9999);tp(1);l('fine')")
    assert ran.code == 1 and ran.out == ""
    lines = ran.err.splitlines()
    places = [line.index("^") for line in lines if line.strip() == "^"]
    assert [lines[1][at] for at in places] == ["j", "9", "t"], "each caret stands under its spot"
    assert "unknown skill 'jump'" in lines[0] and lines[-1].startswith("3 errors")


def test_a_plan_that_would_leave_the_room(home: Home) -> None:
    far = home.file("far.ms", "to;mf(300);mf(300)")
    ran = home.sayso("check", far)
    assert ran.code == 1 and "geofence" in ran.err
    assert ran.err.splitlines()[2].index("^") == 2 + len("to;mf(300);")


def test_nesting_noise_and_emptiness(home: Home) -> None:
    deep = home.sayso("check", "-", stdin=b"?True{" * 10_000 + b"tp" + b"}" * 10_000)
    assert deep.code == 1 and "too deeply" in deep.err
    binary = home.sayso("check", "-", stdin=bytes(range(256)))
    assert binary.code == 2 and "is not text" in binary.err
    assert home.sayso("check", "-").code == 0, "an empty plan does nothing, which is allowed"
    assert home.sayso("check", str(home.folder)).code == 2


# What there is


def test_skills_as_the_model_sees_them(home: Home) -> None:
    lines = home.sayso("skills").out.splitlines()
    assert "g goto(thing: thing)  Go to a thing in view" in "\n".join(lines)
    assert any(line.startswith("p probe(question: text) -> any") for line in lines), "those that need a model, too"
    assert "WalkToBall" in home.sayso("skills", "--world", "soccer").out


def test_worlds_planners_models(home: Home) -> None:
    worlds = home.sayso("worlds").out
    assert "office" in worlds and "task11-cup" in worlds and "soccer" in worlds
    planners = home.sayso("planners").out
    assert "reflex" in planners and "stream" in planners
    models = home.sayso("models", OPENAI_API_KEY="").out
    assert "http://HOST:PORT/v1#NAME" in models and "scripted:FILE" in models


def test_missions_and_their_outcomes(home: Home) -> None:
    assert "no mission yet" in home.sayso("missions").out
    home.sayso("run", "take off")
    home.sayso("run", "--planner", "reflex", "paint the wall")
    rows = home.sayso("missions").out.splitlines()
    assert [row.split()[-1] for row in rows] == ["outcome", "achieved", "refused"]


def test_doctor_examines(home: Home) -> None:
    ran = home.sayso("doctor", OPENAI_BASE_URL="", OPENAI_API_KEY="")
    assert ran.code == 0, ran.out
    rows = {tuple(line.split()[1:2]): line for line in ran.out.splitlines()}
    assert {*packages(), *EXTRAS} <= {name for (name,) in rows} and "numpy" in packages()
    extras = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert {*EXTRAS} == {*extras["optional-dependencies"]} - {"dev", "peers", "training"}
    assert "sayso bench --on ray; without ray: pip install 'sayso[ray]'" in rows["ray",] or "ok" in rows["ray",]
    assert rows["mujoco",].startswith("ok") and rows["journal",].startswith("ok") and rows["world",].startswith("ok")
    home.journal.write_bytes(b"this is no journal")
    broken = home.sayso("doctor", OPENAI_BASE_URL="", OPENAI_API_KEY="")
    assert broken.code == 1 and "BROKEN" in broken.out


def test_bench_writes_its_figures(home: Home) -> None:
    file = home.folder / "figures.json"
    ran = home.sayso("bench", "drone", "--only", "1", "--episodes", "1", "--json", str(file))
    figures = json.loads(file.read_text("utf-8"))
    assert ran.code == 0 and "published" in ran.out
    assert [(t["id"], t["episodes"], t["success"]) for t in figures["tasks"]] == [("1", 1, 1)]
    assert home.missions() == 0 if home.journal.exists() else True, "a bench keeps no missions"
    again = home.sayso("bench", "drone", "--only", "1", "--episodes", "1", "--json", "-")
    assert json.loads(again.out)["total"]["success"] == 1, "with - only the figures are on standard output"


# why


def test_why_tells_the_story(home: Home) -> None:
    home.sayso("run", TOUR)
    ran = home.sayso("why")
    lines = ran.out.splitlines()
    assert ran.code == 0 and lines[0].startswith("mission 2")
    assert [lines[1].split()[2], lines[-2].split()[2]] == ["wish", "end"]
    assert "achieved: I " in lines[-2] and "picture" in ran.out
    assert home.sayso("why", lines[0].split()[1][:15]).out == ran.out, "the beginning of an id will do"


def test_why_of_an_unknown_mission_is_helpful(home: Home) -> None:
    empty = home.sayso("why")
    assert empty.code == 2 and "holds no mission yet" in empty.err
    home.sayso("run", "tell me a joke")
    with Journal(home.journal) as journal:
        last = journal.resolve()
    unknown = home.sayso("why", "1999")
    assert unknown.code == 2 and "'1999'" in unknown.err and last in unknown.err


@pytest.mark.parametrize("command", ["why", "replay", "missions"])
def test_a_foreign_journal_is_refused_and_left_alone(home: Home, command: str) -> None:
    foreign = home.file("foreign.sqlite", "somebody's letter")
    ran = home.sayso(command, "--journal", foreign)
    assert ran.code == 1 and "not a journal of sayso" in ran.err
    assert Path(foreign).read_text("utf-8") == "somebody's letter"
