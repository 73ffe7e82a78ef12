"""All of this folder is of the training, which is no part of the package: see the marker in pyproject.toml."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("training")
