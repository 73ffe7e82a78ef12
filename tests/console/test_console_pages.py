"""The page as an operator meets it, with NiceGUI's simulated browser: no network, no Chromium."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from console_robot import sled, station
from nicegui import ui
from nicegui.element import Element
from nicegui.testing import User, user_simulation

from sayso.console import serve
from sayso.console.archive import list_missions
from sayso.console.serve import build
from sayso.console.station import Station
from sayso.console.views import choose
from sayso.console.views.parts import Text, block
from sayso.console.views.side import BeliefsCard, CameraCard
from sayso.memory.mission_view import MissionView
from sayso.scene import Box, Scene, Thing
from sayso.serving.access import AccessRule

ORIGIN = {"origin": "http://test"}
RULE = AccessRule(hosts=frozenset({"test"}))
LOOKS = 3000
"""So often, ten times a second, is a page looked at before the test gives up."""


def visit(of: Station, folder: Path, what: Callable[[User], Awaitable[None]], rule: AccessRule = RULE) -> None:
    """Open the page of a station and do something there."""

    async def main() -> None:
        root: list[Callable[[], None]] = []
        async with user_simulation(lambda: root[0]()) as user:
            root.append(build(of, folder / "journal.sqlite", rule, []))
            await of.open()
            await user.open("/")
            await asyncio.sleep(0.3)
            await what(user)
            await of.close()

    asyncio.run(main())


def test_a_sentence_becomes_a_plan_that_runs(tmp_path: Path) -> None:
    d = station("forward(5);l('there <b>now</b>');")

    async def act(user: User) -> None:
        user.find(marker="say").trigger("keydown.enter", "go a little <script>alert(1)</script>")
        for text in ("go a little <script>alert(1)</script>", "forward(5)", "there <b>now</b>", "achieved: I said"):
            await user.should_see(text, retries=LOOKS)
        assert not user.client or not any(isinstance(e, ui.html) for e in user.client.elements.values())

    visit(d, tmp_path, act)


@pytest.mark.parametrize("can", [False, True])
def test_it_offers_to_listen_only_where_somebody_can(
    tmp_path: Path, can: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "heard_here", lambda: can)

    async def act(user: User) -> None:
        await (user.should_see if can else user.should_not_see)("Hold and talk")

    visit(station("forward(5);"), tmp_path, act)


def test_the_stop_needs_no_page_connection_and_is_released_by_a_click(tmp_path: Path) -> None:
    d = station("forward(290);", "forward(290);")

    async def act(user: User) -> None:
        user.find(marker="say").trigger("keydown.enter", "go")
        await user.should_see("running", retries=LOOKS)
        answer = await user.http_client.post("/stop", content="key", headers=ORIGIN)
        assert answer.status_code == 204 and d.stopped_by == "key"
        await user.should_see("stopped by key", retries=LOOKS)
        while d.running:
            await asyncio.sleep(0.05)
        assert sled(d).halts == 1
        await user.should_see("Release", retries=LOOKS)
        user.find("Release").click()
        async with asyncio.timeout(300):
            while d.stopped_by:
                await asyncio.sleep(0.05)

    visit(d, tmp_path, act)


def test_a_plan_that_is_given_up_is_shown_to_its_end(tmp_path: Path) -> None:
    d = station("forward(290);", "forward(5);")

    async def act(user: User) -> None:
        user.find(marker="say").trigger("keydown.enter", "go far")
        await user.should_see("forward(290)", retries=LOOKS)
        user.find(marker="say").trigger("keydown.enter", "no, just a little")
        await user.should_see("stopped by a change of mind", retries=LOOKS)
        await user.should_see("achieved: done", retries=LOOKS)
        assert [item.kind for item in d.shown.items].count("verdict") == 2

    visit(d, tmp_path, act)


def test_a_plan_is_approved_by_a_click(tmp_path: Path) -> None:
    d = station("forward(5);", approve=True)

    async def act(user: User) -> None:
        user.find(marker="say").trigger("keydown.enter", "go")
        await user.should_see("Shall it run?", retries=LOOKS)
        assert sled(d).pose.x_m == 0
        await user.should_see("Run it", retries=LOOKS)
        user.find("Run it").click()
        await user.should_see("achieved: done", retries=LOOKS)

    visit(d, tmp_path, act)


def test_a_question_is_answered_by_a_click(tmp_path: Path) -> None:
    d = station("l('Tea or coffee?');", "forward(5);")

    async def act(user: User) -> None:
        user.find(marker="say").trigger("keydown.enter", "make me something")
        await user.should_see("coffee", retries=LOOKS)
        while d.running:
            await asyncio.sleep(0.05)
        await user.should_see(marker="answer coffee", retries=LOOKS)
        user.find(marker="answer coffee").click()
        await user.should_see("forward(5)", retries=LOOKS)
        assert d.shown.wish == "make me coffee"

    visit(d, tmp_path, act)


@pytest.mark.parametrize(
    ("path", "headers"),
    [("/stop", {}), ("/stop", {"origin": "http://evil.example"}), ("/alive", {"origin": "null"})],
)
def test_a_stranger_changes_nothing(path: str, headers: dict[str, str], tmp_path: Path) -> None:
    d = station("forward(5);")

    async def act(user: User) -> None:
        answer = await user.http_client.post(path, content="key", headers=headers)
        assert answer.status_code == 403 and d.stopped_by == ""

    visit(d, tmp_path, act)


def test_only_who_holds_control_makes_this_machine_ask_a_models_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S18: a viewer's "Test" asks nobody."""
    asked: list[str] = []

    async def try_model(spec: str) -> tuple[bool, str]:
        asked.append(spec)
        return True, "it was asked"

    monkeypatch.setattr(choose, "try_model", try_model)
    d = station()

    async def act(user: User) -> None:
        mine = d.seats.control
        for holder, told in (("somebody else", "take control first"), (mine, "it was asked")):
            d.seats.control = holder
            user.find("▾").click()
            await user.should_see("Where, how and with whom", retries=LOOKS)
            user.find("Test").click()
            await user.should_see(told, retries=LOOKS)
            assert len(asked) == (holder == mine)

    visit(d, tmp_path, act)


def test_looking_back_at_a_mission(tmp_path: Path) -> None:
    d = station("forward(5);", journal=tmp_path / "journal.sqlite")

    async def act(user: User) -> None:
        user.find(marker="say").trigger("keydown.enter", "go a little")
        await user.should_see("achieved: done", retries=LOOKS)
        while d.running:
            await asyncio.sleep(0.05)
        user.find("Missions").click()
        await user.should_see("start", retries=LOOKS)
        (row,) = list_missions(tmp_path / "journal.sqlite")
        answer = await user.http_client.get(f"/export/{row.id}.jsonl")
        assert answer.text.splitlines()[0].startswith('{"kind": "MissionStarted"')
        assert (await user.http_client.get("/export/nothing.jsonl")).status_code == 404

    visit(d, tmp_path, act)


def test_what_changes_beside_the_scene_changes_in_place(tmp_path: Path) -> None:
    """Nothing is made anew for it, so twenty pages that show the same change leave room for a stop."""

    def seen(*labels: str) -> MissionView:
        things = {name: Thing(name, name, Box(0.5, 0.5, 0.1, 0.1)) for name in labels}
        return MissionView(beliefs=things, scene=Scene(tuple(things.values())), looked_s=0.0)

    def told(box: Element) -> set[str]:
        texts = [e for e in box.descendants() if isinstance(e, Text)]
        return {e.text for e in texts if not any("gone" in part.classes for part in (e, *e.ancestors()))}

    async def act(user: User) -> None:
        assert user.client
        with user.client, block() as box:
            believed, camera = BeliefsCard(), CameraCard()
            believed.show(MissionView(), 0.0)
            assert "It has not looked yet." in told(box)
            made = set[int]()
            for labels in (("chair", "cup"), ("table", "lamp"), ("sofa",)):
                believed.show(seen(*labels), 0.0)
                camera.show(seen(*labels), 0.0)
                assert set(labels) <= told(box)
                made = made or set(user.client.elements)
                assert set(user.client.elements) == made
            assert not told(box) & {"chair", "cup", "table", "lamp", "It has not looked yet."}

    visit(station(), tmp_path, act)
