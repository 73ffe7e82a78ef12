"""The translation of a plan to idiomatic Python, with bare names of the same skills.

For reading, and for an honest comparison of tokens: no prefixes, no spare parentheses, and tests for truth where a
skill answers True or False anyway. `replan()` is expected to end the program by raising.
"""

from collections.abc import Callable

from sayso.language import nodes
from sayso.language.printer import Printer
from sayso.skill import SkillSet

INDENT = "    "
_WORDS = {"|": " or ", "&": " and ", "!": "not ", "-": "-"}
_OPPOSITE = {"==": "is", "!=": "is not"}
_ATOM = 9


def to_python(plan: nodes.Plan, skills: SkillSet | None = None, name: str = "plan") -> str:
    """Python source. A plan that returns becomes a function called `name`; parameters are `arg1`, `arg2`, …"""
    writer = _Writer(skills)
    lines = writer.lines(plan.body)
    if not (writer.returns or writer.parameters):
        return "\n".join(lines) + "\n"
    given = ", ".join(f"arg{i}" for i in range(1, writer.parameters + 1))
    return "\n".join([f"def {name}({given}):", *(INDENT + line for line in lines)]) + "\n"


class _Writer(Printer):
    comma = ", "
    returns = False
    parameters = 0

    def lines(self, block: nodes.Block) -> list[str]:
        lines = [line for statement in block.statements for line in self._written(statement)]
        return lines or ["pass"]

    def _indented(self, head: str, block: nodes.Block) -> list[str]:
        return [head, *(INDENT + line for line in self.lines(block))]

    def _written(self, node: nodes.Statement) -> list[str]:
        if isinstance(node, nodes.Loop):
            return self._indented(f"for _ in range({node.count}):", node.block)
        if isinstance(node, nodes.Conditional):
            return self._conditional(node)
        if isinstance(node, nodes.Assign):
            return [f"{_variable(node.name)} = {self.expr(node.value)}"]
        if isinstance(node, nodes.Return):
            self.returns = True
            return [f"return {self.expr(node.value)}"]
        return [self.expr(node) if isinstance(node, nodes.Invocation) else "replan()"]

    def _conditional(self, node: nodes.Conditional) -> list[str]:
        lines: list[str] = []
        for word, branch in zip(["if", *["elif"] * len(node.branches)], node.branches, strict=False):
            lines += self._indented(f"{word} {self.expr(branch.test)}:", branch.block)
        if node.otherwise is not None:
            lines += self._indented("else:", node.otherwise)
        return lines

    def _atom(self, node: nodes.Literal | nodes.Variable | nodes.Parameter) -> str:
        if isinstance(node, nodes.Literal):
            return repr(node.value)
        if isinstance(node, nodes.Variable):
            return _variable(node.name)
        self.parameters = max(self.parameters, node.index)
        return f"arg{node.index}"

    def _operation(self, node: nodes.Operation) -> tuple[str, int]:
        if node.level in (nodes.NOT, nodes.NEGATIVE):
            return _WORDS[node.ops[0]] + self.expr(node.items[0], node.level - 1), node.level
        if node.level == nodes.COMPARISON:
            return self._comparison(node)
        write: Callable[[nodes.Expr], str] = self._joinable if self._joins(node) else lambda i: self.expr(i, node.level)
        text = self.expr(node.items[0], node.level) if write != self._joinable else write(node.items[0])
        for op, item in zip(node.ops, node.items[1:], strict=True):
            text += _WORDS[op] if op in "|&" else f" {op} "
            text += write(item)
        return text, node.level

    def _joins(self, node: nodes.Operation) -> bool:
        """Whether this `+` chain holds a text, which Python joins to numbers only through str()."""
        texts = any(isinstance(i, nodes.Literal) and isinstance(i.value, str) for i in node.items)
        return node.ops[0] == "+" and texts

    def _joinable(self, node: nodes.Expr) -> str:
        if isinstance(node, nodes.Literal) and isinstance(node.value, str):
            return repr(node.value)
        return f"str({self.expr(node)})"

    def _comparison(self, node: nodes.Operation) -> tuple[str, int]:
        """Equality with True, False or None is one of identity, or of truth where the skill returns a flag."""
        left, right = node.items
        op = node.ops[0]
        single = isinstance(right, nodes.Literal) and (right.value is None or isinstance(right.value, bool))
        if not single or op not in _OPPOSITE:
            return f"{self.expr(left, nodes.COMPARISON)} {op} {self.expr(right, nodes.COMPARISON)}", nodes.COMPARISON
        assert isinstance(right, nodes.Literal)
        if (skill := self._skill(left)) and skill.returns == "flag" and right.value is not None:
            true = (op == "==") == right.value
            return (self.expr(left), _ATOM) if true else (f"not {self.expr(left, nodes.NOT - 1)}", nodes.NOT)
        return f"{self.expr(left, nodes.COMPARISON)} {_OPPOSITE[op]} {right.value}", nodes.COMPARISON


def _variable(name: str) -> str:
    """`_1` as `x1`, `_count` as `count`."""
    word = name.lstrip("_")
    return word if word.isidentifier() else f"x{word}"
