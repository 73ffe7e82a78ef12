"""Canonical text."""

from hypothesis import given
from language_plans import plans, texts
from language_world import SKILLS, value_of

from sayso.language import Plan, parse, show


@given(plans)
def test_round_trip(plan: Plan) -> None:
    """L47: `parse(show(plan)) == plan` for any plan, and `show` is its own fixed point."""
    text = show(plan)
    assert parse(text) == plan
    assert show(parse(text)) == text


@given(texts)
def test_any_text_survives(text: str) -> None:
    """L47: any string can be written, and is read back as it was."""
    from sayso.language.printer import quote

    assert value_of(quote(text)) == text
    assert quote(text).isprintable()


def test_shape() -> None:
    """L47: no white space, `;` between statements only, whole names on request."""
    text = " turn_cw( 45 ) ; take_picture()\n8 { ?is_visible('a') == true { -> True } : { rp } } "
    assert show(parse(text)) == "turn_cw(45);take_picture;8{?is_visible('a')==True{->True}:{replan}}"
    assert show(parse("tc(45);tp;?iv('a'){rp}"), SKILLS) == "turn_cw(45);take_picture;?is_visible('a'){replan}"


def test_equality_knows_types() -> None:
    """L47: plans that mean different things are never equal."""
    assert parse("->1") != parse("->True")
    assert parse("->1") != parse("->1.0")
    assert parse("tp;") == parse("\n tp()")
