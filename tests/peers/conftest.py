"""Every peer is asked without proxies and keys of this machine, by either clock."""

from __future__ import annotations

import pytest
from peer_server import PROXIES

from sayso.clock import Clock, SimClock, WallClock


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["wall", "simulated"])
def clock(request: pytest.FixtureRequest) -> Clock:
    return WallClock() if request.param == "wall" else SimClock()
