"""Whether a text can still become one of a language's: the state of a guided decoder, for any context-free rules.

A `Prefix` is all the ways in which the text so far can be read, each as a stack of what must follow. It is immutable:
a decoder tries a token with `after`, and another where the answer is None. Since no rule is empty-handed (each leads to
some text), whatever `after` returns can be completed.

Rules are written as in a grammar: `'"2" | name ( "," name )* end?'`, where a name is another rule or a `Terminal`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[a-z_0-9]+|[()|*?])')


class Terminal(Protocol):
    """Texts that are told letter by letter: a number within bounds, a string. Must hash, and have some text."""

    def viable(self, text: str) -> bool:
        """Whether `text` begins some text of this kind."""

    def whole(self, text: str) -> bool:
        """Whether `text` is of this kind."""


@dataclass(frozen=True, slots=True)
class Word:
    """One text."""

    word: str

    def viable(self, text: str) -> bool:
        return self.word.startswith(text)

    def whole(self, text: str) -> bool:
        return self.word == text


Symbol: TypeAlias = "str | Terminal"
Row: TypeAlias = tuple[Symbol, ...]
Rest: TypeAlias = "tuple[Symbol, Rest] | None"
Head: TypeAlias = tuple[Terminal, str, Rest]
"""A way to read the text: the terminal at hand, what there is of it, and what must follow."""


class Rules:
    """Rules by name; groups and repetitions become rules of their own. Refuses left recursion."""

    def __init__(self, rules: Mapping[str, str], terminals: Mapping[str, Terminal] | None = None) -> None:
        self._terminals = dict(terminals or {})
        self._rows: dict[str, tuple[Row, ...]] = {}
        self._open: set[str] = set()
        for name, body in rules.items():
            self._rows[name] = _Reader(self, body, name).whole()
        named = {s for rows in self._rows.values() for row in rows for s in row if isinstance(s, str)}
        if missing := named - set(self._rows):
            raise ValueError(f"no rule for {sorted(missing)}")
        self._leads: dict[str, tuple[tuple[tuple[Terminal, Row], ...], bool]] = {}

    def symbol(self, name: str) -> Symbol:
        return self._terminals.get(name, name)

    def add(self, name: str, rows: tuple[Row, ...]) -> str:
        self._rows[name] = rows
        return name

    def leads(self, name: str) -> tuple[tuple[tuple[Terminal, Row], ...], bool]:
        """Every terminal that can begin this rule with what follows it there, and whether the rule can be empty."""
        if name in self._open:
            raise ValueError(f"rule {name} begins with itself")
        if name not in self._leads:
            self._open.add(name)
            found, empty = list[tuple[Terminal, Row]](), False
            for row in self._rows[name]:
                empty = self._lead(row, found) or empty
            self._open.remove(name)
            self._leads[name] = tuple(dict.fromkeys(found)), empty
        return self._leads[name]

    def _lead(self, row: Row, found: list[tuple[Terminal, Row]]) -> bool:
        for i, symbol in enumerate(row):
            if not isinstance(symbol, str):
                found.append((symbol, row[i + 1 :]))
                return False
            leads, empty = self.leads(symbol)
            found += [(terminal, (*tail, *row[i + 1 :])) for terminal, tail in leads]
            if not empty:
                return False
        return True


class _Reader:
    """Reads the body of a rule."""

    def __init__(self, rules: Rules, body: str, name: str) -> None:
        self._rules, self._name, self._made = rules, name, 0
        self._tokens: list[str] = []
        at = 0
        while body[at:].strip():
            found = _TOKEN.match(body, at)
            if not found:
                raise ValueError(f"rule {name}: cannot read {body[at:][:40]!r}")
            self._tokens.append(found[1])
            at = found.end()

    def whole(self) -> tuple[Row, ...]:
        rows = self._either()
        if self._tokens:
            raise ValueError(f"rule {self._name}: left over {self._tokens[:5]}")
        return rows

    def _either(self) -> tuple[Row, ...]:
        rows = [self._row()]
        while self._tokens[:1] == ["|"]:
            self._tokens.pop(0)
            rows.append(self._row())
        return tuple(rows)

    def _row(self) -> Row:
        row: list[Symbol] = []
        while self._tokens and self._tokens[0] not in "|)":
            one = self._one(self._tokens.pop(0))
            more = self._tokens.pop(0) if self._tokens and self._tokens[0] in "*?" else ""
            if not more:
                row.append(one)
                continue
            self._made += 1
            name = f"{self._name} {self._made}"
            row.append(self._rules.add(name, ((one, name) if more == "*" else (one,), ())))
        return tuple(row)

    def _one(self, token: str) -> Symbol:
        if token == "(":
            self._made += 1
            name = f"{self._name} {self._made}"
            rows = self._either()
            if self._tokens[:1] != [")"]:
                raise ValueError(f"rule {self._name}: a ( without its )")
            self._tokens.pop(0)
            return self._rules.add(name, rows)
        return Word(json.loads(token)) if token[0] == '"' else self._rules.symbol(token)


@dataclass(frozen=True, slots=True)
class Prefix:
    """A text that can become one of the language. `may_end` says that it is one already."""

    rules: Rules
    heads: tuple[Head, ...]
    may_end: bool

    @classmethod
    def of(cls, rules: Rules, start: str) -> Prefix:
        """The empty text."""
        return cls._from(rules, [(start, None)])

    def after(self, text: str) -> Prefix | None:
        """The state behind some more text, or None where no text of the language goes on so."""
        at: Prefix | None = self
        for letter in text:
            at = at._step(letter) if at else None
        return at

    def letters(self, alphabet: Iterable[str]) -> frozenset[str]:
        """Those letters that can come next."""
        return frozenset(c for c in alphabet if any(t.viable(seen + c) for t, seen, _ in self.heads))

    def _step(self, letter: str) -> Prefix | None:
        going: list[Head] = []
        over: list[Rest] = []
        for terminal, seen, rest in self.heads:
            text = seen + letter
            if not terminal.viable(text):
                continue
            if terminal.whole(text):
                over.append(rest)
            if not isinstance(terminal, Word) or terminal.word != text:
                going.append((terminal, text, rest))
        if not going and not over:
            return None
        return self._from(self.rules, over, going)

    @classmethod
    def _from(cls, rules: Rules, over: Iterable[Rest], going: Iterable[Head] = ()) -> Prefix:
        heads = dict.fromkeys(going)
        may_end = False
        for rest in over:
            may_end = cls._open(rules, rest, heads) or may_end
        return cls(rules, tuple(heads), may_end)

    @classmethod
    def _open(cls, rules: Rules, rest: Rest, heads: dict[Head, None]) -> bool:
        """Add every way in which `rest` can begin; whether nothing has to follow."""
        while rest is not None:
            symbol, rest = rest
            if not isinstance(symbol, str):
                heads[symbol, "", rest] = None
                return False
            leads, empty = rules.leads(symbol)
            for terminal, tail in leads:
                heads[terminal, "", _onto(tail, rest)] = None
            if not empty:
                return False
        return True


def _onto(row: Row, rest: Rest) -> Rest:
    for symbol in reversed(row):
        rest = (symbol, rest)
    return rest


def any_of(texts: Iterable[str]) -> str:
    """The rule for one of several texts."""
    return " | ".join(json.dumps(text, ensure_ascii=False) for text in texts)


__all__ = ["Prefix", "Rules", "Terminal", "Word", "any_of"]
