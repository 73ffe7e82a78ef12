"""The text of a plan while it arrives, and where in it something stands.

Nodes carry a bare character offset; lines and columns are worked out when somebody asks.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TypeVar

from sayso.errors import Place, PlanError

E = TypeVar("E", bound=PlanError)

SHOWN_BEHIND = 60
"""Characters of a line that a snippet keeps behind the spot: lines of a plan can be long."""


class Source:
    """Grows by `add`. `size` is in characters, `bytes` in UTF-8."""

    def __init__(self) -> None:
        self.size = 0
        self.bytes = 0
        self._pieces: list[str] = []
        self._lines = [0]

    def add(self, text: str, size: int) -> None:
        """`size` is that of `text` in bytes."""
        if "\n" in text:
            self._lines += [self.size + i + 1 for i, c in enumerate(text) if c == "\n"]
        self._pieces.append(text)
        self.size += len(text)
        self.bytes += size

    @property
    def text(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def place(self, offset: int) -> Place:
        line = bisect_right(self._lines, offset)
        return Place(offset, line, offset - self._lines[line - 1] + 1)

    def snippet(self, place: Place) -> str:
        """The line at `place`, as far as it has arrived."""
        start = self._lines[place.line - 1]
        return self.text[start : place.offset + SHOWN_BEHIND].partition("\n")[0].rstrip("\r")

    def error(self, kind: type[E], message: str, offset: int, expected: str = "") -> E:
        """An error that points at an offset."""
        place = self.place(offset)
        return kind(message, place, expected=expected, snippet=self.snippet(place))
