"""Train the drone's own detector on rendered rooms, measure it on rooms that are held out, and write it in 8 bits.

    python training/eyes.py out=runs/eyes minutes=170          (renders, trains, measures and exports: one command)
    python training/eyes.py out=runs/try frames=60 minutes=1 width=8 calls=1        (whether it all works)
    python training/eyes.py out=runs/eyes resume=1             (goes on where Ctrl-C, or a pulled plug, ended it)
    sayso run --detector runs/eyes/eyes.onnx "take off and go to the chair"

Pictures and their labels come from `rooms`; each is rendered once, by several processes, and kept in `out`. When the
network is trained its scores are made chances (Platt 1999), by rooms as they are that no lesson came from: what it says
it is half sure of is there half of the time. What is exported looks twice: at a picture of 640 x 480 for what is small
and at half its size for the rest. Writes eyes.onnx (8 bits; bytes in, layout v8, labels inside), float.onnx,
checkpoint.pt (resumable) and measured.json: average precision at an overlap of .5 in pictures of 320 x 240, of held-out
rooms and lights and of the office's own scenes, by label, for what is exported, through the code that flies it, and how
long a picture takes on one core. It claims simulated pictures only.

Needs torch and onnx, which the package does not.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from torch.nn import functional as F  # noqa: N812

from eyes_network import Eyes, TwoScales, loss
from rooms import HEIGHT, LABELS, LONG_PX, WIDTH, Shot, office_shots, shots, varied
from sayso.perception.detecting import make
from sayso.perception.yolo import shared

# Knobs; any of them can be set on the command line as name=value.
out = "runs/eyes"
frames, held_frames, office_frames, plain_frames, a_room, a_call = 12_000, 400, 200, 400, 8, 200
width, batch, rate, decay = 32, 32, 2e-3, 0.03
average = 0.998  # what is measured and exported is a running mean of the weights
half = 0.55  # this share of the time pictures are half as large: four steps for one, shapes before detail
minutes, save_minutes, calls = (
    170.0,
    5.0,
    2,
)  # of training with all `threads`, by processor time; `calls` processes render
calibration = 120
dtype = "bfloat16"  # of training alone; half the time of float32 where the processor has it
seed, threads, resume = 0, 2, 0

SCENES = ("tour", "task01", "task03", "task05", "task06", "task08", "task09", "task10", "task11")
Pictures = tuple[np.ndarray[Any, Any], list[np.ndarray[Any, Any]]]


# Pictures


def rendered(job: tuple[str, int, int]) -> list[Shot]:
    """What one process renders: of a side, so many pictures from a seed."""
    side, first, count = job
    source = (
        office_shots(SCENES, first, -(-count // len(SCENES)))
        if side == "office"
        else shots(first, side == "held", a_room, littered=side == "rooms")
    )
    return [shot for _, shot in zip(range(count), source, strict=False)]


def pictures(folder: Path, side: str, count: int) -> Pictures:
    """Rendered once, by processes that end after some rooms since GL keeps what it has drawn, and kept as one file."""
    file = folder / f"{side}-{count}-{seed}.npz"
    if not file.is_file():
        all_, made = np.empty((count, HEIGHT, WIDTH, 3), np.uint8), []
        first = 1000 * seed + (500 if side == "plain" else 0)  # rooms that no lesson comes from
        jobs = [(side, first + n, min(a_call, count - n * a_call)) for n in range(math.ceil(count / a_call))]
        jobs = [(side, seed, count)] if side == "office" else jobs
        with multiprocessing.get_context("spawn").Pool(calls, maxtasksperchild=1) as pool:
            for shot in (shot for part in pool.imap(rendered, jobs, chunksize=1) for shot in part):
                all_[len(made)] = shot.picture
                made.append(np.pad(shot.boxes, ((0, 0), (1, 0)), constant_values=len(made)))
        np.savez(file, pictures=all_, boxes=np.concatenate(made))
    kept = np.load(file)
    boxes, first = kept["boxes"], np.searchsorted(kept["boxes"][:, 0], np.arange(count + 1))
    return kept["pictures"], [boxes[a:b, 1:] for a, b in itertools.pairwise(first)]


def batches(data: Pictures, dice: np.random.Generator) -> Iterator[tuple[torch.Tensor, list[torch.Tensor]]]:
    """Without end: mirrored, moved and enlarged, lighter or darker, with noise."""
    all_, boxes = data
    while True:
        for rows in np.array_split(dice.permutation(len(all_)), max(1, len(all_) // batch)):
            made = [varied(all_[n], boxes[n], dice) for n in rows]
            yield torch.from_numpy(np.stack([p for p, _ in made])), [torch.from_numpy(b) for _, b in made]


def halved(some: torch.Tensor, boxes: list[torch.Tensor]) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """A batch at half its size, without what is too small to be found there."""
    smaller = [torch.cat([b[:, :1], b[:, 1:] / 2], 1) for b in map(torch.Tensor.float, boxes)]
    longer = ((b[:, 3:] - b[:, 1:3]).amax(1) >= LONG_PX for b in smaller)
    return F.avg_pool2d(some.float(), 2), [b[seen] for b, seen in zip(smaller, longer, strict=True)]


# Training


def trained(network: Eyes, data: Pictures, folder: Path) -> Eyes:
    """The running mean of the weights when the time is over. What was trained before counts where it goes on."""
    network.to(memory_format=torch.channels_last)
    mean = torch.optim.swa_utils.AveragedModel(
        network, avg_fn=lambda old, new, n: average * old + (1 - average) * new, use_buffers=True
    )
    optimizer = torch.optim.AdamW(network.parameters(), rate, weight_decay=decay)
    parts, file = {"network": network, "mean": mean, "optimizer": optimizer}, folder / "checkpoint.pt"
    steps, spent_s = 0, 0.0
    if resume and file.is_file():
        kept = torch.load(file, weights_only=True)
        steps, spent_s = kept["steps"], kept["spent_s"]
        for name, part in parts.items():
            part.load_state_dict(kept[name])
    dice, began_s, saved_s = np.random.default_rng((seed, steps)), time.process_time(), time.monotonic()

    def used() -> float:
        return (spent_s + (time.process_time() - began_s) / threads) / (60 * minutes)

    def save() -> None:
        state = {name: part.state_dict() for name, part in parts.items()}
        torch.save({**state, "steps": steps, "spent_s": 60 * minutes * used()}, file.with_suffix(".new"))
        file.with_suffix(".new").replace(file)

    try:
        for some, boxes in batches(data, dice):
            if (done := used()) >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, (steps + 1) / 100) * (0.02 + 0.98 * (1 + math.cos(math.pi * done)) / 2)
            if done < half:
                some, boxes = halved(some, boxes)
            with torch.autocast("cpu", getattr(torch, dtype), enabled=dtype != "float32"):
                logits, found = network.raw(some.contiguous(memory_format=torch.channels_last))
            cost = loss(logits.float(), found.float(), some.shape[-2:], boxes)
            optimizer.zero_grad()
            cost.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 10.0)
            optimizer.step()
            mean.update_parameters(network)
            steps += 1
            if steps % 50 == 1:
                print(f"{steps} steps, {done:.1%} of the time, loss {cost.item():.3f}", flush=True)
            if time.monotonic() - saved_s > 60 * save_minutes:
                save()
                saved_s = time.monotonic()
    finally:
        save()
    return mean.module if steps > 500 else network  # a mean of a few steps is still of the beginning


# What is written


class Some(CalibrationDataReader):
    """Pictures by which the range of every number is set."""

    def __init__(self, some: np.ndarray[Any, Any]) -> None:
        self._left = iter(some)

    def get_next(self) -> dict[str, Any] | None:
        picture = next(self._left, None)
        return None if picture is None else {"images": picture.transpose(2, 0, 1)[None].repeat(2, 2).repeat(2, 3)}


def calibrated(network: Eyes, data: Pictures, some: np.ndarray[Any, Any], folder: Path) -> None:
    """Let its scores be chances: of the line through its logits by which what it found in some pictures was right."""
    network.certainty = (1.0, 0.0)
    found = detected(exported(network, some, folder), data[0])[0]
    hits = [pair for n in range(len(LABELS)) for pair in hits_of(n, found, data[1])]
    scores, right = (torch.tensor(side, dtype=torch.float64) for side in zip(*hits, strict=True))
    logits, line = torch.logit(scores, 1e-6), torch.tensor([1.0, 0.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([line], max_iter=100, line_search_fn="strong_wolfe")

    def cost() -> torch.Tensor:
        optimizer.zero_grad()
        off = F.binary_cross_entropy_with_logits(line[0] * logits + line[1], right)
        off.backward()
        return off

    optimizer.step(cost)
    network.certainty = (float(line[0]), float(line[1]))
    print(f"a score's logit l becomes {line[0]:.2f} l {line[1]:+.2f}, by {len(hits)} detections", flush=True)


def exported(network: Eyes, some: np.ndarray[Any, Any], folder: Path) -> Path:
    """In 8 bits; what makes boxes of the last numbers stays in floating point."""
    whole, small = folder / "float.onnx", folder / "eyes.onnx"
    picture = torch.zeros(1, 3, 2 * HEIGHT, 2 * WIDTH, dtype=torch.uint8)
    torch.onnx.export(
        TwoScales(network.eval()), (picture,), whole, input_names=["images"], output_names=["found"], dynamo=False
    )
    quantize_static(
        whole, small, Some(some), quant_format=QuantFormat.QDQ, per_channel=True, weight_type=QuantType.QInt8,
        activation_type=QuantType.QUInt8, op_types_to_quantize=["Conv", "Add", "Relu"],
    )  # fmt: skip
    for file in (whole, small):
        model = onnx.load(file)
        onnx.helper.set_model_props(model, {"names": json.dumps(LABELS)})
        onnx.save(model, file)
    return small


# What it is worth


def measured(file: Path, data: Pictures) -> dict[str, Any]:
    """Average precision at an overlap of .5 by label, and seconds a picture, through the code that flies it."""
    found, took_s = detected(file, data[0])
    by_label = {label: precision(hits_of(n, found, data[1]), count(n, data[1])) for n, label in enumerate(LABELS)}
    told = {label: round(value, 3) for label, value in by_label.items() if value is not None}
    return {
        "ap50": round(sum(told.values()) / max(1, len(told)), 3),
        "pictures": len(found),
        "median_s": round(float(np.median(took_s)), 4),
        "by_label": told,
    }


def detected(file: Path, some: np.ndarray[Any, Any]) -> tuple[list[Sequence[Any]], list[float]]:
    """What is found in each of some pictures, however little sure, and how long it took."""
    said = file.with_suffix(".toml")
    said.write_text('model = "eyes.onnx"\nleast = 0.0001\n', "utf-8")
    detector, found, took_s = make(str(said)), [], []

    async def detect(picture: np.ndarray[Any, Any]) -> Sequence[Any]:
        return await detector.detect(picture)

    for picture in some:
        began_s = time.perf_counter()
        found.append(asyncio.run(detect(picture)))
        took_s.append(time.perf_counter() - began_s)
    said.unlink()
    return found, took_s


def count(number: int, boxes: Sequence[np.ndarray[Any, Any]]) -> int:
    """How many things of a label there are."""
    return sum(int((mine[:, 0] == number).sum()) for mine in boxes)


def hits_of(
    number: int, found: Sequence[Sequence[Any]], boxes: Sequence[np.ndarray[Any, Any]]
) -> list[tuple[float, bool]]:
    """How sure each detection of a label is, surest first, and whether it is of a thing that no surer one was of."""
    truth = [mine[mine[:, 0] == number, 1:].astype(float) for mine in boxes]
    free = [np.ones(len(mine), bool) for mine in truth]
    right = []
    for one, n in sorted(
        ((d, n) for n, some in enumerate(found) for d in some if d.label == LABELS[number]),
        key=lambda e: -e[0].confidence,
    ):
        box = one.box
        sides = (box.x - box.width / 2, box.y - box.height / 2, box.x + box.width / 2, box.y + box.height / 2)
        overlaps = (
            shared(np.array(sides) * (WIDTH, HEIGHT, WIDTH, HEIGHT), truth[n]) * free[n]
            if len(truth[n])
            else np.zeros(1)
        )
        if hit := bool(overlaps.max() >= 0.5):
            free[n][overlaps.argmax()] = False
        right.append((one.confidence, hit))
    return right


def precision(hits: Sequence[tuple[float, bool]], there: int) -> float | None:
    """The area under precision by recall, every point; None where there is no such thing."""
    if not there or not hits:
        return 0.0 if there else None
    so_far = np.cumsum([hit for _, hit in hits])
    recall, exact = so_far / there, so_far / np.arange(1, len(hits) + 1)
    exact = np.maximum.accumulate(exact[::-1])[::-1]
    return float(np.sum(np.diff(recall, prepend=0.0) * exact))


def main() -> None:
    knobs = {k: v for k, v in globals().items() if not k.startswith("_") and isinstance(v, int | float | str)}
    for told in sys.argv[1:]:
        name, _, value = told.partition("=")
        if name not in knobs:
            sys.exit(f"there is no knob {name!r}; there are {', '.join(knobs)}")
        globals()[name] = type(knobs[name])(value)
    began_s, folder = time.monotonic(), Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    data = pictures(folder, "rooms", frames)
    print(
        f"{len(data[0])} pictures after {time.monotonic() - began_s:.0f} s, {sum(map(len, data[1]))} boxes", flush=True
    )
    sides = {"held out": pictures(folder, "held", held_frames), "office": pictures(folder, "office", office_frames)}
    plain = pictures(folder, "plain", plain_frames)
    network = Eyes(len(LABELS), width)
    size = sum(p.numel() for p in network.parameters())
    print(f"{size / 1e6:.2f} M parameters", flush=True)
    try:
        network = trained(network, data, folder)
    except KeyboardInterrupt:
        sys.exit("kept as it is; resume=1 goes on")
    calibrated(network, plain, data[0][:calibration], folder)
    small = exported(network, data[0][:calibration], folder)
    result = {side: measured(small, some) for side, some in sides.items()}
    about = {
        "parameters": size,
        "bytes": small.stat().st_size,
        "pictures": len(data[0]),
        "minutes": minutes,
        "seed": seed,
    }
    (folder / "measured.json").write_text(json.dumps({**about, **result}, indent=1), "utf-8")
    print(
        json.dumps(
            {**about, **{side: {k: v for k, v in one.items() if k != "by_label"} for side, one in result.items()}}
        )
    )


if __name__ == "__main__":
    main()
