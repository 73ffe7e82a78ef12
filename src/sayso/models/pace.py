"""Waiting for a moment, as models that keep a pace do."""

from __future__ import annotations

import asyncio


async def until(due_s: float) -> None:
    """Wait for a moment of the running loop's clock; let others run if it has passed."""
    await asyncio.sleep(max(0.0, due_s - asyncio.get_running_loop().time()))
