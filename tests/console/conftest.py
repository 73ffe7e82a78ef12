"""The browser that the console's browser tests share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from console_browser import CHROMIUM, FLAGS

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))  # not in the wheel, so not installed


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if not CHROMIUM:
        pytest.skip("no Chromium here; CHROMIUM names one")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
