"""A ROS 2 base sees by pictures that are passed on to it; what its camera and its description tell says where."""

from __future__ import annotations

import asyncio
import io
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw
from ros_wire import ROOM, Wired, changed, drive, free_port, on_the_floor

from sayso.agent import Agent
from sayso.clock import SimClock, WallClock
from sayso.perception.detecting import DetectingCamera
from sayso.perception.detector import Detection
from sayso.robots.base.ros.camera import FRESH_S, Camera
from sayso.robots.base.ros.messages import (
    CameraInfo,
    CompressedImage,
    Header,
    Quaternion,
    Spot,
    TFMessage,
    TransformStamped,
    Vector3,
)
from sayso.robots.base.ros.node import Node
from sayso.scene import Box, Pose, View

WIDTH, HEIGHT, FX = 320, 240, 277.0
HALF = math.atan(WIDTH / 2 / FX), math.atan(HEIGHT / 2 / FX)
INFO = CameraInfo(
    Header(frame_id="camera_optical"), HEIGHT, WIDTH, k=(FX, 0.0, WIDTH / 2, 0.0, FX, HEIGHT / 2, 0.0, 0.0, 1.0)
)
OPTICAL = Spot(orientation=Quaternion(-0.5, 0.5, -0.5, 0.5))
"""From a camera that looks along its x axis to its picture: z ahead, x right, y down (REP 103)."""

CHAIR = Pose(2.0, 0.3, 0.45)
"""Its middle, from where the base stood; chairs are about 0.9 m high."""


def mounted(link: Spot) -> TFMessage:
    return TFMessage(
        (
            TransformStamped(Header(frame_id="base_link"), "camera_link", link),
            TransformStamped(Header(frame_id="camera_link"), "camera_optical", OPTICAL),
        )
    )


AHEAD = mounted(Spot(Vector3(0.1, 0.0, 0.4)))


class Blue:
    """Whatever is blue is a chair."""

    name, labels = "blue", ("chair",)

    async def detect(self, picture: Any) -> list[Detection]:
        red, _, blue = np.moveaxis(picture.astype(float), 2, 0)
        rows, columns = np.nonzero(blue > 100 + red)
        if not len(rows):
            return []
        (height, width), wide, tall = picture.shape[:2], np.ptp(columns), np.ptp(rows)
        box = Box((columns.min() + wide / 2) / width, (rows.min() + tall / 2) / height, wide / width, tall / height)
        return [Detection("chair", 0.9, box)]


def jpeg(view: View | None) -> bytes:
    """A grey picture, with a blue chair in it where it would be seen."""
    image = Image.new("RGB", (WIDTH, HEIGHT), (120, 120, 120))
    if view and (at := view.spot(CHAIR)):
        tall = 0.9 / (2 * CHAIR.distance_m(view.eye) * math.tan(view.half_height_rad)) * HEIGHT
        x, y = at[0] * WIDTH, at[1] * HEIGHT
        ImageDraw.Draw(image).rectangle((x - tall / 4, y - tall / 2, x + tall / 4, y + tall / 2), (10, 10, 250))
    image.save(out := io.BytesIO(), "JPEG")
    return out.getvalue()


class Seeing(Wired):
    """The dry run, with a camera that looks ahead and the nodes that pass on what it tells."""

    mounts = AHEAD

    async def open(self) -> None:
        await super().open()
        node = Node(self.bus.end(), self.graph, "camera")
        self._image, self._info, self._static = (
            node.publishes(name, kind)
            for name, kind in (("sayso/image", CompressedImage), ("sayso/camera_info", CameraInfo),
                               ("tf_static", TFMessage))
        )  # fmt: skip
        self._begin(self._film())

    async def _film(self) -> None:
        while True:
            self._static(self.mounts)
            self._info(INFO)
            self._image(CompressedImage(format="jpeg", data=jpeg(self.view())))
            await asyncio.sleep(0.2)


def seeing(machine: Seeing) -> Agent:
    return Agent(machine, perception=DetectingCamera(machine, Blue()))


def test_what_a_detector_finds_has_a_place_where_the_base_is_told_to_be() -> None:
    machine = Seeing()

    async def main() -> None:
        async with seeing(machine) as agent:
            assert agent.perception
            await asyncio.sleep(1.0)
            [chair] = (await agent.perception.look()).things
            assert chair.pose and chair.pose.distance_m(replace(CHAIR, z_m=chair.pose.z_m)) < 0.4
            assert (await agent.do("go forward 50 cm")).outcome == "achieved"
            [chair] = (await agent.perception.look()).things
            assert chair.pose and chair.pose.distance_m(replace(CHAIR, z_m=chair.pose.z_m)) < 0.4
            assert (await agent.do("do you see a chair?")).answer is True
            await agent.do("turn around")
            assert (await agent.do("do you see a chair?")).answer is False

    SimClock().run(main())


def test_the_view_is_the_cameras_by_its_mounts() -> None:
    camera = Camera()
    camera.hear(CompressedImage(), Pose(1.0, 2.0, 0.0, math.pi / 2), 0.0)
    camera.hear_info(INFO)
    assert camera.view("base_link") is None, "nobody tells where it is mounted"
    down = Quaternion(y=math.sin(0.1), w=math.cos(0.1))
    camera.hear_mounts(mounted(Spot(Vector3(0.1, 0.2, 0.4), down)))
    view = camera.view("base_link")
    assert view and view.eye.distance_m(Pose(0.8, 2.1, 0.4)) < 1e-6
    assert view.eye.yaw_rad == pytest.approx(math.pi / 2) and view.pitch_rad == pytest.approx(-0.2)
    assert (view.half_width_rad, view.half_height_rad) == pytest.approx(HALF)
    assert camera.view("elsewhere") is None


@pytest.mark.parametrize("roll_rad", [math.pi, 0.5])
def test_a_camera_that_leans_to_its_side_or_hangs_is_not_used(roll_rad: float) -> None:
    camera = Camera()
    camera.hear_info(INFO)
    camera.hear_mounts(mounted(Spot(orientation=Quaternion(x=math.sin(roll_rad / 2), w=math.cos(roll_rad / 2)))))
    assert camera.view("base_link") is None


def test_mounts_that_go_round_or_are_no_numbers_end() -> None:
    camera = Camera()
    camera.hear_info(INFO)
    camera.hear_mounts(TFMessage((TransformStamped(Header(frame_id="camera_optical"), "camera_optical"),)))
    assert camera.view("base_link") is None
    camera.hear_mounts(TFMessage((TransformStamped(Header(frame_id="base_link"), "x", Spot(Vector3(math.nan))),)))
    camera.hear_info(changed(INFO, k=(math.nan,) * 9))
    assert camera.view("base_link") is None


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff rubbish", bytes(1000)])
def test_what_is_no_picture_is_none(data: bytes) -> None:
    camera = Camera()
    camera.hear(CompressedImage(data=data), Pose(), 0.0)
    assert camera.picture(32, 24, 0.0) is None


def test_a_picture_of_some_time_ago_shows_nothing_of_now() -> None:
    camera = Camera()
    camera.hear(CompressedImage(data=jpeg(None)), Pose(), 5.0)
    assert camera.picture(32, 24, 5.0 + FRESH_S / 2).shape == (24, 32, 3)
    assert camera.picture(32, 24, 5.0 + 2 * FRESH_S) is None


def test_without_a_camera_what_needs_eyes_says_so() -> None:
    machine = Wired()
    agent = Agent(machine, perception=DetectingCamera(machine, Blue()))

    async def main() -> str:
        async with agent:
            return (await agent.do("do you see a chair?")).reason

    assert "how the camera stands is not known" in SimClock().run(main())


def test_a_base_without_a_detector_sees_nothing_as_before() -> None:
    assert drive(Wired(), "do you see a chair?").ended.outcome == "refused"
    on_the_floor(Seeing(), lambda agent: asyncio.sleep(0.1))


def test_over_zenoh_what_was_told_for_good_before_is_heard() -> None:
    """As rmw_zenoh keeps what is transient local, by zenoh's own advanced publisher; on loopback."""
    pytest.importorskip("zenoh")
    import zenoh
    import zenoh.ext

    from sayso.plugins.machines import reached
    from sayso.robots.base.ros.cdr import write
    from sayso.robots.base.ros.emulator import Emulator
    from sayso.robots.base.ros.messages import KINDS
    from sayso.robots.base.ros.node import EVERYWHERE
    from sayso.robots.base.ros.session import _config, listen
    from sayso.robots.base.world import Hall

    async def main() -> View | None:
        endpoint = f"tcp/127.0.0.1:{free_port()}"
        face = Emulator(hall := Hall())
        face.open(listen(endpoint))
        running = asyncio.ensure_future(hall.run())
        config = _config(connect=endpoint)
        config.insert_json5("timestamping/enabled", "true")  # as rmw_zenoh's own configuration has it
        try:
            with zenoh.open(config) as other:
                cache = zenoh.ext.CacheConfig(max_samples=1)
                key = EVERYWHERE.key("tf_static", KINDS[TFMessage])
                static = zenoh.ext.declare_advanced_publisher(other, key, cache=cache, publisher_detection=True)
                static.put(write(AHEAD))
                async with Agent(reached(f"ros:@{endpoint}", f"ahead={ROOM.ahead},back=1,left=1,right=1")) as agent:
                    info = other.declare_publisher(EVERYWHERE.key("sayso/camera_info", KINDS[CameraInfo]))
                    for _ in range(40):
                        info.put(write(INFO))
                        await asyncio.sleep(0.1)
                        if agent.robot.view():
                            break
                    return agent.robot.view()
        finally:
            running.cancel()
            face.close()

    view = WallClock().run(main())
    assert view and view.eye.z_m == pytest.approx(0.4)
