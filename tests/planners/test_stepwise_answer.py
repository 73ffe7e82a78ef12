"""Reading answers of the stepwise protocol: many forms, one meaning, and nothing guessed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.planners.stepwise_answer import ANSWER_MAX, Step, read_answer

KNOWN = {"go_to": 1, "pick_up": 1, "place": 1, "which_side": 1}
APPLE = Step("pick_up", ("apple",))


@pytest.mark.parametrize(
    "text",
    [
        '{"step_by_step_reasoning": "it is here", "next_action": "pick_up(apple)"}',
        '```json\n{"next_action": "pick_up[apple]"}\n```',
        'Sure! {"next_action": {"skill": "pick_up", "params": ["apple"]}}',
        '{"next_action": {"name": "pick_up", "arguments": {"thing": "apple"}}}',
        '{"skill": "pick_up", "params": ["apple"]}',
        "1. pick_up(apple)",
        "pick_up[apple]",
        "PickUp('apple')",
        "pick up(apple)",
        'next_action: pick_up(object="apple")',
        '**pick_up("apple")**',
    ],
)
def test_forms_that_models_write(text: str) -> None:
    answer = read_answer(text, KNOWN)
    assert answer.step == APPLE and not answer.refused


def test_first_answer_holds_list_and_step() -> None:
    text = json.dumps({"reasoning": "", "action_list": ["go_to(fruit_table)", "pick_up(apple)", "done"],
                       "first_action": "go_to(fruit_table)"})  # fmt: skip
    answer = read_answer(text, KNOWN)
    assert answer.step == Step("go_to", ("fruit table",))
    assert [str(s) for s in answer.plan] == ["go_to(fruit table)", "pick_up(apple)", "done"]


def test_bare_list_starts_with_the_next_step() -> None:
    answer = read_answer("1. go_to(fruit table)\n2. pick_up(apple)\n3. done", KNOWN)
    assert answer.step == Step("go_to", ("fruit table",)) and len(answer.plan) == 3


DONE = ["done", "Done.", '{"next_action": "done"}', "3. done()", '{"next_action": {"skill": "done"}}']


@pytest.mark.parametrize("text", DONE)
def test_done(text: str) -> None:
    assert read_answer(text, KNOWN).step == Step("done")


def test_give_up_keeps_its_reason() -> None:
    answer = read_answer('{"next_action": "give_up(there is no apple, anywhere)"}', KNOWN)
    assert answer.step == Step("give_up", ("there is no apple, anywhere",))


@pytest.mark.parametrize("text", ["go_to(1.5, -2)", "go_to[1.5, -2]", "go_to(x=1.5, y=-2)"])
def test_point_is_one_argument(text: str) -> None:
    assert read_answer(text, KNOWN).step == Step("go_to", ("1.5, -2",))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("grab(apple)", "grab"),
        ('{"next_action": "pickup_object(apple)"}', "pick_up"),
        ("place(apple, shipping shelf)", "2 arguments"),
        ("pick_up()", "0 arguments"),
        ("I think we should look around.", "names no action"),
        ("", "empty"),
        ('{"reasoning": "hm"}', "next_action"),
        ("x" * (ANSWER_MAX + 1), "more than"),
    ],
)
def test_what_is_no_step_is_refused_and_never_guessed(text: str, word: str) -> None:
    answer = read_answer(text, KNOWN)
    assert answer.step is None
    assert any(word in problem for problem in answer.refused)


@given(st.text(max_size=200))
def test_any_text_is_a_known_step_or_a_refusal(text: str) -> None:
    answer = read_answer(text, KNOWN)
    assert (answer.step is None) == bool(answer.refused)
    assert answer.step is None or answer.step.skill in (*KNOWN, "done", "give_up")


KEYS = st.sampled_from(["next_action", "skill", "params", "action_list", "x"])
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=12)
DATA = st.recursive(LEAVES, lambda x: st.lists(x, max_size=3) | st.dictionaries(KEYS, x, max_size=3), max_leaves=8)


@given(DATA)
def test_any_json_is_a_known_step_or_a_refusal(data: object) -> None:
    answer = read_answer(json.dumps({"next_action": data}), KNOWN)
    assert answer.step is None or answer.step.skill in (*KNOWN, "done", "give_up")
