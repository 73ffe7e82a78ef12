"""Whole missions in a real Chromium, on each world, with models that need no key or say that they are doubles.

`pytest -m browser`. A mission runs on real time, so these take minutes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from console_browser import SEARCH, endpoint, say, see, serving, visit

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    with endpoint() as address:
        yield address


MISSIONS = {
    "office": ("", "", "take off, turn around, take a picture and land", 5),
    "soccer": ("pocket", "rolling", "search the ball", 1),
    "home": ("#home", "sequence", "go to the kitchen and say where you are", 2),
    "warehouse": ("pocket", "stepwise", "put a strawberry into the basket", 4),
    "rescue": ("", "reflex", "take off and return home", 2),
}
"""World to (model, planner, sentence, how many steps it takes at least)."""


@pytest.mark.parametrize("world", MISSIONS)
def test_a_whole_mission_and_the_look_back_at_it(world: str, model: str, chromium: Any, tmp_path: Path) -> None:
    name, planner, sentence, steps = MISSIONS[world]
    options = ["--world", world, *(["--planner", planner] if planner else [])]
    options += ["--model", f"{model}{name}" if name.startswith("#") else name] if name else []
    with serving(tmp_path, *options) as address:
        page = visit(chromium, address)
        page.focus("#say")
        page.keyboard.type(sentence)
        page.keyboard.press("Enter")
        page.wait_for_selector(".step.running")
        see(page, "achieved:")
        steps_done = page.locator(".step.done, .step.dropped").count()
        assert steps_done >= min(steps, 4), f"{steps_done} statements are marked"
        assert page.locator(".step.failed").count() == 0
        if world == "office":
            page.locator("img.taken").wait_for()
        page.get_by_role("button", name="Missions").click()
        page.locator(".mission", has_text="achieved").wait_for()
        page.locator(".story button").last.click()
        page.locator(".story button.now").wait_for()
        page.get_by_label("play or pause").click()
        page.wait_for_function("document.querySelector('.timeline input').value > 0")
        page.context.close()


def test_a_search_shows_where_someone_may_be_and_stops_at_once(model: str, chromium: Any, tmp_path: Path) -> None:
    options = ["--world", "rescue", "--model", f"{model}#rescue", "--planner", "scored"]
    with serving(tmp_path, *options, lands=False) as address:
        page = visit(chromium, address)
        say(page, SEARCH)
        see(page, "understood:")
        see(page, "half of the probability on")
        page.locator(".step.running", has_text="search_area").wait_for()
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Space")
        see(page, "stopped by key")
        assert page.request.get(f"{address}heat.jpg").body()[:2] == b"\xff\xd8", "a picture of the belief"
        page.get_by_role("button", name="Release").click()
        see(page, "ready")
        page.context.close()


def test_a_wish_is_changed_in_flight_and_another_planner_is_chosen(chromium: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        page = visit(chromium, address)
        say(page, "take off, turn around, go up 50 cm, turn around and land")
        page.wait_for_selector(".step.running")
        say(page, "turn around and land")
        page.get_by_text("stopped by a change of mind").wait_for()
        see(page, "achieved: done")
        page.click("[title='choose the setup']")
        page.locator("label", has_text=re.compile("^world")).locator("select").select_option("rescue")
        page.get_by_role("button", name="Use this").click()
        see(page, "landed at home")
        say(page, "take off")
        see(page, "achieved: done")
        page.context.close()


def test_a_plan_is_approved_by_keyboard(chromium: Any, tmp_path: Path) -> None:
    with serving(tmp_path, "--approve") as address:
        page = visit(chromium, address)
        say(page, "take off and land")
        run_it = page.get_by_role("button", name="Run it", exact=True)
        run_it.wait_for()
        assert page.locator(".step.running").count() == 0
        run_it.focus()
        page.keyboard.press("Enter")
        see(page, "achieved: done")
        page.context.close()


def test_a_page_comes_back_after_the_connection_was_lost(chromium: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        page = visit(chromium, address)
        say(page, "take off, turn around, turn around and land")
        page.wait_for_selector(".step.running")
        page.context.set_offline(True)
        page.click("#stop")
        page.locator("#unsent:not(.gone)").wait_for()
        page.context.set_offline(False)
        page.locator("#unsent.gone").wait_for(state="attached")
        see(page, "stopped by button")
        page.context.close()
