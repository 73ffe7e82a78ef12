"""The corrupting double by its name on a command line; what it does to plans is told by the service suite's tests."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sayso.errors import UsageError
from sayso.models import known, make
from sayso.roles import Prompt


def test_a_share_of_the_answers_of_any_model_is_spoiled(tmp_path: Path) -> None:
    script = tmp_path / "plan.ms"
    script.write_text("mt('kitchen');lo('coke')", "utf-8")
    model = make(f"corrupted:1:scripted:{script}")

    async def said() -> str:
        return "".join([chunk.text async for chunk in model.stream(Prompt("plan", ()))])

    assert asyncio.run(said()) != "mt('kitchen');lo('coke')"
    assert model.name.endswith("100% corrupted (a test double)")
    assert any(form.startswith("corrupted:") for form, _ in known())


@pytest.mark.parametrize("spec", ["corrupted:much:pocket", "corrupted:0.3", "corrupted:2:scripted:x", "corrupted:"])
def test_what_cannot_be_is_told(spec: str) -> None:
    with pytest.raises(UsageError):
        make(spec)
