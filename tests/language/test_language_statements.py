"""Statements: calls, assignments, returns, replan, loops, conditionals."""

import pytest
from language_world import SKILLS, play, value_of

from sayso.errors import PlanRunError, PlanSyntaxError
from sayso.language import parse


def test_in_order() -> None:
    """L1: statements run in order, each when the one before has ended."""
    assert play("tc(1);tc(2);tc(3)").calls == ["turn_cw(1)", "turn_cw(2)", "turn_cw(3)"]
    assert play("").ended.how == "finished"


def test_full_names_and_abbreviations() -> None:
    """L4: a skill goes by its full name and by its abbreviation."""
    assert play("tc(1)").calls == play("turn_cw(1)").calls
    moves = {s.short for s in SKILLS.skills if s.name.startswith(("move", "turn"))}
    assert moves == {"mf", "mb", "ml", "mr", "mu", "md", "tc", "tu"}


def test_parentheses_without_arguments() -> None:
    """L12: without arguments the parentheses may be left out; a call's value is its task's."""
    assert play("tp;tp()").calls == ["take_picture()"] * 2
    assert value_of("time+time()", time=2) == 4
    assert value_of("tp") is None


@pytest.mark.parametrize("text", ["tc(1)+1;", "tp+1;", "tc(1)(2);", "_1=5=6;", "l(_1=5)", "->_1=5", "x=5"])
def test_calls_and_assignments_are_no_expressions_at_large(text: str) -> None:
    """L13: a call statement ends with its call, and `=` stands behind a variable at the head of a statement only."""
    with pytest.raises(PlanSyntaxError):
        parse(text)


def test_assignment() -> None:
    """L13: the last value counts."""
    assert play("_1=1;_2=_1+1;_1=_2*5;->_1").ended.value == 10


def test_return_leaves_loops_and_branches() -> None:
    """L14: a return ends its program from however deep, and says nothing about a new plan."""
    story = play("5{?True{5{->7}}}tc(1)")
    assert (story.calls, story.ended.how, story.ended.value) == ([], "returned", 7)


@pytest.mark.parametrize("word", ["replan", "rp", "replan()", "rp ( )"])
def test_replan(word: str) -> None:
    """L15: replan and rp, with or without parentheses, end the plan at once."""
    story = play(f"5{{tc(1);{word};tc(2)}}tc(3)")
    assert (story.calls, story.ended.how) == (["turn_cw(1)"], "replan")


def test_replan_from_a_composed_skill() -> None:
    """L15: nothing after it runs, arrived or not, even where a skill's body asks for it."""
    from language_world import NATIVES

    from sayso.language import NEED_TEXT, Composed, Interpreter, PlanStream, compose

    skills = compose(NATIVES, [Composed("give_up", "rp;tp", "Give up.")])
    stream = PlanStream(skills)
    stream.feed("give_up();tc(1);8{")
    steps = Interpreter(stream, skills).run()
    with pytest.raises(StopIteration) as stop:
        assert next(steps) is not NEED_TEXT
    assert stop.value.value.how == "replan"


@pytest.mark.parametrize("text", ["replan(1)", "_1=replan", "replan tp", "l(rp)"])
def test_replan_is_a_statement(text: str) -> None:
    """L15: it takes nothing and has no value."""
    with pytest.raises(PlanSyntaxError):
        parse(text)


def test_loops() -> None:
    """L16: a body runs as often as the literal says; loops nest."""
    assert play("2{tc(1);2{tc(2)}}").calls == ["turn_cw(1)", "turn_cw(2)", "turn_cw(2)"] * 2
    assert play("0{tc(1)}3{}").calls == []


@pytest.mark.parametrize("text", ["_1{tp}", "2.5{tp}", "-1{tp}", "(2){tp}", "$1{tp}", "2 tp"])
def test_loop_counts_are_literals(text: str) -> None:
    """L16: there is no other loop."""
    with pytest.raises(PlanSyntaxError):
        parse(text)


@pytest.mark.parametrize(("n", "turn"), [(1, 1), (2, 2), (3, 3), (4, 9)])
def test_chain_of_branches(n: int, turn: int) -> None:
    """L17: the first branch whose condition holds runs, or the one behind the last `:`."""
    text = f"_1={n};?_1==1{{tc(1)}}:?_1==2{{tc(2)}}:?_1==3{{tc(3)}}:{{tc(9)}}tp"
    for chunk in (0, 1):
        assert play(text, chunk).calls == [f"turn_cw({turn})", "take_picture()"]


@pytest.mark.parametrize(
    "text", ["?True{tp};:{tp}", ":{tp}", "?True{tp}:tp", "?True{tp}:{tp}:{tp}", "2{tp}:{tp}", "?{tp}"]
)
def test_stray_colons(text: str) -> None:
    """L17: a `:` stands right behind the `}` of a branch."""
    with pytest.raises(PlanSyntaxError):
        parse(text)


def test_a_bare_condition() -> None:
    """L17: a condition is true when its value is truthy."""
    taken = [t for t in ("1", "'a'", "True", "0", "''", "None", "0.0") if play(f"?{t}{{tp}}").calls]
    assert taken == ["1", "'a'", "True"]


def test_unset_variable() -> None:
    """L9: reading a variable that was never set is a run-time error with its place."""
    with pytest.raises(PlanRunError) as caught:
        play("tc(1);l(_7)")
    assert (caught.value.place.column, caught.value.message) == (9, "_7 is read before it is set")


def test_flat_chains_do_not_nest() -> None:
    """L35: a long chain of `:?` or of operators is no deeper than a short one."""
    chain = ":".join(f"?_1=={i}{{tp}}" for i in range(500))
    assert play(f"_1=499;{chain}").calls == ["take_picture()"]
    assert value_of("+".join(["1"] * 900)) == 900
