"""`sayso run`: what a stranger types, what comes out, and with which exit code."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from cli_runner import TOUR, Home
from PIL import Image

sys.path.append(str(Path(__file__).parent.parent / "models"))
from endpoint_server import served

from sayso.events import Moved

PLAN = "to;?s('chair')==True{g('chair')};tp;l('here I am');->7"
JSON_FIELDS = [
    "success", "mission", "outcome", "reason", "said", "answer", "asked", "goal", "verified", "missing",
    "unknown", "left_out", "value", "r_time_s", "c_time_s", "tokens",
    "model_calls", "replans", "collisions", "pictures",
]  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.rendered
def test_the_main_job(home: Home) -> None:
    ran = home.sayso("run", TOUR)
    assert ran.code == 0
    words = [line.split()[2] for line in ran.out.splitlines()]
    assert words[0] == "wish" and words[-2:] == ["end", "rests"], "one line an event, the verdict near the end"
    assert {"plan", "start", "done", "picture"} <= set(words)
    assert "achieved" in ran.out and ran.out.splitlines()[-1].endswith("landed")
    assert ran.err == ""


def test_every_event_is_one_line_however_long(home: Home) -> None:
    plan = home.file("plan.ms", f"l('{'word ' * 60}');jump(1)")
    ran = home.sayso("run", "talk a lot", "--model", f"scripted:{plan}")
    assert all(line[7:10] == " s " for line in ran.out.splitlines()), ran.out
    assert any(len(line) > 250 for line in ran.out.splitlines())


@pytest.mark.rendered
def test_json_is_the_only_line_on_stdout(home: Home) -> None:
    ran = home.sayso("run", TOUR, "--json")
    assert ran.code == 0 and len(ran.out.splitlines()) == 1
    assert list(ran.json) == JSON_FIELDS
    assert (ran.json["success"], ran.json["outcome"], ran.json["collisions"]) == (True, "achieved", 0)
    assert ran.json["r_time_s"] == 0.0 < ran.json["c_time_s"]
    assert len(ran.json["pictures"]) == 1
    assert "achieved" in ran.err, "the flight shows on standard error"


@pytest.mark.parametrize("wish", ["what is the capital of France", "blue seven potato", "fly me to the, er, what?"])
def test_nonsense_is_refused_helpfully_and_nothing_moves(home: Home, wish: str) -> None:
    ran = home.sayso("run", wish, "--planner", "reflex", "--json")
    assert ran.code == 1 and ran.json["outcome"] == "refused"
    assert "I understand, for example" in ran.json["reason"]
    assert ran.json["r_time_s"] is None and "TaskStarted" not in home.kinds()


@pytest.mark.parametrize("pace", [[], ["--pace", "50"]])
def test_a_scripted_model_s_plan_and_its_value(home: Home, pace: list[str]) -> None:
    model = f"scripted:{home.file('plan.ms', PLAN)}"
    ran = home.sayso("run", "visit the chair", "--model", model, "--json", *pace)
    assert (ran.code, ran.json["value"], ran.json["model_calls"]) == (0, 7, 1)
    assert ran.json["tokens"] > 10


def test_modelled_latency_shows_in_the_response_time(home: Home) -> None:
    ran = home.sayso("run", "x", "--model", f"modelled:scripted:{home.file('plan.ms', PLAN)}", "--json")
    assert 0.5 < ran.json["r_time_s"] < 1.0 and ran.code == 0


def test_an_endpoint_on_this_machine(home: Home) -> None:
    with served() as server:
        ran = home.sayso("run", "turn around", "--model", f"{server.url('good')}#tiny", "--json")
        assert server.bodies("good")[0]["model"] == "tiny"
    assert ran.json["model_calls"] >= 1 and ran.json["outcome"] in ("achieved", "not_achieved")


def test_an_endpoint_that_is_not_there(home: Home) -> None:
    ran = home.sayso("run", "x", "--model", "http://127.0.0.1:9/v1#tiny", "--json")
    assert ran.code == 1 and ran.json["outcome"] == "not_achieved"
    assert "127.0.0.1:9" in ran.json["reason"] and "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run"], "Missing argument 'instruction'"),
        (["run", ""], "say what you want"),
        (["run", "  \n"], "say what you want"),
        (["run", "a", "--scene", "nope"], "there are empty,"),
        (["run", "a", "--world", "mars"], "there are home, office"),
        (["run", "a", "--planner", "x"], "there are reflex"),
        (["run", "a", "--model", "pocket:/nowhere"], "weights"),
        (["run", "a", "--model", "y"], "openai:NAME"),
        (["run", "a", "--model", "scripted:/nowhere.ms"], "cannot read"),
        (["run", "a", "--pace", "-1"], "--pace"),
        (["run", "a", "--seed", "x"], "--seed"),
        (["run", "a", "--seed", "-3"], "--seed"),
        (["run", "a", "--wind", "inf"], "cannot blow"),
        (["run", "a", "--nope"], "No such option: --nope"),
        (["run", "a", "--view", "/dev/null/x"], "cannot write pictures"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["bench", "nope"], "there are drone"),
        (["bench", "drone", "--only", "99"], "no task 99"),
        (["bench"], "Missing argument 'suite'"),
        (["bench", "drone", "--episodes", "0"], "--episodes"),
        (["bench", "drone", "--ablation", "no-luck"], "no-replan"),
        (["bench", "drone", "--planner", "reflex", "--model", "pocket"], "asks no model"),
        (["bench", "drone", "a.jsonl"], "only compare takes files"),
        (["bench", "drone", "--on", "mars"], "not on 'mars'"),
        (["bench", "compare", "a.jsonl"], "two files of rows"),
        (["check", "/nowhere.ms"], "cannot read"),
        (["check", "-", "--world", "mars"], "there are home, office"),
        (["skills", "--robot", "nobody"], "fake:tello"),
        (["skills", "--world", "office", "--robot", "tello"], "not both"),
        (["serve", "--world", "mars"], "there are home, office"),
        (["serve", "--robot", "nowhere.py"], "there is no file nowhere.py"),
        (["serve", "--robot", "nobody"], "there is no machine 'nobody'"),
        (["serve", "--scene", "nope"], "there are empty,"),
        (["serve", "--model", "y"], "openai:NAME"),
        (["serve", "--planner", "x"], "there are reflex"),
        (["serve", "--zone", "up=2"], "--zone goes with --robot"),
        (["serve", "--port", "0"], "--port"),
        (["chat", "--world", "mars"], "there are home, office"),
        (["listen", "/nowhere.wav", "--ears", "nobody"], "nobody"),
        (["mcp", "--world", "mars", "--pace", "0"], "there are home, office"),
        (["run", "a", "--zone", "up=2"], "--zone goes with --robot"),
        (["run", "a", "--robot", "fake:tello", "--zone", "up"], "a zone is written"),
        (["run", "a", "--robot", "fake:tello", "--zone", "ahead=0,back=1,left=1,right=1"], "more than 0"),
        (["run", "a", "--detector", "nobody"], "nobody"),
        (["run", "a", "--eyes", "y"], "openai:NAME"),
        (["run", "a", "--planner", "stream", "--model", "nobody.py"], "there is no file nobody.py"),
        (["run", "a", "--answer-to", "LAST"], "no mission yet"),
        (["run", "a", "--answer-to", "LAST", "--world", "home"], "leave --world out"),
        (["why", "nothing"], "no mission yet"),
        (["replay"], "no mission yet"),
        (["replay", "--pace", "-1"], "--pace"),
        (["export"], "--mcap FILE"),
        (["export", "--to", "plan.xyz"], "ends in none of"),
        (["export", "--to", "way.plan"], "what is to be written"),
        (["memory", "where"], "Missing argument"),
        (["memory", "list", "--map", "mars"], "no map 'mars'"),
        (["memory", "forget", "one"], "valid integer"),
        (["memory", "find"], "No such command 'find'"),
        (["release", "nobody"], "is not stopped"),
        (["stop", "nobody", "--all"], "either a robot or --all"),
        (["doctor", "now"], "unexpected extra argument"),
    ],
)
def test_wrong_usage_is_2_with_a_helpful_word(home: Home, words: list[str], says: str) -> None:
    ran = home.sayso(*words)
    assert ran.code == 2 and ran.out == ""
    assert ran.err.startswith("sayso: ") and says in ran.err and len(ran.err.splitlines()) == 1
    assert not home.journal.exists() or home.missions() == 0, "nothing was begun"


@pytest.mark.parametrize("folder", ["/dev/null", "/proc/nowhere"])
def test_a_journal_that_cannot_be_is_an_error_in_one_line(home: Home, folder: str) -> None:
    ran = home.sayso("run", "take off", SAYSO_HOME=folder)
    assert ran.code == 1 and len(ran.err.splitlines()) == 1 and "SAYSO_HOME" in ran.err


HOSTILE = "go \x1b[31m\x9b2J\u202e to \udcff the \x07 chair\x00\r\n\x1b]0;title\x07"


def test_control_characters_never_reach_the_terminal(home: Home) -> None:
    plan = home.file("plan.ms", "l('a\u202eb\x9bc');g('\u2066unicorn')")
    shown = [home.sayso("run", HOSTILE), home.sayso("run", HOSTILE, "--model", f"scripted:{plan}")]
    shown += [
        home.sayso("why"),
        home.sayso("missions"),
        home.sayso("replay"),
        home.sayso("run", "a", "--scene", HOSTILE),
    ]
    for ran in shown:
        for text in (ran.out, ran.err):
            assert not [c for c in text if c != "\n" and not c.isprintable()], repr(text)
    assert home.sayso("run", HOSTILE, "--json").out.isascii(), "JSON says them as escapes"


def test_an_instruction_of_20_kilobytes(home: Home) -> None:
    ran = home.sayso("run", "go to the chair now! " * 1000, "--json")
    assert ran.code == 1 and ran.json["outcome"] == "refused"
    assert max(map(len, ran.err.splitlines())) < 1000
    assert len(home.events()[0].instruction) == 21_000, "the record has all of it"  # type: ignore[attr-defined]


@pytest.mark.rendered
def test_a_film_and_a_picture(home: Home) -> None:
    folder = home.folder / "seen" / "here"
    ran = home.sayso("run", "take off, turn left 90 degrees, take a picture", "--view", str(folder))
    assert ran.code == 0 and str(folder / "film.gif") in ran.out
    with Image.open(folder / "film.gif") as film, Image.open(folder / "overview.png") as still:
        assert film.n_frames > 10 and film.height == 360  # type: ignore[attr-defined]
        assert still.size == (960, 720)


def test_a_picture_even_where_nothing_renders(home: Home) -> None:
    out = str(home.folder / "out2")
    blind = home.sayso("run", "take off, take a picture", "--view", out, "--json", MUJOCO_GL="disabled")
    assert blind.code == 0 and blind.json["pictures"] == []
    assert "nothing can render here" in blind.err
    with Image.open(home.folder / "out2" / "film.gif") as film:
        assert film.n_frames > 5 and film.width == 480  # type: ignore[attr-defined]


def test_a_reader_that_leaves_stops_the_robot(home: Home) -> None:
    process = home.start("run", TOUR, "--pace", "20")
    assert process.stdout and process.stderr
    process.stdout.readline()
    process.stdout.close()
    complaint = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 1 and complaint == ""
    assert home.kinds()[-1] == "MissionEnded" and "StopAsked" in home.kinds()


def test_another_world_says_what_its_robot_cannot(home: Home) -> None:
    ran = home.sayso("run", "take off", "--world", "soccer", "--planner", "reflex", "--json")
    assert ran.code == 1 and "take_off" in ran.json["reason"]


def test_wind_and_seed_are_part_of_the_mission(home: Home) -> None:
    words = ["run", "take off, go up 50 cm, come back and land", "--wind", "2", "--json"]
    ways = []
    for seed in ("3", "3", "4"):
        assert home.sayso(*words, "--seed", seed).json["success"]
        ways.append([(e.at_s, e.x_m, e.y_m) for e in home.events() if isinstance(e, Moved)])
    assert ways[0] == ways[1] != ways[2]
