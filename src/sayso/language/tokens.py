"""What each token is: its kind, and the value of those that have one."""

from __future__ import annotations

import math
import re

from sayso.language.lexer import unescape
from sayso.language.nodes import LEVELS

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


def kind_of(text: str) -> str:
    return KINDS.get(text) or FIRST.get(text[0]) or rare_kind(text)


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
    return unescape(text[1:-1])
