"""Composed skills: what follows from their bodies, and what is refused."""

import pytest
from language_world import NATIVES, SKILLS, native, play

from sayso.errors import PlanRunError, UsageError
from sayso.language import NEED_TEXT, Composed, Ended, Interpreter, compose, parse
from sayso.skill import Param, Range, Skill, SkillSet
from sayso.task import Done


def made(source: str, *more: Composed, params: tuple[str, ...] = ()) -> Skill:
    return compose(NATIVES, [Composed("it", source, "Do it.", params=params), *more])["it"]


def run(skills: SkillSet, text: str) -> tuple[list[str], Ended]:
    steps = Interpreter(parse(text), skills).run()
    calls: list[str] = []
    step = next(steps)
    try:
        while step is not NEED_TEXT:
            calls.append(" ".join([*step.through, str(step)]))
            step = steps.send(Done())
    except StopIteration as stop:
        return calls, stop.value
    raise AssertionError("a whole plan needs no text")


def test_parameters_are_values() -> None:
    """L27: `$1` is the value that was passed, never text put in its place."""
    skills = compose(NATIVES, [Composed("say", "l($1);l($1+1)", "Say it.")])
    assert run(skills, "say(2*3)")[0] == ["say log(6)", "say log(7)"]
    hostile = "a');mf(100);l('"
    assert run(skills, f'say("{hostile}")')[0] == [f"say log({hostile!r})", f"say log({hostile + '1'!r})"]


def test_scan_is_true_where_it_sees() -> None:
    """L27: a composed skill's value is that of its return."""
    assert play("->s('cup')", is_visible=iter([False, True])).ended.value is True
    assert play("->s('cup')").ended.value is False


def test_signature_is_inferred() -> None:
    """L28: names, kinds, units and ranges of parameters come from where they are used."""
    assert SKILLS["scan"].params == (Param("object", "thing"),)
    assert SKILLS["scan"].returns == "flag"
    assert SKILLS["scan_abstract"].params == (Param("question", "text"),)
    both = made("mf($1);tc($2);mb($1)")
    assert [str(p) for p in both.params] == ["distance_cm: number 20..500", "angle_deg: number 1..360"]
    assert both.params[0].unit == "cm"
    assert both.uses == ("base",)
    assert both.calls == {"move_forward", "move_backward", "turn_cw"}
    assert [p.name for p in made("mf($1);mf($2)").params] == ["distance_cm1", "distance_cm2"]
    assert [p.name for p in made("mf($1);mf($2)", params=("there", "back")).params] == ["there", "back"]
    assert made("?$1>5{tp}").params[0].kind == "number"


def test_signature_is_inferred_through_others() -> None:
    """L28: also through other composed skills, in whatever order they are given."""
    outer = Composed("outer", "?s($1){g($1);->True}->False", "Find and go.")
    inner = Composed("middle", "->outer($1)", "Go.")
    for order in ([outer, inner], [inner, outer]):
        skills = compose(NATIVES, [*order, Composed("scan", "->iv($1)", "Look.", "s")])
        assert skills["middle"].params == (Param("object", "thing"),)
        assert skills["middle"].returns == "flag"


def test_ranges_meet() -> None:
    """L28: a parameter with two uses suits both."""
    slow = native("creep", Param("distance_cm", "number", "cm", Range(1, 50)))
    skill = compose([*NATIVES, slow], [Composed("it", "mf($1);creep($1)", "Do it.")])["it"]
    assert skill.params[0].range == Range(20, 50)


def test_scope() -> None:
    """L29: a composed skill knows its parameters only, and leaves the caller's variables alone."""
    skills = compose(NATIVES, [Composed("inner", "_1=5;l(_1)", "Set."), Composed("peek", "l(_1)", "Look.")])
    assert run(skills, "_1=1;inner();l(_1)")[0] == ["inner log(5)", "log(1)"]
    with pytest.raises(PlanRunError, match="in peek: _1 is read before it is set"):
        run(skills, "_1=1;peek()")


def test_errors_inside_point_at_the_call() -> None:
    """L29: an error inside a composed skill is shown at the statement of the plan that called it."""
    skills = compose(NATIVES, [Composed("far", "mf($1*2)", "Go far.")])
    with pytest.raises(PlanRunError) as caught:
        run(skills, "tp;far(400)")
    assert caught.value.place.column == 4
    assert caught.value.snippet == "tp;far(400)"


def test_inside_of_what() -> None:
    """L29: native calls say which composed skills they are inside."""
    skills = compose(NATIVES, [Composed("one", "two()", "Do two."), Composed("two", "tp", "Do it.")])
    assert run(skills, "one();tp") == (["one two take_picture()", "take_picture()"], Ended("finished"))


@pytest.mark.parametrize(
    "bodies",
    [{"one": "one()"}, {"one": "two()", "two": "one()"}, {"aa": "bb()", "bb": "2{?cc(){tp}}", "cc": "l(aa())"}],
)
def test_no_circles(bodies: dict[str, str]) -> None:
    """L30: composed skills that call each other in a circle are refused, by name."""
    with pytest.raises(UsageError, match="circle"):
        compose(NATIVES, [Composed(name, source, "Do.") for name, source in bodies.items()])


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("tc(45", "column 6"),
        ("tc(400)", "1 to 360 deg"),
        ("fly(1)", "unknown skill 'fly'"),
        ("l($1);mf($3)", r"uses \$3 but not \$2"),
        ("mf($1);g($1)", "both as number and as thing"),
        ("", "either a body or a MiniSpec source|empty"),
        ("blink($1);mf($1)", "nothing suits"),
    ],
)
def test_bad_bodies(source: str, says: str) -> None:
    """L31: a body that is no plan for these skills is refused when the skill is made."""
    with pytest.raises(UsageError, match=says):
        made(source)


def test_descriptions_and_names() -> None:
    """L31: a composed skill says what it does, and as many names as it has parameters."""
    with pytest.raises(UsageError, match="description"):
        compose(NATIVES, [Composed("it", "tp", " ")])
    with pytest.raises(UsageError, match="names 2 parameters but uses 1"):
        made("g($1)", params=("a", "b"))
