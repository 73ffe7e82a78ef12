"""What operators meet sooner or later, in a real Chromium: questions back, a setup to try out, silence, a pulled plug.

`pytest -m browser`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from console_browser import endpoint, say, see, serving, visit

pytestmark = pytest.mark.browser

LONG = "take off, turn around, go up 50 cm, turn around, go down 50 cm, turn around and land"


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    with endpoint() as address:
        yield address


@pytest.mark.parametrize("how", ["click", "field", "sentence"])
def test_a_question_back_is_answered(how: str, model: str, chromium: Any, tmp_path: Path) -> None:
    with serving(tmp_path, "--model", f"{model}#asking") as address:
        page = visit(chromium, address)
        say(page, "turn")
        see(page, "it waits for your answer")
        see(page, "Your answer to: Should I turn: left or right?")
        if how == "click":
            page.get_by_role("button", name="left", exact=True).click()
        elif how == "field":
            field = page.get_by_label("your answer to: Should I turn: left or right?")
            field.fill("left")
            field.press("Enter")
        else:
            say(page, "left")
        see(page, "achieved: done")
        assert page.locator(".wish").all_inner_texts() == ["turn", "left"]
        page.context.close()


def test_a_model_is_tried_out_and_a_limit_is_not_lifted(model: str, chromium: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        page = visit(chromium, address)
        page.click("[title='choose the setup']")
        name = page.get_by_label("model (", exact=False)
        for spec, told in ((f"{model}#home", "it lists 3 models"), ("http://127.0.0.1:9/v1#m", "no connection")):
            name.fill(spec)
            page.get_by_role("button", name="Test", exact=True).click()
            see(page, told)
        name.fill("")
        page.locator("summary").click()
        page.get_by_label("highest altitude, m").fill("99")
        page.get_by_role("button", name="Use this").click()
        see(page, "99 is not possible, it must be at most 2.5 here")
        page.get_by_label("highest altitude, m").fill("1.2")
        page.get_by_role("button", name="Use this").click()
        page.locator(".form").wait_for(state="detached")
        see(page, "of 1.2 m")
        page.context.close()


def test_a_robot_stops_when_its_operator_falls_silent(chromium: Any, tmp_path: Path) -> None:
    with serving(tmp_path, "--dead-man", "3") as address:
        page, other = visit(chromium, address), visit(chromium, address)
        say(page, LONG)
        see(other, "running")
        page.context.close()
        see(other, "stopped by watchdog")
        other.context.close()


def test_after_a_pulled_plug_the_mission_is_on_record(chromium: Any, tmp_path: Path) -> None:
    with serving(tmp_path, lands=False) as address:  # killed at the end, in the middle of the flight
        page = visit(chromium, address)
        say(page, LONG)
        page.locator(".step.done").first.wait_for()
        page.context.close()
    with serving(tmp_path) as address:
        page = visit(chromium, address)
        page.get_by_role("button", name="Missions").click()
        page.locator(".mission", has_text="died").wait_for()
        see(page, "the record ends here: the process died")
        page.get_by_role("button", name="Live").click()
        say(page, "take off and land")
        see(page, "achieved: done")
        page.context.close()
