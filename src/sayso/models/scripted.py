"""A scripted model: a test double with given answers, and the way to fly a plan written by hand.

It understands nothing. Use it to test a robot, a planner or a world without a model, never to show what a model can
do. Every prompt that it was given is kept in `prompts`.
"""

import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from sayso.errors import ModelUnavailable, UsageError
from sayso.models.tokens import counted
from sayso.roles import Chunk, Model, Prompt

Answers: TypeAlias = Sequence[str] | Mapping[str, Sequence[str] | Mapping[str, str]] | Callable[[Prompt], str]


class Scripted(Model):
    """Gives the answers of a list one after the other, or those that a function makes of the prompt. They may be filed
    by a prompt's purpose, and of one purpose by the question.

    `chunk` is the number of characters handed over at a time. A list that has run out is a `ModelUnavailable`. A
    picture that comes with a prompt is taken, and not looked at.
    """

    picture_px = 512

    def __init__(self, answers: Answers, *, chunk: int = 8, name: str = "scripted (a test double)") -> None:
        if isinstance(answers, str):
            raise UsageError("Scripted takes a list of answers or a function; put a single answer in a list")
        if chunk < 1:
            raise UsageError(f"chunk is a number of characters, at least 1, not {chunk}")
        self.name = name
        self.prompts: list[Prompt] = []
        self._answers, self._chunk = answers, chunk
        self._given = Counter[str]()

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """The next answer, in chunks, without any delay."""
        self.prompts.append(prompt)
        answer = self._answer(prompt)
        for at in range(0, len(answer), self._chunk):
            yield Chunk(answer[at : at + self._chunk])
        yield Chunk("", counted(prompt, answer))

    def _answer(self, prompt: Prompt) -> str:
        if callable(self._answers):
            return self._answers(prompt)
        kind, filed = "", self._answers
        if isinstance(filed, Mapping):
            kind, filed = prompt.purpose, filed.get(prompt.purpose, ())
        if isinstance(filed, Mapping):
            if prompt.question not in filed:
                raise ModelUnavailable(f"{self.name} has no answer to the question {prompt.question!r}")
            return str(filed[prompt.question])
        if self._given[kind] >= len(filed):
            raise ModelUnavailable(
                f"{self.name} has no answer left for this {prompt.purpose}: all {len(filed)} are given"
            )
        self._given[kind] += 1
        return filed[self._given[kind] - 1]


def read_script(path: Path) -> Scripted:
    """A script from a file: a `.json` list of answers or object by purpose, else one plan in MiniSpec.

    The object maps a prompt's purpose to its answers in order, `{"plan": ["…"], "replan": ["…"], "probe": ["apple"]}`;
    a purpose may instead map questions to answers, `{"probe": {"Anything red?": "apple"}}`.
    """
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text) if path.suffix == ".json" else [text]
    except OSError as error:
        raise UsageError(f"cannot read the script {path}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"the script {path} is not valid: {error}") from error
    name = f"scripted:{path.name} (a test double)"
    if all(map(_answers_ok, data.values() if isinstance(data, dict) else [data])):
        return Scripted(data, name=name)
    raise UsageError(f"the script {path} must hold a list of strings, or an object from purpose to answers")


def _answers_ok(answers: Any) -> bool:
    texts = answers.values() if isinstance(answers, dict) else answers if isinstance(answers, list) else [None]
    return all(isinstance(a, str) for a in texts)
