"""What the detector learns from: every box has a cell that learns it, and what is put out is what the flight reads."""

from __future__ import annotations

import numpy as np
import pytest
import training_path  # noqa: F401

torch = pytest.importorskip("torch", reason="training alone needs torch")

from eyes_network import MIDDLE, STRIDES, Eyes, cells, fit, given, grids, loss  # noqa: E402


def test_every_box_has_a_cell_that_learns_from_it_and_none_two() -> None:
    assert len(cells(240, 320)) == 80 * 60 + 40 * 30 + 20 * 15 + 10 * 8
    dice = torch.Generator().manual_seed(1)
    for _ in range(200):
        side = 4 * 2 ** (6 * torch.rand(2, generator=dice))
        left_top = torch.rand(2, generator=dice) * (torch.tensor([320.0, 240.0]) - side).clamp(min=0)
        box = torch.cat([torch.zeros(1), left_top, torch.minimum(left_top + side, torch.tensor([320.0, 240.0]))])
        assert (given(box[None].numpy(), 240, 320) == 0).any(), box
    two = np.array([[0.0, 10, 10, 200, 200], [1.0, 90, 90, 120, 120]])
    assert {0, 1} <= set(given(two, 240, 320).tolist())


def test_a_cell_that_learns_lies_in_the_middle_of_its_box_or_next_to_it() -> None:
    dice = np.random.default_rng(2)
    middles = cells(240, 320).numpy()
    stride = np.concatenate(
        [np.full(rows * columns, s) for s, (rows, columns) in zip(STRIDES, grids(240, 320), strict=True)]
    )
    for _ in range(100):
        left, top = dice.uniform(0, 250), dice.uniform(0, 180)
        box = np.array([[0, left, top, left + dice.uniform(3, 70), top + dice.uniform(3, 60)]])
        learns = given(box, 240, 320) == 0
        apart = np.abs(middles - (box[:, 1:3] + box[:, 3:5]) / 2).max(axis=1)
        assert (apart[learns] <= MIDDLE * stride[learns]).all()


def test_overlap_is_what_two_boxes_share() -> None:
    one, other = torch.tensor([[0.0, 0, 10, 10]]), torch.tensor([[5.0, 0, 15, 10]])
    shared, general = fit(one, other)
    assert shared.item() == pytest.approx(1 / 3) and general.item() == pytest.approx(1 / 3)
    assert fit(one, one)[1].item() == pytest.approx(1.0)


def test_it_learns_a_picture_by_heart() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)  # with more, they wait for one another wherever something else runs
    network = Eyes(2, 4)
    picture = torch.full((1, 3, 64, 96), 60, dtype=torch.uint8)
    picture[0, 0, 20:44, 30:54] = 220
    boxes = [torch.tensor([[1.0, 30, 20, 54, 44]])]
    optimizer = torch.optim.Adam(network.parameters(), 1e-2)
    for _ in range(80):
        optimizer.zero_grad()
        loss(*network.raw(picture), picture.shape[-2:], boxes).backward()
        optimizer.step()
    found = network(picture)[0]
    best = found[:, found[5].argmax()]
    assert found.shape[0] == 6 and best[5] > 0.5 and best[5] > 5 * best[4]
    assert best[:4].tolist() == pytest.approx([42, 32, 24, 24], abs=4)
