"""Where a robot on wheels stands to see and to talk: a step away from what it hides itself, and off the furniture."""

from __future__ import annotations

import asyncio
import math
from typing import Any, cast

import pytest
from base_double import Base, Eyes

from sayso.errors import SkillFailed
from sayso.grounding.names import read_names
from sayso.robots.warehouse.picking import Picking
from sayso.scene import Pose, Thing
from sayso.skills.looking import Search
from sayso.task import STOPPED

DROPPED = Thing("1", "apple", pose=Pose(2.1, 0.0, 0.04))


def go(base: Base, *things: Thing) -> str:
    """What the robot tells, sent to the point 2, 0, and the ways that it went after that."""
    picking = Picking(cast(Any, base), Eyes(base, *things))

    async def run() -> str:
        return await picking.go_to(cast(Any, "2, 0"))

    return asyncio.run(run())


def test_what_fell_at_its_own_feet_is_seen_from_a_step_back() -> None:
    base = Base(Pose())
    assert "apple seen" in go(base, DROPPED)
    assert base.driven == [(2.0, 0.0), (2.9, 0.0)], "turned about by the first look, back is ahead of before"
    here = base.pose
    assert abs(here.bearing_rad(Pose(2.0, 0.0))) < 0.01, "it faces where it stood"


def test_no_step_where_something_is_seen_at_once_though_no_thing_on_a_table_counts() -> None:
    base = Base(Pose())
    assert "apple seen" in go(base, Thing("1", "apple", pose=Pose(3.0, 0.0, 0.04)))
    assert base.driven == [(2.0, 0.0)]
    base = Base(Pose())
    assert "apple seen" in go(base, DROPPED, Thing("2", "lemon", pose=Pose(3.0, 1.0, 0.8)))
    assert len(base.driven) == 2


@pytest.mark.parametrize("how", ["not free", "no way", "blocked"])
def test_where_there_is_no_room_behind_it_steps_aside(how: str) -> None:
    def elsewhere(x: float, y: float) -> bool:
        return x < 2.5

    base = Base(Pose(), free=elsewhere) if how == "not free" else Base(Pose(), known=elsewhere)
    if how == "blocked":
        base = Base(Pose())
        picking_from = base.drive_to

        async def once(x_m: float, y_m: float, *args: Any, **more: Any) -> None:
            base.shut = 1 if not elsewhere(x_m, y_m) else 0
            await picking_from(x_m, y_m, *args, **more)

        base.drive_to = once  # type: ignore[method-assign]
    assert "apple seen" in go(base, DROPPED)
    assert len(base.driven) == 2 and abs(base.driven[1][1]) == 0.9, base.driven


def test_where_nothing_lies_all_four_sides_are_tried_and_nothing_is_told() -> None:
    base = Base(Pose())
    assert "nothing seen" in go(base)
    assert len(base.driven) == 5 and len(set(base.driven)) == 5
    assert all(math.dist(p, (2.0, 0.0)) == pytest.approx(0.9) for p in base.driven[1:])


# Before a person


def near(base: Base, person: Thing) -> None:
    search = Search(cast(Any, base), Eyes(base, person), read_names(base.knowledge))
    asyncio.run(search.near_person(person))


def test_it_stands_off_the_furniture_where_it_only_talks() -> None:
    """A map of cells says that the strip beside the bed is free, where the base leans on it and gets no further."""
    john = Thing("1", "person", pose=Pose(0.0, 1.2, 1.0))
    base = Base(Pose(-0.25, 0.0), free=lambda x, y: x > -0.25)
    near(base, john)
    assert len(base.driven) == 1 and base.driven[0][0] > -0.15
    base = Base(Pose(-0.25, 0.0), free=lambda x, y: -0.25 < x < -0.15)
    near(base, john)
    assert -0.25 < base.driven[0][0] < -0.15, "in a narrow passage there is no better place"


class Halted(Base):
    """Is told to stop on every way."""

    async def drive_to(self, x_m: float, y_m: float, *args: Any, **more: Any) -> None:
        self.driven.append((x_m, y_m))
        raise SkillFailed("stopped: halted", STOPPED)


def test_who_is_stopped_on_the_way_tries_no_other() -> None:
    base, apple = Halted(Pose()), Thing("1", "apple", pose=Pose(2.0, 0.0, 0.8))
    picking = Picking(cast(Any, base), Eyes(base, apple))
    for trying in (picking.go_to(cast(Any, "2, 0")), picking._beside(apple), picking._floor()):
        with pytest.raises(SkillFailed, match="halted"):
            asyncio.run(cast(Any, trying))
    assert len(base.driven) == 3
