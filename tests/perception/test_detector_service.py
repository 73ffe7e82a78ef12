"""A detector at a server: what is sent, what is read, and what is said when the server is no good."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from inference_double import Double, served
from test_detectors import _seen, painted, seen

from sayso.clock import SimClock
from sayso.errors import RobotError, UsageError
from sayso.perception.detecting import make


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def described(folder: Path, url: str) -> str:
    file = folder / "served.toml"
    file.write_text(f'service = "{url}"\nlabels = ["apple", "chair", "plant"]\n', "utf-8")
    return str(file)


def test_a_service_finds_what_the_same_network_finds_here(tmp_path: Path) -> None:
    here = seen(make(str(Path(__file__).with_name("networks") / "nms.onnx")), painted())
    with served(Double()) as server:
        there = seen(make(described(tmp_path, server.url)), painted())
    assert set(here) == set(there) == {"apple", "plant"} and server.asked == 1
    for label, one in here.items():
        assert there[label].confidence == pytest.approx(one.confidence, abs=0.01)
        assert there[label].box.x == pytest.approx(one.box.x, abs=0.01)


def test_what_an_answer_takes_is_charged_to_simulated_time(tmp_path: Path) -> None:
    async def main(where: str) -> float:
        loop = asyncio.get_running_loop()
        detector, began_s = make(where), loop.time()
        await detector.detect(painted())
        return loop.time() - began_s

    with served(Double()) as server:
        assert SimClock().run(main(described(tmp_path, server.url))) > 0


@pytest.mark.parametrize(
    "bend",
    [
        lambda body: body[:-20],
        lambda body: b"<html>",
        lambda body: b"[]",
        lambda body: body.replace(b'"outputs"', b'"results"'),
        lambda body: body.replace(b"[1, 3, 6]", b"[1, 3, 7]"),
        lambda body: body.replace(b"[1, 3, 6]", b"[1, 2, 9]"),
        lambda body: body.replace(b"FP32", b"BYTES"),
        lambda body: json.dumps(
            {"outputs": [{"name": "o", "datatype": "FP32", "shape": [1, 3, 6], "data": "x"}]}
        ).encode(),
        lambda body: b" " * (65 * 2**20) + body,
        lambda body: b"[" * 100_000,
    ],
)
def test_an_answer_that_is_none_is_an_error_in_words(bend: Callable[[bytes], bytes], tmp_path: Path) -> None:
    with served(Double(bend=bend)) as server:
        detector = make(described(tmp_path, server.url))
        with pytest.raises(RobotError):
            asyncio.run(_seen(detector, painted()))


def test_a_server_that_fails_or_is_gone_is_told(tmp_path: Path) -> None:
    with served(Double()) as server:
        detector = make(described(tmp_path, server.url))
        server.status = 500
        with pytest.raises(RobotError, match="gave no answer: ValueError: 500"):
            asyncio.run(_seen(detector, painted()))
    with pytest.raises(RobotError, match="gave no answer"):
        asyncio.run(_seen(detector, painted()))
    with pytest.raises(UsageError, match="no model answers at"):
        make(described(tmp_path, server.url))


def test_a_model_that_the_server_does_not_have_is_told(tmp_path: Path) -> None:
    with served(Double()) as server, pytest.raises(UsageError, match=r"no model answers at .*404"):
        make(described(tmp_path, server.url.replace("eyes", "ears")))
