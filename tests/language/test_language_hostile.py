"""Hostile text: a clear error with its place, at once, and never a hang."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from language_world import SKILLS, play, read

from sayso.errors import PlanCheckError, PlanError, PlanSyntaxError
from sayso.language import PlanBounds, PlanStream, check

DEEP = 10_000


def refused_at(text: str, chunk: int = 0) -> int:
    """The offset at which reading stopped."""
    with pytest.raises(PlanSyntaxError) as caught:
        read(text, SKILLS, chunk=chunk)
    assert caught.value.place.line >= 1
    assert len(caught.value.pointed()) < 1000
    return caught.value.place.offset


@pytest.mark.parametrize(
    "text",
    [
        "1{" * DEEP,
        "?1{" * DEEP,
        "->" + "(" * DEEP,
        "l(str(" * DEEP,
        "->" + "!" * DEEP,
        "->" + "-" * DEEP,
        "{" * DEEP,
        "}" * DEEP,
        ")" * DEEP,
    ],
)
@pytest.mark.parametrize("chunk", [0, 7])
def test_deep_nesting(text: str, chunk: int) -> None:
    """L51: ten thousand levels are refused at the first that is too many."""
    assert refused_at(text, chunk) < 250


def test_reading_stops_at_the_bound() -> None:
    """L51: an endless text or string is refused when its bound is passed, not when it has all arrived."""
    for begin, most in (
        ("l('", 5000),
        ("tp;l('a');", 70_000),
        ("    ", 70_000),
        ("->a", 200),
        ("->1", 200),
        ("`", 500),
    ):
        stream = PlanStream(SKILLS)
        fed = 0
        with pytest.raises(PlanError):
            while fed < 10**6:
                stream.feed(begin[-1] * 64 if fed else begin)
                fed += 64
        assert fed < most
        assert stream.plan.source.bytes <= 65_536


def test_ten_megabytes_in_a_string() -> None:
    """L51: one chunk of ten megabytes costs no more than its bound."""
    assert refused_at("l('" + "a" * 10**7 + "')") == 2
    assert len(check("l('" + "a" * 10**7 + "')", SKILLS)) == 1


def test_a_megabyte_where_it_is_allowed() -> None:
    """L51: with bounds raised, a long string is read, in any chunking."""
    bounds = PlanBounds(program_bytes=10**7, string_bytes=10**7)
    text = "l('" + "can't \\n say; " * 20_000 + "')"
    for chunk in (0, 1000, 7):
        assert len(read(text, SKILLS, bounds, chunk=chunk).ready) == 1


def test_many_statements_and_an_endless_chain() -> None:
    """L51: length alone is no depth."""
    bounds = PlanBounds(program_bytes=10**7)
    assert len(read("tc(180);" * 20_000, SKILLS, bounds).ready) == 20_000
    chain = ":".join(["?iv('a'){tp}"] * 5000)
    assert len(read(chain, SKILLS, bounds).ready) == 10_000


@settings(max_examples=100)
@given(st.binary(max_size=200))
def test_binary_noise(noise: bytes) -> None:
    """L51: any bytes are read or refused with a place."""
    for text in (noise.decode("latin-1"), noise.decode("utf-8", "surrogateescape")):
        try:
            read(text, SKILLS, chunk=3)
        except PlanError as error:
            assert 0 <= error.place.offset <= len(text)
            assert error.pointed().isprintable() or "\n" in error.pointed()
        check(text, SKILLS)


@settings(max_examples=100)
@given(st.text(alphabet="tcmf1_$ '\"\\(){};:?=<>!&|+-*/,.`\n", max_size=60))
def test_noise_of_our_own_characters(text: str) -> None:
    """L51: any mixture of the language's own characters is read and run, or refused; `check` agrees which."""
    errors = check(text, SKILLS)
    try:
        play(text, 2)
    except (PlanSyntaxError, PlanCheckError) as error:
        assert str(errors[0]) == str(error)
    except PlanError:
        assert not errors
    else:
        assert not errors


def test_mutations_of_a_plan() -> None:
    """L51: a right plan with characters dropped, doubled and swapped never does anything but read or refuse."""
    plan = "_1=ow('ball');9{?time()>17{->True}:?_1!=None&!iv('a'){tc(15)}_3=ow('it''s');l(\"x\"+_3*1.2);rp}"
    rng = random.Random(7)
    for _ in range(2000):
        chars = list(plan)
        for _ in range(rng.randint(1, 4)):
            i = rng.randrange(len(chars))
            chars[i : i + 1] = rng.choice([[], [chars[i]] * 2, [rng.choice(plan)]])
        try:
            read("".join(chars), SKILLS, chunk=5)
        except PlanError as error:
            assert error.place.offset <= len(chars)


def test_unbalanced_text() -> None:
    """L51: a bracket too many or too few is refused where it shows."""
    assert refused_at("8{tc(1)}}") == 8
    assert refused_at("tc((1)") == 6
    assert refused_at("tc(1))") == 5
    assert refused_at("?iv('a'{tp}") == 7
    assert refused_at("8{tc(1})") == 6
