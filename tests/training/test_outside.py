"""The line between what is asked for and what is refused, and the card that it is kept in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import training_path  # noqa: F401  (puts training on the path)
from hypothesis import given
from hypothesis import strategies as st

from outside import line, meanings, write_card
from sayso.models.pocket import net


@given(st.integers(0, 1000), st.floats(0.05, 0.95))
def test_the_line_parts_what_can_be_parted(seed: int, share: float) -> None:
    """Wherever the two kinds lie, and however few of one there are."""
    rng = np.random.default_rng(seed)
    refused = np.array([1.0, 0.0, *(rng.random(200) < share)])
    way = rng.standard_normal(6)
    x = rng.standard_normal((len(refused), 6)) * 0.1 + refused[:, None] * way / np.linalg.norm(way) * 3
    odds = np.c_[x, np.ones(len(x))] @ line(x, refused)
    assert odds[refused == 1].min() > odds[refused == 0].max()


def test_what_tells_nothing_leaves_the_share() -> None:
    """Where both kinds mean the same, the odds are how often each came."""
    x, refused = np.zeros((400, 3)), np.arange(400) % 4 == 0
    assert (np.append(np.zeros(3), 1) @ line(x, refused.astype(float))) == pytest.approx(np.log(1 / 3), abs=0.02)


def test_lessons_have_meanings() -> None:
    x, refused = meanings(net.FOLDER, "plan", range(40))
    assert x.shape == (len(refused), 384) and 0 < refused.sum() < len(refused)
    assert np.linalg.norm(x, axis=1) == pytest.approx(1, abs=1e-3)


def test_a_card_keeps_rows_of_numbers_in_a_line(tmp_path: Path) -> None:
    card = {"outside": {"plan": [0.125, -3e-05, 2]}, "taught": ["drone", "home"], "doubt": {"plan": 0.3}}
    write_card(card, tmp_path)
    text = (tmp_path / "card.json").read_text("utf-8")
    assert json.loads(text) == card
    assert '  "plan": [0.125, -3e-05, 2]' in text.splitlines()
