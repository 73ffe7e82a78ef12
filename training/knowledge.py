"""What everybody knows about things, as data: `knowledge.toml` read into `Item`s, and the qualities that wishes name.

An oracle asks here whether a thing fits a description, so lessons about use, taste or colour are right for every
thing in the table, also for those that training never shows.
"""

from __future__ import annotations

import functools
import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent

OFFICE = frozenset(
    [
        "chair",
        "table",
        "cabinet",
        "bookshelf",
        "sofa",
        "plant",
        "whiteboard",
        "window",
        "door",
        "person",
        "apple",
        "orange",
        "lemon",
        "banana",
        "sandwich",
        "bottle",
        "coke",
        "cup",
        "keyboard",
        "laptop",
        "monitor",
        "scissors",
        "book",
        "backpack",
    ]
) | {"trash can"}
"""The labels of the simulated office. They are always trained on; other things may be held out."""

COLOURS = (
    "red", "green", "blue", "yellow", "orange", "brown", "black", "white", "grey", "silver", "pink", "purple", "teal",
)  # fmt: skip

HELD_OUT_OBJECTS = 0.12


@dataclass(frozen=True, slots=True)
class Item:
    """One kind of thing. `words` holds everything that can be tested, as "use cut", "is round", "taste sweet"."""

    label: str
    kind: str
    colours: tuple[str, ...]
    size: str
    words: frozenset[str]
    plural: str
    some: str

    @property
    def held_out(self) -> bool:
        """Whether training never shows this thing."""
        return _held_out(self.label)


@dataclass(frozen=True, slots=True)
class Quality:
    """Something that a person may want of a thing. `test` is a word of `Item.words`."""

    name: str
    test: str
    ask: str
    nouns: tuple[str, ...]
    hints: tuple[str, ...]
    adjective: str


@functools.cache
def _held_out(label: str) -> bool:
    return label not in OFFICE and fraction("object", label) < HELD_OUT_OBJECTS


def fraction(*names: str) -> float:
    """A number in [0, 1) that depends on nothing but the names: the same on every machine and in every year."""
    digest = hashlib.blake2b("\0".join(names).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


@functools.cache
def items() -> Mapping[str, Item]:
    """Every thing by its label."""
    table = tomllib.loads((HERE / "knowledge.toml").read_text("utf-8"))
    return {
        label: _item(label, kind, {**rows["_all"], **row}, rows["_all"].get("is", ""))
        for kind, rows in table.items()
        for label, row in rows.items()
        if label != "_all"
    }


def _item(label: str, kind: str, row: Mapping[str, str], is_: str) -> Item:
    words = {f"kind {kind}", f"taste {row.get('taste', '')}", f"size {row['size']}"}
    words |= {f"use {use}" for use in row.get("uses", "").split()}
    words |= {f"material {of}" for of in row.get("material", "").split()}
    words |= {f"is {quality}" for quality in f"{row.get('is', '')} {is_}".split()}
    colours = tuple(row.get("colours", "").split())
    some = row.get("some", "an" if label[0] in "aeiou" else "a")
    return Item(label, kind, colours, row["size"], frozenset(words), row.get("plural", _plural(label, some)), some)


def _plural(label: str, some: str) -> str:
    return label if some == "some" else f"{label}s"


@functools.cache
def qualities() -> Mapping[str, Quality]:
    """Every quality by its name."""
    table = tomllib.loads((HERE / "lessons" / "qualities.toml").read_text("utf-8"))
    return {name: _quality(name, row) for name, row in table.items()}


def _quality(name: str, row: Mapping[str, str]) -> Quality:
    nouns, hints = (tuple(row.get(key, "").strip().splitlines()) for key in ("nouns", "hints"))
    return Quality(name, row["test"], row["ask"], nouns, hints, row.get("adjective", ""))
