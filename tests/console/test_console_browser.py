"""The console in a real Chromium: whole missions by keyboard and mouse, stops, two tabs. `pytest -m browser`."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
FLAGS = ["--no-sandbox", "--disable-3d-apis"]
"""Drawing three dimensions in software would take both cores; what is tested here is not the drawing."""

PATIENCE_MS = 40_000
SLOW = "take off, turn around, go up 50 cm, turn around, go down 50 cm and land"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A console in a process of its own."""
    home = tmp_path_factory.mktemp("home")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "sayso", "serve", "--port", str(port)]
    around = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "NICEGUI"))}
    around["SAYSO_HOME"] = str(home)
    with subprocess.Popen(command, env=around, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout
        address = run.stdout.readline().strip()
        for _ in range(100):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(address, timeout=5).close()
                break
            time.sleep(0.1)
        yield address
        run.terminate()
        run.wait(30)
    assert run.returncode in (0, -15), "it ends when it is told to"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if not CHROMIUM:
        pytest.skip("no Chromium here; CHROMIUM names one")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


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


def visit(chromium: Any, address: str, **options: Any) -> Any:
    page = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **options}).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    page.wait_for_selector("#stop[data-running]")
    return page


def say(page: Any, text: str) -> None:
    page.fill("#say", text)
    page.press("#say", "Enter")


def see(page: Any, text: str) -> None:
    page.get_by_text(text).last.wait_for()


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


def test_accessibility(page: Any) -> None:
    """With AXE naming a copy of axe.min.js (from the npm package axe-core)."""
    axe = os.environ.get("AXE", "")
    if not Path(axe).is_file():
        pytest.skip("AXE names no axe.min.js")
    page.add_script_tag(path=axe)
    found = page.evaluate("axe.run()")["violations"]
    serious = [(v["id"], v["nodes"][0]["html"][:120]) for v in found if v["impact"] in ("serious", "critical")]
    assert serious == []
