"""Where a console finds missions, pictures and reports on disk."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

IMAGES = frozenset({".png", ".jpg", ".svg"})


@dataclass(frozen=True, slots=True)
class Store:
    """The journal's file, and the folders beside it."""

    journal: Path
    pictures: Path
    reports: Path

    @staticmethod
    def beside(journal: Path) -> Store:
        """The folders next to a journal."""
        return Store(journal, journal.parent / "pictures", journal.parent / "reports")

    def picture(self, name: str) -> Path | None:
        """A picture by its plain name; None for what is not there, or would lie elsewhere."""
        return _inside(self.pictures, name, IMAGES)

    def plot(self, name: str) -> Path | None:
        """A picture of a report."""
        return _inside(self.reports, name, IMAGES)

    def list_reports(self) -> list[tuple[str, Any]]:
        """Every readable report, by name: what `sayso bench --json` wrote there."""
        found = []
        for path in sorted(self.reports.glob("*.json")) if self.reports.is_dir() else ():
            try:
                found.append((path.stem, json.loads(path.read_text("utf-8"))))
            except (OSError, ValueError) as error:
                found.append((path.stem, f"cannot be read: {error}"))
        return found

    def list_plots(self) -> list[str]:
        """The pictures that lie with the reports."""
        if not self.reports.is_dir():
            return []
        return sorted(path.name for path in self.reports.iterdir() if path.suffix in IMAGES)


def _inside(folder: Path, name: str, suffixes: frozenset[str]) -> Path | None:
    path = folder / name
    plain = Path(name).name == name and path.suffix in suffixes
    return path if plain and path.is_file() and not path.is_symlink() else None
