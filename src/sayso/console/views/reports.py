"""Bench reports: what `sayso bench --json` wrote, as tables, with the plots that lie beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from sayso.console.shown import words
from sayso.console.store import Store
from sayso.console.views.parts import Text, block, title

ROWS = 200


class ReportsView:
    """The page of reports, read when somebody looks."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.box = block("reports", "main")

    def opened(self) -> None:
        """Read the folder."""
        ui.timer(0.0, self._load, once=True)

    async def _load(self) -> None:
        reports = await asyncio.to_thread(self._store.list_reports)
        plots = await asyncio.to_thread(self._store.list_plots)
        self.box.clear()
        with self.box:
            if not reports:
                hint = f"No report yet. Write one with: sayso bench drone --json {self._store.reports / 'drone.json'}"
                Text(hint, "note")
            for name, data in reports:
                with block("card", "section", aria_label="report"):
                    title(words(name, 100))
                    with block("scroll"):
                        _table(data)
            for name in plots:
                block("taken", "img", src=f"/plot/{name}", alt=f"plot {words(name, 100)}")


def _table(data: Any) -> None:
    """The first list of records in a report, and single figures before it."""
    if not isinstance(data, Mapping):
        Text(words(data), "note")
        return
    records = next((v for v in data.values() if isinstance(v, list) and v and isinstance(v[0], Mapping)), [])
    figures = {k: v for k, v in data.items() if not isinstance(v, list | dict)}
    if figures:
        Text(", ".join(f"{words(k, 60)} {_cell(v)}" for k, v in figures.items()), "note")
    if records:
        columns = [k for k, v in records[0].items() if not isinstance(v, list | dict)][:12]
        _rows(columns, records[:ROWS])


def _rows(columns: Sequence[str], records: Sequence[Mapping[str, Any]]) -> None:
    with block(tag="table"):
        with block(tag="thead"), block(tag="tr"):
            for column in columns:
                Text(words(column, 60), tag="th")
        with block(tag="tbody"):
            for record in records:
                with block(tag="tr"):
                    for column in columns:
                        Text(_cell(record.get(column)), tag="td")


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else words(value, 200)
