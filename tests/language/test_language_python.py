"""The translation to Python does what the plan does."""

import pytest
from language_world import COMPOSED, SKILLS, World, play

from sayso.errors import SaysoError
from sayso.language import parse, to_python
from sayso.language.run import Call
from sayso.task import Done, Task


class ReplanAskedError(SaysoError):
    """What `replan()` raises in translated programs."""


def in_python(text: str, **script: object) -> tuple[list[str], object]:
    world = World(script)  # type: ignore[arg-type]

    def native(name: str) -> object:
        def call(*args: object) -> object:
            outcome = world.answer(Call(Task(name), SKILLS[name], args, 0))  # type: ignore[arg-type]
            assert isinstance(outcome, Done)
            return outcome.value

        return call

    def replan() -> None:
        raise ReplanAskedError

    names: dict[str, object] = {s.name: native(s.name) for s in SKILLS.skills if s.body} | {"replan": replan}
    for composed in COMPOSED:
        exec(to_python(parse(composed.source), SKILLS, composed.name), names)
    code = to_python(parse(text), SKILLS)
    value: object = None
    try:
        exec(code, names)
        value = names["plan"]() if "plan" in names else None  # type: ignore[operator]
    except ReplanAskedError:
        value = "replan"
    return world.calls, value


PLANS = [
    "?s('bottle')==True{g('bottle');_2=oh('bottle');l(_2);tp};",
    "tu(90);?iv('apple')==True&iv('orange'){l('Yes');->True}l('No');->False;",
    "_1=sa('Any edible target here?');?_1!=False{g(_1)};",
    "12{_1=p('Any animal target here?');?_1!=False{l(_1);->True}tc(30)}->False;",
    "tc(180);replan;mf(100)",
    "3{tc(22.5);mf(10+10)}",
    "?iv('a')==False{tc(1)}:?iv('b')!=True{tc(2)}:{tc(3)}",
    "_count=0;4{_count=_count+1;?_count*2>5|_count==1{l('n='+_count+'!')}}->-_count/2",
    "?!(iv('a')|2>1&ox('b')<0.5){tp}->!iv('a')==True",
    "->1-(2-3)-4*(5+6)/2",
    "2{}?None==p('x'){}:{tp}",
]


@pytest.mark.parametrize("text", PLANS)
@pytest.mark.parametrize("visible", [True, False])
def test_python_does_the_same(text: str, visible: bool) -> None:
    """L48: the same calls in the same order, and the same value."""
    script = {"is_visible": visible, "object_height": 0.5, "object_x": 0.3}
    story = play(text, **script)  # type: ignore[arg-type]
    ended = "replan" if story.ended.how == "replan" else story.ended.value
    assert in_python(text, **script) == (story.calls, ended)


def test_idiom() -> None:
    """L48: bare names, a function only where something is returned, truth where a skill answers with it."""
    assert to_python(parse("8{?iv($1)==True{->True}tc(45)}->False"), SKILLS, "scan") == (
        "def scan(arg1):\n"
        "    for _ in range(8):\n"
        "        if is_visible(arg1):\n"
        "            return True\n"
        "        turn_cw(45)\n"
        "    return False\n"
    )
    assert to_python(parse("_1=p('x');?_1!=False{tp}"), SKILLS) == (
        "x1 = probe('x')\nif x1 is not False:\n    take_picture()\n"
    )
