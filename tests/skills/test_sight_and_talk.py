"""Looking, pictures, words and questions, on doubles."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from drone_double import DroneDouble, EyesDouble

from sayso.clock import SimClock
from sayso.errors import ModelUnavailable, SkillFailed
from sayso.roles import Chunk, Prompt
from sayso.scene import Pose, Scene, Thing
from sayso.skills.sight import Sight
from sayso.skills.talk import Talk

CHAIR = Pose(3, 0.5, 1.2)


def sight(**more: Any) -> tuple[Sight, list[tuple[Any, Sequence[str]]], EyesDouble]:
    drone = DroneDouble(Pose(z_m=1), flying=True, **more)
    eyes = EyesDouble(drone, {"chair": CHAIR})
    pictures: list[tuple[Any, Sequence[str]]] = []
    return Sight(drone, eyes, lambda array, labels: pictures.append((array, labels))), pictures, eyes


def test_things_in_view_are_measured_in_the_image() -> None:
    kit, _, _ = sight()

    async def main() -> None:
        assert await kit.is_visible("chair") is True
        assert await kit.is_visible("table") is False
        assert 0 < await kit.object_x("chair") < 0.5, "it is to the left"
        assert 0 < await kit.object_y("chair") < 0.5, "it is higher than the camera"
        assert await kit.object_width("chair") == pytest.approx(await kit.object_height("chair"))
        assert await kit.object_distance("chair") == pytest.approx(305, abs=1)

    SimClock().run(main())


def test_every_question_takes_a_fresh_look() -> None:
    kit, _, eyes = sight()

    async def main() -> None:
        before = await kit.object_x("chair")
        eyes.things["chair"] = Pose(3, -0.5, 1.2)
        assert await kit.object_x("chair") > 0.5 > before

    SimClock().run(main())


@pytest.mark.parametrize("name", ["x", "y", "width", "height", "distance"])
def test_measuring_what_is_not_in_view_fails_with_a_reason(name: str) -> None:
    kit, _, _ = sight()
    with pytest.raises(SkillFailed, match="no table in view"):
        SimClock().run(getattr(kit, f"object_{name}")("table[0.5]"))


def test_what_perception_does_not_know_is_a_reason_not_a_guess() -> None:
    class Vague:
        async def look(self) -> Scene:
            return Scene((Thing("1", "chair"),))

    kit = Sight(DroneDouble(), Vague(), lambda *_: None)
    with pytest.raises(SkillFailed, match="where it is in the image"):
        SimClock().run(kit.object_x("chair"))
    with pytest.raises(SkillFailed, match="distance to the chair is not known"):
        SimClock().run(kit.object_distance("chair"))


@pytest.mark.parametrize("sees", [True, False])
def test_a_picture_carries_the_labels_in_frame(sees: bool) -> None:
    kit, pictures, _ = sight(sees=sees)
    SimClock().run(kit.take_picture())
    ((array, labels),) = pictures
    assert (array is not None) == sees
    assert labels == ("chair",)


def talk(ask: Any = None, since_s: Any = None) -> tuple[Talk, list[str]]:
    said: list[str] = []
    drone = DroneDouble(Pose(z_m=1))
    return Talk(said.append, ask, EyesDouble(drone, {"chair": CHAIR}), since_s), said


@pytest.mark.parametrize(
    ("value", "text"), [("hello", "hello"), (3, "3"), (0.5, "0.5"), (2.0, "2"), (True, "True"), (None, "None")]
)
def test_log_says_any_value(value: Any, text: str) -> None:
    kit, said = talk()
    SimClock().run(kit.log(value))
    assert said == [text]


class ModelDouble:
    """A double: answers with fixed chunks, keeps the prompts."""

    name = "double"

    def __init__(self, *texts: str) -> None:
        self.texts, self.prompts = texts, list[Prompt]()

    async def stream(self, prompt: Prompt) -> AsyncIterator[Chunk]:
        self.prompts.append(prompt)
        for text in self.texts:
            yield Chunk(text)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        raise ModelUnavailable("the double does not score")


@pytest.mark.parametrize(
    ("chunks", "value"), [(["Tr", "ue"], True), (["42"], 42), (["0.5"], 0.5), (["red ", "apple"], "red apple")]
)
def test_probe_puts_question_and_scene_to_the_model_and_reads_the_answer(chunks: list[str], value: Any) -> None:
    model = ModelDouble(*chunks)

    async def ask(question: str, scene: Scene) -> str:
        prompt = Prompt("probe", (("user", f"{question} {scene.describe()}"),))
        return "".join([chunk.text async for chunk in model.stream(prompt)])

    kit, _ = talk(ask)
    answer = SimClock().run(kit.probe("Any chair?"))
    assert answer == value and type(answer) is type(value)
    assert "Any chair? [chair x:0." in model.prompts[0].messages[0][1]


def test_probe_without_a_model_fails_with_a_reason() -> None:
    kit, _ = talk()
    with pytest.raises(SkillFailed, match="no language model"):
        SimClock().run(kit.probe("Any chair?"))


def test_a_model_that_cannot_be_reached_fails_the_question() -> None:
    async def ask(question: str, scene: Scene) -> str:
        raise ModelUnavailable("nothing answers at the endpoint")

    kit, _ = talk(ask)
    with pytest.raises(SkillFailed, match="nothing answers"):
        SimClock().run(kit.probe("Any chair?"))


def test_time_counts_from_the_start_of_the_plan() -> None:
    kit, _ = talk(since_s=lambda: 7.25)
    assert SimClock().run(kit.time()) == 7.25
