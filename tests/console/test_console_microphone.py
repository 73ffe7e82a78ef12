"""What is said into the page's microphone: the words come back to be sent by hand, and a stop has stopped.

The last two tests have no double: sound that flite's voice slt spoke goes through Chromium's microphone and encoder,
the page, the server and the embedded recogniser, where it is installed.
"""

from __future__ import annotations

import contextlib
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from console_browser import CHROMIUM, FLAGS, say, see, serving, visit

EARS_SPOKEN = Path(__file__).parents[1] / "ears"
SPOKEN = EARS_SPOKEN / "turn_left_45_degrees.wav"
LOUD = np.full(16_000, 5000, np.int16).tobytes()
SLOW = "take off, turn around, go up 50 cm, turn around, go down 50 cm and land"
EARS = '''
from pathlib import Path

import numpy as np

from sayso.ears import Heard, Recogniser, Sound
from sayso.roles import Brief


class Mine(Recogniser):
    """A test double: whatever is loud says what stands in the file beside it."""

    name = "double"

    def hear(self, sound: Sound, brief: Brief) -> Heard:
        assert "takeoff" in " ".join(brief.skills).replace("_", "") and sound.seconds < 30
        said = Path(__file__).with_name("said.txt").read_text()
        return Heard(said.strip(), not said.endswith("?")) if np.abs(sound.samples).max() > 300 else Heard("", False)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("ears")
    (made / "ears.py").write_text(EARS, "utf-8")
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with serving(folder, "--ears", str(folder / "ears.py")) as address:
        yield address


def hear(address: str, data: bytes, **headers: str) -> dict[str, str]:
    request = urllib.request.Request(f"{address}hear", data, {"Origin": address.rstrip("/"), **headers})
    with urllib.request.urlopen(request, timeout=60) as answer:
        came: dict[str, str] = json.load(answer)
        return came


def test_what_was_heard_comes_back_and_does_nothing(address: str, folder: Path) -> None:
    (folder / "said.txt").write_text("take off")
    came = hear(address, LOUD)
    assert came == {"text": "take off", "told": "Is that what you said? Enter does it."}
    (folder / "said.txt").write_text("take off ?")
    assert hear(address, LOUD)["told"].startswith("I am not sure.")
    assert hear(address, bytes(32_000)) == {"text": "", "told": "I am not sure. I heard nothing that I understand."}
    assert "buffer size" in hear(address, b"odd")["told"]


def test_another_site_is_not_listened_to(address: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403"):
        hear(address, LOUD, Origin="http://elsewhere.example")


@contextlib.contextmanager
def listening(address: str, spoken: Path) -> Iterator[Any]:
    """A page in a browser whose microphone plays a file, once."""
    if not CHROMIUM:
        pytest.skip("no Chromium here; CHROMIUM names one")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    plays = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, *plays, f"--use-file-for-fake-audio-capture={spoken}%noloop"]
        )
        yield visit(browser, address, permissions=["microphone"])
        browser.close()


@pytest.fixture
def page(address: str) -> Iterator[Any]:
    with listening(address, SPOKEN) as page:
        yield page


def talk(page: Any) -> None:
    """Hold the button as long as it takes to say the sentence."""
    page.hover("#talk")
    page.mouse.down()
    page.wait_for_timeout(3000)
    page.mouse.up()


@pytest.mark.browser
def test_words_said_into_the_microphone_come_into_the_line(page: Any, folder: Path) -> None:
    (folder / "said.txt").write_text("take off and land")
    talk(page)
    see(page, "Is that what you said? Enter does it.")
    assert page.input_value("#say") == "take off and land"
    page.press("#say", "Enter")
    see(page, "achieved: done")


@pytest.mark.browser
def test_a_stop_that_is_said_stops_on_the_same_latch(page: Any, folder: Path) -> None:
    (folder / "said.txt").write_text("stop ?")
    say(page, SLOW)
    page.wait_for_selector(".step.running")
    talk(page)
    see(page, "I heard a stop")
    page.wait_for_selector("#stop[data-running='0']")
    see(page, "stopped by voice")
    page.get_by_role("button", name="Release").click()


@pytest.fixture(scope="module")
def hearing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A console that listens with its own recogniser."""
    pytest.importorskip("moonshine_voice", reason="the extra ears is not installed")
    pytest.importorskip("pocketsphinx", reason="the extra ears is not installed")
    with serving(tmp_path_factory.mktemp("hearing")) as address:
        yield address


@pytest.mark.browser
def test_a_sentence_of_sound_comes_into_the_line_and_is_done(hearing: str) -> None:
    with listening(hearing, SPOKEN) as page:
        say(page, "take off")
        see(page, "achieved: done")
        talk(page)
        see(page, "Is that what you said? Enter does it.")
        assert page.input_value("#say").lower().startswith("turn left")
        page.press("#say", "Enter")
        see(page, "I turn left 45°.")
        page.locator(".step.done", has_text="turn_ccw(45)").wait_for()


@pytest.mark.browser
def test_a_stop_of_sound_stops(hearing: str) -> None:
    with listening(hearing, EARS_SPOKEN / "stop.wav") as page:
        say(page, SLOW)
        page.wait_for_selector(".step.running")
        talk(page)
        see(page, "I heard a stop")
        see(page, "stopped by voice")
        page.get_by_role("button", name="Release").click()
        see(page, "ready")
