"""The loading of plugins: by entry point, or from a Python file, `FILE.py` or `FILE.py:NAME` where it holds several."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from sayso.errors import UsageError

T = TypeVar("T")

_reading: list[Path] = []


def registered(group: str, wanted: type[T]) -> Iterator[tuple[str, T]]:
    """Every object of a group of entry points, by name, in order. Raises `UsageError` where one is not what the group
    is for."""
    for entry in sorted(entry_points(group=group), key=lambda e: e.name):
        yield entry.name, checked(entry.load(), wanted, f"the entry point {entry.name} = {entry.value} of {group}")


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Around imports that need an extra. Raises `UsageError`, which says `what` needs it, where it is not installed."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").startswith("sayso"):
            raise
        raise UsageError(f"{what} needs its extra: pip install 'sayso[{name}]'") from error


def is_file(where: str) -> bool:
    """Whether a name means a Python file."""
    return where.endswith(".py") or ".py:" in where


def located(where: str) -> str:
    """The same name, valid from any folder: a file with its whole path, anything else as it is."""
    path, ends, name = where.partition(".py")
    if is_file(where):
        return f"{Path(path).resolve()}{ends}{name}"
    return str(Path(where).resolve()) if where.endswith((".onnx", ".toml")) else where


def maker(where: str, wanted: type) -> Callable[..., object]:
    """What makes a `wanted`: the class or function that is named, else the file's only class of that kind.

    Raises `UsageError` where it is not there, or not the only one.
    """
    path, _, name = where.partition(".py")
    file, name = Path(f"{path}.py"), name.removeprefix(":")
    module = _module(file)
    there: dict[str, Callable[..., object]] = {
        n: c for n, c in vars(module).items() if callable(c) and c.__module__ == module.__name__
    }
    kind = [n for n, c in there.items() if isinstance(c, type) and wanted in c.__mro__]
    if name in there or (len(kind) == 1 and not name):
        return there[name or kind[0]]
    wish = f"no {wanted.__name__} called {name}" if name else f"not exactly one {wanted.__name__}"
    raise UsageError(f"{file} holds {wish}, but {', '.join(kind or there) or 'nothing'}; write {file}:NAME")


def made(where: str, wanted: type[T]) -> T:
    """A `wanted`, made without arguments by what `maker` finds. Raises `UsageError`."""
    make = maker(where, wanted)
    try:
        found = make()
    except TypeError as error:
        raise UsageError(f"{where} cannot be made: {error}; name a function that makes it without arguments") from error
    return checked(found, wanted, where)


def checked(found: object, wanted: type[T], where: str) -> T:
    """What was made there, as what was wanted. Raises `UsageError` where it is something else."""
    if not isinstance(found, wanted):
        raise UsageError(f"{where} makes a {type(found).__name__}, which is no {wanted.__name__}")
    return found


def _module(file: Path) -> ModuleType:
    name = f"{file.stem} of {file.resolve().parent}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, file) if file.is_file() else None
    if spec is None or spec.loader is None:
        raise UsageError(f"there is no file {file}")
    module = sys.modules[name] = module_from_spec(spec)
    _reading.append(file)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        kind = "" if isinstance(error, UsageError) else f"{type(error).__name__}: "
        raise UsageError(f"{file} cannot be read: {kind}{error}") from error
    finally:
        _reading.pop()
    return module


def being_read() -> Path | None:
    """The plugin file that is being imported right now, in whatever thread: no moment to drive a robot."""
    return _reading[-1] if _reading else None
