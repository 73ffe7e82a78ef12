"""The frames: ways of saying, kept as data in `frames/*.toml`, and which of them training never sees.

A frame is one line of a file. Its place in the split depends on its text alone, so it is the same for every run, and
all sentences that a frame can make are on the same side.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from knowledge import fraction

FOLDER = Path(__file__).parent / "frames"
HELD_OUT_FRAMES = 0.06

_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_SPACES = re.compile(r"  +")
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Frame:
    """One line: `parts` alternate between fixed text and lists of choices."""

    id: str
    text: str
    parts: tuple[tuple[str, ...], ...]

    @property
    def bare(self) -> bool:
        """A frame that adds no words of its own says nothing about understanding; it is never held out."""
        return not re.search(r"[A-Za-z0-9]", _SLOT.sub("", self.text))

    @property
    def held_out(self) -> bool:
        return not self.bare and fraction("frame", self.id) < HELD_OUT_FRAMES

    def say(self, rng: Random) -> str:
        """One of the frame's wordings, its slots still open."""
        if len(self.parts) == 1:
            return self.parts[0][0]
        chosen = "".join(part[0] if len(part) == 1 else rng.choice(part) for part in self.parts)
        return _SPACES.sub(" ", chosen).strip()

    def wordings(self) -> list[str]:
        """All of them."""
        texts = [""]
        for part in self.parts:
            texts = [text + choice for text in texts for choice in part]
        return [_SPACES.sub(" ", text).strip() for text in texts]


def frame(family: str, text: str) -> Frame:
    """A line of a frame file, read."""
    parts: list[tuple[str, ...]] = []
    at = 0
    for match in _CHOICE.finditer(text):
        parts += [(text[at : match.start()],), tuple(match.group(1).split("|"))]
        at = match.end()
    parts.append((text[at:],))
    return Frame(f"{family}: {text}", text, tuple(parts))


@functools.cache
def tables() -> Mapping[str, Mapping[str, str]]:
    """Every table of every file, by intent; what several files say of one intent is joined."""
    found: dict[str, dict[str, str]] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        family = file.stem.partition("_")[0]
        prefix = f"{family}." if family in ("refuse", "ask", "probe", "shells", "composed") else ""
        for name, rows in tomllib.loads(file.read_text("utf-8")).items():
            table = found.setdefault(prefix + name, {})
            for kind, lines in rows.items():
                table[kind] = f"{table[kind].rstrip()}\n{lines.lstrip()}" if kind in table else lines
    for intent, kind, line in _added():
        if intent not in found:
            raise ValueError(f"there is no intent {intent!r} to say {line!r} for")
        found[intent][kind] = f"{found[intent].get(kind, '').rstrip()}\n{line}"
    return found


def _added() -> Iterator[tuple[str, str, str]]:
    """(intent, kind, line) of the lines `@intent/kind :: line` in `written/`; see `written.py`."""
    for file in sorted((FOLDER.parent / "written").glob("*.txt")):
        for row in file.read_text("utf-8").splitlines():
            if row.startswith("@"):
                head, _, line = row[1:].partition("::")
                intent, _, kind = head.strip().partition("/")
                yield intent, kind or "sentences", line.strip()


@functools.cache
def pool(intent: str, kind: str, held_out: bool) -> tuple[Frame, ...]:
    """The frames of an intent: `kind` is orders, sentences or another key of its table."""
    return tuple(f for f in frames(intent, kind) if f.held_out == held_out)


@functools.cache
def frames(intent: str, kind: str) -> tuple[Frame, ...]:
    """All of them, each once in the order of the file; a line that stands there several times is as often drawn."""
    lines = tables().get(intent, {}).get(kind, "").strip().splitlines()
    return tuple(frame(f"{intent}/{kind}", line) for line in lines)


def fill(text: str, slots: Mapping[str, str]) -> str:
    """Put words in their slots. A slot without words is an error of the data."""
    return _SLOT.sub(lambda slot: slots[slot.group(1)], text)


def everything() -> list[Frame]:
    """Every frame there is, each once."""
    keys = ("orders", "sentences", "bare", "frames", "clauses", "goto", "picture", "both", "nouns", "hints")
    found = {f.id: f for intent in tables() for key in keys for f in frames(intent, key)}
    return list(found.values())
