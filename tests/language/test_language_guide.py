"""Whether a text can still become a plan: nothing right is refused, nothing wrong is let through, nothing is stuck."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from language_plans import plans
from language_world import SKILLS, native

from sayso.language import check, show
from sayso.language.nodes import Plan
from sayso.language.printer import quote
from sayso.models.pocket.constraints import LETTERS, PlanConstraint
from sayso.skill import Param, Range, SkillSet

slow = settings(max_examples=40)


def goes_on(text: str, skills: SkillSet = SKILLS) -> bool:
    return PlanConstraint(skills).viable(text)


def ends(text: str) -> bool:
    at = PlanConstraint(SKILLS)
    return at.take(text) and at.may_end


@pytest.mark.parametrize(
    "text",
    [
        "mf(100);tc(90)",
        "?!s('apple'){l('I see no apple.');->False}g('apple')",
        "_1=0;6{_1=_1+p('How many?');tc(60)}l(_1)",
        "?iv('apple')&ox('apple')>0.5{tp}:?_1==None{rp}:{la}",
        "move_forward(20.5);take_picture",
        "mf(od('apple')*100-20);l('it\\'s '+_1+' cm')",
        "l(\"it's\");st('red')",
        "1000{d(0)}",
        "h(!_1);h(1<_2)",
        "mf(2*(_1+20)/3)",
    ],
)
def test_what_is_written(text: str) -> None:
    text = text.replace("st(", "sl(") if "sl" in {s.short for s in SKILLS.skills} else text
    assert not check(text, SKILLS)
    assert ends(text)


@pytest.mark.parametrize(
    ("begun", "wrong"),
    [
        ("", "x"),
        ("", "("),
        ("", " "),
        ("mf", ";"),
        ("mf(", "'"),
        ("mf(", ")"),
        ("mf(1", ")"),
        ("mf(501", ")"),
        ("mf(500", ".5)"),
        ("mf(100", ","),
        ("g('", "'"),
        ("g('  ", "'"),
        ("g('apple'", ","),
        ("set_lamp('", "b"),
        ("blink(0", ")"),
        ("blink(1", "0)"),
        ("blink(2", ".5)"),
        ("", "0"),
        ("100", "1"),
        ("2{mf(100)", "{"),
        ("l('a", "\n"),
        ("l('a\\", "q"),
        ("int(", ")"),
        ("?1<2", "<"),
        ("_", "="),
        ("tp", "}"),
        ("replan", "("),
    ],
)
def test_what_cannot_follow(begun: str, wrong: str) -> None:
    """Each beginning is right, and wrong with the next letters."""
    assert goes_on(begun)
    assert not goes_on(begun + wrong)


@slow
@given(plans)
def test_every_plan_that_is_shown_goes_through(plan: Plan) -> None:
    """L49: Any admissible plan as `show` writes it, and so any beginning of one; numbers with an exponent aside."""
    text = show(plan)
    assume(not re.search(r"\de[-+]\d", text))
    at = PlanConstraint(SKILLS)
    for n, letter in enumerate(text):
        assert at.take(letter), f"{text[:n]} | {text[n:]}"
    assert at.may_end or not text


@slow
@given(st.lists(st.integers(0, 94), min_size=1, max_size=60))
def test_whatever_was_let_through_can_be_completed(dice: list[int]) -> None:
    """L49: Any walk over letters that may come has a next letter; led to an end, it is admissible."""
    at = PlanConstraint(SKILLS)
    for n, die in enumerate([*dice, *[0] * 400]):
        if n >= len(dice) and at.may_end:
            break
        letters = sorted(at.letters(), key=LETTERS.index)
        assert letters, f"nothing can follow {at.text}"
        letter = letters[die % len(letters)] if n < len(dice) else home(letters, n)
        assert at.take(letter)
    assert at.may_end, f"no way home from {at.text}"
    assert not check(at.text, SKILLS), at.text


def home(letters: list[str], n: int) -> str:
    """The letter that ends things soonest: first a quote, in turn, for one of them closes an open string."""
    order = ("'\"" if n % 2 else "\"'") + ")};{=,_17230"
    return min(letters, key=lambda c: order.find(c) + 1 or (98 if c in string.ascii_letters else 99))


@slow
@given(st.integers(0, 400), st.integers(0, 400), st.text("0123456789.", min_size=1, max_size=5))
def test_numbers_within_bounds(low: int, high: int, text: str) -> None:
    """Viable is what some number in the range begins with, found by trying all of three more digits."""
    low, high = min(low, high), max(low, high)
    assume(re.fullmatch(r"(0|[1-9]\d*)(\.\d*)?", text))
    skills = SkillSet([native("heat", Param("degrees", "number", "", Range(low, high)))])
    more = ["", *(f"{n:0{d}}" for d in (1, 2, 3) for n in range(10**d)), ".5", "0.5", "00.5", ".001", ".999"]
    tried = (text + m for m in more if re.fullmatch(r"(0|[1-9]\d*)(\.\d+)?", text + m))
    assert goes_on(f"heat({text}", skills) >= any(low <= float(t) <= high for t in tried)
    if goes_on(f"heat({text})", skills):
        assert low <= float(text) <= high
    if not goes_on(f"heat({text}", skills):
        assert not any(goes_on(f"heat({text}{digit}", skills) for digit in "0123456789.")


@slow
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_can_be_quoted(text: str) -> None:
    """As `show` writes it, letter by letter."""
    at = PlanConstraint(SKILLS)
    assert all(at.take(letter) for letter in f"l({quote(text)})"), at.text
    assert at.may_end


def test_half_a_character_cannot_be_written() -> None:
    assert not goes_on("l('\\ud8")
    assert goes_on("l('\\ud7ff")
    assert not goes_on("l('\\U0011")


def test_ranges_below_zero() -> None:
    """A range with a negative part takes a sign, and its digits within that part."""
    skills = SkillSet([native("heat", Param("degrees", "number", "", Range(-20, 35)))])
    assert goes_on("heat(-20)", skills) and goes_on("heat(35)", skills) and goes_on("heat(-0.5)", skills)
    assert not goes_on("heat(-21)", skills) and not goes_on("heat(36)", skills)


def test_bounds_and_sets_without_plain_names() -> None:
    skills = SkillSet([native("turn", Param("angle_deg", "number"))])
    assert goes_on("20{turn(5)}", skills) and not goes_on("1001{turn(5)}", skills)
    assert goes_on("->1", SkillSet())
