"""The tokens of a sentence.

Nothing is thrown away here: a sign or a symbol that nothing reads stays a token, so that a reader stumbles on it
instead of acting on the rest.
"""

import functools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sayso.tables import toml

_TOKEN = re.compile(
    r"""
    (?P<quote>"[^"]*"|(?<!\w)'[^']*'(?!\w))
  | (?P<odd>\d+,\d{3}(?!\d)|(?<!\w)-\s*\d+)
  | (?P<number>\d+/[1-9]\d*|\d+(?:[.,]\d+)?|\.\d+)
  | (?P<word>[^\W\d_]+(?:'[^\W\d_]+)*|°)
  | (?P<mark>[,;:.!?]+|\s-+\s)
  | (?P<skip>\s+|(?<=\w)-(?=\w)|(?<=s)'(?=\s))
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_LOOKALIKES = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": "-",
        "½": " 1/2",
        "¼": " 1/4",
        "¾": " 3/4",
        "º": "°",
        "´": "'",
        "`": "'",
    }
)
_FEET_INCHES = re.compile(r"(\d)['′]\s?(\d+(?:\.\d+)?)(?:\"|''|′′)")


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a sentence. `text` is what the grammar compares, lower case; `start` and `end` cut it out of the
    sentence as it was read.

    `kind` is word, number, mark, quote or odd.
    """

    kind: str
    text: str
    start: int
    end: int


@functools.lru_cache(1000)
def clean(sentence: str) -> str:
    """The sentence in the one spelling that every reader reads: compatible forms unified, quotes and dashes straight,
    "dont" and "plz" in full.

    Feet and inches in signs, as in 5'10", are spelled out, since quotes stand for words that are said. Raised and
    circled digits become a sign that nothing reads: unified, they would join the number before them.
    """
    plain = "".join("\ufffd" if unicodedata.category(c) == "No" else c for c in sentence.translate(_LOOKALIKES))
    plain = _FEET_INCHES.sub(r"\1 ft \2 inches", unicodedata.normalize("NFKC", plain))
    return _hurried().sub(lambda said: _in_full(said.group()), plain)


def _in_full(said: str) -> str:
    full = _spelling().get(said.lower(), said)
    return full[:1].upper() + full[1:] if said[:1].isupper() and said[:1].isalpha() else full


@functools.cache
def _hurried() -> re.Pattern[str]:
    """What is quoted, which stays, or words that are spelled in a hurry."""
    words = "|".join(map(re.escape, sorted(_spelling(), key=len, reverse=True)))
    of = toml(__package__, "spelling.toml")["is"]
    own, before = "".join(rf"(?<!\b{one})" for one in of["own"]), "|".join(of["before"])
    is_ = rf"{own}(?:(?<=\bone)'s|(?<=\w)'s(?=\s(?:{before})\b))"
    return re.compile(rf"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|(?<![\w'-])(?:{words})(?![\w'-])|{is_}", re.IGNORECASE)


@functools.cache
def _spelling() -> Mapping[str, str]:
    table = toml(__package__, "spelling.toml")
    typed = {"'s": " is"} | {one: full for full, some in table["words"].items() for one in some}
    return typed | {full.replace("'", "").lower(): full for full in table["apart"]}


def tokens(sentence: str) -> list[Token]:
    """All tokens of a `clean` sentence."""
    return [*_tokens(sentence)]


class Phrases:
    """A list of phrases, looked up by their first word, or their last one at the `end`."""

    def __init__(self, phrases: Sequence[str], *, end: bool = False) -> None:
        self.words = frozenset(phrases)
        self._place, self._by = -1 if end else 0, dict[str, list[list[str]]]()
        for phrase in sorted((p.split() for p in phrases), key=len, reverse=True):
            self._by.setdefault(phrase[self._place], []).append(phrase)

    def at(self, words: Sequence[Token], at: int) -> int:
        """How many tokens from `at` on are the longest of them, or before it; 0 for none."""
        here = at + self._place
        for phrase in self._by.get(words[here].text, ()) if 0 <= here < len(words) else ():
            start = at + self._place * len(phrase)
            if start >= 0 and [t.text for t in words[start : start + len(phrase)]] == phrase:
                return len(phrase)
        return 0


@functools.lru_cache(1000)
def _tokens(sentence: str) -> tuple[Token, ...]:
    found = list[Token]()
    for match in _TOKEN.finditer(sentence):
        kind = match.lastgroup or "other"
        if kind == "skip":
            continue
        text = match.group().strip().lower()
        if kind == "other":
            kind = "odd"
        found.append(Token(kind, "degrees" if text == "°" else text, match.start(), match.end()))
    return tuple(found)
