"""docs/cli.md says what the command line says."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent.parent / "scripts"))
import write_cli_docs


def test_the_page_is_up_to_date() -> None:
    written = write_cli_docs.PAGE.read_text("utf-8")
    assert written == write_cli_docs.page(), "run scripts/write_cli_docs.py"


def test_every_command_and_option_has_a_word() -> None:
    for line in write_cli_docs.page().splitlines():
        assert "None" not in line and "||" not in line.replace(" ", "").replace("|||", ""), line
