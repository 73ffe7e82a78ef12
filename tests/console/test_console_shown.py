"""What a page shows follows from the events alone."""

from __future__ import annotations

from dataclasses import fields

import pytest
from console_shown import show_all
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso import events as ev
from sayso.console.plan_text import spelled
from sayso.grounding.answers import choices
from sayso.memory.mission_view import ITEMS, MissionView, updated
from sayso.scene import Pose, Scene, Thing, scene_json

PLAN = [
    ev.MissionStarted(instruction="fetch it", setup={"world": "office"}),
    ev.Prompted(at_s=0.1, call=1, purpose="plan", model="m", messages=()),
    ev.ChunkArrived(at_s=0.4, call=1, text="?s('x')"),
    ev.StatementReady(at_s=0.4, statement=1, text="?s('x')", line=1, column=1),
    ev.StatementReady(at_s=0.5, statement=2, text="g('x')", line=1, column=9, depth=1),
    ev.StatementReady(at_s=0.6, statement=3, text="tp", line=1, column=16),
    ev.AnswerEnded(at_s=0.7, call=1, tokens_in=100, tokens_out=12),
]


def states(shown: MissionView) -> list[str]:
    return [row.state for item in shown.items if item.kind == "plan" for row in item.rows]


def test_a_statement_lights_up_with_the_branch_around_it_and_keeps_its_value() -> None:
    shown = show_all([*PLAN, ev.TaskStarted(at_s=1, task=1, skill="goto", args=("x",), statement=2)])
    assert states(shown) == ["running", "running", "ready"]
    shown = updated(shown, ev.TaskEnded(at_s=2, task=1, skill="goto", outcome="done", value=True))
    plan = shown.items[1]
    assert (plan.rows[1].state, plan.rows[1].note) == ("done", "= True")
    shown = updated(shown, ev.TaskStarted(at_s=2, task=2, skill="take_picture", statement=3))
    assert states(shown) == ["done", "done", "running"], "the branch is over when what follows it runs"


def branches() -> list[ev.Event]:
    """`?a>0{b}:?a>1{c}:{d}`, and d runs."""
    texts = [("?a>0", 0, ""), ("b", 1, ""), ("?a>1", 0, ":"), ("c", 1, ""), ("d", 1, ":{")]
    ready = [
        ev.StatementReady(statement=n, text=text, line=1, column=n, depth=depth, behind=behind)
        for n, (text, depth, behind) in enumerate(texts, 1)
    ]
    return [PLAN[0], *ready, ev.TaskStarted(at_s=1, task=1, skill="d", statement=5)]


def test_what_runs_otherwise_stands_below_an_else() -> None:
    shown = show_all(branches())
    rows = [(row.depth, spelled(row.text), row.state) for row in shown.items[1].rows]
    assert rows[2:] == [(0, "else if a > 1", "ready"), (1, "c", "ready"), (0, "else", "running"), (1, "d", "running")]


def test_a_refusal_is_an_answer_with_its_reason() -> None:
    def verdict(*events: ev.Event) -> tuple[str, bool]:
        item = show_all([PLAN[0], *events]).items[-1]
        return item.text, item.calm

    end = ev.MissionEnded(outcome="not_achieved", reason="I have no hands.", value=False)
    assert verdict(end) == ("not done: I have no hands.", True)
    assert verdict(ev.Said(text="I have no hands."), end) == ("not done, for that reason", True)
    assert verdict(ev.MissionEnded(outcome="not_achieved", reason="gone")) == ("not achieved: gone", False)
    assert verdict(ev.MissionEnded(outcome="stopped", reason="stopped by key")) == ("stopped by key", True)
    unseen = ev.MissionEnded(outcome="achieved", reason="done", unknown=("nobody looked",))
    assert verdict(unseen) == ("achieved, not verified: nobody looked", True), "no success to be shown in green"


def test_a_failed_statement_says_why() -> None:
    shown = show_all([*PLAN, ev.TaskStarted(task=1, skill="goto", statement=2)])
    shown = updated(shown, ev.TaskEnded(task=1, skill="goto", outcome="refused", detail="altitude: too high"))
    assert shown.items[1].rows[1].note == "altitude: too high"


def test_the_plan_streams_in_and_its_text_goes_when_it_is_whole() -> None:
    assert show_all(PLAN[:2]).awaited == "asks m for a plan"
    assert show_all(PLAN[:3]).arriving == "?s('x')"
    assert show_all(PLAN).arriving == ""


def test_figures_are_measured() -> None:
    events = [*PLAN, ev.TaskStarted(at_s=0.9, task=1, skill="goto", statement=2)]
    figures = show_all(events, MissionView(moving=frozenset({"goto"}))).figures
    assert (figures.r_time_s, figures.tokens_in, figures.tokens_out, figures.calls) == (0.9, 100, 12, 1)
    assert figures.first_text_s == pytest.approx(0.3)


def test_a_replan_begins_another_plan_and_keeps_the_first_one() -> None:
    more = ev.StatementReady(statement=4, text="l('no')", line=1, column=1)
    shown = show_all([*PLAN, ev.Replanned(round=1, reason="it is gone"), more])
    assert [item.kind for item in shown.items] == ["wish", "plan", "replan", "plan"]


def test_a_step_that_wished_for_a_new_plan_is_done_and_one_that_was_preempted_did_not_fail() -> None:
    texts = enumerate(["g('x')", "replan"], start=1)
    rows = [ev.StatementReady(statement=n, text=text, line=1, column=1) for n, text in texts]
    shown = show_all([*PLAN[:1], *rows, ev.TaskStarted(task=1, skill="g", statement=1)])
    shown = updated(shown, ev.TaskEnded(task=1, skill="g", outcome="preempted", detail="battery"))
    assert states(updated(shown, ev.PlanEnded(how="replan"))) == ["dropped", "done"]


def test_each_step_of_a_planner_that_goes_on_from_step_to_step_keeps_its_own_end() -> None:
    """Each is a plan, whose statements count from 1."""

    def step(task: int, text: str) -> list[ev.Event]:
        return [
            ev.StatementReady(statement=1, text=text, line=1, column=1),
            ev.TaskStarted(task=task, skill=text, statement=1),
            ev.TaskEnded(task=task, skill=text, outcome="done", value=text),
            ev.PlanEnded(how="finished"),
        ]

    shown = show_all([PLAN[0], *step(1, "go_to"), *step(2, "pick_up"), *step(3, "place")[:2]])
    rows = [(row.text, row.state, row.note, row.times) for row in shown.plan]
    assert rows == [
        ("go_to", "done", "= 'go_to'", 1),
        ("pick_up", "done", "= 'pick_up'", 1),
        ("place", "running", "", 1),
    ]


@pytest.mark.parametrize(("how", "state"), [("finished", "done"), ("failed", "dropped")])
def test_a_loop_is_over_with_its_plan(how: str, state: str) -> None:
    shown = show_all([*PLAN, ev.TaskStarted(task=1, skill="goto", statement=2)])
    shown = updated(shown, ev.TaskEnded(task=1, skill="goto", outcome="done"))
    assert states(shown)[0] == "running" and states(updated(shown, ev.PlanEnded(how=how)))[0] == state


@pytest.mark.parametrize(
    ("event", "kind", "part"),
    [
        (ev.PlanRefused(error="no skill jump", pointed="jump\n^"), "refused", "jump"),
        (ev.LimitHeld(limit="altitude", asked="9 m", bound="at most 3 m"), "limit", "9 m"),
        (ev.Warned(text="a lagging link"), "warning", "lagging"),
        (ev.Stopped(state="hovering", confirmed=False), "stop", "NOT CONFIRMED"),
        (ev.PictureTaken(file="a.png", labels=("cup",)), "picture", "cup"),
        (ev.AnswerFailed(call=1, error="time-out"), "note", "no answer"),
        (ev.TaskSuspended(task=1, skill="goto", by="battery"), "note", "battery"),
        (ev.MissionEnded(outcome="not_achieved", reason="gone"), "verdict", "not achieved"),
    ],
)
def test_what_happens_is_told(event: ev.Event, kind: str, part: str) -> None:
    last = show_all([*PLAN, event]).items[-1]
    assert last.kind == kind and part in last.text


def test_things_are_believed_until_they_are_seen_elsewhere() -> None:
    looks = [Scene((Thing("cup-1", "cup", pose=Pose(1, 2)),)), Scene()]
    shown = show_all(ev.Observed(at_s=at_s, scene=scene_json(look)) for at_s, look in zip((1, 9), looks, strict=True))
    belief = shown.beliefs["cup-1"]
    assert (belief.seen_s, belief.pose and belief.pose.x_m) == (1, 1)
    assert shown.scene == Scene() and shown.looked_s == 9


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("Which one: the red cup, the blue cup or neither?", ("the red cup", "the blue cup", "neither")),
        ("Tea or coffee?", ("Tea", "coffee")),
        ("Do you want tea or coffee?", ("tea", "coffee")),
        ("Shall I go on?", ("yes", "no")),
        ("What is your name?", ()),
    ],
)
def test_a_question_offers_its_answers(question: str, offered: tuple[str, ...]) -> None:
    assert choices(question) == offered
    item = show_all([ev.Said(text=question)]).items[-1]
    assert (item.kind, item.choices) == ("asks", offered)


def test_hostile_text_is_cleaned_and_bounded() -> None:
    shown = show_all([ev.MissionStarted(instruction="\u202eevil\x1b[2J<b>", setup={}), ev.Said(text="x" * 10_000)])
    assert shown.items[0].text == "evil[2J<b>", "markup stays, as text; what moves cursors or turns writing goes"
    assert len(shown.items[1].text) == 2000


def test_a_talkative_robot_fills_no_browser() -> None:
    shown = show_all(ev.Said(text=str(n)) for n in range(2 * ITEMS))
    assert len(shown.items) == ITEMS and shown.items[-1].text == str(2 * ITEMS - 1)


TEXT = st.sampled_from(["", "x", "Tea or coffee?", "<b>", "\u202e", "g('x')", "a\nb", "?", " or "])
NUMBERS = st.integers(0, 4)


def values(kind: str) -> st.SearchStrategy[object]:
    """Values for a field of an event, by how its type is written."""
    if "Mapping" in kind:
        return st.just({})
    if "tuple[tuple" in kind:
        return st.lists(st.tuples(TEXT, TEXT), max_size=2).map(tuple)
    if "tuple" in kind:
        return st.lists(TEXT, max_size=2).map(tuple)
    if "float" in kind:
        return NUMBERS.map(float)
    known = {"int": NUMBERS, "bool": st.booleans(), "Json": st.none() | st.booleans() | NUMBERS | TEXT}
    return known.get(kind, TEXT)


ANY_EVENT = st.one_of(
    st.builds(cls, **{f.name: values(str(f.type)) for f in fields(cls)})
    for cls in ev.KINDS.values()
    if cls is not ev.Observed
)


@settings(max_examples=60)
@given(st.lists(ANY_EVENT, max_size=25))
def test_any_events_can_be_shown(events: list[ev.Event]) -> None:
    shown = show_all(events)
    assert shown == show_all(events[5:], show_all(events[:5])), "no state besides what is shown"
