"""The export of a mission's record as an MCAP file, for Foxglove and others.

Messages are JSON by Foxglove's schemas (https://docs.foxglove.dev/docs/visualization/message-schemas), as far as they
are used here: `foxglove.json` has them by topic. Times are the mission's, from 0; its date stands in the file's
metadata, and the whole record goes along as an attachment. Positions are in metres in the frame `map`, axes as in REP
103.
"""

import base64
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from mcap.writer import Writer

from sayso import events as ev
from sayso.errors import UsageError
from sayso.memory.event_text import EventNarrator
from sayso.scene import Pose, Thing, scene_from

FRAME, CAMERA = "map", "camera"
PATHS_MAX = 50
"""So often at most the way so far is written: each time it is longer."""

THING_M, LETTER_M = 0.2, 0.15
INFO, WARNING, ERROR = 2, 3, 4
NS = 1_000_000_000

Json = dict[str, Any]


def export(mission: str, events: Sequence[ev.Event], file: Path) -> str:
    """Write the file; a line that says what is in it. Raises `UsageError` where it cannot be written."""
    events = sorted(events, key=lambda e: e.at_s)
    try:
        with file.open("xb") as output:
            counts = _write(Writer(output), mission, events)
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from error
    told = ", ".join(f"{count} of {topic}" for topic, count in counts.items() if count)
    return f"{file}: {told}, {events[-1].at_s if events else 0.0:.1f} s"


def _write(writer: Writer, mission: str, events: Sequence[ev.Event]) -> dict[str, int]:
    writer.start(library="sayso")
    topics = json.loads(resources.files(__package__).joinpath("foxglove.json").read_text("utf-8"))
    channels = {topic: _channel(writer, topic, **of) for topic, of in topics.items()}
    counts = dict.fromkeys(topics, 0)
    for event in events:
        if isinstance(event, ev.MissionStarted):
            writer.add_metadata("mission", {"id": mission, "wish": event.instruction, "began": event.wall})
    for at_s, topic, message in messages(events):
        counts[topic] += 1
        at_ns = round(at_s * NS)
        writer.add_message(channels[topic], at_ns, json.dumps(message).encode(), at_ns, counts[topic])
    record = "".join(ev.to_line(event) + "\n" for event in events).encode()
    writer.add_attachment(0, 0, "journal.jsonl", "application/x-ndjson", record)
    writer.finish()
    return counts


def _channel(writer: Writer, topic: str, name: str, schema: Json) -> int:
    schema = {"title": name, "$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    written: int = writer.register_schema(name, "jsonschema", json.dumps(schema).encode())
    channel: int = writer.register_channel(topic, "json", written)
    return channel


def messages(events: Sequence[ev.Event]) -> Iterator[tuple[float, str, Json]]:
    """(seconds since the mission began, topic, message) for each event that has one, in order."""
    tell, way, shown_s = EventNarrator(), list[Json](), -math.inf
    moves = [e for e in events if isinstance(e, ev.Moved)]
    every_s = max(1.0, moves[-1].at_s / PATHS_MAX) if moves else 1.0
    for event in events:
        at_s, said = event.at_s, tell(event)
        match event:
            case ev.Moved():
                way.append(_pose(Pose(event.x_m, event.y_m, event.z_m, event.yaw_rad)))
                yield at_s, "/pose", {**_stamp(at_s), "pose": way[-1]}
                if at_s - shown_s >= every_s or event is moves[-1]:
                    shown_s = at_s
                    yield at_s, "/path", {**_stamp(at_s), "poses": way}
                continue
            case ev.ChunkArrived():
                continue
            case ev.Observed():
                entities = [_entity(thing, at_s) for thing in scene_from(event.scene).things if thing.pose]
                yield at_s, "/scene", {"deletions": [], "entities": entities}
            case ev.PictureTaken() if event.file and Path(event.file).is_file():
                yield at_s, "/camera", _picture(Path(event.file), at_s)
        yield at_s, "/journal", _log(event, said.text if said else ev.to_line(event))


def _log(event: ev.Event, text: str) -> Json:
    bad = isinstance(event, ev.MissionEnded) and event.outcome == "error"
    warns = isinstance(event, ev.Warned | ev.LimitHeld | ev.PlanRefused | ev.StopAsked)
    level = ERROR if bad else WARNING if warns else INFO
    return {
        "timestamp": _time(event.at_s), "level": level, "message": text, "name": type(event).__name__, "file": "",
        "line": 0,
    }  # fmt: skip


def _picture(file: Path, at_s: float) -> Json:
    form = file.suffix.lower().removeprefix(".").replace("jpg", "jpeg")
    return {**_stamp(at_s, CAMERA), "data": base64.b64encode(file.read_bytes()).decode(), "format": form}


def _entity(thing: Thing, at_s: float) -> Json:
    """A thing as a ball with its name above."""
    assert thing.pose is not None
    pose, grey = _pose(thing.pose), {"r": 0.2, "g": 0.5, "b": 0.9}
    above = _pose(thing.pose.moved(up_m=THING_M))
    nothing: Mapping[str, list[Json]] = {
        kind: [] for kind in ("metadata", "arrows", "cubes", "cylinders", "lines", "triangles", "models")
    }
    return {
        **_stamp(at_s), **nothing, "id": thing.id, "lifetime": _time(0.0), "frame_locked": True,
        "spheres": [
            {"pose": pose, "size": {"x": THING_M, "y": THING_M, "z": THING_M}, "color": {**grey, "a": thing.confidence}}
        ],
        "texts": [
            {"pose": above, "billboard": True, "font_size": LETTER_M, "scale_invariant": False, "text": thing.label,
             "color": {**grey, "a": 1.0}}
        ],
    }  # fmt: skip


def _pose(pose: Pose) -> Json:
    half = pose.yaw_rad / 2
    return {
        "position": {"x": pose.x_m, "y": pose.y_m, "z": pose.z_m},
        "orientation": {"x": 0.0, "y": 0.0, "z": math.sin(half), "w": math.cos(half)},
    }


def _stamp(at_s: float, frame: str = FRAME) -> Json:
    return {"timestamp": _time(at_s), "frame_id": frame}


def _time(seconds: float) -> Json:
    sec, nsec = divmod(round(seconds * NS), NS)
    return {"sec": sec, "nsec": nsec}
