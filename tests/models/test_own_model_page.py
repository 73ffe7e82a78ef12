"""The model on the how-to page works as printed."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from sayso.errors import ModelUnavailable
from sayso.roles import Model, Prompt

PAGE = Path(__file__).parents[2] / "docs" / "own-model.md"


def test_the_parrot_of_the_page_is_a_model() -> None:
    code = next(
        block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S) if "Parrot" in block
    )
    names: dict[str, Any] = {}
    exec(code, names)
    parrot = names["Parrot"]()
    assert isinstance(parrot, Model)
    prompt = Prompt("plan", (("user", "Scene:\n| []\nTask:\n| say cheese\nPlan:"),))

    async def said() -> str:
        return "".join([chunk.text async for chunk in parrot.stream(prompt)])

    assert asyncio.run(said()).strip() == "l('say cheese')"
    with pytest.raises(ModelUnavailable):
        asyncio.run(parrot.score(prompt, ["A"]))
