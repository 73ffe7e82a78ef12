"""The number of tokens of a text, estimated where a server does not count them.

Token counts are figures that people compare, so each carries the name of its counter. Where an endpoint tells none,
`pieces` counts: the way its tokenizers cut a text before they look at a vocabulary, with runs of signs in pairs. It is
an approximation: right for the paper's one published count of MiniSpec, low for rare words, which are several tokens.
"""

import re
from collections.abc import Callable
from typing import TypeAlias

from sayso.roles import Prompt, Usage

Count: TypeAlias = Callable[[str], int]

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


def count(text: str) -> int:
    """The estimated number of tokens."""
    return len(pieces(text))


PICTURE_TOKENS = 255
"""A picture of one tile (512 × 512), as OpenAI's models count it."""


def counted(prompt: Prompt, answer: str) -> Usage:
    """The usage of a model call whose endpoint does not tell it."""
    picture = PICTURE_TOKENS if prompt.picture else 0
    return Usage(sum(count(text) for _, text in prompt.messages) + picture, count(answer), "pieces")
