"""Plans spelled out for reading: words in place of the plan language's abbreviations and signs."""

from sayso.errors import PlanError
from sayso.language import PlanStream
from sayso.language.lexer import split
from sayso.language.printer import whole_names
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
    stream, lines = PlanStream(None), list[tuple[int, str]]()
    try:
        for ready in (*stream.feed(plan), *stream.end()):
            lines += [(ready.depth - 1, ":")] if ready.behind == ":{" else []
            lines.append((ready.depth, f"{':' if ready.behind == ':' else ''}{ready.text}"))
    except PlanError:
        return [(0, line) for line in plan.splitlines()]
    return lines
