"""Places: what rays say is free, kept across restarts under the map's id; and names for where one is."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_rooms import look, state, thing

from sayso.memory.agent_memory import AgentMemory
from sayso.memory.journal import Journal
from sayso.memory.places import GridMap, Place, Places
from sayso.scene import Pose

REACH_M = 6.0
BEARINGS = [math.radians(d) for d in range(0, 360, 2)]


def ranges(eye: Pose, half_m: float = 2.0) -> list[float]:
    """What a lidar measures in the middle of a square room."""
    measured = []
    for bearing in BEARINGS:
        c, s = math.cos(bearing + eye.yaw_rad), math.sin(bearing + eye.yaw_rad)
        to_x = ((half_m if c > 0 else -half_m) - eye.x_m) / c if abs(c) > 1e-9 else math.inf
        to_y = ((half_m if s > 0 else -half_m) - eye.y_m) / s if abs(s) > 1e-9 else math.inf
        measured.append(min(to_x, to_y, REACH_M))
    return measured


@pytest.mark.parametrize("eye", [Pose(), Pose(0.5, -0.7, 0, 0.3), Pose(-1.2, 1.1, 0, 3.0)])
def test_a_room_is_free_within_and_walled_around(eye: Pose) -> None:
    grid = GridMap()
    grid.scan(eye, BEARINGS, ranges(eye), REACH_M)
    assert state(grid, eye.x_m + 0.2, eye.y_m) == state(grid, 0.0, 0.0) == "free"
    states = grid.states()
    walls = np.argwhere(states == 1) * grid.cell_m + [grid.origin.x_m, grid.origin.y_m]
    outermost = np.abs(walls + grid.cell_m / 2).max(axis=1)
    assert len(walls) > 60 and outermost.min() > 1.85 and outermost.max() < 2.15
    assert state(grid, 2.5, 0.0) == state(grid, 50.0, 0.0) == "unknown", "nobody has looked through a wall"


def test_what_met_nothing_ends_nowhere() -> None:
    grid = GridMap()
    grid.scan(Pose(), [0.0, 1.0], [math.inf, REACH_M], REACH_M)
    assert state(grid, 5.0, 0.0) == "free" and (grid.states() != 1).all()
    empty = GridMap()
    empty.scan(Pose(), [0.0, 1.0], [math.nan, 0.0], REACH_M)
    assert empty.states().shape == (0, 0) and state(empty, 0, 0) == "unknown"
    with pytest.raises(ValueError, match="1 bearings and 2 ranges"):
        empty.scan(Pose(), [0.0], [1.0, 2.0], REACH_M)


def test_a_wall_that_went_away_is_unlearnt() -> None:
    grid = GridMap()
    for _ in range(50):
        grid.scan(Pose(), [0.0], [2.05], REACH_M)
    assert state(grid, 2.05, 0.0) == "occupied"
    scans = 0
    while state(grid, 2.05, 0.0) != "free":
        grid.scan(Pose(), [0.0], [4.0], REACH_M)
        scans += 1
    assert scans < 15


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.floats(-20, 20), st.floats(-20, 20), st.floats(-3, 3), st.floats(0.05, 7)), min_size=1, max_size=8
    )
)
def test_any_map_grows_as_it_must_and_comes_back_the_same(scans: list[tuple[float, float, float, float]]) -> None:
    grid = GridMap()
    for n, (x, y, yaw, range_m) in enumerate(scans):
        eye = Pose(x, y, 0, yaw)
        grid.scan(eye, [0.0], [range_m], REACH_M)
        end = eye.moved(range_m)
        if n == 0 and range_m < REACH_M - 0.01:
            assert state(grid, end.x_m, end.y_m) != "free"
    again = GridMap.from_bytes(grid.to_bytes())
    assert again.states().shape == grid.states().shape and again.origin == grid.origin
    assert (again.states() == grid.states()).all()


@pytest.mark.parametrize(
    "data", [b"", b"grid", b"x" * 60, GridMap().to_bytes()[:-4], GridMap().to_bytes()[:30] + b"!!"]
)
def test_bytes_that_are_no_map(data: bytes) -> None:
    with pytest.raises(ValueError):
        GridMap.from_bytes(data)


def test_a_map_too_large_to_be_one_place() -> None:
    grid = GridMap()
    grid.scan(Pose(), [0.0], [1.0], REACH_M)
    assert grid.holds(Pose(100, -100), REACH_M) and not grid.holds(Pose(10_000, 0), REACH_M)
    with pytest.raises(ValueError, match="not one place"):
        grid.scan(Pose(10_000, 0), [0.0], [1.0], REACH_M)


def test_names_of_places() -> None:
    places = Places([Place("fruit table", Pose(1, 1), 1.0, ("table of fruit",)), Place("toy rack", Pose(1, 2.5), 2.0)])
    assert places.at(Pose(1.2, 1.1)) == "fruit table"
    assert places.at(Pose(1, 2)) == "toy rack", "the nearer one, where it lies in both"
    assert places.at(Pose(9, 9)) == ""
    assert places.named("The Tables of fruit") is None and places.named("table of fruits") is not None
    places.add(Place("fruit table", Pose(5, 5)))
    assert places.at(Pose(1, 0.2)) == "" and places.named("table of fruit") is None


def test_map_and_places_belong_to_their_map_id(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    with Journal(file) as journal:
        memories = AgentMemory(journal, "lab")
        memories.see(look([thing("cup", 2, 0)], 1, seeing=False))
        memories.label(Place("desk", Pose(2, 0), 0.5))
        assert memories.things[1].place == "desk", "what was seen there before is known to be there"
        for _ in range(10):
            memories.sweep(Pose(), BEARINGS, ranges(Pose()), REACH_M)
    with Journal(file) as journal:
        lab, attic = AgentMemory(journal, "lab"), AgentMemory(journal, "attic")
        assert state(lab.grid, 0.5, 0.5) == "free" and attic.grid.states().shape == (0, 0)
        lab.sweep(Pose(10_000, 0), BEARINGS, ranges(Pose()), REACH_M)
        assert (
            lab.grid.states().shape == GridMap.from_bytes(lab.grid.to_bytes()).states().shape
            and lab.grid.states().shape[0] < 400
        )
        assert lab.places.at(Pose(2.1, 0)) == "desk" and attic.places.at(Pose(2.1, 0)) == ""
        assert lab.store.map_ids() == ["lab"]
        assert [f.unit.label for f in lab.ask("", place="Desk")] == ["cup"]
        frameless = AgentMemory(journal)
        frameless.sweep(Pose(), BEARINGS, ranges(Pose()), REACH_M)
        assert frameless.grid.states().shape == (0, 0), "without a map there is no frame to map in"
