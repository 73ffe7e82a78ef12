"""Every mission of the humanoid is watched at every step: nothing but a push of the world moves it from outside."""

from __future__ import annotations

import numpy as np
import pytest

from sayso.robots.humanoid.world.body import PREFIX
from sayso.robots.humanoid.world.pitch import Soccer


@pytest.fixture(autouse=True)
def nothing_holds_it_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    pushes = Soccer._apply_push

    def watched(world: Soccer) -> None:
        pushes(world)
        forces = world.data.xfrc_applied
        if world.time_s < world._push[2]:
            forces = np.delete(forces, int(world.model.body(PREFIX + "torso").id), axis=0)
        assert not np.count_nonzero(forces) and not np.count_nonzero(world.data.qfrc_applied)

    monkeypatch.setattr(Soccer, "_apply_push", watched)
