"""The table of rooms in CONTRIBUTING.md is what the import contracts say, and the hall stays small."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ROOMS = runpy.run_path(str(ROOT / "scripts" / "write_rooms.py"))


def test_the_table_is_what_the_contracts_say() -> None:
    assert ROOMS["page"]() == ROOMS["PAGE"].read_text("utf-8"), "run python scripts/write_rooms.py"


def test_every_room_says_what_it_is() -> None:
    assert all(len(ROOMS["sentence"](room)) > 20 for floor in ROOMS["floors"]() for room in floor)


def test_the_hall_holds_what_tells_the_story() -> None:
    assert len(list((ROOT / "src" / "sayso").glob("*.py"))) <= 17
