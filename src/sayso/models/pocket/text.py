"""Texts as the embedded model reads them: without what makes no difference, and without marks of the short forms.

Marks such as `<see>` are single tokens, and no text from outside can contain one: < and > are taken away.
"""

import re
import unicodedata

WISH_CHARS = 400

_SPELLED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "°": " degrees"})
_SPACES = re.compile(r"\s+")


def clean(text: str, limit: int = WISH_CHARS) -> str:
    """A sentence without what makes no difference to its meaning: capitals, accents, final punctuation, runs of white
    space. Letters of other scripts become ~."""
    text = unicodedata.normalize("NFKD", text.translate(_SPELLED))
    kept = "".join(_plain_character(c) for c in text if not unicodedata.combining(c))
    return _SPACES.sub(" ", kept).strip().rstrip(" .!?,;:").lower()[:limit]


def item(text: str, limit: int = WISH_CHARS) -> str:
    """One of a list: cleaned, without the signs that part lists."""
    letters = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    joined = "".join(c if c.isascii() and c.isprintable() and c not in "<>|;" else " " for c in letters)
    return _SPACES.sub(" ", joined).strip().rstrip(" .!?,:").lower()[:limit]


def _plain_character(character: str) -> str:
    if character in "<>":
        return " "
    if character.isascii():
        return character if character.isprintable() else " "
    return "~" if character.isalpha() else " "
