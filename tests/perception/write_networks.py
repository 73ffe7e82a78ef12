"""Small networks for the tests, each in another layout, written by PyTorch's own exporter:

    python tests/perception/write_networks.py        (needs torch, onnx and onnxscript, which the tests do not)

They find things by colour, each the one box around all that is red, blue or green, in 160 × 120 pixels. That is no
eye for anything but a test; their files are what somebody else's exporter makes of a network.
"""

from __future__ import annotations

from pathlib import Path

import onnx
import torch

FOLDER = Path(__file__).with_name("networks")
LABELS = ("apple", "chair", "plant")
WIDTH, HEIGHT = 160, 120


class ByColour(torch.nn.Module):
    """Red is an apple, blue a chair, green a plant: (1, 3, 120, 160) in, boxes in the given layout out."""

    def __init__(self, layout: str) -> None:
        super().__init__()
        self.layout = layout

    def forward(self, images: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = images[0] / 255 if self.layout == "yolox" else images[0]
        x = x.flip(0) if self.layout == "yolox" else x  # that family takes blue first
        rgb = torch.stack([x[0], x[2], x[1]])
        others = torch.stack([torch.maximum(x[1], x[2]), torch.maximum(x[0], x[1]), torch.maximum(x[0], x[2])])
        mask = ((rgb > 0.2) & (rgb > torch.tensor([2.5, 1.7, 1.7])[:, None, None] * others)).float()
        columns, rows = mask.amax(1), mask.amax(2)
        across, down = torch.arange(WIDTH).float(), torch.arange(HEIGHT).float()
        left, top = (across + 1e4 * (1 - columns)).amin(1), (down + 1e4 * (1 - rows)).amin(1)
        right, bottom = (columns * (across + 1)).amax(1), (rows * (down + 1)).amax(1)
        score = (mask.sum((1, 2)) / 20).clamp(max=0.9)
        return self.laid_out(torch.stack([left, top, right, bottom], 1), score)

    def laid_out(self, corners: torch.Tensor, score: torch.Tensor) -> tuple[torch.Tensor, ...]:
        number = torch.arange(3)
        middle, side = (corners[:, :2] + corners[:, 2:]) / 2, corners[:, 2:] - corners[:, :2]
        scores = torch.diag(score)
        match self.layout:
            case "nms":
                return (torch.cat([corners, score[:, None], number[:, None].float()], 1)[None],)
            case "mmdet":
                return torch.cat([corners, score[:, None]], 1)[None], number[None]
            case "v8":
                return (torch.cat([middle, side, scores], 1).T[None],)
            case "v5":
                return (torch.cat([middle, side, torch.ones(3, 1), scores], 1)[None],)
        cell = torch.stack([number.float(), torch.zeros(3)], 1)
        few = torch.cat([middle / 8 - cell, (side.clamp(min=1) / 8).log(), torch.ones(3, 1), scores], 1)
        cells = sum((WIDTH // stride) * (HEIGHT // stride) for stride in (8, 16, 32))
        return (torch.cat([few, torch.zeros(cells - 3, 8)], 0)[None],)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for layout in ("v8", "v5", "yolox", "nms", "mmdet"):
        file = FOLDER / f"{layout}.onnx"
        picture = torch.zeros(1, 3, HEIGHT, WIDTH)
        torch.onnx.export(
            ByColour(layout).eval(), (picture,), file, input_names=["images"], dynamo=True, external_data=False
        )
        model = onnx.load(file)
        for part in (*model.graph.node, *model.graph.value_info):  # where in which file each came from
            part.doc_string = ""
            del part.metadata_props[:]
        del model.graph.value_info[:], model.graph.metadata_props[:], model.metadata_props[:]
        if layout != "v5":  # as in the field: some files tell their labels, some do not
            onnx.helper.set_model_props(model, {"names": str(dict(enumerate(LABELS)))})
        onnx.save(model, file)


if __name__ == "__main__":
    main()
