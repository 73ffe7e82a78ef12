"""The map of a search: places and cells, areas and squares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_ground import flat

from sayso.errors import UsageError
from sayso.robots.aircraft.search.terrain import inside_polygon, near_line, squares


@settings(max_examples=40)
@given(st.integers(0, 19), st.integers(0, 29))
def test_the_middle_of_a_cell_lies_in_it(row: int, column: int) -> None:
    ground = flat()
    assert ground.cell(*ground.middle((row, column))) == (row, column)


def test_rows_grow_to_the_north_and_columns_to_the_east() -> None:
    ground = flat()
    assert ground.middle((0, 0)) == (-290.0, -190.0)
    assert ground.cell(1e6, -1e6) == (0, 29)


@settings(max_examples=40)
@given(st.integers(1, 7), st.integers(1, 6))
def test_the_squares_share_the_map_out(across: int, down: int) -> None:
    covered = np.zeros((20, 30), dtype=int)
    for square in squares((20, 30), across, down):
        covered[square.window] += square.mask
    assert (covered == 1).all()


def test_a_square_is_named_like_on_a_map() -> None:
    ground = flat()
    assert ground.squares == ("A1", "B1", "C1", "A2", "B2", "C2")
    assert ground.area("a1").window == (slice(10, 20), slice(0, 10))  # the north-west


def test_a_block_is_all_between_two_squares() -> None:
    ground = flat()
    assert ground.blocks == ("A1-B2", "B1-C2")
    block = ground.area("b1 - C2")
    assert (block.name, block.kind, block.window) == ("B1-C2", "block", (slice(0, 20), slice(10, 30)))
    assert block.mask.all() and ground.area("B1-C2") is block
    assert "B1-C2" not in ground.areas, "it is no area that the scene names"
    with pytest.raises(UsageError, match="no area"):
        ground.area("B1-Z9")


def test_an_area_is_found_however_it_is_written() -> None:
    assert flat().area("The  FOREST").name == "forest"
    with pytest.raises(UsageError, match="field, forest"):
        flat().area("beach")


def test_polygons_and_lines_cover_what_they_should() -> None:
    box = inside_polygon((20, 30), 20.0, [(-100, -100), (100, -100), (100, 100), (-100, 100)])
    assert box.sum() == 100
    road = near_line((20, 30), 20.0, [(-300, 10), (300, 10)], 20.0)
    assert road[10].all() and road.sum() == 30


def test_elevation_between_cells_is_even() -> None:
    ground = flat()
    ground.elevation_m[:] = np.arange(20)[:, None] * 2.0
    assert ground.height_m(0.0, 0.0) == pytest.approx(19.0)
    assert ground.height_m(*ground.middle((7, 3))) == pytest.approx(14.0)
