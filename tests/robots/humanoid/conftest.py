"""Every mission of the humanoid is watched at every step: nothing but a push of the world moves it from outside."""

from __future__ import annotations

import pytest

from sayso.robots.humanoid.world.body import PREFIX
from sayso.robots.humanoid.world.pitch import Soccer


@pytest.fixture(autouse=True)
def nothing_holds_it_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    pushes = Soccer._apply_push

    def watched(world: Soccer) -> None:
        pushes(world)
        forces = world.data.xfrc_applied.copy()
        if world.time_s < world._push[2]:
            forces[int(world.model.body(PREFIX + "torso").id)] = 0.0
        assert not forces.any() and not world.data.qfrc_applied.any()

    monkeypatch.setattr(Soccer, "_apply_push", watched)
