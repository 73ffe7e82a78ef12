"""The exported grammars against the parser and the checker."""

from functools import cache

import lark
import pytest
from gbnf_reader import Gbnf
from hypothesis import given, settings
from language_plans import plans
from language_world import SKILLS, native

from sayso.errors import UsageError
from sayso.language import check, grammar, show
from sayso.skill import Param, SkillSet

RIGHT = [
    "tc(180)",
    "tc ( 180 ) ; tp",
    "tp\ntp\n",
    "?s('bottle')==True{g('bottle');_2=oh('bottle');l(_2);tp};",
    "8{?iv('a')==True{->True}tc(45)}->False",
    "?iv('a'){tc(1)}:?iv('b'){tc(2)}:{tc(3)}",
    "g(sa('any?'))",
    "mf(50+_1*2)",
    "turn_cw(22.5);replan",
    "rp()",
    "set_lamp('red');hover(True);blink(3)",
    "_1=int(p('how many?'))+1;->_1",
    'l("it\'s here")',
    "",
]
WRONG = [
    "jump()",
    "tc()",
    "tc(1,2)",
    "tp('x')",
    "tc('left')",
    "g(5)",
    "set_lamp('blue')",
    "hover(3)",
    "?_1=5{tp}",
    "1001{tp}",
    "8{tp}}",
    "tp tp",
    "1<2<3",
    "tc(1)+1",
    "l($1)",
    "iv",
]


@cache
def as_lark() -> lark.Lark:
    return lark.Lark(grammar(SKILLS, "lark"), parser="earley", lexer="dynamic")


@cache
def as_gbnf() -> Gbnf:
    return Gbnf(grammar(SKILLS, "gbnf"))


def lark_accepts(text: str) -> bool:
    try:
        as_lark().parse(text)
    except lark.exceptions.LarkError:
        return False
    return True


@pytest.mark.parametrize("text", RIGHT)
def test_grammars_accept(text: str) -> None:
    """L49: what may be written."""
    assert not check(text, SKILLS)
    assert lark_accepts(text)
    assert as_gbnf().accepts(text)


@pytest.mark.parametrize("text", WRONG)
def test_grammars_refuse(text: str) -> None:
    """L49: wrong names, wrong numbers of arguments, wrong kinds of literals, wrong syntax."""
    assert check(text, SKILLS)
    assert not lark_accepts(text)
    assert not as_gbnf().accepts(text)


@settings(max_examples=15)
@given(plans)
def test_lark_accepts_every_admissible_plan(plan: object) -> None:
    """L49: for any plan that the checker admits, as `show` writes it."""
    text = show(plan)
    assert not check(text, SKILLS)
    assert lark_accepts(text)


@settings(max_examples=50)
@given(plans)
def test_gbnf_accepts_every_admissible_plan(plan: object) -> None:
    """L49: the same for GBNF."""
    assert as_gbnf().accepts(show(plan))


def test_a_set_without_plain_names() -> None:
    """L49: a robot none of whose skills goes without arguments still has a grammar."""
    skills = SkillSet([native("turn", Param("angle_deg", "number"), short="t")])
    for accepts in (Gbnf(grammar(skills, "gbnf")).accepts, lark.Lark(grammar(skills, "lark"), parser="earley").parse):
        assert accepts("turn(5);t(6)")


def test_other_formats_are_refused() -> None:
    """L49: the formats are lark and gbnf."""
    with pytest.raises(UsageError, match="lark or gbnf"):
        grammar(SKILLS, "yacc")  # type: ignore[arg-type]
