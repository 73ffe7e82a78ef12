"""Words and pieces of words, as the embedded model reads and writes them: BERT's, of which it was born.

Reading may lose what makes no difference: white space and capitals. Writing may not, since plans are exact. So what is
written knows three things more: a blank between two words or numbers goes without saying, `<cap>` makes the next word
begin with a capital, `<join>` sets two words without a blank. Signs that often stand together, such as `('`, are one
token, which makes plans about half as long.

Marks such as `<plan>` are single tokens; `text.clean` takes < and > out of what comes from outside, so none can be
smuggled in.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

PAD, START, STOP, UNKNOWN, END = "[PAD]", "[CLS]", "[SEP]", "[UNK]", "<end>"
CAP, JOIN = "<cap>", "<join>"
MARKS = (
    "<plan>", "<ask>", "<tasks>", "<tried>", "<ran>", "<failed>", "<see>", "<ground>", "<air>", "<do>", "<say>", END,
    "<mission>", "<next>", "<command>", "<memory>", "<goal>", "<score>", CAP, JOIN,
)  # fmt: skip
SIGNS = (
    " ", "('", "')", "');", "')}", ");", ")}", "->", "==", "!=", "<=", ">=", "?!", "{?", "'{", "')}:{", "}:{", "};",
    "}}", ";}", ";?",
    ". ", ", ", ": ", ".'", ".')", ".');", "?'", "?')", "?');", "','", ",'", "+'", "'+", "=='", "({",
    "_1", "_1=", "_1==", "_2", "_2=", "(_1)", "(_1);", "(_2)", "->True", "->False", "->False}", ".');->False",
    ".');->False}", "?');->False", "_1==False{l('", "?_1==False{l('", "{l('", ";l('", "}l('", "l('", "=p('", "=sa('",
    "==False",
)  # fmt: skip
"""Signs that stand together often enough to be one token. Only what is written uses those of more than one sign."""

LETTERS_MAX = 40
"""A longer run of letters is no word; it is read as unknown."""

_READ = re.compile(r"<[a-z]+>|[A-Za-z]+|\d+|[^\sA-Za-z\d]")
_SIGNS = "|".join(
    rf"(?<![A-Za-z\d]){re.escape(sign)}" if sign[0].isalnum() else re.escape(sign)
    for sign in sorted(SIGNS, key=len, reverse=True)
)
_WRITE = re.compile(
    rf"<[a-z]+>|(?P<blank> (?=[A-Za-z\d]))|(?P<sign>{_SIGNS})|(?P<word>[A-Z]?[a-z]+|[A-Z]|\d+)|(?P<other>.)", re.DOTALL
)


class Tokenizer:
    """Tokens by number. `read` makes numbers of a text to be understood, `write` of one to be written exactly."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tuple(tokens)
        self.ids = {token: i for i, token in enumerate(self.tokens)}
        self.silent = frozenset(self.ids[m] for m in (*MARKS, PAD, START, STOP, UNKNOWN))
        self.end = self.ids[END]
        self._pieces = functools.lru_cache(maxsize=50_000)(self._split)

    def __len__(self) -> int:
        return len(self.tokens)

    def read(self, text: str) -> list[int]:
        """Numbers of a text whose blanks and capitals do not matter, between a start and a stop."""
        inside = (i for piece in _READ.findall(text) for i in self._pieces(piece.lower()))
        return [self.ids[START], *inside, self.ids[STOP]]

    def write(self, text: str) -> list[int]:
        """Numbers from which `Spelling` makes exactly `text` again. Raises `KeyError` for a sign outside ASCII."""
        ids: list[int] = []
        after_word = blank = False
        for found in _WRITE.finditer(text):
            piece, word = found[0], bool(found["word"])
            if found["blank"]:
                blank = True
                continue
            if blank and not (word and after_word):  # between two words it goes without saying
                ids.append(self.ids[" "])
            elif word and after_word and not blank:
                ids.append(self.ids[JOIN])
            ids += self._word(piece) if word else [self.ids[piece]]
            after_word, blank = word, False
        return ids

    def text(self, ids: Iterable[int]) -> str:
        """What `write` was given."""
        spelling = Spelling(self)
        return "".join(map(spelling.add, ids))

    def _word(self, word: str) -> Iterable[int]:
        capital = word[0].isupper()
        return (self.ids[CAP], *self._pieces(word.lower())) if capital else self._pieces(word)

    def _split(self, piece: str) -> tuple[int, ...]:
        """The longest known beginning, then the longest known continuation, and so on."""
        if piece in self.ids:
            return (self.ids[piece],)
        if len(piece) > LETTERS_MAX:
            return (self.ids[UNKNOWN],)
        ids, at = list[int](), 0
        while at < len(piece):
            head = "##" if at else ""
            size = next((n for n in range(len(piece) - at, 0, -1) if head + piece[at : at + n] in self.ids), 0)
            if not size:
                return (self.ids[UNKNOWN],)
            ids.append(self.ids[head + piece[at : at + size]])
            at += size
        return tuple(ids)

    @classmethod
    def load(cls, file: Path) -> Tokenizer:
        """One token a line. Raises `OSError`."""
        return cls(file.read_text("utf-8").split("\n"))

    def save(self, file: Path) -> None:
        file.write_text("\n".join(self.tokens), "utf-8")


class Spelling:
    """Makes text of tokens as they come: what is added is final, nothing before it changes."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._after_word = self._cap = self._join = False

    def add(self, token: int) -> str:
        """The text that this token adds; marks add none."""
        piece = self._tokenizer.tokens[token]
        if piece in (CAP, JOIN):
            self._cap, self._join = self._cap or piece == CAP, self._join or piece == JOIN
            return ""
        if token in self._tokenizer.silent:
            return ""
        if piece.startswith("##") and len(piece) > 2:
            self._after_word = True
            return piece[2:]
        return self._new(piece, piece.isalnum())

    def _new(self, piece: str, word: bool) -> str:
        blank = " " if word and self._after_word and not self._join else ""
        text = piece[0].upper() + piece[1:] if self._cap else piece
        self._after_word, self._cap, self._join = word, False, False
        return blank + text


def vocabulary(bert: Sequence[str]) -> list[str]:
    """Our tokens: BERT's that can occur in printable ASCII, in its order, then marks and signs of our own."""
    special = (PAD, UNKNOWN, START, STOP)
    kept = [t for t in bert if t in special or (t.isascii() and t.isprintable() and not t.startswith("[unused"))]
    kept = [t for t in kept if t in special or _READ.fullmatch(t.removeprefix("##") or t)]
    return kept + [t for t in (*MARKS, *SIGNS) if t not in set(kept)]
