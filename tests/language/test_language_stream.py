"""Streaming: chunking, completeness, running while text arrives, ends and breaks."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from language_plans import plans
from language_world import SKILLS, World, play, read

from sayso.errors import PlanError, PlanSyntaxError
from sayso.language import NEED_TEXT, Interpreter, Plan, PlanStream, show
from sayso.task import Done

WORDS = (
    "tc(45) mf(100) tp _1=5 ->5 ?iv('a')==True{ } 8{ : ; ( ) , + - -> = == ! & | 'I can't' \"x\" replan $1 ``` _2 1.5 e"
)
PIECES = st.lists(
    st.sampled_from([*WORDS.split(), " ", "\n", "l('a", "')", "'", "\\", "@"]),
    max_size=14,
).map("".join)


def outcome(text: str, cuts: list[int]) -> Any:
    """All that can be observed of reading `text`, cut at `cuts`."""
    stream = PlanStream(SKILLS)
    error = ""
    marks = [0, *sorted(c % (len(text) + 1) for c in cuts), len(text)]
    try:
        for start, stop in pairwise(marks):
            stream.feed(text[start:stop])
        stream.end()
    except PlanError as caught:
        error = f"{type(caught).__name__} {caught}"
    return error, [(r.number, r.text, r.depth, r.place) for r in stream.ready], stream.plan


@given(plans, st.lists(st.integers(0, 10**6), max_size=8))
def test_chunking_never_changes_a_plan(plan: Plan, cuts: list[int]) -> None:
    """L39: any split of any program gives the same statements."""
    text = show(plan)
    assert outcome(text, cuts) == outcome(text, []) == outcome(text, list(range(len(text))))


@settings(max_examples=100)
@given(PIECES, st.lists(st.integers(0, 10**6), max_size=8))
def test_chunking_never_changes_an_error(text: str, cuts: list[int]) -> None:
    """L39: nor, for any text, the error and its place."""
    assert outcome(text, cuts) == outcome(text, []) == outcome(text, list(range(len(text))))


def appears(text: str) -> list[tuple[str, str]]:
    """(statement, the character at which it became complete)."""
    stream = PlanStream(SKILLS)
    found = [(r.text, c) for c in text for r in stream.feed(c)]
    return found + [(r.text, "end") for r in stream.end()]


def test_when_statements_are_complete() -> None:
    """L40: a call at its `)`; a name, an assignment, a return at what closes them; a header at its `{`."""
    assert appears("tc(180);tp;_1=5;tp}"[:-1]) == [("tc(180)", ")"), ("tp", ";"), ("_1=5", ";"), ("tp", "end")]
    assert appears("?iv('a')==True{tp}8{tp()}->5") == [
        ("?iv('a')==True", "{"),
        ("tp", "}"),
        ("8", "{"),
        ("tp", ")"),
        ("->5", "end"),
    ]
    assert appears("?1{tp}:?2{_1=s('a')}:{replan}") == [
        ("?1", "{"),
        ("tp", "}"),
        ("?2", "{"),
        ("_1=s('a')", "}"),
        ("replan", "}"),
    ]


def test_numbers_and_places_of_what_is_ready() -> None:
    """L40: statements are numbered from 1 in the order of the text, with depth and place."""
    ready = read("tp;\n?iv('a'){tp;8{tp}}tp", SKILLS).ready
    assert [(r.number, r.depth, r.place.line, r.place.column) for r in ready] == [
        (1, 0, 1, 1),
        (2, 0, 2, 1),
        (3, 1, 2, 10),
        (4, 1, 2, 13),
        (5, 2, 2, 15),
        (6, 0, 2, 19),
    ]
    assert [r.number for r in ready] == [1, 2, 3, 4, 5, 6]


class Live:
    """A plan that is fed by hand while it runs."""

    def __init__(self, **script: Any) -> None:
        self.stream = PlanStream(SKILLS)
        self.world = World(script)
        self.steps = Interpreter(self.stream, SKILLS).run()
        self.ended: Any = None
        self.told: Any = None

    def feed(self, text: str) -> list[str]:
        """The calls that become possible with `text`."""
        self.stream.feed(text)
        return self.go()

    def go(self) -> list[str]:
        before = len(self.world.calls)
        try:
            step = self.steps.send(self.told)
            while step is not NEED_TEXT:
                step = self.steps.send(self.world.answer(step))
            self.told = None
        except StopIteration as stop:
            self.ended = stop.value
        return self.world.calls[before:]


def test_what_is_ready_says_how_it_is_joined_to_the_branch_before() -> None:
    """L40: what is complete says whether it stands behind a `:`."""
    text = "?a()>1{b()}:?a()>0{c();?a()>3{b()}}:{?a()>2{b()}:{c()};b()};2{c()}"
    ready = read(text, None).ready
    assert [(r.behind, r.text, r.depth) for r in ready if r.behind] == [
        (":", "?a()>0", 0),
        (":{", "?a()>2", 1),
        (":{", "c", 2),
    ]


def test_body_runs_while_it_arrives() -> None:
    """L41: a header runs when it is complete, then each statement of its body; a second pass replays what has come."""
    live = Live(is_visible=True)
    assert live.feed("?iv('a')") == []
    assert live.feed("{") == ["is_visible('a')"]
    assert live.feed("tc(1)") == ["turn_cw(1)"]
    assert live.feed(";2{tc(2);t") == ["turn_cw(2)"]
    assert live.feed("p;") == ["take_picture()"]
    assert live.feed("}tc") == ["turn_cw(2)", "take_picture()"]
    assert live.feed("(3)}") == ["turn_cw(3)"]
    live.stream.end()
    live.go()
    assert live.ended.how == "finished"


def test_false_branch_is_skipped() -> None:
    """L41: the body of a condition that is false is read, checked and skipped."""
    live = Live()
    assert live.feed("?iv('a'){tc(1);") == ["is_visible('a')"]
    assert live.feed("tc(2)") == []
    assert live.feed("}") == []
    assert live.feed("tc(3)") == ["turn_cw(3)"]
    assert live.feed("?iv('a'){tc(4)}:?iv('b'){") == ["is_visible('a')", "is_visible('b')"]
    assert live.feed("tc(5)}:{tc(6)") == ["turn_cw(6)"]
    with pytest.raises(PlanError):
        live.feed("}?False{jump()}")


def test_end_closes_what_ended_cleanly() -> None:
    """L42: the end of the text closes open blocks where a statement ended."""
    assert play("2{tc(1);tp").calls == ["turn_cw(1)", "take_picture()"] * 2
    assert play("?True{2{tc(1)").ended.how == "finished"


@pytest.mark.parametrize(
    "text", ["tc(4", "tc(", "?iv('a')", "_1=", "->", "8", "l('abc", "?1{tp}:", "->1+", "replan(", "->!"]
)
def test_end_inside_a_statement(text: str) -> None:
    """L42: a text that ends inside a statement is an error, and says what was expected."""
    with pytest.raises(PlanSyntaxError) as caught:
        read("tp;" + text)
    assert caught.value.expected
    assert caught.value.place.offset in (len(text) + 3, 5)


@pytest.mark.parametrize(
    ("text", "ran", "dropped", "column"),
    [
        ("tc(1);tc(18", 1, "tc(18", 7),
        ("tc(1);tp", 1, "tp", 7),
        ("tc(1);_1=5", 1, "_1=5", 7),
        ("2{tc(1);", 1, None, 0),
        ("tc(1)", 1, None, 0),
        ("tc(1);l('abc", 1, "l('abc", 7),
        ("tc(1);'abc", 1, "'abc", 7),
        ("tc(1);?iv('a')", 1, "?iv('a')", 7),
        ("?True{tc(1)}:", 1, ":", 13),
        ("", 0, None, 0),
    ],
)
def test_a_stream_that_breaks(text: str, ran: int, dropped: str | None, column: int) -> None:
    """L42: a stream that breaks drops its unfinished statement, says where, and ends the plan as cut."""
    live = Live()
    assert len(live.feed(text)) == ran
    found = live.stream.cut()
    assert (found and found.text) == dropped
    assert (found.place.column if found else 0) == column
    assert live.stream.cut() is None
    live.go()
    assert live.ended.how == "cut"


def test_a_plan_that_returned_is_not_cut() -> None:
    """L42: a break behind the end of the plan does no harm."""
    live = Live()
    live.feed("->5;tc(")
    live.stream.cut()
    assert live.ended.how == "returned"


def test_statements_before_an_error_run() -> None:
    """L37: an interpreter comes to the end of what was right, and then says what was wrong."""
    live = Live()
    with pytest.raises(PlanError):
        live.stream.feed("tc(1);2{tp;jump()}")
    assert live.go() == ["turn_cw(1)", "take_picture()"]
    assert live.ended.how == "cut"
    assert "jump" in live.ended.reason


def test_reading_does_not_wait_for_running() -> None:
    """L43: all text can be read before anything runs, and a plan can run behind its reader at any distance."""
    text = "2{tc(1);?iv('a'){tp}}->7"
    stream = read(text, SKILLS, chunk=1)
    assert len(stream.ready) == 5
    live = Live()
    live.stream = stream
    live.steps = Interpreter(stream, SKILLS).run()
    live.go()
    assert live.ended.value == 7


@given(plans, st.integers(1, 9))
def test_running_does_not_depend_on_chunks(plan: Plan, chunk: int) -> None:
    """L39: any plan does the same whole and in pieces."""

    def told(size: int) -> Any:
        try:
            story = play(show(plan), size, probe="x", time=3, object_x=0.5)
        except PlanError as error:
            return str(error)
        return story.calls, story.ended

    assert told(chunk) == told(0)


@settings(max_examples=60)
@given(plans)
def test_every_prefix_is_read_or_refused(plan: Plan) -> None:
    """L42: cut anywhere, a right program is read so far, or its last statement is named as unfinished."""
    text = show(plan)[:120]
    for stop in range(len(text) + 1):
        stream = PlanStream(SKILLS)
        stream.feed(text[:stop])
        dropped = stream.cut()
        assert dropped is None or text[dropped.place.offset : stop].startswith(dropped.text)
        try:
            read(text[:stop])
        except PlanSyntaxError as error:
            assert error.place.offset <= stop
            assert error.expected


def test_need_text_takes_anything() -> None:
    """L43: resuming without new text asks again."""
    live = Live()
    for told in (None, Done()):
        live.told = told
        assert live.go() == []
    assert live.feed("tp;") == ["take_picture()"]
