"""A mission's MCAP file judged by a reader that we did not write: Rerun's command line. `make peers` runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from peer_server import PYTHON, need

pytest.importorskip("mcap")
pytestmark = pytest.mark.peer


def rerun(*words: str) -> str:
    ran = subprocess.run([PYTHON, "-m", "rerun_cli", "mcap", *words], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_rerun_finds_no_fault_and_converts_it(tmp_path: Path) -> None:
    need("rerun_cli")
    for words in (["run", "take off and turn around", "--pace", "0"], ["export", "LAST", "--mcap", "tour.mcap"]):
        own = {**os.environ, "SAYSO_HOME": str(tmp_path)}
        subprocess.run([sys.executable, "-m", "sayso", *words], check=True, cwd=tmp_path, env=own, capture_output=True)
    file = str(tmp_path / "tour.mcap")
    rows = re.findall(r"^(\w+) +\d+ +\d+ +(/\w+) +(.+)$", rerun("check", "--full", file), flags=re.M)
    assert {(status, issues.strip()) for status, _, issues in rows} == {("ok", "—")}
    assert {"/pose", "/path", "/scene", "/journal"} <= {topic for _, topic, _ in rows}
    rerun("convert", file, "-o", str(tmp_path / "tour.rrd"))
    assert (tmp_path / "tour.rrd").stat().st_size > 0
