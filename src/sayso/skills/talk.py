"""Skills of talking: telling the person something, asking a model a small question, and the time."""

import re
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from sayso.errors import ModelError, SkillFailed
from sayso.grounding.inflection import amount
from sayso.language import read_value
from sayso.roles import Perception
from sayso.scene import Scene
from sayso.skill import Reading, Value, skill
from sayso.task import UNSENSED

Ask: TypeAlias = Callable[[str, Scene], Awaitable[str]]
"""A question about a scene to the answer's text. Raises `ModelError`."""

_PICKED = re.compile(r"(?<=\w)(\[[\d.]+\]|#[\w-]+)")
"""What tells one of several from the others in a name for machines."""

UNKNOWN = "unknown"
"""What a model answers that cannot tell; see `probe.txt`."""


class Talk:
    """What a robot says and asks. `since_s` tells the seconds since the plan started."""

    def __init__(
        self, tell: Callable[[str], None], ask: Ask | None, perception: Perception, since_s: Callable[[], float]
    ) -> None:
        self._tell, self._ask, self._perception, self._since_s = tell, ask, perception, since_s

    @skill(uses="voice", short="l", means="said({text})")
    async def log(self, text: Value) -> None:
        """Tell the person something: a text, a number or what a skill returned."""
        self._tell(spoken(text))

    @skill(short="p", means="answered({question})")
    async def probe(self, question: str) -> Value:
        """Ask a language model a question about what is in view; the answer is True, False, a number or a word."""
        if self._ask is None:
            raise SkillFailed("there is no language model to ask")
        try:
            answer = read_value(await self._ask(question, await self._perception.look()))
        except ModelError as error:
            raise SkillFailed(f"the question got no answer: {error}") from error
        if answer == UNKNOWN:
            raise SkillFailed(f"nothing that I see tells: {question}", UNSENSED)
        return answer

    @skill(short="t")
    async def time(self) -> float:
        """Seconds since this plan started."""
        return self._since_s()


def spoken(value: Value) -> str:
    """A value as a person would read it."""
    if isinstance(value, Reading):
        return amount(value, value.unit)
    return f"{value:g}" if isinstance(value, float) else _PICKED.sub("", str(value))
