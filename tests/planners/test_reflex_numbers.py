"""Numbers in words and digits are read as what they say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.grounding.numbers import read
from sayso.grounding.tokens import clean, tokens

ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def value(text: str) -> float | None:
    """What the whole text says, or None when it is not one number."""
    words = tokens(clean(text))
    number = read(words, 0)
    return number.value if number and number.end == len(words) else None


def in_words(n: int, joint: str) -> str:
    """A number below a thousand as it is said; `joint` stands after the hundreds."""
    if n < 20:
        return ONES[n]
    if n < 100:
        return TENS[n // 10 - 2] + (f"-{ONES[n % 10]}" if n % 10 else "")
    rest = f"{joint}{in_words(n % 100, joint)}" if n % 100 else ""
    return f"{ONES[n // 100]} hundred{rest}"


@pytest.mark.parametrize("joint", [" ", " and "])
def test_every_number_below_a_thousand_round_trips(joint: str) -> None:
    assert [value(in_words(n, joint)) for n in range(1000)] == list(range(1000))


@settings(max_examples=60)
@given(st.integers(1, 999), st.integers(0, 999))
def test_thousands_round_trip(thousands: int, rest: int) -> None:
    text = f"{in_words(thousands, ' and ')} thousand" + (f" {in_words(rest, ' and ')}" if rest else "")
    assert value(text) == thousands * 1000 + rest


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(0, 99))
def test_digits_round_trip(whole: int, hundredths: int) -> None:
    assert value(f"{whole}.{hundredths:02}") == float(f"{whole}.{hundredths:02}")
    assert value(str(whole)) == whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("half", 0.5), ("a half", 0.5), ("one half", 0.5), ("a quarter", 0.25), ("three quarters", 0.75),
        ("one and a half", 1.5), ("1 and a half", 1.5), ("two and three quarters", 2.75), ("1 1/2", 1.5), ("1/4", 0.25),
        ("½", 0.5), ("1½", 1.5), ("one point two five", 1.25), ("zero point five", 0.5), ("point five", 0.5), (".5",
        0.5),
        ("1,5", 1.5), ("a hundred", 100), ("a hundred and one", 101), ("2 hundred", 200), ("2 thousand", 2000),
        ("a couple of", 2), ("fourty two", 42), ("fortyfive", 45), ("nought", 0), ("a", 1),
    ],
)  # fmt: skip
def test_ways_to_say_a_number(text: str, expected: float) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text", ["", "1,500", "-3", "sevn", "twenty twelve", "hundred", "point", "half past", "1/0", "²"]
)
def test_what_is_no_number_is_not_read_as_one(text: str) -> None:
    assert value(text) is None
