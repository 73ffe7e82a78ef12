"""Any amount, in any unit and spelling, is one amount (U4)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.grounding import amounts
from sayso.grounding.tokens import clean, tokens
from sayso.grounding.utterance import read
from sayso.tables.units import TABLE

LENGTHS = [(word, unit["size"]) for unit in TABLE["length"].values() for word in unit["words"]]
WORDS = {
    0.5: "half a", 0.25: "a quarter of a", 1: "one", 7: "seven", 12: "twelve", 1.5: "one and a half",
    2.75: "two and three quarters", 21: "twenty-one", 150: "a hundred and fifty",
}  # fmt: skip


def amount(text: str) -> tuple[str, float]:
    """The kind and value of a text that is one amount, to its last word."""
    words = tokens(clean(text))
    found = amounts.read(words, 0)
    assert found is not None and found.end == len(words), text
    return found.kind, round(found.value, 4)


@given(st.integers(1, 99999), st.sampled_from([0, 1, 2]), st.sampled_from(LENGTHS))
def test_u4_a_length_in_figures_is_the_same_in_every_unit_and_spelling(
    n: int, digits: int, unit: tuple[str, float]
) -> None:
    number = n / 10**digits
    for text in (
        f"{number:g} {unit[0]}",
        f"{number:.{digits}f}{unit[0]}",
        f"{number:.{digits}f} {unit[0]}".replace(".", ","),
    ):
        if not text.replace(",", ".").split(".")[-1][:3].isdigit():  # a comma before three digits could mean thousands
            assert amount(text) == ("length", round(number * unit[1], 4))


@given(st.sampled_from(sorted(WORDS)), st.sampled_from(LENGTHS))
def test_u4_a_length_in_words_is_the_same(number: float, unit: tuple[str, float]) -> None:
    assert amount(f"{WORDS[number]} {unit[0]}") == ("length", round(number * unit[1], 4))


@given(st.integers(1, 9), st.integers(10, 99))
def test_u4_what_follows_a_metre_or_a_foot_goes_on_with_it(n: int, more: int) -> None:
    same = {
        amount(text)
        for text in (f"{n}m{more}", f"{n} m {more}", f"{n} metres {more}", f"{n} metres and {more} cm", f"{n}.{more} m")
    }
    assert same == {("length", float(100 * n + more))}
    inches = more % 11 + 1
    same = {
        amount(text)
        for text in (f"{n} ft {inches}", f"{n} feet {inches} inches", f"{n} foot {inches} in", f"{n}'{inches}\"")
    }
    assert same == {("length", round(30.48 * n + 2.54 * inches, 4))}


@pytest.mark.parametrize(
    ("said", "kind", "value"),
    [
        ("a metre eighty", "length", 180), ("six foot two", "length", 187.96), ("1½ m", "length", 150),
        ("three quarters of a metre", "length", 75), ("two thirds of a metre", "length", 66.6667),
        ("two miles", "length", 321868.8), ("one and a third metres", "length", 133.3333),
        ("a fifth of a full turn", "angle", 72), ("half a turn", "angle", 180), ("two full turns", "angle", 720),
        ("4 paces", "length", 200),
        ("one and a half turns", "angle", 540), ("400 degrees", "angle", 400),
        ("a minute and a half", "time", 90), ("2 minutes and 10 seconds", "time", 130), ("30 %", "share", 30),
        ("a metre and a half", "length", 150), ("three quarters of a turn", "angle", 270),
    ],
)  # fmt: skip
def test_u4_ways_to_say_an_amount(said: str, kind: str, value: float) -> None:
    assert amount(said) == (kind, value)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("go 1 m up, 40 cm left", [1, 0.4]),  # two ways, not one
        ("up 1 m and 40 cm left", [1, 0.4]),
        ("go 1 m 40 cm left", [1.4]),
        ("climb another metre", [1]),
        ("turn left a third of a turn and rise 2 m", [120, 2]),
        ("look at the third chair and go up 1 m", [1]),
        ("go up 2 m 3 times", [2, 3]),
    ],
)
def test_u4_what_is_no_part_of_an_amount_is_not_read_into_it(said: str, told: list[float]) -> None:
    assert all(math.isclose(q.value, v) for q, v in zip(read(said).quantities, told, strict=True))


@pytest.mark.parametrize(
    ("typed", "full"),
    [
        ("dont go there plz", "don't go there please"),
        ("Whats ur height?", "What's your height?"),
        ("r u there", "are you there"),
        ('say "u r gr8"', 'say "u r gr8"'),
        ("go to the dont-care shelf", "go to the dont-care shelf"),
    ],
)
def test_u3_haste_in_spelling_is_read_in_full_but_not_what_is_quoted(typed: str, full: str) -> None:
    assert clean(typed) == full
    assert clean(full) == full
