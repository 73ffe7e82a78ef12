"""Bench reports: what `sayso bench --json` wrote, as plots and tables, with the pictures that lie beside them."""

from __future__ import annotations

import asyncio

from nicegui import ui

from sayso.console.report import Bar, Report, read_report
from sayso.console.store import Store
from sayso.console.views.parts import Text, block, title
from sayso.memory.shown import words


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
            if not reports and not plots:
                hint = f"No report yet. Write one with: sayso bench SUITE --json {self._store.reports / 'SUITE.json'}"
                Text(hint, "note")
            for name, data in reports:
                _draw(read_report(name, data))
            for name in plots:
                with block("card figure", "figure"):
                    Text(words(name, 100), tag="figcaption")
                    block("taken", "img", src=f"/plot/{name}", alt=f"plot {words(name, 100)}")


def _draw(report: Report) -> None:
    with block("card report", "section", aria_label=f"report {report.title}"):
        title(report.title)
        if report.headline:
            Text(report.headline, "note")
        if report.bars:
            _plot(report)
        if report.failures:
            with block("failures"):
                Text("What failed", tag="h3")
                for told in report.failures:
                    Text(told, "note bad")
        if report.rows:
            with block("scroll", tabindex="0", role="group", aria_label="figures"):
                _table(report)


def _plot(report: Report) -> None:
    with block("plot", "figure"):
        Text(report.plot, "note", "figcaption")
        for bar in report.bars:
            _bar(bar)


def _bar(bar: Bar) -> None:
    with block("bar" if bar.good else "bar short"):
        Text(bar.label, "what")
        with block("track"):
            block("fill").style(f"width: {bar.share:.1%}")
            if bar.low is not None and bar.high is not None:
                block("chance").style(f"left: {bar.low:.1%}; width: {bar.high - bar.low:.1%}")
            if bar.mark is not None:
                block("mark").style(f"left: {bar.mark:.1%}")
        Text(bar.told, "much")


def _table(report: Report) -> None:
    with block(tag="table"):
        with block(tag="thead"), block(tag="tr"):
            for column in report.columns:
                Text(column, tag="th")
        with block(tag="tbody"):
            for row in report.rows:
                with block(tag="tr"):
                    for text in row:
                        Text(text, tag="td")
