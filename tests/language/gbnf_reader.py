"""A small reader of GBNF and a recogniser for it: enough to hold our own grammars to their word.

The recogniser tracks sets of positions, so ambiguity costs nothing; left recursion would never end, which GBNF's own
engines do not accept either, and is refused.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|[a-zA-Z][a-zA-Z0-9-]*|[()|*?+])')


@dataclass(frozen=True)
class Node:
    """kind: text, set, rule, row, either, star, maybe, plus."""

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()


class Gbnf:
    """Rules by name, `root` first. Raises ValueError where the text is no GBNF or names a rule that is not there."""

    def __init__(self, text: str) -> None:
        self.rules: dict[str, Node] = {}
        for line in text.strip().split("\n"):
            name, sign, body = line.partition(" ::= ")
            if not sign or not re.fullmatch("[a-zA-Z][a-zA-Z0-9-]*", name) or name in self.rules:
                raise ValueError(f"not a rule: {line[:60]}")
            self.rules[name] = _Body(body).whole()
        named = {n.text for rule in self.rules.values() for n in _all(rule) if n.kind == "rule"}
        if missing := named - set(self.rules):
            raise ValueError(f"no rule for {sorted(missing)}")
        if unused := set(self.rules) - named - {"root"}:
            raise ValueError(f"nobody uses {sorted(unused)}")

    def accepts(self, text: str) -> bool:
        return len(text) in _Match(self.rules, text).ends(Node("rule", "root"), 0)


def _all(node: Node) -> list[Node]:
    return [node, *(inner for part in node.parts for inner in _all(part))]


class _Body:
    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if not match:
                raise ValueError(f"cannot read {text[at:][:40]!r}")
            self.tokens.append(match[1])
            at = match.end()

    def whole(self) -> Node:
        node = self.either()
        if self.tokens:
            raise ValueError(f"left over: {self.tokens[:5]}")
        return node

    def either(self) -> Node:
        options = [self.row()]
        while self.tokens[:1] == ["|"]:
            self.tokens.pop(0)
            options.append(self.row())
        return Node("either", parts=tuple(options))

    def row(self) -> Node:
        parts: list[Node] = []
        while self.tokens and self.tokens[0] not in "|)":
            node = self.one(self.tokens.pop(0))
            while self.tokens and self.tokens[0] in "*?+":
                node = Node({"*": "star", "?": "maybe", "+": "plus"}[self.tokens.pop(0)], parts=(node,))
            parts.append(node)
        if not parts:
            raise ValueError("an empty alternative")
        return Node("row", parts=tuple(parts))

    def one(self, token: str) -> Node:
        if token == "(":
            node = self.either()
            if self.tokens[:1] != [")"]:
                raise ValueError("a ( without its )")
            self.tokens.pop(0)
            return node
        if token[0] == '"':
            return Node("text", ast.literal_eval(token))
        return Node("set", token) if token[0] == "[" else Node("rule", token)


class _Match:
    def __init__(self, rules: dict[str, Node], text: str) -> None:
        self.rules = rules
        self.text = text
        self.known: dict[tuple[str, int], frozenset[int] | None] = {}

    def ends(self, node: Node, at: int) -> frozenset[int]:
        """Every position where a match of `node` from `at` may end."""
        if node.kind == "text":
            return frozenset([at + len(node.text)]) if self.text.startswith(node.text, at) else frozenset()
        if node.kind == "set":
            hit = at < len(self.text) and re.fullmatch(node.text, self.text[at])
            return frozenset([at + 1]) if hit else frozenset()
        if node.kind == "rule":
            return self.rule(node.text, at)
        if node.kind == "either":
            return frozenset().union(*(self.ends(part, at) for part in node.parts))
        if node.kind == "row":
            here = frozenset([at])
            for part in node.parts:
                here = frozenset().union(*(self.ends(part, i) for i in here))
            return here
        once = self.ends(node.parts[0], at)
        return once | {at} if node.kind == "maybe" else self.many(node, at)

    def many(self, node: Node, at: int) -> frozenset[int]:
        seen: set[int] = {at} if node.kind == "star" else set()
        edge = {at}
        while edge:
            edge = set().union(*(self.ends(node.parts[0], i) for i in edge)) - seen
            seen |= edge
        return frozenset(seen)

    def rule(self, name: str, at: int) -> frozenset[int]:
        key = (name, at)
        if key not in self.known:
            self.known[key] = None
            self.known[key] = self.ends(self.rules[name], at)
        found = self.known[key]
        if found is None:
            raise ValueError(f"rule {name} is left-recursive")
        return found
