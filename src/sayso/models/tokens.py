"""How many tokens a text is, and who says so.

Token counts are figures that people compare, so each carries the name of its counter. The published ones are
`o200k_base` and `cl100k_base`; tiktoken has them, but loads its vocabulary from the network on first use. Here it is
asked only when the vocabulary already lies in its cache, so counting never waits for a server. Otherwise `pieces`
counts: the way such tokenizers cut a text before they look at a vocabulary, with runs of signs in pairs. It is an
approximation: right for the paper's one published count of MiniSpec, low for rare words, which are several tokens.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from sayso.parts import Prompt, Usage

Count: TypeAlias = Callable[[str], int]

VOCABULARIES = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
"""Encodings in order of preference, with the SHA-256 of their vocabulary as tiktoken expects it."""

_CACHED_AS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
"""tiktoken names a cached vocabulary by the SHA-1 of this address; nothing here opens it."""

_PIECE = re.compile(
    r"'(?:[sdmt]|ll|ve|re)\b|[ _]?[^\W\d_]{1,16}|\d{1,3}|_| ?[^\s\w]{1,2}"
    r"|[^\S\r\n]{0,32}[\r\n]{1,32}|[^\S\r\n]{1,32}(?!\S)|[^\S\r\n]{1,32}|."
)
"""Contractions, a word with the space or underscore before it, up to three digits, a pair of signs, line ends, space.

Bounded, so that cutting a text while it streams stays linear.
"""


def pieces(text: str) -> list[str]:
    """Token-like pieces; joined, they are the text again."""
    return _PIECE.findall(text)


def counter() -> tuple[str, Count]:
    """The best counter at hand: its name, and a function from text to a number of tokens."""
    for name, sha256 in VOCABULARIES.items():
        if _is_cached(name, sha256):
            return name, _tiktoken(name)
    return "pieces", lambda text: len(pieces(text))


PICTURE_TOKENS = 255
"""A picture of one tile (512 × 512), as OpenAI's models count it."""


def counted(prompt: Prompt, answer: str) -> Usage:
    """The usage of a model call whose endpoint does not tell it."""
    name, count = counter()
    picture = PICTURE_TOKENS if prompt.picture else 0
    return Usage(sum(count(text) for _, text in prompt.messages) + picture, count(answer), name)


def _is_cached(name: str, sha256: str) -> bool:
    """Whether tiktoken would find this vocabulary on disk, whole, and so stay off the network."""
    cache = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if cache == "" or importlib.util.find_spec("tiktoken") is None:
        return False
    folder = Path(cache) if cache else Path(tempfile.gettempdir()) / "data-gym-cache"
    file = folder / hashlib.sha1(_CACHED_AS.format(name).encode()).hexdigest()
    return file.is_file() and _sha256(file, file.stat().st_mtime_ns) == sha256


@functools.lru_cache(maxsize=8)
def _sha256(file: Path, _mtime_ns: int) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@functools.lru_cache(maxsize=2)
def _tiktoken(name: str) -> Count:
    import tiktoken  # an extra, and slow to load

    encoding = tiktoken.get_encoding(name)
    return lambda text: len(encoding.encode(text, disallowed_special=()))
