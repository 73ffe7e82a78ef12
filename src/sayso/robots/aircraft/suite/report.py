"""The rescue suite's report as one page: the paper's table, the plot of its third figure, and heat maps of a search.

    python -m sayso.robots.aircraft.suite.compare --episodes 10 --seed 100 --kept compare.jsonl > compare.json
    python -m sayso.robots.aircraft.suite.report report.html --rows compare.json

The page stands alone: pictures are in it. What was published stands in columns of its own, because it comes from other
missions and another detector.
"""

from __future__ import annotations

import argparse
import base64
import html
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from sayso.robots.aircraft.suite.check import ACTIONS, decision_times
from sayso.robots.aircraft.suite.episode import mission, play
from sayso.robots.aircraft.suite.picture import heat_map

CALL_S = 0.744
"""One call of a large remote model: the published time of a decision with 48 calls, by call."""

RULES = ("scored", "saycan-saycanpay", "saycanpay", "saycan")
INKS = ("#b3261e", "#1f6f54", "#3b5bdb", "#8a6d00")
WIDE, HIGH, LEFT, BELOW = 640, 320, 60, 40

COLUMNS = {
    "planner": "planner", "missions": "missions", "success": "success", "behind": "behind scored",
    "precision": "precision", "decision_s": "decision, s", "processed": "processed", "calls": "calls",
    "find_s": "found after, s", "pos": "believed POS", "away": "not home",
}  # fmt: skip
STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#2d3036;background:#fff}"
    "td,th{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child"
    "{text-align:left}table{border-collapse:collapse;font-size:.85rem;display:block;overflow-x:auto}img{margin:.3rem}"
)


def page(
    rows: Sequence[Mapping[str, Any]], times: Mapping[str, Sequence[tuple[int, float]]], maps: Sequence[Any]
) -> str:
    """The whole page as HTML."""
    pictures = "".join(f'<img alt="belief {n}" src="{_png(m)}">' for n, m in enumerate(maps))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Searching for someone</title>'
        f"<style>{STYLE}</style><h1>Searching for someone</h1>"
        f"<h2>Planners on the same missions</h2>{table(rows)}"
        "<p>Success is found, confirmed and home. Behind: how much oftener scored succeeds, mission by mission, with "
        "the standard error of that. Published: 20 runs, another simulation, standard error 8 to 11 points.</p>"
        f"<h2>Time of a decision by the number of actions</h2>{plot(times)}"
        f"<p>CPU time measured here, and {CALL_S:g} s for each call, which is what the published times come to.</p>"
        f"<h2>What is believed during a search</h2>{pictures}</html>\n"
    )


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Ours, and what was published beside it."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in COLUMNS.values())
    lines = "".join(f"<tr>{''.join(map(_cell, _values(row)))}</tr>" for row in rows)
    return f"<table><tr>{head}<th>published success</th><th>published decision, s</th></tr>{lines}</table>"


def _values(row: Mapping[str, Any]) -> Iterable[str]:
    for name in COLUMNS:
        value = row.get(name)
        if name == "behind" and value is not None:
            yield f"{value:+.3f} ± {row['behind_error']:.3f}"
        elif name in ("success", "precision", "away", "pos") and value is not None:
            yield f"{value:.1%}"
        else:
            yield f"{value:.1f}" if isinstance(value, float) else str("" if value is None else value)
    published = row.get("published", {})
    yield published.get("success", "")
    yield published.get("decision_s", "")


def _cell(text: str) -> str:
    return f"<td>{html.escape(text)}</td>"


def times_of(rules: Sequence[str] = RULES, actions: Sequence[int] = ACTIONS) -> dict[str, list[tuple[int, float]]]:
    """By rule, (actions, seconds of a decision): CPU, and the model's calls at the published pace."""
    return {
        rule: [(n, cpu_s + CALL_S * choice.calls) for n, cpu_s, choice in decision_times(rule, actions, repeats=3)]
        for rule in rules
    }


def plot(times: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """Seconds on a logarithmic scale over the number of actions, as SVG."""
    points = [p for line in times.values() for p in line]
    most, low, high = max(n for n, _ in points), 0.1, max(10.0, *(s for _, s in points))

    def at(n: float, seconds: float) -> tuple[float, float]:
        up = math.log(max(seconds, low) / low) / math.log(high / low)
        return LEFT + (WIDE - LEFT - 150) * n / most, (HIGH - BELOW) * (1 - 0.95 * up)

    parts = [f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="time of a decision" font-size="12">']
    for tick in (0.1, 1.0, 10.0, 100.0):
        if tick <= high:
            y = at(0, tick)[1]
            parts.append(
                f'<path d="M{LEFT} {y:.1f}H{WIDE - 150}" stroke="#ddd"/><text x="8" y="{y + 4:.1f}">{tick:g} s</text>'
            )
    parts += [f'<text x="{at(n, low)[0] - 8:.1f}" y="{HIGH - 20}">{n}</text>' for n in sorted({n for n, _ in points})]
    for ink, (rule, line) in zip(INKS * len(times), times.items(), strict=False):
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(n, s) for n, s in line))
        x, y = at(*line[-1])
        parts.append(f'<polyline points="{way}" fill="none" stroke="{ink}" stroke-width="2"/>')
        parts.append(f'<text x="{x + 6:.1f}" y="{y + 4:.1f}" fill="{ink}">{html.escape(rule)}</text>')
    return "".join([*parts, f'<text x="{LEFT}" y="{HIGH - 4}">actions with their parameters</text></svg>'])


def maps_of(id_: str = "highway", seed: int = 0, steps: Sequence[int] = (2, 4, 7, 10)) -> list[Any]:
    """What is believed after so many steps of one mission, as pictures."""
    found = []
    for count in steps:
        played = play(mission(id_), seed, steps_max=count)
        found.append(heat_map(played.domain.hunted[0].where, width_px=280, title=f"{count} steps"))
    return found


def _png(picture: Any) -> str:
    room = io.BytesIO()
    Image.fromarray(picture).save(room, "PNG")
    return f"data:image/png;base64,{base64.b64encode(room.getvalue()).decode()}"


def main() -> None:
    """Write the page."""
    asked = argparse.ArgumentParser(description="The rescue suite's report as one page.")
    asked.add_argument("file", type=Path)
    asked.add_argument("--rows", type=Path, required=True, help="what rescue_compare printed")
    options = asked.parse_args()
    rows = [json.loads(line) for line in options.rows.read_text("utf-8").splitlines() if line.strip()]
    options.file.write_text(page(rows, times_of(), maps_of()), "utf-8")


if __name__ == "__main__":
    main()
