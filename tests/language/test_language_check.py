"""Checking: what is refused before anything moves, and how it is told."""

import pytest
from language_world import NATIVES, SKILLS, native, play, read

from sayso.errors import PlanCheckError, PlanError, PlanRunError, PlanSyntaxError
from sayso.language import PlanBounds, PlanStream, check, parse
from sayso.skill import SkillSet


def only(text: str, bounds: PlanBounds | None = None) -> PlanError:
    errors = check(text, SKILLS, bounds)
    assert len(errors) == 1, errors
    return errors[0]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("replan_now()", "replan"),
        ("take_pic()", "take_picture"),
        ("l(is_visble('a'))", "is_visible"),
        ("turn_cv(5)", "turn_cw"),
    ],
)
def test_unknown_names(text: str, meant: str) -> None:
    """L32: an unknown name is an error, with the name that was probably meant."""
    assert f"did you mean {meant}?" in only(text).message


def test_unknown_and_unlike() -> None:
    """L32: where nothing is alike, a short list says what there is."""
    few = SkillSet([native("land"), native("take_off")])
    assert check("xyzzy()", few)[0].expected == "one of land, take_off"
    assert only("qqqqqq()").expected == "a skill of this robot"
    assert check("tp", SkillSet())[0].message == "unknown skill 'tp'"


@pytest.mark.parametrize("text", ["tc()", "tc", "tc(1,2)", "tp(1)", "int()", "l(str(1,2))", "->iv"])
def test_arity(text: str) -> None:
    """L33: as many arguments as parameters."""
    assert "argument" in only(text).message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mf('far')", "takes a number"),
        ("mf(True)", "takes a number"),
        ("g(5)", "takes text in quotes"),
        ("g(' ')", "must name something"),
        ("mf(501)", "20 to 500 cm, not 501"),
        ("tc(0)", "1 to 360 deg, not 0"),
        ("mf(-50)", "20 to 500 cm, not -50"),
        ("mf(500+1)", "not 501"),
        ("mf(2*(3+4))", "not 14"),
        ("blink(2.5)", "whole number"),
        ("set_lamp('blue')", "red, green"),
        ("hover(1)", "True or False"),
        ("?iv(5){tp}", "takes text"),
        ("_1=ox(None)", "takes text"),
        ("l(iv(3))", "takes text"),
    ],
)
def test_literals(text: str, says: str) -> None:
    """L34: kind and range of literals, and of what follows from literals alone, with the unit."""
    assert says in only(text).message


@pytest.mark.parametrize(
    "text", ["mf(50+50)", "mf(_1)", "mf(ox('a')*100)", "blink(4/2)", "l(5)", "l('a')", "mf('a'-1)"]
)
def test_what_only_running_can_tell(text: str) -> None:
    """L34: what depends on a value of the run is left to the run."""
    assert not check(text, SKILLS)


def test_values_at_run_time() -> None:
    """L34: there the same question is asked again."""
    with pytest.raises(PlanRunError, match="move_forward: distance_cm must be 20 to 500 cm, not 2"):
        play("_1=1;tp;mf(_1*2)")


def test_parameters_outside_bodies() -> None:
    """L27: `$1` has a meaning in a composed skill only."""
    assert "composed" in only("l($1)").message
    assert not check("l($1)", SKILLS, params=1)
    assert "1 parameter" in check("l($2)", SKILLS, params=1)[0].message
    with pytest.raises(PlanSyntaxError):
        parse("l($0)")


BOUNDS = PlanBounds(depth=3, string_bytes=10, loop_count=5, program_bytes=60, operands=8)


@pytest.mark.parametrize(
    ("inside", "beyond", "column"),
    [
        ("5{tp}", "6{tp}", 1),
        ("1{1{1{tp}}}", "1{1{1{1{tp}}}}", 8),
        ("1{?1{tp}:?2{1{tp}}}", "1{1{?1{tp}:?2{1{tp}}}}", 16),
        ("l(((1)))", "l((((1))))", 5),
        ("l(str(-1))", "l(str(--1))", 8),
        ("l('0123456789')", "l('0123456789a')", 3),
        ("l('éééää')", "l('ééééäa')", 3),
        ("tp;" * 20, "tp;" * 21, 61),
        ("_1=1+1+1+1+1+1+1+1", "_1=1+1+1+1+1+1+1+1+1", 19),
    ],
)
def test_bounds(inside: str, beyond: str, column: int) -> None:
    """L35: nesting, text, loop counts, program and statement each have a bound, and the error names it."""
    assert not check(inside, SKILLS, BOUNDS)
    for chunk in (0, 1, 4):
        with pytest.raises(PlanError) as caught:
            read(beyond, SKILLS, BOUNDS, chunk=chunk)
        assert caught.value.place.column == column
        assert "at most" in caught.value.expected


def test_default_bounds() -> None:
    """L35: nesting 32, text 4 kB, loop count 1000, program 64 kB, 10,000 statements."""
    assert PlanBounds() == PlanBounds(32, 4096, 1000, 65536, 10_000)
    assert not check("1{" * 32 + "tp" + "}" * 32, SKILLS)
    assert check("1{" * 33 + "tp" + "}" * 33, SKILLS)
    assert not check("1000{tp}", SKILLS)


def test_errors_point() -> None:
    """L36: line, column, the line with a caret, and what was expected."""
    error = only("tp;\n  8{tc(45);mf('far')}\n")
    assert isinstance(error, PlanCheckError)
    assert (error.place.line, error.place.column) == (2, 15)
    assert error.snippet == "  8{tc(45);mf('far')}"
    assert error.pointed().split("\n")[-1].index("^") == 2 + 14
    assert error.expected == "distance_cm: number 20..500"


def test_long_lines_and_control_characters_in_errors() -> None:
    """L36: only the neighbourhood is shown, and nothing that a terminal would obey."""
    text = "tp;" * 2000 + "l('\x1b[2J');oops()"
    shown = only(text).pointed()
    assert len(shown) < 400
    assert "\x1b" not in shown
    assert shown.split("\n")[1][len(shown.split("\n")[2]) - 1 :].startswith("oops()")


def test_nothing_behind_an_error_runs() -> None:
    """L37: what stands before an error runs; it and what follows never do."""
    stream = PlanStream(SKILLS)
    with pytest.raises(PlanCheckError) as first:
        stream.feed("tc(1);tp;mf(1);tc(2)")
    assert [r.text for r in stream.ready] == ["tc(1)", "tp"]
    assert stream.plan.broken
    with pytest.raises(PlanCheckError) as again:
        stream.feed("tp;")
    assert again.value is first.value
    assert len(stream.plan.body.statements) == 2


def test_all_errors_at_once() -> None:
    """L38: `check` goes on behind an error and reports every one, in order."""
    text = "mf(-50);1001{jump()};tc(45;tc(400);?_1=s('a'){g(1)}tp}\nl('x'\ntc(0);hover(1,2)"
    found = [(e.place.line, e.place.column) for e in check(text, SKILLS)]
    assert found == [(1, 4), (1, 9), (1, 14), (1, 27), (1, 31), (1, 39), (1, 49), (1, 54), (3, 1), (3, 4), (3, 7)]


def test_noise_has_few_errors() -> None:
    """L38: noise does not drown its reader."""
    assert 1 <= len(check("\n@" * 5000, SKILLS)) <= 100
    assert not check("", SKILLS)


def test_check_agrees_with_the_stream() -> None:
    """L38: the first error of `check` is the one that a stream raises."""
    for text in ("tc(45;tc(10);", "mf(1);jump()", "8{tp}}", "l('a", "?iv('a')", "```\ntp\n```x"):
        with pytest.raises(PlanError) as caught:
            read(text, SKILLS)
        assert str(check(text, SKILLS)[0]) == str(caught.value)


def test_two_sets_side_by_side() -> None:
    """L50: what one robot can do says nothing about another."""
    other = SkillSet([native("turn_cw", short="xx"), native("beep", short="be")])
    assert not check("be", other)
    assert check("be", SKILLS)
    assert check("xx", SkillSet(NATIVES))
