"""What survives a kill: the script that kills fifty is run with two, and shown to notice what is lost."""

from __future__ import annotations

import random
import sqlite3
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent.parent / "scripts"))
import kill_missions


@pytest.fixture(scope="module")
def killed_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("killed")


def test_two_killed_missions_lose_nothing(killed_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kill_missions.run(killed_home, 2, random.Random(7)) == 0
    summary = capsys.readouterr().out.splitlines()[-1]
    assert summary.startswith("2 missions killed") and summary.endswith("0 faults")


def test_a_lost_event_would_be_noticed(killed_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = sqlite3.connect(killed_home / "journal.sqlite")
    with db:
        number = db.execute("SELECT min(number) FROM missions").fetchone()[0]
        lines = [("TaskStarted", '{"at_s": 0.0, "task": 1, "skill": "take_off", "args": [], "statement": 1}')]
        held = db.execute(
            "SELECT count(*) FROM events WHERE mission = ? AND kind = ?", (number, lines[0][0])
        ).fetchone()
        assert held[0] > 0
        db.execute("DELETE FROM events WHERE mission = ? AND kind = 'TaskStarted'", (number,))
    db.close()
    whole = kill_missions.Killed(0, ("   0.00 s  wish     x", "   0.00 s  start    take_off()"))
    assert kill_missions.report(killed_home / "journal.sqlite", [whole]) == 1
    assert "acknowledged and lost: '   0.00 s  start    take_off()'" in capsys.readouterr().out
