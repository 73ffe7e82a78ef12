"""What holds for every test: no property is held against the wall clock, however busy the machine is, and each run
tries the same examples of it (`SAYSO_EXAMPLES=1000` tries so many others); and while thousands of tests are collected,
none of which is garbage, nobody looks for any, nor among them later.

Pictures are rendered where a test is about them: without a graphics card each costs the better part of a second."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from sayso.executive import supervisor

EXAMPLES = int(os.environ.get("SAYSO_EXAMPLES", "0"))
settings.register_profile(
    "ours",
    deadline=None,
    max_examples=EXAMPLES or 40,
    derandomize=not EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ours")

supervisor.BLOCKED_S = 60.0
"""A busy machine lets a loop stand still for longer than a robot may go without it; `test_real_time` sets that."""

RENDERER = os.environ.get("MUJOCO_GL", "")
RENDERED = ("rendered", "slow", "browser", "peer")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    os.environ["MUJOCO_GL"] = RENDERER if any(map(item.get_closest_marker, RENDERED)) else "disabled"
