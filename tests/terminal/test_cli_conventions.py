"""What people expect of a command line: unquoted words, `-`, short flags, the environment, a file of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Home

from sayso.events import MissionStarted

PLAN = "tc(90);l('here')"
LOOKS = "iv('chair')"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def plan(home: Home) -> str:
    return f"scripted:{home.file('plan.ms', PLAN)}"


def configure(home: Home, text: str) -> None:
    (home.folder / "sayso").mkdir()
    (home.folder / "sayso" / "config.toml").write_text(text, "utf-8")


def test_a_wish_may_stand_unquoted(home: Home) -> None:
    ran = home.sayso("run", "go", "up", "one", "metre", "--planner", "reflex")
    assert ran.code == 0 and "go up one metre" in ran.out


def test_a_wish_may_come_from_standard_input(home: Home) -> None:
    ran = home.sayso("run", "-", stdin=b"go up one metre\n", SAYSO_MODEL="")
    assert ran.code == 0 and "go up one metre" in ran.out


def test_short_flags(home: Home, plan: str) -> None:
    assert home.sayso("run", "turn", "-m", plan).code == 0
    assert "Usage: sayso run" in home.sayso("run", "-h").out


def test_the_environment_and_a_flag_that_beats_it(home: Home, plan: str) -> None:
    assert "turn_cw(90)" in home.sayso("run", "x", SAYSO_MODEL=plan).out
    assert "there is no world 'mars'" in home.sayso("skills", SAYSO_WORLD="mars").err
    assert "kick" in home.sayso("skills", "--world", "soccer", SAYSO_WORLD="mars").out


def test_a_file_of_one_s_own_and_an_environment_that_beats_it(home: Home, plan: str) -> None:
    configure(home, f'model = "{plan}"\n[skills]\nworld = "soccer"\n')
    assert "turn_cw(90)" in home.sayso("run", "x").out
    assert "kick" in home.sayso("skills").out
    assert "take_off" in home.sayso("skills", SAYSO_WORLD="office").out


@pytest.mark.parametrize(
    ("text", "says"),
    [("model =", "cannot be read"), ("modle = 'x'", "'modle'"), ("[fly]\nx = 1", "'fly'"), ("[run]\nx = 1", "'run.x'")],
)
def test_a_file_that_cannot_be_is_told(home: Home, text: str, says: str) -> None:
    configure(home, text)
    ran = home.sayso("worlds")
    assert ran.code == 2 and says in ran.err and "config.toml" in ran.err


def test_json_has_what_was_said_and_answered(home: Home) -> None:
    said = home.sayso("run", "x", "--json", "-m", f"scripted:{home.file('says.ms', PLAN)}").json
    assert said["said"][-1] == "here" and said["answer"] is None
    looks = home.sayso("run", "x", "--json", "-m", f"scripted:{home.file('looks.ms', LOOKS)}").json
    assert looks["said"] == [] and looks["answer"] in (True, False)


@pytest.mark.parametrize(
    ("typed", "offers"),
    [
        ("se", {"serve"}),
        ("run --world o", {"office"}),
        ("run --scene task0", {"task01", "task07-empty", "task08-food"}),
        ("run --world rescue --scene ", {"moor", "valley"}),
        ("check --world mars --scene ", set[str]()),
        ("skills --robot ", {"tello", "mavlink", "fake:ros"}),
        ("chat --planner s", {"stream", "scored"}),
        ("why ", {"LAST"}),
        ("replay LA", {"LAST"}),
        ("run --answer-to L", {"LAST"}),
        ("bench r", {"rescue"}),
    ],
)
def test_completion_is_offered(home: Home, typed: str, offers: set[str]) -> None:
    at = str(len(typed.split(" ")))
    ran = home.sayso(_SAYSO_COMPLETE="complete_bash", COMP_WORDS=f"sayso {typed}", COMP_CWORD=at)
    assert offers <= {*ran.out.split()} and bool(offers) == bool(ran.out.strip()) and ran.err == ""


ROBOT = """
import asyncio
from typing import Annotated
from sayso.limits import Limits, Zone
from sayso.roles import Robot, RobotState
from sayso.scene import Pose
from sayso.skill import Range, skill

class Cart(Robot):
    name = "cart"
    limits = Limits(zone=Zone(x_min_m=0.0, x_max_m=1.0))
    pose = Pose()

    def state(self):
        return RobotState(self.pose, summary="standing")

    async def halt(self):
        pass

    @skill(uses="base", path=lambda pose, distance_cm: [pose.moved(forward_m=distance_cm / 100)])
    async def forward(self, distance_cm: Annotated[float, Range(5, 500)]) -> None:
        "Drive straight ahead."
        await asyncio.sleep(distance_cm / 100)
        self.pose = self.pose.moved(forward_m=distance_cm / 100)

def light():
    return Cart()
"""
PLANNER = """
from sayso.planners.text_planner import TextPlanner

class Always(TextPlanner):
    name = "always"
    async def plan(self, brief):
        yield "forward(20)"

class Asks(Always):
    def __init__(self, model):
        self.model = model
"""


@pytest.fixture
def cart(home: Home) -> str:
    return home.file("cart.py", ROBOT)


@pytest.mark.parametrize("name", ["", ":Cart", ":light"])
def test_a_robot_in_a_file(home: Home, cart: str, name: str) -> None:
    model = f"scripted:{home.file('go.ms', 'forward(50)')}"
    ran = home.sayso("run", "x", "--robot", f"{cart}{name}", "-m", model, "--pace", "0", "--json")
    assert (ran.code, ran.json["collisions"]) == (0, None)
    assert home.sayso("replay").out.endswith("the replay ended the same\n")
    assert "forward(distance_cm: number 5..500)" in home.sayso("skills", "--robot", f"{cart}{name}").out
    assert "geofence" in home.sayso("check", "-", "--robot", f"{cart}{name}", stdin=b"forward(200)").err


def test_a_robot_in_a_file_is_not_hurried(home: Home, cart: str) -> None:
    """It may be a real machine: only a person who says --pace knows that it is none."""
    model = f"scripted:{home.file('go.ms', 'forward(20)')}"
    assert home.sayso("run", "x", "--robot", cart, "-m", model).code == 0
    started = home.events()[0]
    assert isinstance(started, MissionStarted) and started.setup["real_time"]
    assert home.sayso("replay").code == 0


def test_a_planner_in_a_file(home: Home, cart: str) -> None:
    planner = home.file("planner.py", PLANNER)
    words = ["run", "x", "--robot", cart, "--pace", "0", "--planner"]
    assert "forward(20)" in home.sayso(*words, f"{planner}:Always").out
    assert "needs a model" in home.sayso(*words, f"{planner}:Asks").err
    model = f"scripted:{home.file('go.ms', 'forward(50)')}"
    assert home.sayso(*words, f"{planner}:Asks", "-m", model).code == 0
    assert home.sayso("replay").code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--robot", "cart.py:Nobody"], "holds no Robot called Nobody"),
        (["--robot", "none.py"], "there is no file"),
        (["--robot", "cart.py", "--world", "office"], "not both"),
        (["--robot", "cart.py", "--view", "out"], "leave --view out"),
        (["--robot", "cart.py", "--planner", "cart.py:light"], "which is no Planner"),
        (["--world", "cart.py:light"], "makes a Cart, which is no World"),
    ],
)
def test_what_cannot_be_of_one_s_own_is_told(
    home: Home, cart: str, words: list[str], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home.folder)
    ran = home.sayso("run", "go", *words)
    assert ran.code == 2 and says in ran.err
