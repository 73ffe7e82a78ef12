"""The plan and the goal in a model's answer, taken apart while it arrives: `want …` stands behind the plan or alone."""

import re
from collections.abc import AsyncIterator, Callable

from sayso.errors import PlanSyntaxError
from sayso.goals.text import parse
from sayso.roles import Session, closing
from sayso.tables.thoughts import CLOSING_TAG, LONGEST_TAG

_PLAN = re.compile(
    r"\s*(?:```|want\b|[^\W\d]\w*(?:\s*[(（;；=＝}?？]|\s*[-－][>＞]|\s*\n\s*[^\s`])|[?？]|[-－][>＞]|\d+\s*[{｛])"
)
"""How a plan begins; anything else is prose, of which nothing runs."""

_OPEN = re.compile(r"\s*(?:[^\W\d]\w*\s*(?:\n\s*`{0,2}|[-－])?|\d+\s*|`{1,2}|[-－])?")
"""What may go on as one, for so many characters."""

OPEN_MAX = 200
_BLOCK = re.compile(r"^[ \t]*(```.*?)(?:```|\Z)", re.MULTILINE | re.DOTALL)
_GOAL = re.compile(r"^[ \t]*(want\b[^\n`]*)", re.MULTILINE)
_GOAL_ALONE = re.compile(r"```\w*\s*want\b")


class PlanExtractor:
    """Takes the plan out of an answer while that arrives. One that begins at once is handed on as it comes; one in a
    fence behind prose when all is there, since thoughts that no tag had opened read like prose, and hold drafts."""

    def __init__(self) -> None:
        self._take: Callable[[str], str] = self._begin
        self._held, self._prose, self._blocks = "", list[str](), 0

    def feed(self, text: str) -> str:
        """The text of the plan that has arrived and was not handed out yet."""
        return self._take(text)

    def rest(self) -> str:
        """What only the end shows: the block in prose, with a goal behind it. Of several blocks and
        of prose without one comes what the parser refuses."""
        if not self._prose:
            return self._held
        prose = "".join(self._prose)
        blocks = [block for block in _BLOCK.finditer(prose) if not _GOAL_ALONE.match(block[1])]
        if self._blocks + len(blocks) > 1:
            return "\n```" if self._blocks else "```\n```\n```"
        if not self._blocks and not blocks:
            return prose
        goal = _GOAL.search(prose, blocks[0].end() if blocks else 0)
        return "".join(f"{block[1]}```" for block in blocks) + (f"\n{goal[1]}" if goal else "")

    def _begin(self, text: str) -> str:
        text = self._held + text
        begins, closed = _PLAN.match(text), CLOSING_TAG.search(text)
        if closed:
            return self._afresh(text[closed.end() :])
        if not begins and _OPEN.fullmatch(text) and len(text) < OPEN_MAX:
            self._held = text
            return ""
        self._held = ""
        if begins and begins[0].endswith("`"):
            self._take, self._blocks = self._fenced, 1
            return begins[0] + self._fenced(text[begins.end() :])
        self._take = (lambda text: text) if begins else self._prosaic
        return self._take(text)

    def _afresh(self, text: str) -> str:
        """Behind thoughts that no tag had opened."""
        self._take, self._held, self._prose = self._begin, "", []
        return self._begin(text)

    def _prosaic(self, text: str) -> str:
        late = self._held + text
        if closed := CLOSING_TAG.search(late):
            return self._afresh(late[closed.end() :])
        self._held = late[-LONGEST_TAG:]
        return self._behind(text)

    def _fenced(self, text: str) -> str:
        plan, fence, prose = (self._held + text).partition("```")
        ready = plan if fence else plan.rstrip("`")
        self._held = "" if fence else plan[len(ready) :]
        if fence:
            self._take = self._behind
            self._behind(prose)
        return ready + fence

    def _behind(self, text: str) -> str:
        self._prose.append(text)
        return ""


_WANT = re.compile(r"(?:^|[;\n}])\s*(want\b)")
_BEGUN = re.compile(r"(?:^|[;\n}])\s*(w|wa|wan|want)$")


class GoalSplitter:
    """Takes a goal behind a plan apart from the plan, while the text arrives. A piece costs what it is long, however
    much came before it: a stop is heard beside the longest plan."""

    def __init__(self) -> None:
        self._before = ";"
        """What stands before that which is held: the end of a statement, or a letter inside one."""
        self._written = PlanExtractor()
        self._held, self._goal, self._inside = "", list[str](), False

    def plan(self, chunk: str) -> str:
        """The text of the plan that has arrived and was not handed out yet."""
        return self._apart(self._written.feed(chunk))

    def _apart(self, chunk: str) -> str:
        if self._inside:
            more, fence, behind = chunk.partition("```")
            self._goal.append(more)
            self._inside = not fence
            return fence + behind
        text = self._before + self._held + chunk
        goal = _WANT.search(text)
        held = goal or _BEGUN.search(text)
        end = held.start(1) if held else len(text)
        self._held = "" if goal else text[end:]
        said = text[:end].rstrip()
        self._before = ";" if said[-1] in ";}" or "\n" in text[len(said) : end] else "x"
        if goal:
            self._inside, self._before = True, ";"
            return text[1:end] + self._apart(text[end:])
        return text[1:end]

    def rest(self) -> str:
        """The text that was held back because it could have become a goal."""
        fresh = self._apart(self._written.rest())
        fresh, self._held = fresh + self._held, ""
        return fresh

    @property
    def goal(self) -> str:
        """The text of the goal; empty where none was written."""
        return "".join(self._goal).strip()


def split(answer: str) -> tuple[str, str]:
    """The answer without its goal, and the goal."""
    apart = GoalSplitter()
    return apart.plan(answer) + apart.rest(), apart.goal


class GoalReporter:
    """Tells a session the goal that a model wrote, the first for each wish: a goal that is not met cannot shrink."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told_for: str | None = None

    def told(self, wish: str) -> bool:
        """Whether a goal of this wish was told."""
        return self._told_for == wish

    def tell(self, goal: str, wish: str) -> None:
        """Tell the session a goal; a text that is none is told to the operator and left."""
        if not goal or self.told(wish):
            return
        try:
            self._session.understood(parse(goal))
        except PlanSyntaxError as error:
            self._session.note(f"the goal behind the plan is none: {error}")
        else:
            self._told_for = wish

    async def plan(self, text: AsyncIterator[str], wish: str) -> AsyncIterator[str]:
        """The plan in a text that arrives, without the goal behind it, which is told as soon as the text is over."""
        apart = GoalSplitter()
        async with closing(text) as chunks:
            async for chunk in chunks:
                yield apart.plan(chunk)
        yield apart.rest()
        self.tell(apart.goal, wish)
