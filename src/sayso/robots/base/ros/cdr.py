"""The encoding of ROS 2 messages: CDR with its four bytes in front, little-endian out, either order in.

A message is a named tuple whose annotations say how each field is written: `F8` and its like are numbers, `str`
is text and `bytes` is uint8[], `tuple[F8, ...]` is a sequence, `Annotated[tuple[F8, ...], 36]` an array, and a message
within a message is written field by field. One without fields takes a byte.
"""

import functools
import struct
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")

Flag: TypeAlias = Annotated[bool, "?"]
I1: TypeAlias = Annotated[int, "b"]
U1: TypeAlias = Annotated[int, "B"]
U2: TypeAlias = Annotated[int, "H"]
I4: TypeAlias = Annotated[int, "i"]
U4: TypeAlias = Annotated[int, "I"]
F4: TypeAlias = Annotated[float, "f"]
F8: TypeAlias = Annotated[float, "d"]

LITTLE, BIG = b"\x00\x01\x00\x00", b"\x00\x00"
NOTHING = b"\x00"
"""What stands for a message without fields."""


@functools.cache
def _fields(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


@functools.cache
def _code(how: Any) -> tuple[Any, Any]:
    """An annotation as what it is and what is said of it: a number's letter, an array's length, or nothing."""
    return get_args(how) if get_origin(how) is Annotated else (how, None)


def write(message: object) -> bytes:
    """The message's bytes."""
    out = bytearray()
    _write(out, type(message), message)
    return LITTLE + (bytes(out) or NOTHING)


def _write(out: bytearray, how: Any, value: Any) -> None:
    kind, said = _code(how)
    if isinstance(said, str):
        _numbers(out, said, (value,))
    elif kind in (str, bytes):
        data = value.encode() + b"\0" if kind is str else value
        _write(out, U4, len(data))
        out += data
    elif get_origin(kind) is tuple:
        if said is None:
            _write(out, U4, len(value))
        item = get_args(kind)[0]
        if isinstance(letter := _code(item)[1], str):
            _numbers(out, letter, value)
            return
        for one in value:
            _write(out, item, one)
    else:
        for field, one in zip(_fields(kind).values(), value, strict=True):
            _write(out, field, one)


def _numbers(out: bytearray, letter: str, values: tuple[Any, ...]) -> None:
    if values:
        out += bytes(-len(out) % struct.calcsize(letter)) + struct.pack(f"<{len(values)}{letter}", *values)


def read(kind: type[T], data: bytes) -> T:
    """A message of that kind. Raises `ValueError` where the bytes are none; what follows it is left."""
    try:
        message: T = _Reader(data).read(kind)
    except (struct.error, IndexError) as error:
        raise ValueError(f"these bytes are no {kind.__name__}") from error
    return message


class _Reader:
    def __init__(self, data: bytes) -> None:
        if data[:2] not in (LITTLE[:2], BIG):
            raise ValueError("this is no plain CDR")
        self._order, self._data, self._at = "<>"[data[:2] == BIG], data[4:], 0

    def read(self, how: Any) -> Any:
        kind, said = _code(how)
        if isinstance(said, str):
            return self._numbers(said, 1)[0]
        if kind in (str, bytes):
            data = self._bytes(self._count())
            return data.rstrip(b"\0").decode() if kind is str else data
        if get_origin(kind) is tuple:
            count, item = self._count() if said is None else said, get_args(kind)[0]
            if isinstance(letter := _code(item)[1], str):
                return self._numbers(letter, count)
            return tuple(self.read(item) for _ in range(count))
        return kind(*map(self.read, _fields(kind).values()))

    def _numbers(self, letter: str, count: int) -> tuple[Any, ...]:
        size = struct.calcsize(letter)
        self._at += -self._at % size if count else 0
        return struct.unpack(f"{self._order}{count}{letter}", self._bytes(count * size))

    def _count(self) -> int:
        """How many follow; each takes a byte or more."""
        [count] = self._numbers("I", 1)
        if count > len(self._data) - self._at:
            raise ValueError("more is announced than there is")
        return int(count)

    def _bytes(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]
