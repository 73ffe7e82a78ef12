"""What people look at: the plan from above without GL, films, and rendered pictures where GL is there."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sayso.clock import SimClock
from sayso.robots.drone.world.draw import Shape
from sayso.robots.drone.world.office import Office
from sayso.scene import Pose
from sayso.terminal.film import write_film
from sayso.worlds.draw import TRAIL, Chart, Tag


def pixels(picture: np.ndarray, colour: tuple[int, int, int]) -> int:
    """How many pixels have about that colour."""
    return int((np.abs(picture.astype(int) - colour).max(axis=2) < 40).sum())


def test_the_plan_shows_shapes_where_they_are() -> None:
    world = Office("empty")
    world.shapes = [Shape(((1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)), (10, 200, 30), 1.0)]
    picture = world.overview()
    rows, columns = np.nonzero(np.abs(picture.astype(int) - (10, 200, 30)).max(axis=2) < 12)
    assert columns.min() > 320 and rows.max() < 250  # right of the middle is +x, above it is +y
    assert len(rows) > 1000


def test_names_do_not_cover_each_other() -> None:
    def plan(*tags: Tag) -> np.ndarray:
        chart = Chart((8.0, 6.0), 640, 480)
        chart.tags(tags, clear_of=Pose(3, 2))
        return chart.picture()

    tags = [Tag("table", (0.05 * i, 0.0)) for i in range(4)]
    spread, single, bare = plan(*tags), plan(tags[0]), plan()
    assert (spread != bare).any(axis=2).sum() > 3.2 * (single != bare).any(axis=2).sum()


@pytest.mark.parametrize("size", [(640, 480), (1000, 500), (200, 400)])
def test_the_office_from_above(size: tuple[int, int]) -> None:
    world = Office("tour")
    picture = world.overview(*size)
    assert picture.shape == (size[1], size[0], 3) and picture.dtype == np.uint8
    assert picture.std() > 15
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 200


def test_the_overview_follows_the_drone() -> None:
    world = Office("tour")

    async def main() -> None:
        running = asyncio.create_task(world.run())
        await world.drone.take_off()
        await world.drone.move(-1.0)
        running.cancel()

    before = world.overview()
    SimClock().run(main())
    assert pixels(world.overview(), TRAIL) > pixels(before, TRAIL) + 50


def test_a_film_plays_in_order(tmp_path: Path) -> None:
    frames = [np.full((60, 80, 3), shade, dtype=np.uint8) for shade in (20, 120, 220)]
    file = tmp_path / "runs" / "flight.gif"
    assert write_film(iter(frames), file, frames_per_s=5) == 3
    with Image.open(file) as image:
        assert (image.n_frames, image.info["duration"]) == (3, 200)
        image.seek(2)
        assert image.convert("L").getpixel((5, 5)) == pytest.approx(220, abs=4)
    assert write_film([], tmp_path / "none.gif") == 0 and not (tmp_path / "none.gif").exists()


@pytest.mark.rendered
def test_rendered_pictures_or_none() -> None:
    world = Office("tour")
    picture = world.robot.picture(80, 60)
    if picture is None:
        pytest.skip("no GL library here")
    assert picture.shape == (60, 80, 3) and picture.std() > 5
    world.close()


@pytest.mark.rendered
def test_a_world_that_nobody_closed_takes_no_other_one_its_sight() -> None:
    """Whenever it is collected: an episode's world goes while the next episode flies by pictures."""
    gone = Office("empty")
    if gone.robot.picture(16, 12) is None:
        pytest.skip("no GL library here")
    world = Office("task01")
    seen = world.robot.picture(80, 60)
    del gone
    gc.collect()
    for _ in range(2):
        assert np.array_equal(world.robot.picture(80, 60), seen)
    world.close()
    world.close()
    assert np.array_equal(world.robot.picture(80, 60), seen), "what was closed may be opened again"


def test_without_gl_there_is_no_picture_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "disabled")
    world = Office("tour")
    assert world.robot.picture() is None
    assert world.drone.state().resting, "the rest of the world is there"
