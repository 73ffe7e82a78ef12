"""The embedded model's words: what it writes comes back exactly, what it reads loses only blanks and capitals."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.models.pocket.tokenizer import CAP, JOIN, MARKS, SIGNS, Spelling, Tokenizer, vocabulary

LETTERS = string.ascii_lowercase + string.digits
BERT = [
    "[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", *string.punctuation, *LETTERS, *(f"##{c}" for c in LETTERS),
    "chair", "the", "to", "walk", "##ing", "42", "café",
]  # fmt: skip
WORDS = Tokenizer(vocabulary(BERT))
PIECES = [*SIGNS, "a", "walk", "to", "Walk", "I", "ID", "12", "7", "WalkToBall", *string.punctuation.replace("<", "")]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_what_is_written_comes_back_exactly(text: str) -> None:
    assert WORDS.text(WORDS.write(text)) == text


@given(st.text(string.ascii_letters + string.digits + string.punctuation.replace("<", "") + " ", max_size=60))
def test_any_printable_text_comes_back_exactly(text: str) -> None:
    assert WORDS.text(WORDS.write(text)) == text


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_spelling_token_by_token_never_takes_anything_back(text: str) -> None:
    spelling, sofar = Spelling(WORDS), ""
    for token in WORDS.write(text):
        sofar += spelling.add(token)
        assert text.startswith(sofar)
    assert sofar == text


def test_reading_keeps_neither_blanks_nor_capitals() -> None:
    assert WORDS.read("Walk  to the\tchair!") == WORDS.read("walk to the chair !")
    assert WORDS.read("walk") != WORDS.read("chair")


def test_marks_are_single_tokens_and_add_no_text() -> None:
    assert len(WORDS.read("".join(MARKS))) == len(MARKS) + 2
    assert WORDS.text(WORDS.ids[m] for m in MARKS if m not in (CAP, JOIN)) == ""


def test_plans_are_short() -> None:
    assert len(WORDS.write("g('chair');tp")) == 6  # g (' chair '); t ##p


def test_a_word_too_long_or_strange_is_unknown() -> None:
    unknown = WORDS.ids["[UNK]"]
    assert WORDS.read("x" * 60) == [WORDS.ids["[CLS]"], unknown, WORDS.ids["[SEP]"]]
    assert unknown in WORDS.read("чай")


def test_a_sign_outside_ascii_cannot_be_written() -> None:
    with pytest.raises(KeyError, match="é"):
        WORDS.write("é")


def test_only_what_can_occur_is_kept(tmp_path: Path) -> None:
    assert "café" not in WORDS.ids
    assert "[unused0]" not in WORDS.ids
    WORDS.save(tmp_path / "vocab.txt")
    assert Tokenizer.load(tmp_path / "vocab.txt").tokens == WORDS.tokens
