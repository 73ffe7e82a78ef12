"""Questions about pictures: put to a model that is shown what the camera sees, and evidence with its name on it.

Nobody here looks at a picture: the doubles answer what they were told to, and say that they are doubles.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from sayso import events as ev
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.errors import UsageError
from sayso.limits import Limits
from sayso.models.pocket import Pocket
from sayso.models.scripted import Scripted
from sayso.roles import Prompt
from sayso.setup import Setup
from sayso.terminal.replay import replay
from sayso.worlds import make

PICTURE = np.full((600, 800, 3), 90, np.uint8)
SOUR = "_1=sa('Which is something sour?');?_1==False{->False}g(_1); want at('something sour')"
LOOKER = "onlooker (a test double)"


def says(answer: Any, sure: float = 0.9) -> str:
    return json.dumps({"answer": answer, "sure": sure})


def flown(
    wish: str, plan: str, seen: str | Callable[[Prompt], str] | None, *, text: str = "cup", **more: Any
) -> list[ev.Event]:
    """The events of a wish in the office whose camera takes `PICTURE`; `text` is what a model says that sees none."""
    planner = Scripted(lambda prompt: text if prompt.purpose == "probe" else plan)
    looker = None if seen is None else Scripted(seen if callable(seen) else lambda prompt: str(seen), name=LOOKER)

    async def main() -> list[ev.Event]:
        world = make("office", seed=3)
        with patch.object(world.robot, "picture", lambda *size: PICTURE):
            async with Agent(world=world, model=planner, onlooker=looker, **more) as agent:
                return [event async for event in agent.say(wish)]

    return SimClock().run(main())


def ended(events: list[ev.Event]) -> ev.MissionEnded:
    last = events[-1]
    assert isinstance(last, ev.MissionEnded)
    return last


def test_what_was_shown_a_picture_is_evidence_with_its_name_and_how_sure_it_is() -> None:
    """G51"""
    shown: list[Prompt] = []

    def look(prompt: Prompt) -> str:
        shown.append(prompt)
        return says("cup")

    events = flown("go to something sour", SOUR, look)
    [judged] = [e for e in events if isinstance(e, ev.Judged)]
    assert (judged.answer, judged.confidence, judged.by) == ("cup", 0.9, LOOKER) and judged.thing
    assert (ended(events).outcome, ended(events).verified) == ("achieved", True)
    assert (
        ended(events).verdict
        == f"achieved: I went to something sour, going by {LOOKER}, 90% sure: a cup is something sour"
    )
    assert max(Image.open(io.BytesIO(shown[0].picture)).size) == 512


def test_without_eyes_for_it_what_is_described_is_a_models_word() -> None:
    """G51: it is achieved by the word of a model that was shown nothing, which is told, and not verified (U9)."""
    end = ended(flown("go to something sour", SOUR, None))
    assert (end.outcome, end.verified, end.unknown) == ("achieved", False, ())
    assert (
        end.verdict == "achieved: I went to something sour, going by scripted (a test double): a cup is something sour"
    )


def test_a_model_that_sees_names_alone_does_not_guess() -> None:
    """G51"""
    events = flown("is the lamp lit?", "_1=p('Is the lamp lit?');l(_1)", None, text="unknown")
    assert (ended(events).outcome, ended(events).reason) == ("refused", "nothing that I see tells: Is the lamp lit?")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (says("cup", 0.3), f"{LOOKER} is only 30% sure: Is the lamp lit? cup"),
        (says(None), f"{LOOKER} cannot tell from the picture: Is the lamp lit?"),
        (says(True, 7), "only 0% sure"),
        ("It is lit.", "what was answered to a picture is not {answer, sure}"),
        ('{"answer": true}', "is not {answer, sure}"),
        ("[]", "is not {answer, sure}"),
        ('{"answer":' * 5_000 + "}", "is not {answer, sure}"),
    ],
)
def test_what_the_picture_does_not_tell_is_no_answer(answer: str, why: str) -> None:
    """G51"""
    events = flown("is the lamp lit?", "_1=p('Is the lamp lit?');l(_1)", answer)
    assert ended(events).outcome != "achieved" and why in ended(events).reason
    assert not [e for e in events if isinstance(e, ev.Said | ev.Judged)]


def test_what_it_says_is_a_value_and_no_text_of_a_plan() -> None:
    events = flown(
        "what does it say?", "_1=p('What does it say?');l(_1)", "```json\n" + says("x');tc(180);l('y") + "\n```"
    )
    assert [e.text for e in events if isinstance(e, ev.Said)] == ["x' tc 180 l 'y"]
    assert [e.skill for e in events if isinstance(e, ev.TaskStarted)] == ["probe", "log"]


def test_pictures_count_in_the_budget_of_the_mission() -> None:
    events = flown("is the lamp lit?", "_1=p('Is the lamp lit?');l(_1)", says(True), limits=Limits(model_calls_max=1))
    assert "at most 1 a mission" in ended(events).reason
    events = flown("is the lamp lit?", "_1=p('Is the lamp lit?');l(_1)", says(True))
    asked, looked = [e for e in events if isinstance(e, ev.AnswerEnded)]
    assert (asked.call, looked.call) == (1, 2) and looked.tokens_in > 255


def test_a_model_that_takes_no_pictures_is_no_onlooker() -> None:
    with pytest.raises(UsageError, match="takes no pictures"):
        Agent(world=make("office"), onlooker=Pocket())


def test_a_mission_that_went_by_pictures_is_replayed_from_its_record() -> None:
    setup = Setup(model="scripted", planner="stream", eyes="scripted", seed=3).record()
    events = flown("go to something sour", SOUR, says("cup"), setup=setup)
    assert replay(events, Console(quiet=True)) is None
