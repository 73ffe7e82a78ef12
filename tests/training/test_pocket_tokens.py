"""The tokenizer: exact on everything that the form can write, small, and the same each time it is learned."""

from __future__ import annotations

import string
from itertools import islice
from pathlib import Path

import training_path  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st

from form import MARKS
from lessons import lessons
from tokenizer import Tokenizer, learn

TEXTS = [one.prompt + one.target for one in lessons(400, seed=31)]
WORDS = learn(TEXTS, 600)


def test_lessons_come_back_exactly() -> None:
    for text in TEXTS:
        assert WORDS.decode(WORDS.encode(text)) == text


@given(st.text(alphabet=string.printable[:95], max_size=80))
def test_any_printable_text_comes_back_exactly(text: str) -> None:
    assert WORDS.decode(WORDS.encode(text)) == text


def test_marks_and_coordinates_are_single_tokens() -> None:
    assert len(WORDS.encode("".join(MARKS))) == len(MARKS)
    assert len(WORDS.encode(" 42 37")) == 2


def test_other_scripts_become_tildes() -> None:
    assert WORDS.decode(WORDS.encode("чай")) == "~~~"


def test_it_shortens_and_keeps_its_size() -> None:
    assert len(WORDS) <= 600
    assert sum(len(WORDS.encode(text)) for text in TEXTS) < 0.5 * sum(map(len, TEXTS))


def test_the_same_texts_teach_the_same_tokens(tmp_path: Path) -> None:
    again = learn(islice(TEXTS, None), 600)
    assert again.merges == WORDS.merges
    again.save(tmp_path / "tokens.json")
    assert Tokenizer.load(tmp_path / "tokens.json").tokens == WORDS.tokens
