"""The interface of an object detector, and the description that a file gives of a network.

    --detector yolo.onnx        a network, with its labels in it or in yolo.toml beside it
    --detector yolo.toml        the same, said first: `model = "yolo.onnx"`, or `service = "http://host:8080/v2/models/yolo"`
    --detector mine.py:Mine     any class with `name`, `labels` and `detect`
    --detector office           a file that a package brings along, by its entry point in `sayso.detectors`

What such a file may say is in docs/your-detector.md.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sayso.errors import UsageError
from sayso.plugins.loading import checked, is_file
from sayso.scene import Box

GROUP = "sayso.detectors"
"""Entry points of files that packages bring along, each a `Path`."""

Picture = NDArray[np.uint8]
"""(height, width, 3): red, green, blue."""


@dataclass(frozen=True, slots=True)
class Detection:
    """One thing in one picture; `confidence` runs from 0 to 1. Left empty, its `colour` is what its pixels tell."""

    label: str
    confidence: float
    box: Box
    colour: str = ""


@runtime_checkable
class Detector(Protocol):
    """Picture in, detections out. `labels` are all that it can give; what it has no label for stays unknown."""

    name: str
    labels: tuple[str, ...]

    async def detect(self, picture: Picture) -> Sequence[Detection]:
        """What is in the picture, in any order. Raises `RobotError` where the detector is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """The description of a network, for what it does not say itself.

    `layout` names how its output is laid out (see `yolo`), empty to tell by the shapes. `scale` is what white is for
    it, `channels` their order. Less sure than `least` is not reported; of two boxes of one label that overlap by more
    than `overlap` (intersection over union) the surer one stays. `sizes_m` has sizes of things, see `sizes`.
    """

    model: str = ""
    service: str = ""
    labels: tuple[str, ...] = ()
    layout: str = ""
    scale: float = 1.0
    channels: str = "rgb"
    least: float = 0.25
    overlap: float = 0.5
    sizes_m: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> Self:
        """The description in a TOML file; paths are from where it lies. Raises `UsageError`."""
        try:
            data = tomllib.loads(file.read_text("utf-8"))
            labels = data.pop("labels", ())
            if isinstance(labels, str):  # one a line, in a file of their own
                lines = (file.parent / labels).read_text("utf-8").splitlines()
                labels = [line.strip() for line in lines if line.strip()]
            if model := data.pop("model", ""):
                model = str(file.parent / model)
            said = cls(labels=tuple(map(str, labels)), model=model, **data)
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(f"{file} describes no detector: {error}; see docs/your-detector.md") from error
        if said.channels not in ("rgb", "bgr"):
            raise UsageError(f"{file}: channels are rgb or bgr, not {said.channels!r}")
        return said


def described(where: str) -> Description:
    """The description of the detector that `where` names. Raises `UsageError`."""
    if is_file(where):
        return Description()
    for brought in entry_points(group=GROUP, name=where):
        where = str(checked(brought.load(), Path, brought.value))
    file = Path(where)
    if not file.is_file():
        names = "".join(f", {name}" for name in sorted(entry_points(group=GROUP).names))
        raise UsageError(f"there is no file {file} to see with; there are FILE.onnx, FILE.toml, FILE.py:NAME{names}")
    if file.suffix == ".onnx":
        beside = file.with_suffix(".toml")
        return replace(Description.read(beside) if beside.is_file() else Description(), model=where, service="")
    if file.suffix != ".toml":
        raise UsageError(
            f"{file} is no detector: FILE.onnx, FILE.toml and FILE.py[:NAME] are; see docs/your-detector.md"
        )
    said = Description.read(file)
    if bool(said.model) == bool(said.service):
        raise UsageError(f"{file} names either a model or a service; see docs/your-detector.md")
    return said
