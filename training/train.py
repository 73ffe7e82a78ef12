"""Train the small model on lessons that are made as it goes: every lesson is seen once, none is kept.

    python training/train.py out=runs/pocket minutes=240
    python training/train.py out=/tmp/tiny layers=2 width=128 heads=4 vocabulary=1200 minutes=2
    python training/train.py out=runs/pocket minutes=240 resume=1        (goes on; minutes count from the first start)

Needs torch, which nothing else here does. A decoder like Llama's: RMS norm, rotary positions, SwiGLU, tied embeddings,
no biases. Only what the model has to write counts in the loss, and a little what it reads. Writes to `out`:
tokenizer.json, config.json, checkpoint.pt (resumable) and curve.jsonl (a line an evaluation).
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from lessons import SIDES, Lesson, lesson
from tokenizer import Tokenizer, learn

# Knobs; any of them can be set on the command line as name=value.
out = "runs/pocket"
layers, width, heads, inner = 6, 320, 5, 896
vocabulary, context = 3000, 384
batch_tokens = 8192
rate, rate_end, warmup_steps, decay, clip = 1e-3, 1e-4, 100, 0.1, 1.0
prompt_weight = 0.05  # of the loss on what is only read
minutes, save_minutes, eval_steps = 240.0, 5.0, 500
eval_lessons, seed, resume = 100, 0, 0
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


# The model


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.before, self.between = nn.RMSNorm(width), nn.RMSNorm(width)
        self.qkv, self.back = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.gate, self.up = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        b, t, _ = x.shape
        q, k, v = self.qkv(self.before(x)).view(b, t, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
        q, k = rotated(q, cos, sin), rotated(k, cos, sin)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.back(seen.transpose(1, 2).reshape(b, t, width))
        h = self.between(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


def rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    one, other = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-other, one), dim=-1) * sin


class Pocket(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(size, width)
        self.blocks = nn.ModuleList(Block() for _ in range(layers))
        self.norm = nn.RMSNorm(width)
        turn = 1.0 / 10_000 ** (torch.arange(0, width // heads, 2) / (width // heads))
        angle = torch.outer(torch.arange(context), turn).repeat(1, 2)
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)
        for weight in self.parameters():
            if weight.ndim > 1:
                nn.init.normal_(weight, std=0.02)

    def forward(self, ids: Tensor) -> Tensor:
        x, t = self.embed(ids), ids.shape[1]
        cos, sin = self.cos[:t].to(x.dtype), self.sin[:t].to(x.dtype)
        for block in self.blocks:
            x = block(x, cos, sin)
        return self.norm(x) @ self.embed.weight.T


# The data


def taught(start: int) -> Iterator[Lesson]:
    """Lessons for training, without end, from number `start` on."""
    number = start
    while True:
        yield lesson(seed, number, held_out=0.0)
        number += 1


def measured() -> dict[str, list[Lesson]]:
    """Lessons that training never sees, by side; `recall` are of training's own frames, but other dice."""
    sides: dict[str, list[Lesson]] = {"recall": [lesson(seed + 1, n, held_out=0.0) for n in range(eval_lessons)]}
    pool = (lesson(seed + 1, n, held_out=1.0) for n in range(1_000_000, 2_000_000))
    while any(len(sides.get(side, [])) < eval_lessons for side in SIDES):
        one = next(pool)
        if len(sides.setdefault(one.held, [])) < eval_lessons:
            sides[one.held].append(one)
    return sides


def batches(words: Tokenizer, start: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """(ids, weight of each next token, lessons used so far). Rows of like length together, too long ones left out."""
    source, used = taught(start), start
    while True:
        some = []
        for one in islice(source, 1024):
            read, write = words.encode(one.prompt), words.encode(one.target)
            if len(read) + len(write) <= context:
                some.append((read + write, [prompt_weight] * (len(read) - 1) + [1.0] * len(write)))
        used += 1024
        some.sort(key=lambda row: len(row[0]))
        rows: list[list[tuple[list[int], list[float]]]] = [[]]
        for row in some:
            if rows[-1] and (len(rows[-1]) + 1) * len(row[0]) > batch_tokens:
                rows.append([])
            rows[-1].append(row)
        for n in torch.randperm(len(rows)).tolist():
            yield *padded(rows[n]), used


def padded(rows: list[tuple[list[int], list[float]]]) -> tuple[Tensor, Tensor]:
    longest = max(len(ids) for ids, _ in rows)
    ids = torch.tensor([ids + [0] * (longest - len(ids)) for ids, _ in rows])
    weights = torch.tensor([w + [0.0] * (longest - 1 - len(w)) for _, w in rows])
    return ids.to(device), weights.to(device)


# One step, and how well it does


def loss_of(model: Pocket, ids: Tensor, weights: Tensor, low: bool) -> Tensor:
    with torch.autocast(device, torch.bfloat16, enabled=low):
        logits = model(ids[:, :-1])
    each = F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
    return (each * weights.flatten()).sum() / weights.sum()


def rate_at(done: float, step: int) -> float:
    """Warm up by steps, then fall along a cosine with the share of the time that is over."""
    if step < warmup_steps:
        return rate * (step + 1) / warmup_steps
    return rate_end + (rate - rate_end) * (1 + math.cos(math.pi * min(1.0, done))) / 2


@torch.no_grad()
def written(model: Pocket, words: Tokenizer, prompts: list[str], low: bool, most: int = 96) -> list[str]:
    """What the model writes, greedily, for each prompt."""
    end = words.ids["<end>"]
    texts = []
    for prompt in prompts:
        ids = words.encode(prompt)[-(context - most) :]
        begin = len(ids)
        for _ in range(most):
            with torch.autocast(device, torch.bfloat16, enabled=low):
                following = int(model(torch.tensor([ids], device=device))[0, -1].argmax())
            ids.append(following)
            if following == end:
                break
        texts.append(words.decode(ids[begin:]))
    return texts


def scored(model: Pocket, words: Tokenizer, sides: dict[str, list[Lesson]], low: bool, low_n: int) -> dict[str, float]:
    """Share of lessons written exactly as the oracle has them, by side."""
    model.eval()
    shares = {}
    for side, some in sides.items():
        texts = written(model, words, [one.prompt for one in some[:low_n]], low)
        shares[side] = sum(a == b.target for a, b in zip(texts, some, strict=False)) / len(texts)
    model.train()
    return shares


def faster_low(model: Pocket, ids: Tensor, weights: Tensor) -> bool:
    """Whether bfloat16 is faster than float32 on this machine."""
    took_s = {}
    for low in (False, True):
        for _ in range(2):  # the first one warms up
            began_s = time.perf_counter()
            loss_of(model, ids, weights, low).backward()
            took_s[low] = time.perf_counter() - began_s
    model.zero_grad()
    return took_s[True] < took_s[False]


# The loop

kept = torch.load(folder / "checkpoint.pt", map_location=device) if resume else None
if resume:
    words = Tokenizer.load(folder / "tokenizer.json")
else:
    words = learn((one.prompt + one.target for one in islice(taught(10_000_000), 20_000)), vocabulary)
    words.save(folder / "tokenizer.json")
    (folder / "config.json").write_text(json.dumps(knobs, indent=1))
model = Pocket(len(words)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.95), weight_decay=decay)
step, tokens, used, past_s = 0, 0, 0, 0.0
if kept:
    model.load_state_dict(kept["model"])
    optimizer.load_state_dict(kept["optimizer"])
    step, tokens, used, past_s = kept["step"], kept["tokens"], kept["used"], kept["past_s"]
sides = measured()
stream = batches(words, used)
first = next(stream)
low = faster_low(model, *first[:2]) if dtype == "auto" else dtype == "bfloat16"
size = sum(p.numel() for p in model.parameters())
kind = "bfloat16" if low else "float32"
print(f"{size / 1e6:.2f} M parameters, {len(words)} tokens, {device}, {kind}, from step {step}")


def save() -> None:
    """Whole or not at all: a half-written checkpoint would end the training."""
    whole = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "step": step,
        "tokens": tokens,
        "used": used,
        "past_s": past_s + time.monotonic() - began_s,
        "knobs": knobs,
    }
    torch.save(whole, folder / "checkpoint.tmp")
    (folder / "checkpoint.tmp").replace(folder / "checkpoint.pt")


def note(losses: list[float], tokens_s: float, full: bool) -> None:
    """A line of the curve."""
    shares = scored(model, words, sides, low, eval_lessons if full else 20)
    line = {
        "step": step,
        "tokens": tokens,
        "lessons": used,
        "loss": round(sum(losses) / max(1, len(losses)), 4),
        "rate": optimizer.param_groups[0]["lr"],
        "tokens_s": round(tokens_s),
        "exact": shares,
    }
    with (folder / "curve.jsonl").open("a") as curve:
        curve.write(json.dumps(line) + "\n")
    print(json.dumps(line), flush=True)


losses: list[float] = []
began_s = time.monotonic()
saved_s = noted_s = time.monotonic()
noted_tokens = tokens
for ids, weights, used_now in stream:
    done = (past_s + time.monotonic() - began_s) / (60 * minutes)
    if done >= 1:
        break
    for group in optimizer.param_groups:
        group["lr"] = rate_at(done, step)
    loss = loss_of(model, ids, weights, low)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    step, tokens, used = step + 1, tokens + int((ids != 0).sum()), used_now
    losses.append(loss.item())
    if step % eval_steps == 0:
        note(losses, (tokens - noted_tokens) / (time.monotonic() - noted_s), full=False)
        losses, noted_tokens, noted_s = [], tokens, time.monotonic()
    if time.monotonic() - saved_s > 60 * save_minutes:
        save()
        saved_s = time.monotonic()
save()
note(losses, (tokens - noted_tokens) / (time.monotonic() - noted_s), full=True)
for one in [some[0] for some in sides.values()]:
    print(f"\n{one.prompt}\n  wanted {one.target}\n  wrote  {written(model, words, [one.prompt], low)[0]}")
