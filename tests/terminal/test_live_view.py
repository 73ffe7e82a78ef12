"""The live picture: what it tells, that it fits any terminal, and what stays when the mission is over."""

from __future__ import annotations

import dataclasses
import io
import re
from pathlib import Path

import pytest
from cli_runner import Home, Terminal
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from sayso import events as ev
from sayso.memory.event_text import EventNarrator, one_line
from sayso.scene import Box, Scene, Thing, scene_json
from sayso.terminal.live import LiveView

SCENE = scene_json(Scene((Thing("c", "chair", Box(0.2, 0.5, 0.1, 0.1), 1.5), Thing("d", "door\x1b[31m"))))

FLIGHT = [
    ev.MissionStarted(instruction="go \x1b[31mto the chair", setup={}),
    ev.Observed(scene=SCENE),
    ev.Prompted(call=1, purpose="plan", model="m", messages=()),
    ev.ChunkArrived(call=1, text="to;4{mf(5)"),
    ev.StatementReady(statement=1, text="to", line=1, column=1),
    ev.StatementReady(statement=2, text="4", line=1, column=4),
    ev.StatementReady(statement=3, text="mf(5)", line=1, column=6, depth=1),
    ev.Moved(at_s=1.0, x_m=0, y_m=0, z_m=1, yaw_rad=0, charge=0.97),
    ev.TaskStarted(at_s=1.0, task=1, skill="take_off", statement=1),
    ev.TaskEnded(at_s=2.0, task=1, skill="take_off", outcome="done"),
    ev.TaskStarted(at_s=2.0, task=2, skill="move_forward", args=(5,), statement=3),
    ev.Moved(at_s=2.5, x_m=1, y_m=0, z_m=1, yaw_rad=3.1, charge=0.96),
]
END = [
    ev.AnswerEnded(call=1, tokens_in=1, tokens_out=1),
    ev.TaskEnded(at_s=3.0, task=2, skill="move_forward", outcome="failed", detail="something is in the way"),
    ev.Said(at_s=3.0, text="I could not\nget there"),
    ev.MissionEnded(at_s=3.5, outcome="not_achieved", reason="something is in the way"),
]


def shown(events: list[ev.Event], columns: int, rows: int, final: bool = False) -> list[str]:
    """The picture's lines after these events, without colours."""
    console = Console(file=io.StringIO(), width=columns, height=rows, force_terminal=True, legacy_windows=False)
    view = LiveView(console)
    for event in events:
        view.see(event)
    with console.capture() as capture:
        console.print(view.render(final), end="")
    return re.sub(r"\x1b\[[0-9;]*m", "", capture.get()).splitlines()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_it_shows_plan_sight_and_state() -> None:
    picture = shown(FLIGHT, 80, 24)
    text = "\n".join(picture)
    assert "✓ to" in text and "▶ 4" in text and "▶   mf(5)" in text, "a loop runs while its body does"
    assert "… to;4{mf(5)" in text, "the text that is still on its way"
    assert "sees  chair left 1.5 m, door" in text, "the nearest first"
    assert "2.5 s" in text and "battery 96%" in text and "x +1.0  y +0.0  z 1.0 m" in text
    assert not [c for line in picture for c in line if not c.isprintable()]


def test_it_shows_how_statements_ended_and_why() -> None:
    text = "\n".join(shown([*FLIGHT, *END], 100, 30))
    assert "✗   mf(5)  something is in the way" in text and "not achieved" in text
    assert "says     I could not get there" in text, "the foot tells what is notable"
    assert "asked for" not in text and "…" not in text, "nothing is awaited any more"


def test_what_runs_otherwise_stands_below_an_else() -> None:
    texts = [("?iv('x')", 0, ""), ("g('x')", 1, ""), ("tu(90)", 1, ":{")]
    rows = [
        ev.StatementReady(statement=n, text=text, line=1, column=n, depth=depth, behind=behind)
        for n, (text, depth, behind) in enumerate(texts, 1)
    ]
    text = "\n".join(shown([*rows, ev.TaskStarted(task=1, skill="turn", args=(90,), statement=3)], 100, 30))
    assert re.search(r"· \?iv.*· +g\('x'\).*▶ else .*▶ +tu\(90\)", text, re.DOTALL)


def test_a_new_plan_replaces_the_old_one() -> None:
    more = [ev.Replanned(round=1, reason="x"), ev.StatementReady(statement=9, text="tp", line=1, column=1)]
    text = "\n".join(shown([*FLIGHT, *END[:1], *more], 80, 24))
    assert "plan 2" in text and "· tp" in text and "mf(5)" not in text


def test_the_running_statement_stays_in_sight() -> None:
    ready = [ev.StatementReady(statement=n, text=f"mf({n})", line=1, column=n) for n in range(1, 200)]
    at = ev.TaskStarted(task=1, skill="move_forward", args=(150,), statement=150)
    text = "\n".join(shown([FLIGHT[0], *ready, at], 80, 24))
    assert "▶ mf(150)" in text and "mf(149)" in text and "mf(151)" in text and "mf(1)" not in text


@settings(max_examples=60)
@given(st.integers(1, 250), st.integers(1, 80), st.integers(0, len(FLIGHT) + len(END)), st.booleans())
def test_it_fits_any_terminal_at_any_moment(columns: int, rows: int, seen: int, final: bool) -> None:
    picture = shown([*FLIGHT, *END][:seen], columns, rows, final)
    assert len(picture) <= max(1, rows - 1)
    assert all(len(line) <= columns for line in picture)


@given(st.text())
def test_any_text_becomes_one_harmless_line(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1 and len(line) <= 400
    assert "\x1b" not in line and "\u202e" not in line


def test_every_kind_of_event_has_a_line_or_is_shown_otherwise() -> None:
    values = {"scene": {"things": []}, "setup": {}, "messages": (), "confirmed": True, "approved": True, "call": 1,
              "confidence": 0.9}  # fmt: skip
    silent = set()
    for name, kind in ev.KINDS.items():
        wanted = [f.name for f in dataclasses.fields(kind) if f.default is dataclasses.MISSING]
        event = kind(**{field: values.get(field, "x") for field in wanted})
        said = EventNarrator()(event)
        if said is None:
            silent.add(name)
        else:
            assert said.short.startswith("   0.00 s  ") and "\n" not in said.short
    assert silent == {"Moved", "ChunkArrived", "AnswerEnded", "SkillEnded"}


def test_the_same_sight_is_told_once() -> None:
    tell = EventNarrator()
    empty = ev.Observed(scene={"things": []})
    looks = [FLIGHT[1], FLIGHT[1], empty, empty, FLIGHT[1]]
    assert [bool(tell(look)) for look in looks] == [True, False, True, False, True]


# On a real terminal


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (5, 2)])
def test_a_mission_on_a_terminal(home: Home, columns: int, rows: int) -> None:
    terminal = Terminal(home, "run", "take off, take a picture", "--pace", "40", columns=columns, rows=rows)
    assert terminal.end() == 0, terminal.screen
    assert "Traceback" not in terminal.screen
    assert "\x1b[?1049h" not in terminal.screen, "no other screen: the last picture stays"
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.screen.rpartition("\x1b[?25h")[0].rpartition("\x1b[2K")[2])
    if rows >= 24:
        assert "✓ take_picture" in last and "sees" in last and "achieved" in last
    assert (
        "end      achieved: I took off and took a picture." in terminal.screen.replace("\r\n", "")
        if columns > 20
        else True
    )


def test_a_dumb_terminal_gets_lines(home: Home) -> None:
    terminal = Terminal(home, "run", "take off", "--pace", "100", term="dumb")
    assert terminal.end() == 0
    assert "\x1b" not in terminal.screen and "start    take_off()" in terminal.screen
