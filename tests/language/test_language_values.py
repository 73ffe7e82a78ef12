"""Values and operators."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from language_world import play, value_of

from sayso.errors import PlanRunError, PlanSyntaxError
from sayso.language import parse, read_value, show


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        ("1+2*3", 7),
        ("(1+2)*3", 9),
        ("10-4-3", 3),
        ("8/4/2", 1.0),
        ("-2*-3", 6),
        ("2--3", 5),
        ("1+2<4", True),
        ("1<2&3<2", False),
        ("True|False&False", True),
        ("!False&False", False),
        ("!1==2", True),
        ("!!5", True),
        ("1==1|1/0", True),
        ("-(2+3)", -5),
        ("1||0&&0", 1),
    ],
)
def test_precedence(expr: str, value: object) -> None:
    """L18: from tight to loose: prefix -, * /, + -, comparison, !, &, |."""
    assert value_of(expr) == value


@pytest.mark.parametrize(
    "expr", ["1<2<3", "1==1==1", "1==!2", "-!1", "1+", "*2", "(1", "1)", "()", "1 2", "f(,1)", "f(1,)"]
)
def test_no_expressions(expr: str) -> None:
    """L19: comparisons do not chain, `!` stands before a whole comparison, parentheses balance."""
    with pytest.raises(PlanSyntaxError):
        parse(f"->{expr};")


def test_short_circuit() -> None:
    """L20: the right side runs only where it decides, and the value is that of the side that decided."""
    assert play("->iv('a')&iv('b')", is_visible=False).calls == ["is_visible('a')"]
    assert play("->iv('a')|iv('b')", is_visible=True).calls == ["is_visible('a')"]
    assert value_of("p('x')|p('y')|p('z')", probe=iter([False, "milk"])) == "milk"
    assert value_of("0|''|None") is None


@pytest.mark.parametrize(
    ("expr", "value"), [("7/2", 3.5), ("6/2", 3.0), ("1+0.5", 1.5), ("2*3", 6), ("5-7", -2), ("1==1.0", True)]
)
def test_numbers_combine(expr: str, value: object) -> None:
    """L21: int and float combine as numbers; `/` gives a float."""
    found = value_of(expr)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        ("1=='1'", False),
        ("1!='1'", True),
        ("True==1", False),
        ("0!=False", True),
        ("None==False", False),
        ("None==None", True),
        ("'a'=='a'", True),
        ("True==true", True),
    ],
)
def test_equality_between_types(expr: str, value: bool) -> None:
    """L22: values of different types are unequal, and that is no error."""
    assert value_of(expr) is value


@pytest.mark.parametrize(
    "expr",
    [
        "1<'2'",
        "True<2",
        "None>1",
        "1+True",
        "True+True",
        "'a'-1",
        "'a'*3",
        "None+'a'",
        "-'a'",
        "-True",
        "1/0",
        "'a'+True",
    ],
)
def test_other_mixtures(expr: str) -> None:
    """L23: ordering or calculating with different types is a run-time error with its place."""
    assert value_of("'apple'<'pear'") is True
    with pytest.raises(PlanRunError) as caught:
        value_of(expr)
    assert caught.value.place.line == 1


@pytest.mark.parametrize(
    ("expr", "value"), [("'a'+'b'", "ab"), ("'n='+5", "n=5"), ("1.5+' m'", "1.5 m"), ("'a'+1+2", "a12")]
)
def test_plus_joins(expr: str, value: str) -> None:
    """L24: + joins two texts, or a text and a number."""
    assert value_of(expr) == value


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        ("int('5')", 5),
        ("int(5.9)", 5),
        ("float('2')", 2.0),
        ("str(1.5)", "1.5"),
        ("str(True)", "True"),
        ("int(True)", 1),
    ],
)
def test_built_ins(expr: str, value: object) -> None:
    """L25: int(), float() and str()."""
    found = value_of(expr)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "expr", ["int('five')", "int(None)", "float('nan')", "float('inf')", "int('9'+'" + "9" * 100 + "')"]
)
def test_no_conversion(expr: str) -> None:
    """L25: what cannot be converted is a run-time error."""
    with pytest.raises(PlanRunError):
        value_of(expr)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("True", True),
        ("false", False),
        (" None\n", None),
        ("3", 3),
        ("-3", -3),
        ("0.5", 0.5),
        ("apple", "apple"),
        ("3 apples", "3 apples"),
        ("True.", "True."),
        ("", ""),
        ("'5'", "'5'"),
        ("nan", "nan"),
        ("1_0", "1_0"),
        ("-", "-"),
    ],
)
def test_read_value(answer: str, value: object) -> None:
    """L26: a model's answer is a bool, int, float or None where the whole of it is one, else text."""
    found = read_value(answer)
    assert found == value
    assert type(found) is type(value)


@given(st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.none())
def test_read_value_reads_what_str_writes(value: object) -> None:
    """L26: for any number, truth value and None."""
    found = read_value(str(value))
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["_1=10;900{_1=_1*_1}", "_1=1.5;900{_1=_1*_1}", "_1='ab';900{_1=_1+_1}"])
def test_values_stay_small(text: str) -> None:
    """L46: numbers and texts that grow without measure are a run-time error."""
    with pytest.raises(PlanRunError, match=r"too large|grows beyond"):
        play(text)


def test_parentheses_are_kept_where_they_matter() -> None:
    """L47: canonical text has the parentheses that it needs, and no others."""
    assert show(parse("->((1)+(2*3))*(4-5)")) == "->(1+2*3)*(4-5)"
    assert show(parse("->1+((2*3))-(4-(5))")) == "->1+2*3-(4-5)"
    assert show(parse("->!(1==2)&(!(1|2))")) == "->!1==2&!(1|2)"
