"""The console in a real Chromium: whole missions by keyboard and mouse, stops, two tabs. `pytest -m browser`."""

from __future__ import annotations

import asyncio
import math
import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from console_browser import say, see, serving, visit

from console_viewers import Viewer

pytestmark = pytest.mark.browser

SLOW = "take off, turn around, go up 50 cm, turn around, go down 50 cm and land"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A console in a process of its own."""
    with serving(tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture
def page(address: str, chromium: Any) -> Iterator[Any]:
    page = visit(chromium, address)
    yield page
    if page.locator("#stop").get_attribute("data-running") == "1":
        page.keyboard.press("Escape")
    released = page.get_by_role("button", name="Release")
    page.wait_for_selector("#stop[data-running='0']")
    if "stopped" in (page.locator(".pill[role=status]").get_attribute("class") or ""):
        released.click()
    page.context.close()


def test_a_mission_by_keyboard_alone(page: Any) -> None:
    page.focus("#say")
    page.keyboard.type("take off and land")
    page.keyboard.press("Enter")
    see(page, "achieved: done")
    assert page.locator(".step.done").count() >= 2


@pytest.mark.parametrize("how", ["space", "empty field", "escape", "mouse"])
def test_every_way_to_stop(page: Any, how: str) -> None:
    say(page, SLOW)
    page.wait_for_selector(".step.running")
    if how == "mouse":
        page.click("#stop")
    elif how == "escape":
        page.fill("#say", "half a sent")
        page.press("#say", "Escape")
    elif how == "empty field":
        page.press("#say", "Space")
    else:
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Space")
    see(page, "stopped by button" if how == "mouse" else "stopped by key")
    page.get_by_role("button", name="Release").click()
    see(page, "ready")


def test_a_space_in_a_sentence_is_a_space(page: Any) -> None:
    say(page, SLOW)
    page.wait_for_selector(".step.running")
    page.focus("#say")
    page.keyboard.type("two words")
    assert page.input_value("#say") == "two words"
    assert page.locator("#stop").get_attribute("data-running") == "1"
    page.fill("#say", "")


def test_the_stop_gets_through_when_the_pages_connection_is_lost(page: Any, chromium: Any, address: str) -> None:
    other = visit(chromium, address)
    say(page, SLOW)
    page.wait_for_selector(".step.running")
    page.evaluate("window.socket.disconnect()")
    page.click("#stop")
    see(other, "stopped by button")
    page.reload()
    page.wait_for_selector("#stop[data-running='0']")
    page.get_by_role("button", name="Take control").click() if page.get_by_text("Take control").is_visible() else None
    other.context.close()


def test_two_tabs_see_the_same_and_one_holds_control(page: Any, chromium: Any, address: str) -> None:
    other = visit(chromium, address)
    see(other, "operator")
    say(other, "take off")
    see(other, "holds control; take it first")
    other.get_by_role("button", name="Take control").click()
    see(other, "you hold control")
    say(other, "take off and land")
    see(page, "take off and land")
    page.get_by_role("button", name="Take control").click()
    see(page, "you hold control")
    page.wait_for_selector("#stop[data-running='0']")
    other.context.close()


def test_hostile_text_is_text(page: Any) -> None:
    page.on("dialog", lambda d: pytest.fail(f"a script ran: {d.message}"))
    say(page, "<img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}")
    see(page, "<img src=x onerror=alert(1)>")
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (1024, 768), (640, 400), (390, 780)])
def test_the_stop_is_always_on_screen(chromium: Any, address: str, width: int, height: int) -> None:
    """Tablets, 200 % zoom of a laptop, a phone."""
    page = visit(chromium, address, viewport={"width": width, "height": height})
    page.mouse.wheel(0, 600)
    box = page.locator("#stop").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] >= 0 and box["y"] + box["height"] <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "nothing has to be scrolled sideways"
    page.click("[title='choose the setup']")
    page.wait_for_selector(".form")
    assert page.evaluate(
        "(b) => document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2).closest('#stop') !== null", box
    ), "no dialog covers it"
    page.context.close()


def test_strangers_change_nothing(address: str) -> None:
    for origin in ("", "https://evil.example"):
        request = urllib.request.Request(f"{address}stop", b"key", {"Origin": origin} if origin else {})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(request, timeout=10)


def test_the_benchs_viewer_is_sent_the_scene(address: str) -> None:
    async def look() -> tuple[int, int]:
        viewer = Viewer(address)
        await viewer.open()
        for _ in range(100):
            if viewer.moves:
                break
            await asyncio.sleep(0.1)
        await viewer.close()
        return viewer.moves, viewer.messages

    with ThreadPoolExecutor(1) as thread:  # Playwright's loop runs in this one
        moves, messages = thread.submit(lambda: asyncio.run(look())).result()
    assert 0 < moves <= messages


@pytest.mark.parametrize("skin", ["light", "dark"])
@pytest.mark.parametrize("view", ["Live", "Missions", "setup"])
def test_accessibility(page: Any, view: str, skin: str) -> None:
    """With AXE naming a copy of axe.min.js (from the npm package axe-core)."""
    axe = os.environ.get("AXE", "")
    if not Path(axe).is_file():
        pytest.skip("AXE names no axe.min.js")
    page.emulate_media(color_scheme=skin)
    if view == "setup":
        page.click("[title='choose the setup']")
        page.wait_for_selector(".form")
    else:
        page.get_by_role("button", name=view, exact=True).click()
    page.wait_for_timeout(1500)
    page.add_script_tag(path=axe)
    found = page.evaluate("axe.run()")["violations"]
    serious = [(v["id"], v["nodes"][0]["html"][:120]) for v in found if v["impact"] in ("serious", "critical")]
    assert serious == []


def test_names_that_would_lie_on_each_other_stand_above_each_other(page: Any) -> None:
    """On plain elements: nothing is drawn in three dimensions here. Ten in a heap are more than can stand near it, and
    of two at the edge one stands below."""
    seen = page.evaluate("""() => {
      const heap = Array.from({ length: 10 }, (_, n) => [600, 400, n === 9 ? 0 : 1]);
      const at = [[10, 100], [30, 104], [40, 96], [300, 100], ...heap, [900, 12], [910, 10]];
      const labels = at.map(([left, top, rank]) => {
        const label = document.createElement("div");
        label.style.cssText = `position: fixed; left: ${left}px; top: ${top}px; width: 50px; height: 20px`;
        label.style.setProperty("--rank", rank || 0);
        document.body.append(label);
        return label;
      });
      sayso.spread(labels, 0);
      sayso.spread(labels, 0);
      const boxes = labels.map((label) => {
        const box = label.getBoundingClientRect();
        return [box.left, box.top, box.bottom, label.style.visibility];
      });
      labels.forEach((label) => label.remove());
      return boxes;
    }""")
    assert seen[1][1] == 104 and seen[3][1] == 100, "the lowest stays, and what is alone"
    first, second, third = sorted(seen[:3], key=lambda box: box[1])
    assert first[2] <= second[1] and second[2] <= third[1]
    heap, shown = seen[4:14], [box for box in seen[4:14] if not box[3]]
    assert heap[9][1] == 400 and 3 <= len(shown) < 10, "the first rank stays, and some are left out"
    assert min(box[1] for box in shown) >= 400 - 100
    assert seen[14][1] == 12 and seen[15][1] >= 32, "nothing stands over the edge"


def test_a_narrow_stage_shows_as_much_from_side_to_side(page: Any) -> None:
    fov = page.evaluate("""() => [2, 0.65].map((aspect) => {
      const camera = { aspect, fov: 45, updateProjectionMatrix() {} };
      sayso.fit(camera);
      return camera.fov;
    })""")
    wide = [math.tan(math.radians(angle / 2)) * aspect for angle, aspect in zip(fov, (2, 0.65), strict=True)]
    assert fov[0] == pytest.approx(45) and wide[1] == pytest.approx(math.tan(math.radians(22.5)) * 1.3)
