"""What the tests of models share: a server that does what a case says, either clock, and a robot that only writes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from endpoint_server import Server, served
from pocket_double import with_scribe

from sayso.clock import Clock, SimClock, WallClock
from sayso.models.pocket import any_robot


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as running:
        yield running


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["wall", "simulated"])
def clock(request: pytest.FixtureRequest) -> Clock:
    return WallClock() if request.param == "wall" else SimClock()


@pytest.fixture(scope="module")
def scribe() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(any_robot, "kits", with_scribe)
        yield
