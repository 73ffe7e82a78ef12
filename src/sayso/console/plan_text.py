"""Plans spelled out for reading: words in place of the plan language's abbreviations and signs."""

from collections.abc import Iterator

from sayso.errors import PlanError
from sayso.language import nodes, parse
from sayso.language.lexer import split
from sayso.language.printer import header, whole_names
from sayso.memory.event_text import ELSE, IN_TEXT
from sayso.skill import SkillSet

SIGNS = {"&": " and ", "|": " or ", "==": " is ", "!=": " is not ", ">=": " ≥ ", "<=": " ≤ ", ">": " > ", "<": " < "}


def spelled(statement: str, skills: SkillSet | None = None) -> str:
    """One statement, as `if`, `return` and `repeat`, with the skills' whole names. Quoted text stays as it is."""
    text = statement.strip()
    if text.startswith(":"):
        return f"else {spelled(text[1:], skills)}".rstrip()
    if text.startswith("?"):
        return f"if {_names(text[1:], skills)}"
    if text.startswith("->"):
        return f"return {_names(text[2:], skills)}"
    if text.isdigit():
        return f"repeat {text} times"
    return _names(text, skills)


def _names(text: str, skills: SkillSet | None) -> str:
    whole = whole_names(text, skills) if skills is not None else text
    return "".join(SIGNS.get(token, token) for token in split(whole))


def spelled_line(line: str, skills: SkillSet | None = None) -> str:
    """A line of a mission's story: its statement in words, behind what tells how deep it stands and behind what."""
    statement = line.lstrip(IN_TEXT)
    for behind in filter(None, ELSE.values()):
        statement = statement.removeprefix(behind)
    return f"{line[: len(line) - len(statement)]}{spelled(statement, skills)}"


def plan_lines(plan: str) -> list[tuple[int, str]]:
    """A whole plan as (depth, statement), one a line; as it came where it is no plan."""
    try:
        return list(_lines(parse(plan).body, 0))
    except PlanError:
        return [(0, line) for line in plan.splitlines()]


def _lines(block: nodes.Block, depth: int) -> Iterator[tuple[int, str]]:
    for node in block.statements:
        if isinstance(node, nodes.Conditional):
            for at, branch in enumerate(node.branches):
                yield depth, f"{':' if at else ''}{header(branch)}"
                yield from _lines(branch.block, depth + 1)
            if node.otherwise is not None:
                yield depth, ":"
                yield from _lines(node.otherwise, depth + 1)
            continue
        yield depth, header(node)
        if isinstance(node, nodes.Loop):
            yield from _lines(node.block, depth + 1)
