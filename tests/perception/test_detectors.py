"""Detectors from files: what a picture becomes for a network, and what its numbers become."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sayso.errors import RobotError, UsageError
from sayso.perception.detecting import make
from sayso.perception.detector import Description, Detection, Detector
from sayso.perception.yolo import Tensor, Yolo

NETWORKS = Path(__file__).with_name("networks")
"""Written by PyTorch's exporter, see write_networks.py: red is an apple, blue a chair, green a plant."""


def painted(width: int = 480, height: int = 360) -> np.ndarray[Any, Any]:
    """A red patch on the left, a green one on the right, on grey."""
    picture = np.full((height, width, 3), 90, np.uint8)
    picture[height // 2 : height * 5 // 6, width // 12 : width // 3] = (200, 20, 20)
    picture[height // 3 : height // 2, width * 3 // 4 : width * 5 // 6] = (20, 180, 30)
    return picture


def seen(detector: Detector, picture: np.ndarray[Any, Any]) -> dict[str, Detection]:
    return {one.label: one for one in asyncio.run(_seen(detector, picture))}


async def _seen(detector: Detector, picture: np.ndarray[Any, Any]) -> Sequence[Detection]:
    return await detector.detect(picture)


def beside(folder: Path, layout: str, text: str) -> str:
    """A copy of a network with a TOML file beside it."""
    (folder / "eyes.onnx").write_bytes((NETWORKS / f"{layout}.onnx").read_bytes())
    (folder / "eyes.toml").write_text(text, "utf-8")
    return str(folder / "eyes.onnx")


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ("v8", ""),
        ("nms", ""),
        ("mmdet", ""),
        ("v5", 'labels = ["apple", "chair", "plant"]'),
        ("yolox", 'layout = "yolox"\nscale = 255.0\nchannels = "bgr"'),
    ],
)
@pytest.mark.parametrize("size", [(480, 360), (160, 120), (300, 100), (90, 160)])
def test_boxes_are_where_things_are_whatever_the_layout(
    layout: str, said: str, size: tuple[int, int], tmp_path: Path
) -> None:
    found = seen(make(beside(tmp_path, layout, said)), painted(*size))
    assert set(found) == {"apple", "plant"}
    apple, plant = found["apple"], found["plant"]
    assert apple.confidence == pytest.approx(0.9) and plant.confidence > 0.4
    for box, x, y, width, height in (
        (apple.box, 5 / 24, 2 / 3, 1 / 4, 1 / 3),
        (plant.box, 19 / 24, 5 / 12, 1 / 12, 1 / 6),
    ):
        assert (box.x, box.y) == pytest.approx((x, y), abs=0.02)
        assert (box.width, box.height) == pytest.approx((width, height), abs=0.04)


def test_labels_come_from_the_file_the_description_or_a_list_of_lines(tmp_path: Path) -> None:
    assert make(str(NETWORKS / "v8.onnx")).labels == ("apple", "chair", "plant")
    (tmp_path / "three.txt").write_text("red thing\n\nblue thing\ngreen thing\n", "utf-8")
    own = make(beside(tmp_path, "v8", 'labels = "three.txt"'))
    assert own.labels == ("red thing", "blue thing", "green thing")
    assert set(seen(own, painted())) == {"red thing", "green thing"}


def test_a_description_may_be_named_instead_of_its_network(tmp_path: Path) -> None:
    beside(tmp_path, "nms", "")
    (tmp_path / "other.toml").write_text('model = "eyes.onnx"\nleast = 0.95', "utf-8")
    assert seen(make(str(tmp_path / "other.toml")), painted()) == {}


def test_one_of_your_own_is_a_class_with_three_names(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from sayso.perception.detector import Detection\n"
        "from sayso.scene import Box\n"
        "class Mine:\n"
        "    name, labels = 'mine', ('cat',)\n"
        "    async def detect(self, picture):\n"
        "        return [Detection('cat', 0.8, Box(0.5, 0.5, 0.1, 0.1))]\n",
        "utf-8",
    )
    assert set(seen(make(f"{file}:Mine"), painted())) == {"cat"}


@pytest.mark.parametrize(
    ("where", "said", "why"),
    [
        ("v5", "", "does not tell its labels"),
        ("v8", 'layout = "v4"', "no layout 'v4'"),
        ("v8", 'chanels = "bgr"', "chanels"),
        ("v8", 'channels = "grb"', "rgb or bgr"),
        ("v8", "labels = [", "describes no detector"),
        ("v8", 'labels = "nowhere.txt"', "nowhere.txt"),
    ],
)
def test_what_is_wrong_with_a_description_is_told(where: str, said: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=why):
        make(beside(tmp_path, where, said))


def test_what_is_no_detector_is_told(tmp_path: Path) -> None:
    for name, text, why in (
        ("broken.onnx", "not a network", "no network that can be run"),
        ("eyes.pt", "", "FILE.onnx"),
        ("both.toml", 'model = "a.onnx"\nservice = "http://localhost"', "either a model or a service"),
        ("neither.toml", 'labels = ["a"]', "either a model or a service"),
    ):
        (tmp_path / name).write_text(text, "utf-8")
        with pytest.raises(UsageError, match=why):
            make(str(tmp_path / name))
    with pytest.raises(UsageError, match="there is no file"):
        make(str(tmp_path / "nowhere.onnx"))


class Numbers:
    """A double: a network that puts out what it is given."""

    name, labels, takes = "numbers", ("a", "b"), Tensor("images", (1, 3, 96, 96), "float32")

    def __init__(self, *outputs: np.ndarray[Any, Any]) -> None:
        self._outputs = {str(n): output for n, output in enumerate(outputs)}
        self.picture: Any = None

    async def run(self, picture: np.ndarray[Any, Any]) -> Mapping[str, np.ndarray[Any, Any]]:
        self.picture = picture
        return self._outputs


def read(numbers: Numbers, **said: Any) -> Sequence[Detection]:
    return asyncio.run(_seen(Yolo(numbers, Description(**said)), np.zeros((96, 96, 3), np.uint8)))


def rows(*corners_score_number: Sequence[float]) -> np.ndarray[Any, Any]:
    return np.array(corners_score_number, np.float32)[None]


def test_of_two_boxes_of_one_label_that_overlap_the_surer_one_stays() -> None:
    numbers = Numbers(
        rows((10, 10, 50, 50, 0.6, 0), (12, 10, 52, 50, 0.8, 0), (12, 10, 52, 50, 0.7, 1), (60, 60, 90, 90, 0.5, 0))
    )
    found = read(numbers, layout="nms")
    assert [(d.label, round(d.confidence, 2)) for d in found] == [("a", 0.8), ("b", 0.7), ("a", 0.5)]
    assert len(read(numbers, layout="nms", overlap=0.95)) == 4
    assert len(read(numbers, layout="nms", least=0.65)) == 2


def test_shapes_that_may_be_two_layouts_are_asked_about() -> None:
    with pytest.raises(RobotError, match=r"may be v8 or nms: write layout"):
        read(Numbers(np.zeros((1, 7, 6), np.float32)))
    with pytest.raises(RobotError, match="none that is known"):
        read(Numbers(np.zeros((1, 7, 9), np.float32)))


def test_scores_that_are_no_chances_are_refused() -> None:
    with pytest.raises(RobotError, match="scores have to end at 1"):
        read(Numbers(rows((0, 0, 9, 9, 7.5, 0))), layout="nms")


@settings(max_examples=60)
@given(
    arrays.arrays(
        np.float32, (1, 9, 6), elements=st.floats(-300, 300, width=32) | st.sampled_from([math.nan, math.inf])
    ),
    st.sampled_from(["v8", "v5", "nms"]),
)
def test_no_numbers_make_a_box_outside_of_the_picture(out: np.ndarray[Any, Any], layout: str) -> None:
    try:
        found = read(replace_last(out, layout), layout=layout)
    except RobotError:
        return
    for one in found:
        assert one.box.width > 0 and one.box.height > 0 and one.label in ("a", "b") and 0.25 <= one.confidence <= 1
        assert one.box.x - one.box.width / 2 >= -1e-6 and one.box.x + one.box.width / 2 <= 1 + 1e-6
        assert one.box.y - one.box.height / 2 >= -1e-6 and one.box.y + one.box.height / 2 <= 1 + 1e-6


def replace_last(out: np.ndarray[Any, Any], layout: str) -> Numbers:
    """The same numbers with as many columns as the layout has for two labels."""
    return Numbers(np.concatenate([out, out[..., -1:]], axis=2) if layout == "v5" else out)


def test_bytes_are_given_to_a_network_that_takes_bytes_colours_last() -> None:
    numbers = Numbers(np.zeros((1, 0, 6), np.float32))
    numbers.takes = replace(numbers.takes, shape=(1, -1, 96, 3), dtype="uint8")
    asyncio.run(_seen(Yolo(numbers, Description(layout="nms", channels="bgr")), painted()))
    assert numbers.picture.shape == (1, 640, 96, 3) and numbers.picture.dtype == np.uint8
    assert numbers.picture[0, 48, 20].tolist() == [20, 20, 200]
    assert numbers.picture[0, 600, 20].tolist() == [114, 114, 114]
