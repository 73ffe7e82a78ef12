"""The printer of plans: canonical text, as short as the language allows, that reads back as the same plan."""

from collections.abc import Iterable

from sayso.language import nodes
from sayso.language.lexer import split
from sayso.skill import Skill, SkillSet, Value

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}

MET, FAILED = "->True", "->False"
"""The end of a plan, well and not."""


def joined(statements: Iterable[str]) -> str:
    """Statements one after the other, with a semicolon where one is needed; an empty one is none."""
    text = ""
    for statement in filter(None, statements):
        text += statement if not text or text.endswith("}") else f";{statement}"
    return text


def repeated(count: int | float, body: Iterable[str]) -> str:
    """A loop around statements."""
    return f"{count}{{{joined(body)}}}"


def when(test: str, then: Iterable[str], otherwise: Iterable[str] | None = None) -> str:
    """A conditional: one or the other by a test."""
    return f"?{test}{{{joined(then)}}}" + ("" if otherwise is None else f":{{{joined(otherwise)}}}")


def show(plan: nodes.Plan, skills: SkillSet | None = None) -> str:
    """Canonical text; `parse(show(plan)) == plan`. With `skills`, abbreviations are written out."""
    return Printer(skills).block(plan.body)


def header(node: nodes.Numbered) -> str:
    """The text of one statement, or of a block the part before its `{`."""
    return Printer(None).header(node)


def whole_names(text: str, skills: SkillSet) -> str:
    """The same text with every abbreviation of a skill written out; quoted text stays as it is."""
    return "".join(skills.stands_for(token) or token for token in split(text))


class Printer:
    """Writes the parts of a plan, with whole names where the skills are known."""

    comma = ","

    def __init__(self, skills: SkillSet | None) -> None:
        self._skills = skills

    def block(self, block: nodes.Block) -> str:
        return joined(map(self._statement, block.statements))

    def _statement(self, node: nodes.Statement) -> str:
        if isinstance(node, nodes.Conditional):
            chain = ":".join(f"{self.header(b)}{{{self.block(b.block)}}}" for b in node.branches)
            return chain if node.otherwise is None else f"{chain}:{{{self.block(node.otherwise)}}}"
        if isinstance(node, nodes.Loop):
            return f"{self.header(node)}{{{self.block(node.block)}}}"
        return self.header(node)

    def header(self, node: nodes.Numbered) -> str:
        if isinstance(node, nodes.Invocation):
            return self._call(node, empty="")
        if isinstance(node, nodes.Assign):
            return f"{node.name}={self.expr(node.value)}"
        if isinstance(node, nodes.Return):
            return f"->{self.expr(node.value)}"
        if isinstance(node, nodes.Branch):
            return f"?{self.expr(node.test)}"
        if isinstance(node, nodes.Loop):
            return str(node.count)
        assert isinstance(node, nodes.Replan)
        return "replan"

    def expr(self, node: nodes.Expr, tighter_than: int = 0) -> str:
        """`node` as an operand of an operator at level `tighter_than`."""
        if isinstance(node, nodes.Operation):
            text, level = self._operation(node)
            return text if level > tighter_than else f"({text})"
        return self._call(node, empty="()") if isinstance(node, nodes.Invocation) else self._atom(node)

    def _atom(self, node: nodes.Literal | nodes.Variable | nodes.Parameter) -> str:
        if isinstance(node, nodes.Literal):
            return literal(node.value)
        if isinstance(node, nodes.Variable):
            return node.name
        return f"${node.index}"

    def _operation(self, node: nodes.Operation) -> tuple[str, int]:
        """Its text, and how tightly that binds."""
        if node.level in (nodes.NOT, nodes.NEGATIVE):
            return node.ops[0] + self.expr(node.items[0], node.level - 1), node.level
        text = self.expr(node.items[0], node.level)
        for op, item in zip(node.ops, node.items[1:], strict=True):
            text += op + self.expr(item, node.level)
        return text, node.level

    def _skill(self, node: nodes.Expr) -> Skill | None:
        if self._skills is None or not isinstance(node, nodes.Invocation):
            return None
        return self._skills.find(node.name)

    def _call(self, node: nodes.Invocation, empty: str) -> str:
        skill = self._skill(node)
        name = skill.name if skill else node.name
        args = self.comma.join(map(self.expr, node.args))
        return f"{name}({args})" if args else name + empty


def literal(value: Value) -> str:
    """A value as a plan writes it."""
    return quote(value) if isinstance(value, str) else repr(value)


def quote(text: str, mark: str = "") -> str:
    """`text` in quotes, or in these, with only what is needed escaped; nothing in it can reach a terminal as a control
    code."""
    mark = mark or ('"' if "'" in text and '"' not in text else "'")
    return mark + "".join(_escaped(c, mark) for c in text) + mark


def _escaped(char: str, mark: str) -> str:
    if char == mark:
        return "\\" + char
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable() or char == "\u3000":
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
