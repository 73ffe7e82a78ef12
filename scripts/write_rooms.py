"""Writes the table of rooms into CONTRIBUTING.md, made of the import contracts and of what each room says of itself.

python scripts/write_rooms.py
"""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- rooms: scripts/write_rooms.py -->\n", "<!-- end of rooms -->\n"


def floors() -> list[list[str]]:
    """The modules and packages of sayso by floor, the highest first; none imports its own floor."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(c["layers"] for c in contracts if c["type"] == "layers")
    return [[name.strip(" ()") for name in layer.split("|")] for layer in layers]


def sentence(name: str) -> str:
    """The first sentence of a module's docstring."""
    place = ROOT / "src" / "sayso" / name
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    says = " ".join((ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split("\n\n")[0].split())
    return says.partition(". ")[0].rstrip(".:")


def table() -> str:
    """A row a room: its floor, its name and its sentence."""
    rows = ["| floor | room | what it is |", "|---|---|---|"]
    every = floors()
    for floor, rooms in zip(range(len(every) - 1, -1, -1), every, strict=True):
        for room in rooms:
            name = f"{room}/" if (ROOT / "src" / "sayso" / room).is_dir() else f"{room}.py"
            rows.append(f"| {floor} | `{name}` | {sentence(room)} |")
    return "\n".join(rows) + "\n"


def page() -> str:
    """CONTRIBUTING.md with the table as it is now."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
