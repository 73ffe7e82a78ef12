"""The interface of a short form: what the embedded model reads of a prompt, and what it may write.

The model was taught a few kinds of robots, each in a form of its own, which its kit brings along as `Kit.form`. A robot
without one is not guessed at.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Protocol

from sayso.errors import ModelUnavailable
from sayso.roles import Brief, Model, Prompt

EMBEDDED = "pocket"
"""The model that comes with the package."""

UNSURE = "I am not sure that I understood."
OTHERWISE = "Please say it in other words."
UNTAUGHT = "pocket was not taught this robot's skills; plain commands work, or connect a model"


class Constraint(Protocol):
    """An answer in the making, kept within the language of its task whatever the model's weights say."""

    text: str

    def take(self, more: str) -> bool:
        """Go on with `more` if some answer goes on so; else nothing changes."""

    def viable(self, more: str) -> bool:
        """Whether some answer could go on with `more`."""

    def letters(self) -> frozenset[str]:
        """What the next letter can be."""

    @property
    def may_end(self) -> bool:
        """Whether the text is an answer as it is."""


class Form(ABC):
    """A short form: what the model reads and writes for prompts of the purposes in `ways`.

    `lessons` is what weights must have been taught for it, as their card lists it, and `threshold` under which name the
    card tells how sure the model has to be. `whole_wish`: a wish with more in it than is read, `wish_chars`, is
    declined. `reports`: who only tells how things are wants something, as who says that a child is missing does.
    """

    ways: ClassVar[frozenset[str]]
    lessons: ClassVar[str]
    threshold: ClassVar[str]
    whole_wish: ClassVar[bool] = True
    reports: ClassVar[bool] = False
    wish_chars: ClassVar[int] = 400

    @abstractmethod
    def reads(self, prompt: Prompt) -> str:
        """The prompt in short, up to the mark behind which the answer begins."""

    @abstractmethod
    def constraint(self, prompt: Prompt, reads: str) -> Constraint:
        """What may be written in answer to what the model `reads`."""

    def known(self, prompt: Prompt) -> str:
        """The answer to what code reads by itself, to the last word; empty where the model is to be asked."""
        return ""

    def doubt(self, prompt: Prompt, written: str, why: str = UNSURE, *, sure: bool = False) -> str:
        """What is said where the model is in doubt about what it has written, or is `sure` of it but nobody wished for
        anything; `why` is a sentence."""
        return f"{why} {OTHERWISE}"

    @abstractmethod
    def declined(self, prompt: Prompt, says: str) -> str:
        """The answer where nothing is done; `says` is why in a sentence, for answers with room for one."""

    def completed(self, prompt: Prompt, written: str, ask: Callable[[Prompt], str]) -> str:
        """What was written, with what only the model's common sense tells; `ask` puts a `probe` to it."""
        return written

    def ignored(self, prompt: Prompt, written: str, reread: Callable[[Prompt], str]) -> str:
        """The question to ask where something that was said makes no difference to what was written; `reread` tells
        what is written of another prompt."""
        return ""

    def hindered(self, prompt: Prompt, written: str) -> str:
        """Why what was written cannot be taken up; empty where it can."""
        return ""

    def answer(self, prompt: Prompt, written: str) -> str:
        """What was written, as the planner reads it."""
        return written

    def refuses(self, prompt: Prompt, written: str) -> bool:
        """Whether the answer is that nothing is done."""
        return False


def is_terse(model: Model) -> bool:
    """Whether a model says in a form what a wish means, and code makes the plan."""
    return model.name == EMBEDDED


def brief_of(prompt: Prompt) -> Brief:
    """Raises `ModelUnavailable` where there is none to read."""
    if prompt.brief is None:
        raise ModelUnavailable(f"pocket reads a brief, and this prompt ({prompt.purpose}) has none")
    return prompt.brief
