"""What survives a kill: the script that kills fifty is run with one, and shown to notice what is lost."""

from __future__ import annotations

import io
import random
import sqlite3
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent.parent / "scripts"))
import kill_missions


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str]:
    """The folder of a mission that was killed, how the script ended, and its last line."""
    home, said = tmp_path_factory.mktemp("killed"), io.StringIO()
    with redirect_stdout(said):
        code = kill_missions.run(home, 1, random.Random(7))
    return home, code, said.getvalue().splitlines()[-1]


def test_a_killed_mission_loses_nothing(killed: tuple[Path, int, str]) -> None:
    _, code, summary = killed
    assert code == 0
    assert summary.startswith("1 missions killed") and summary.endswith("0 faults")


def test_a_lost_event_would_be_noticed(killed: tuple[Path, int, str], capsys: pytest.CaptureFixture[str]) -> None:
    killed_home, _, _ = killed
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
