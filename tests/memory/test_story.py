"""The story of a mission: each is a transcript."""

from __future__ import annotations

from sayso.events import (
    AnswerEnded,
    AnswerFailed,
    ApprovalAsked,
    ApprovalGiven,
    ChunkArrived,
    Event,
    LimitHeld,
    MissionEnded,
    MissionStarted,
    Moved,
    Observed,
    PictureTaken,
    PlanEnded,
    PlanRefused,
    Prompted,
    Replanned,
    Said,
    StatementReady,
    StopAsked,
    Stopped,
    TaskEnded,
    TaskStarted,
    Warned,
)
from sayso.memory import story
from sayso.memory.event_text import TABLE
from sayso.scene import Box, Scene, Thing, scene_json


def seen(at_s: float, *labels: str) -> Observed:
    return Observed(at_s=at_s, scene=scene_json(Scene(tuple(Thing(n, n, Box(0.5, 0.5, 0.1, 0.1)) for n in labels))))


def chunks(at_s: float, call: int, *texts: str) -> list[Event]:
    return [ChunkArrived(at_s=at_s + n * 0.1, call=call, text=text) for n, text in enumerate(texts)]


def ready(at_s: float, number: int, text: str, depth: int = 0) -> StatementReady:
    return StatementReady(at_s=at_s, statement=number, text=text, line=1, column=1, depth=depth)


def ran(
    task: int, skill: str, arg: object, began_s: float, ended_s: float, statement: int, **end: object
) -> list[Event]:
    return [
        TaskStarted(at_s=began_s, task=task, skill=skill, args=(arg,), statement=statement),
        TaskEnded(at_s=ended_s, task=task, skill=skill, **{"outcome": "done", **end}),  # type: ignore[arg-type]
    ]


STARTED = MissionStarted(instruction="find the apple", setup={})
PROMPTED = Prompted(at_s=0.0, call=1, purpose="plan", model="m-1", messages=(("user", "…"),))


def transcript(events: list[Event], *, alive: bool = False) -> list[str]:
    return [f"{line.at_s:g} {line.mark}: {line.text}" for line in story(events, alive=alive)]


def test_a_mission_that_goes_well() -> None:
    events = [
        STARTED,
        seen(0.0, "chair"),
        PROMPTED,
        *chunks(1.0, 1, "?s('ap", "ple'){", "g('apple')}"),
        ready(1.1, 1, "?s('apple')"),
        *ran(1, "is_visible", "apple", 1.1, 1.1, 1, value=False),
        *ran(2, "turn_cw", 45, 1.1, 2.6, 1),
        *[Moved(at_s=2 + n / 10, x_m=0, y_m=0, z_m=1, yaw_rad=n / 10) for n in range(5)],
        ready(1.2, 2, "g('apple')", 1),
        AnswerEnded(at_s=1.3, call=1, tokens_in=1200, tokens_out=14),
        seen(2.6, "chair"),
        seen(2.7, "apple", "chair"),
        *ran(3, "is_visible", "apple", 2.7, 2.7, 1, value=True),
        *ran(4, "goto", "apple", 2.7, 6.0, 2),
        Said(at_s=6.1, text="Here it is."),
        PictureTaken(at_s=6.2, file="a.png", labels=("apple",)),
        PlanEnded(at_s=6.3, how="finished"),
        MissionEnded(
            at_s=6.4, outcome="achieved", reason="done", r_time_s=1.1, c_time_s=6.0, plan_tokens=14, model_calls=1
        ),
    ]  # fmt: skip
    assert transcript(events) == [
        "0 wish: “find the apple”",
        "0 sees: chair",
        "0 asks: m-1 for a plan",
        "1.1 plan: ?s('apple')",
        "1.1 start: is_visible('apple')",
        "1.1 done: is_visible = False",
        "1.1 start: turn_cw(45)",
        "2.6 done: turn_cw",
        "1.2 plan: · g('apple')",
        "1.3 answers: 14 tokens, 1200 read, first text after 1.00 s",
        "2.7 sees: apple, chair",
        "2.7 start: is_visible('apple')",
        "2.7 done: is_visible = True",
        "2.7 start: goto('apple')",
        "6 done: goto",
        "6.1 says: Here it is.",
        "6.2 picture: a.png of apple",
        "6.4 end: achieved: done\nfirst motion or word after 1.10 s, done after 6.00 s, 14 plan tokens, 1 model calls",
    ]


def test_a_mission_with_everything_that_goes_wrong() -> None:
    events = [
        STARTED,
        PROMPTED,
        *chunks(1.0, 1, "mu(500);"),
        ready(1.0, 1, "mu(500)"),
        *ran(1, "move_up", 500, 1.0, 1.0, 1, outcome="refused", detail="the limit altitude is at most 3 m"),
        LimitHeld(at_s=1.0, limit="altitude", asked="6.00 m", bound="at most 3 m", skill="move_up"),
        PlanRefused(at_s=1.1, error="line 1", pointed="line 1: unknown skill fly\n  fly(1)\n  ^"),
        PlanEnded(at_s=1.1, how="failed", reason="unknown skill fly"),
        Replanned(at_s=1.2, round=1, reason="unknown skill fly"),
        Prompted(at_s=1.2, call=2, purpose="replan", model="m-1", messages=()),
        AnswerFailed(at_s=2.0, call=2, error="the connection broke", received="mf("),
        Prompted(at_s=2.1, call=3, purpose="probe", model="m-1", messages=()),
        *chunks(2.2, 3, "Tr", "ue"),
        AnswerEnded(at_s=2.4, call=3, tokens_in=30, tokens_out=1),
        *ran(2, "land", 0, 2.5, 4.0, 0, value=None),
        Warned(at_s=4.2, text="the link lags"),
        ApprovalAsked(at_s=4.3, plan="mf(50)"),
        ApprovalGiven(at_s=4.4, approved=False),
        StopAsked(at_s=5.0, by="key"),
        Stopped(at_s=5.1, state="hovering", confirmed=False),
        MissionEnded(at_s=5.2, outcome="stopped", reason="stopped by key", model_calls=3, replans=1),
    ]
    assert transcript(events)[2:] == [
        "1 plan: mu(500)",
        "1 start: move_up(500)",
        "1 refused: move_up: the limit altitude is at most 3 m",
        "1 limit: altitude is at most 3 m; this would need 6.00 m",
        "1.1 refused: line 1: unknown skill fly\n  fly(1)\n  ^",
        "1.2 replan: unknown skill fly",
        "1.2 asks: m-1 for a replan",
        "2 model: broke off: the connection broke",
        "2.1 asks: m-1 for a probe",
        "2.4 answers: 'True' (1 tokens, 30 read, first text after 0.10 s)",
        "2.5 start: land(0)",
        "4 done: land",
        "4.2 note: the link lags",
        "4.3 approval: asked for\nmf(50)",
        "4.4 answer: not approved",
        "5 stop: asked for by key",
        "5.1 stopped: hovering (NOT CONFIRMED: it may still move)",
        "5.2 end: stopped by key\n0 plan tokens, 3 model calls, 1 replans",
    ]


KILLED = [
    STARTED,
    PROMPTED,
    *chunks(1.0, 1, "tc(90)", ";mf("),
    ready(1.0, 1, "tc(90)"),
    TaskStarted(at_s=1.0, task=1, skill="turn_cw", args=(90,), statement=1),
    Moved(at_s=1.2, x_m=0, y_m=0, z_m=1, yaw_rad=0.1),
]


def test_a_mission_whose_process_died_tells_what_was_going_on() -> None:
    assert transcript(KILLED)[2:] == [
        "1 plan: tc(90)",
        "1 start: turn_cw(90)",
        "1.2 open: turn_cw(90) was running",
        "1.2 open: the answer of m-1 was awaited; received so far: tc(90);mf(",
        "1.2 end: the record ends here: the process died",
    ]


def test_a_mission_that_still_runs_is_not_declared_dead() -> None:
    assert transcript(KILLED, alive=True)[-1] == "1.2 end: the mission is still running"


def test_every_beginning_of_a_mission_has_a_story() -> None:
    for n in range(1, len(KILLED) + 1):
        told = story(KILLED[:n])
        assert told[0].text == "“find the apple”"
        assert "the process died" in told[-1].text
    assert story([]) == []


def test_text_from_outside_cannot_steer_a_terminal() -> None:
    lines = story([MissionStarted(instruction="\x1b[2Jgo\u202eback\x07\r", setup={}), Said(text="\x9b31mred")])
    assert [line.text for line in lines[:2]] == ["“[2Jgoback”", "31mred"]


def test_what_a_model_weighed_is_told_in_the_words_of_the_choices() -> None:
    messages = (("system", "…"), ("user", "Choices:\nA) take off\nB) go home\nC) wait\nD) sing\nAnswer:"))
    scores = (("A", -0.1), ("B", -2.4), ("C", -9.0), ("D", float("-inf")))
    weighed = [
        STARTED,
        Prompted(at_s=0.5, call=1, purpose="score", model="m-1", messages=messages),
        AnswerEnded(at_s=1.0, call=1, tokens_in=90, tokens_out=1, scores=scores),
    ]
    told = [line.text for line in story(weighed, alive=True)]
    assert "weighs take off 91%, go home 9%, wait 0% (90 tokens read)" in told


def test_what_is_told_plainly_is_told_of_an_event_that_there_is() -> None:
    assert {*TABLE["plainly"]} <= {kind.__name__ for kind in Event.__subclasses__()}
