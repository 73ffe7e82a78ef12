"""A scripted model: a test double with given answers, and the way to fly a plan written by hand.

It understands nothing. Use it to test a robot, a planner or a world without a model, never to show what a model can
do. Every prompt that it was given is kept in `prompts`.
"""

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from sayso.errors import ModelUnavailable, UsageError
from sayso.models.tokens import counted
from sayso.roles import Chunk, Model, Prompt

Answers: TypeAlias = Sequence[str] | Callable[[Prompt], str]


class Scripted(Model):
    """Gives the answers of a list one after the other, or those that a function makes of the prompt.

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
        self._answers, self._chunk, self._given = answers, chunk, 0

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
        if self._given >= len(self._answers):
            raise ModelUnavailable(
                f"{self.name} has no answer left for this {prompt.purpose}: all {len(self._answers)} are given"
            )
        self._given += 1
        return self._answers[self._given - 1]


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
    if isinstance(data, list) and all(isinstance(a, str) for a in data):
        return Scripted(data, name=name)
    if isinstance(data, dict) and all(_answers_ok(a) for a in data.values()):
        return Scripted(_ByPurpose(data, name), name=name)
    raise UsageError(f"the script {path} must hold a list of strings, or an object from purpose to answers")


def _answers_ok(answers: Any) -> bool:
    texts = answers.values() if isinstance(answers, dict) else answers if isinstance(answers, list) else [None]
    return all(isinstance(a, str) for a in texts)


class _ByPurpose:
    """Answers filed under what they are for."""

    def __init__(self, answers: Mapping[str, list[str] | dict[str, str]], name: str) -> None:
        self._answers, self._name = answers, name
        self._given: dict[str, int] = {}

    def __call__(self, prompt: Prompt) -> str:
        answers = self._answers.get(prompt.purpose, [])
        if isinstance(answers, dict):
            if prompt.question not in answers:
                raise ModelUnavailable(f"{self._name} has no answer to the question {prompt.question!r}")
            return answers[prompt.question]
        given = self._given.get(prompt.purpose, 0)
        if given >= len(answers):
            raise ModelUnavailable(f"{self._name} has no {prompt.purpose} left: all {len(answers)} are given")
        self._given[prompt.purpose] = given + 1
        return answers[given]
