r"""The lexer: text to tokens, as it arrives.

One regular expression splits what has arrived; its last token is held back where the next character could still
lengthen it. An open string is never read twice: `Quoted` continues it where the last chunk ended. Tokens are bare
strings and together they are the text, white space included, so a reader knows where it stands by adding lengths.

Possessive quantifiers (`*+`) keep every pattern linear.
"""

import math
import re

from sayso.language.bounds import LONGEST_WORD, utf8_size
from sayso.language.nodes import LEVELS

CLOSES = {"'": "'", '"': '"', "‘": "’", "’": "’", "“": "”", "”": "”", "„": "“”"}
"""By what begins a text, what ends it."""

DOUBLE = '"“”„'
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | str.maketrans("−–、", "--,")
"""Digits, letters and signs as other keyboards write them: outside of texts they are what they look like."""

_LETTER = r"[^\W\d_]"


def _body(quote: str) -> str:
    ends = CLOSES[quote]
    inside = r"\\[\s\S]" if quote in DOUBLE else rf"(?:\\[\s\S]|(?<={_LETTER})[{ends}](?={_LETTER}))"
    return rf"[^{ends}\\]*+(?:{inside}[^{ends}\\]*+)*+"


def _closed(quote: str) -> str:
    ends = f"[{CLOSES[quote]}]"
    return f"{quote}{_body(quote)}" + (ends if quote in DOUBLE else rf"(?:(?<!{_LETTER}){ends}|{ends}(?=[\s\S]))")


_CLOSED_STRING = "|".join(map(_closed, CLOSES))
_TOKEN = re.compile(
    rf"""[^\W\d]\w*+            # a name, a variable
    | [(){{}};,?:+*/（）｛｝；，、？：＋＊／]
    | [.．]?[0-9０-９][\w.．]*+(?:(?<=[eEｅＥ])[+＋−－-]\w*+)?+
    | \s++
    | {_CLOSED_STRING}
    | [-−–－][>＞] | [=＝]{{2}} | [!！][=＝] | [<＜][=＝] | [>＞][=＝] | [&＆]{{2}} | [|｜]{{2}}
    | [-−–－=＝!！<＜>＞&＆|｜]
    | \$\w*+
    | `++
    | [{"".join(CLOSES)}][\s\S]*+  # a string whose end has not arrived
    | [\s\S]                    # nothing of ours; the parser says so""",
    re.VERBOSE,
)
_COMPLETE = frozenset(["(", ")", "{", "}", ";", ",", "?", ":", "+", "*", "/", "->", "==", "!=", "<=", ">=", "&&", "||"])
_CLOSED = re.compile(_CLOSED_STRING)
_INSIDE = {quote: re.compile(_body(quote)) for quote in CLOSES}
_ENDS_IN_LETTER = re.compile(rf"{_LETTER}\Z")

_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))")
_NAMED_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


class Lexer:
    """Makes tokens of text as it arrives: any chunking in, the same tokens out. `quoted` is the string that is being
    read, if any."""

    def __init__(self) -> None:
        self._tail = ""
        self.quoted: Quoted | None = None

    def feed(self, text: str) -> list[str]:
        """The tokens that `text` completes."""
        if self.quoted is None:
            text = self._tail + text
            if text.isascii() and (text.isidentifier() or text.isdigit()) and len(text) <= LONGEST_WORD:
                self._tail = text  # more of a word: the usual case when single letters arrive
                return []
            return self._split(text)
        found = self.quoted.feed(text)
        if found is None:
            return []
        self.quoted = None
        string, rest = found
        return [string, *self._split(rest)]

    def _split(self, text: str) -> list[str]:
        tokens: list[str] = _TOKEN.findall(text)
        self._tail = ""
        if not tokens:
            return tokens
        last = tokens[-1]
        if last[0] in CLOSES and not _CLOSED.fullmatch(last):
            self.quoted = Quoted(tokens.pop()[0])
            self.quoted.feed(last[1:])
        if not text.isascii():
            tokens = [_plain(token) for token in tokens]
        if self.quoted or last[0] in CLOSES:
            return tokens
        last = tokens[-1]
        if last in _COMPLETE or last.isspace():
            return tokens
        if len(last) <= LONGEST_WORD:
            self._tail = tokens.pop()
        return tokens

    @property
    def pending(self) -> bool:
        """Whether text has been taken in that is no token yet."""
        return bool(self._tail) or self.quoted is not None

    def end(self) -> list[str]:
        """The last token, where the end of the text completes it. An open string stays `pending`."""
        if self.quoted is not None:
            closed = self.quoted.end()
            if closed is None:
                return []
            self.quoted = None
            return [closed]
        tokens = [self._tail] if self._tail else []
        self._tail = ""
        return tokens


def _plain(token: str) -> str:
    """A token as a plain keyboard writes it; a closed text with plain quotes."""
    if token[0] not in CLOSES:
        return token.translate(_NARROW)
    quote = '"' if token[0] in DOUBLE else "'"
    return f"{quote}{token[1:-1]}{quote}"


def split(text: str) -> list[str]:
    """A whole text in tokens; a string that does not end comes last."""
    lexer = Lexer()
    found = [*lexer.feed(text), *lexer.end()]
    return [*found, text[sum(map(len, found)) :]]


def plainly(text: str) -> str:
    """A text as a plain keyboard writes it, but for what it quotes: as long as it was."""
    return text if text.isascii() else "".join(split(text))


class Quoted:
    """A string whose end has not arrived; `bytes` is how long it has become.

    `_wait` is a closing quote or a backslash that the next character decides.
    """

    def __init__(self, quote: str) -> None:
        self.bytes = 0
        self._quote = quote
        self._parts = [quote]
        self._last = quote
        self._wait = ""

    def feed(self, text: str) -> tuple[str, str] | None:
        """The whole string and the text behind it, or None while it goes on."""
        text = self._last + self._wait + text
        begin = len(self._last)
        match = _INSIDE[self._quote].match(text, begin)
        assert match is not None, "the pattern matches the empty string"
        stop = match.end()
        body = text[begin:stop]
        self._parts.append(body)
        self.bytes += utf8_size(body)
        self._wait = text[stop : stop + 1]
        if self._closes() and self._decided(text, stop):
            return self._string(), text[stop + 1 :]
        self._last = text[stop - 1]
        return None

    def _decided(self, text: str, stop: int) -> bool:
        """Whether the quote at `stop` closes: one behind a letter may be an apostrophe until the next character."""
        return self._quote in DOUBLE or stop + 1 < len(text) or not _ENDS_IN_LETTER.match(text[stop - 1])

    def end(self) -> str | None:
        return self._string() if self._closes() else None

    def _closes(self) -> bool:
        return bool(self._wait) and self._wait in CLOSES[self._quote]

    def _string(self) -> str:
        return _plain("".join((*self._parts, self._wait)))


def _escaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        return _NAMED_ESCAPES.get(match[4], match[4])
    if 0xD800 <= int(code, 16) <= 0xDFFF or int(code, 16) > 0x10FFFF:
        raise ValueError(f"\\{match[0][1]}{code} is no character")
    return chr(int(code, 16))


CONSTANTS = {"True": True, "False": False, "true": True, "false": False, "None": None}
SPELLINGS = {"||": "|", "&&": "&"}

KINDS = (
    dict.fromkeys(CONSTANTS, "constant")
    | dict.fromkeys(["replan", "rp"], "replan")
    | dict.fromkeys([op for op in LEVELS if op != "-"] + ["||", "&&"], "infix")
    | {sign: sign for sign in ("(", ")", "{", "}", ";", ",", "?", ":", "=", "->", "-", "!")}
)
"""Kinds of whole tokens."""

FIRST = (
    dict.fromkeys("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "name")
    | dict.fromkeys("0123456789.", "number")
    | dict.fromkeys(" \n\t\r", "space")
    | {"_": "variable", "$": "parameter", "'": "string", '"': "string", "`": "fence"}
)
"""Kinds by the first character, for tokens that are not in `KINDS`."""

_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SURROGATE = re.compile("[\ud800-\udfff]")


def rare_kind(text: str) -> str:
    """The kind of a token whose first character is not ASCII, or nothing of ours."""
    first = text[0]
    if first.isspace():
        return "space"
    return "name" if first.isalpha() else "odd"


def number(text: str) -> int | float:
    """The value of a number. A ValueError says why it has none."""
    if text.isascii() and text.isdigit():
        return int(text)
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is no number")
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is too large")
    return value


def string(text: str) -> str:
    """The value of a string with its quotes. A ValueError says why it has none."""
    if not text.isascii() and _SURROGATE.search(text):
        raise ValueError("this string holds half a character (a lone surrogate)")
    return _ESCAPE.sub(_escaped, text[1:-1])
