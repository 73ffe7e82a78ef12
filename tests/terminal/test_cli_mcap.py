"""A mission's record leaves as an MCAP file, which MCAP's own reader reads: with the places, the times, the picture."""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from cli_runner import TOUR, Home

from sayso.events import AnswerEnded, ChunkArrived, Moved, Observed, Prompted

pytest.importorskip("mcap")

from mcap.reader import make_reader

from sayso.terminal.mcap import messages


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = Home(tmp_path_factory.mktemp("home"))
    assert home.sayso("run", TOUR, "--pace", "0").code == 0
    assert home.sayso("export", "LAST", "--mcap", str(home.folder / "tour.mcap")).code == 0
    return home


@pytest.fixture(scope="module")
def told(home: Home) -> dict[str, list[tuple[int, Any]]]:
    """(time in ns, message) by topic."""
    found = defaultdict(list)
    with (home.folder / "tour.mcap").open("rb") as file:
        for schema, channel, message in make_reader(file, validate_crcs=True).iter_messages():
            assert schema is not None and json.loads(schema.data)["title"] == schema.name
            data = json.loads(message.data)
            _conforms(data, json.loads(schema.data))
            found[channel.topic].append((message.log_time, data))
    return found


def _conforms(data: Any, schema: dict[str, Any]) -> None:
    """No field beside those of the schema, and each of its type."""
    kinds = {"object": dict, "array": list, "string": str, "number": int | float, "integer": int, "boolean": bool}
    assert isinstance(data, kinds[schema["type"]]), (data, schema)
    if isinstance(data, dict):
        assert set(data) == set(schema["properties"])
        for name, value in data.items():
            _conforms(value, schema["properties"][name])
    elif isinstance(data, list):
        for value in data:
            _conforms(value, schema["items"])


def test_poses_stand_where_and_when_the_record_has_them(home: Home, told: dict[str, Any]) -> None:
    moves = [e for e in home.events() if isinstance(e, Moved)]
    assert [at_ns for at_ns, _ in told["/pose"]] == [round(e.at_s * 1e9) for e in moves]
    assert told["/pose"][-1][1]["pose"]["position"] == {"x": moves[-1].x_m, "y": moves[-1].y_m, "z": moves[-1].z_m}
    way = told["/path"][-1][1]["poses"]
    assert way == [message["pose"] for _, message in told["/pose"]]


def test_things_are_markers_with_their_names(home: Home, told: dict[str, Any]) -> None:
    seen = next(e for e in home.events() if isinstance(e, Observed))
    entities = told["/scene"][0][1]["entities"]
    assert [e["texts"][0]["text"] for e in entities] == [t["label"] for t in seen.scene["things"] if t["pose"]]


def test_the_picture_and_the_story_are_in_it(home: Home, told: dict[str, Any]) -> None:
    assert "achieved" in told["/journal"][-1][1]["message"]
    for _, message in told.get("/camera", []):  # there is none where nothing can render
        assert base64.b64decode(message["data"]).startswith(b"\x89PNG")
        assert message["format"] == "png"


def test_an_answer_is_told_with_what_came_of_it_piece_by_piece() -> None:
    asked = Prompted(call=1, purpose="probe", model="m", messages=())
    came = [ChunkArrived(at_s=0.5, call=1, text=text) for text in ("Tr", "ue")]
    *_, (_, topic, last) = messages([asked, *came, AnswerEnded(at_s=1.0, call=1, tokens_in=9, tokens_out=1)])
    assert topic == "/journal" and last["message"].startswith("'True' (1 tokens, 9 read, first text after 0.50 s")


def test_the_whole_record_goes_along(home: Home) -> None:
    with (home.folder / "tour.mcap").open("rb") as file:
        (attached,) = make_reader(file).iter_attachments()
    kinds = [json.loads(line)["kind"] for line in attached.data.decode().splitlines()]
    assert kinds == home.kinds()


def test_nothing_is_written_over_and_what_cannot_be_is_told(home: Home) -> None:
    again = home.sayso("export", "LAST", "--mcap", str(home.folder / "tour.mcap"))
    assert again.code == 2 and "cannot write" in again.err
    for words, why in ((["LAST"], "say where to"), (["nosuch", "--mcap", str(home.folder / "x.mcap")], "no mission"),
                       (["a", "b", "--mcap", str(home.folder / "x.mcap")], "one mission")):  # fmt: skip
        ran = home.sayso("export", *words)
        assert ran.code == 2 and why in ran.err
    assert not Path(home.folder / "x.mcap").exists()
