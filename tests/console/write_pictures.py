"""Draws the console's pictures for its page anew: a wish in the office and a search in open country, on real time.

    python tests/console/write_pictures.py

Takes Chromium and Playwright, as the browser tests do, and a machine that renders what the robot's camera sees.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from console_browser import CHROMIUM, say, serving, visit
from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parents[2] / "docs"
IN_SOFTWARE = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SMALLER = 1200 / 1280
SEEN_MS = 3000
"""So long it is at its step before the picture is taken: the camera and the scene follow."""

PICTURES = (
    ("console.png", "office", "I'm thirsty, is there anything for me here?", "goto"),
    ("console-rescue.png", "rescue", "a man in a blue coat went missing in the east forest", "search_area"),
)


def main() -> None:
    with sync_playwright() as driver, TemporaryDirectory() as home:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=IN_SOFTWARE)
        for name, world, wish, step in PICTURES:
            with serving(Path(home), "--world", world, lands=False) as address:
                page = visit(browser, address, device_scale_factor=SMALLER)
                say(page, wish)
                page.locator(".step.running", has_text=step).wait_for()
                page.wait_for_timeout(SEEN_MS)
                page.screenshot(path=DOCS / name)
                print(DOCS / name)


if __name__ == "__main__":
    main()
