"""The case table of the language, each case as a transcript."""

from itertools import chain, count, repeat

import pytest
from language_world import SKILLS, play

from sayso.errors import PlanCheckError, PlanSyntaxError
from sayso.language import PlanStream


def refused(text: str) -> PlanSyntaxError | PlanCheckError:
    """The error that a plan is refused with; nothing at all became ready."""
    stream = PlanStream(SKILLS)
    with pytest.raises((PlanSyntaxError, PlanCheckError)) as caught:
        stream.feed(text)
        stream.end()
    assert [r.text for r in stream.ready] == []
    return caught.value


def test_find_and_report() -> None:
    """L12: if found, go, log its height, take a picture."""
    text = "?s('bottle')==True{g('bottle');_2=oh('bottle');l(_2);tp};"
    seen = chain([False], repeat(True))
    story = play(text, is_visible=lambda _: next(seen), object_height=0.4)
    assert story.calls == [
        "is_visible('bottle')",
        "turn_cw(45)",
        "is_visible('bottle')",
        "goto('bottle')",
        "object_height('bottle')",
        "log(0.4)",
        "take_picture()",
    ]
    assert story.ended.how == "finished"


@pytest.mark.parametrize(("visible", "logged", "value"), [(True, "Yes", True), (False, "No", False)])
def test_look_and_answer(visible: bool, logged: str, value: bool) -> None:
    """L14: look left, log Yes or No, and return it."""
    text = "tu(90);?iv('apple')==True&iv('orange'){l('Yes');->True}l('No');->False;"
    story = play(text, is_visible=visible)
    assert (story.calls[0], story.calls[-1]) == ("turn_ccw(90)", f"log('{logged}')")
    assert (story.ended.how, story.ended.value) == ("returned", value)


def test_ask_all_round_then_go() -> None:
    """L27: ask at up to eight headings and go to the answer."""
    answers = iter([False, False, "banana"])
    story = play("_1=sa('Any edible target here?');?_1!=False{g(_1)};", probe=answers)
    assert story.calls[-1] == "goto('banana')"
    assert story.calls.count("turn_cw(45)") == 2


def test_ask_all_round_in_vain() -> None:
    """L27: eight headings, then no."""
    story = play("_1=sa('Any edible target here?');?_1!=False{g(_1)};")
    assert story.calls.count("turn_cw(45)") == story.calls.count("probe('Any edible target here?')") == 8
    assert "goto" not in "".join(story.calls)


def test_thirty_degree_steps() -> None:
    """L16: 30° steps until something is named."""
    text = "12{_1=p('Any animal target here?');?_1!=False{l(_1);->True}tc(30)}->False;"
    found = play(text, probe=iter([False, "dog"]))
    assert found.calls[2:] == ["probe('Any animal target here?')", "log('dog')"]
    assert found.ended.value is True
    vain = play(text)
    assert vain.calls.count("turn_cw(30)") == 12
    assert vain.ended.value is False


def test_follow_a_ball() -> None:
    """L16: follow a ball until the clock says 17 s."""
    text = (
        "_1=ow('sports ball');500{?time()>17{->True}_2=ox('sports ball');?_2>0.55{tc(15)}?_2<0.45{tu(15)}"
        "_3=ow('sports ball');?_3>_1*1.2{mb(40)}?_3<_1*0.8{mf(40)}d(0.25)}"
    )
    story = play(text, time=count(15), object_x=iter([0.6, 0.4, 0.5]), object_width=iter([0.2, 0.3, 0.1, 0.2]))
    moves = [c for c in story.calls if c.startswith(("turn", "move", "delay"))]
    first, second = ["turn_cw(15)", "move_backward(40)"], ["turn_ccw(15)", "move_forward(40)"]
    assert moves == [*first, "delay(0.25)", *second, "delay(0.25)", "delay(0.25)"]
    assert story.ended.value is True


def test_replan_stops_everything() -> None:
    """L15: turn, ask for a new plan; never move forward."""
    story = play("tc(180);replan;mf(100)")
    assert story.calls == ["turn_cw(180)"]
    assert story.ended.how == "replan"


def test_sixteen_sides() -> None:
    """L5: sixteen sides with float degrees."""
    assert play("16{tc(22.5);mf(20)}").calls == ["turn_cw(22.5)", "move_forward(20)"] * 16


def test_assignment_is_no_expression() -> None:
    """L13: an assignment is not an expression; nothing runs."""
    error = refused("?_1=s('table')==True{g(_1)}")
    assert (error.place.column, error.message) == (4, "an assignment is not an expression")


def test_forgotten_parenthesis() -> None:
    """L36: error at column 6; nothing turns."""
    error = refused("tc(45;tc(10);")
    assert (error.place.line, error.place.column) == (1, 6)
    assert ")" in error.expected


def test_arithmetic_in_an_argument() -> None:
    """L21: one move of 100."""
    assert play("mf(50+50);").calls == ["move_forward(100)"]


def test_anything_in_a_string() -> None:
    """L6: one log with exactly that text."""
    assert play("l('a;b}c) & d==e');").calls == ["log('a;b}c) & d==e')"]


def test_no_final_semicolon() -> None:
    """L3: value False after eight turns."""
    story = play("8{?iv('a')==True{->True}tc(45)}->False")
    assert story.calls.count("turn_cw(45)") == 8
    assert story.ended.value is False


def test_a_bare_name_at_the_end() -> None:
    """L3: both run."""
    assert play("tc(180);tp").calls == ["turn_cw(180)", "take_picture()"]


def test_nothing_behind_a_return() -> None:
    """L14: value 5; no turn."""
    story = play("->5;tc(1);")
    assert (story.calls, story.ended.value) == ([], 5)


def test_compare_and_turn() -> None:
    """L23: turns."""
    assert play("_1=5;?_1>=5{tc(1)}").calls == ["turn_cw(1)"]


@pytest.mark.parametrize(("visible", "turn"), [(True, 1), (False, 2)])
def test_the_other_branch(visible: bool, turn: int) -> None:
    """L17: the other branch when not visible."""
    assert play("?iv('a')==True{tc(1)}:{tc(2)}", is_visible=visible).calls[1:] == [f"turn_cw({turn})"]


def test_nested_call() -> None:
    """L12: a call as an argument."""
    assert play("g(sa('any?'))", probe="chair").calls == ["probe('any?')", "goto('chair')"]


def test_below_the_range() -> None:
    """L34: below the parameter's range, and the error says the range."""
    error = refused("mf(-50);")
    assert "20 to 500 cm" in error.message


def test_a_loop_without_measure() -> None:
    """L35: loop count over the limit; nothing runs."""
    error = refused("1000000000{tc(1)}")
    assert "1000" in error.expected


def test_a_skill_that_is_none() -> None:
    """L32: unknown skill, did you mean replan."""
    assert "did you mean replan?" in refused("replan_now()").message
