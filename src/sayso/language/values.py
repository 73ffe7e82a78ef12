"""The operators and built-in functions on values. Pure, and shared by the interpreter and the checker."""

import json
import math
import operator
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from sayso.language.bounds import LARGEST_INT, LONGEST_WORD
from sayso.language.lexer import CONSTANTS, number, plainly
from sayso.language.nodes import COMPARISON, NEGATIVE, NOT, Expr, Literal, Operation
from sayso.skill import Value, say


class UnfitError(Exception):
    """An operator cannot be applied to these values; the message says why."""


_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_ARITHMETIC: dict[str, Callable[[int | float, int | float], int | float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip


def is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def equal(left: Value, right: Value) -> bool:
    """Numbers equal numbers; otherwise values of different types are never equal."""
    if is_number(left) and is_number(right):
        return left == right
    return type(left) is type(right) and left == right


def combine(op: str, left: Value, right: Value) -> Value:
    """`left op right` for every infix operator but `&` and `|`. Raises `UnfitError`."""
    if op == "==":
        return equal(left, right)
    if op == "!=":
        return not equal(left, right)
    if op in _ORDER:
        return _order(op, left, right)
    if op == "+" and (isinstance(left, str) or isinstance(right, str)):
        return _join(left, right)
    return _calculate(op, left, right)


def _order(op: str, left: Value, right: Value) -> bool:
    if (is_number(left) and is_number(right)) or (isinstance(left, str) and isinstance(right, str)):
        return _ORDER[op](left, right)
    raise UnfitError(f"{op} orders two numbers or two texts, not {say(left)} and {say(right)}")


def _join(left: Value, right: Value) -> str:
    for value in (left, right):
        if not isinstance(value, str) and not is_number(value):
            raise UnfitError(f"+ joins texts and numbers, not {say(value)}")
    return f"{left}{right}"


def _calculate(op: str, left: Value, right: Value) -> Value:
    if isinstance(left, bool | str | None) or isinstance(right, bool | str | None):
        raise UnfitError(f"{op} needs two numbers, not {say(left)} and {say(right)}")
    try:
        return bounded(_ARITHMETIC[op](left, right))
    except ZeroDivisionError:
        raise UnfitError(f"{say(left)} cannot be divided by zero") from None
    except OverflowError:
        raise UnfitError("the result is too large") from None


def negative(value: Value) -> Value:
    if isinstance(value, bool | str | None):
        raise UnfitError(f"- needs a number, not {say(value)}")
    return -value


def bounded(value: int | float) -> int | float:
    """A number that stays cheap to calculate with. Raises `UnfitError`."""
    if isinstance(value, float) and not math.isfinite(value):
        raise UnfitError("the result is too large")
    if isinstance(value, int) and abs(value) >= LARGEST_INT:
        raise UnfitError("the result is too large")
    return value


def fold(node: Expr) -> Value:
    """The value of what is made of literals alone. Raises `UnfitError` for anything else."""
    if isinstance(node, Literal):
        return node.value
    if not isinstance(node, Operation) or (node.level < COMPARISON and node.level != NOT):
        raise UnfitError("not a constant")
    value, *others = map(fold, node.items)
    if node.level == NEGATIVE:
        return negative(value)
    if node.level == NOT:
        return not value
    for op, right in zip(node.ops, others, strict=True):
        value = combine(op, value, right)
    return value


def _convert(cls: type[int] | type[float], noun: str, value: Value) -> Value:
    if value is None or (isinstance(value, str) and len(value.strip()) > LONGEST_WORD):
        raise UnfitError(f"{say(value)} is not {noun}")
    try:
        return bounded(cls(value))
    except (ValueError, OverflowError):
        raise UnfitError(f"{say(value)} is not {noun}") from None


BUILT_IN: dict[str, Callable[[Value], Value]] = {
    "int": partial(_convert, int, "a whole number"), "float": partial(_convert, float, "a number"), "str": str,
}  # fmt: skip
"""The functions that every plan can call; each takes one argument."""

_FENCED = re.compile(r"```(?:\w*\n)?(.*?)(?:```|\Z)", re.DOTALL)
OBJECTS_MAX = 20
"""So many brackets of an answer are tried."""


def read_value(text: str) -> Value:
    """A model's answer, or the fenced block in it, as a value: bool, int, float or None where it is one, else text."""
    fenced = _FENCED.search(text)
    text = said = (fenced[1] if fenced else text).strip()
    if text in CONSTANTS:
        return CONSTANTS[text]
    text = plainly(text)
    sign = text[:1] if text[:1] in ("-", "+") else ""
    digits = text[len(sign) :]
    if not digits or len(digits) > LONGEST_WORD:
        return said
    try:
        value = number(digits)
    except ValueError:
        return said
    return -value if sign == "-" else value


def read_json(text: str, begins: str = "{") -> Any:
    """The first whole object of JSON in a model's answer, whatever stands round it; None where there is none."""
    for told in dict.fromkeys((text, plainly(text))):
        starts = (at for at, sign in enumerate(told) if sign in begins)
        for at in islice(starts, OBJECTS_MAX):
            with suppress(ValueError, RecursionError):
                return json.JSONDecoder().raw_decode(told, at)[0]
    return None
