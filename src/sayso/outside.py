"""What stands in a Python file of somebody's own: `FILE.py`, or `FILE.py:NAME` where it holds several."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from sayso.errors import UsageError

T = TypeVar("T")


def from_file(where: str, wanted: type[T]) -> type[T]:
    """The class in that file which is a `wanted`. Raises `UsageError` where it is not there, or not the only one."""
    path, _, name = where.partition(".py")
    file, name = Path(f"{path}.py"), name.removeprefix(":")
    made = {
        n: c
        for n, c in vars(_module(file)).items()
        if isinstance(c, type) and issubclass(c, wanted) and c.__module__ == _called(file)
    }
    if name in made or (len(made) == 1 and not name):
        return made[name or next(iter(made))]
    kind, there = wanted.__name__, ", ".join(made) or "none"
    wish = f"no {kind} called {name}" if name else f"not exactly one {kind}"
    raise UsageError(f"{file} holds {wish}, but {there}; write {file}:NAME")


def factory(where: str) -> Callable[..., Any]:
    """What is called NAME in `FILE.py:NAME`. Raises `UsageError` where there is nothing of that name to call."""
    path, _, name = where.partition(".py")
    file, name = Path(f"{path}.py"), name.removeprefix(":")
    made = {n: c for n, c in vars(_module(file)).items() if callable(c) and c.__module__ == _called(file)}
    if name not in made:
        raise UsageError(f"{file} holds {f'no {name}' if name else 'several'}; write {file}:NAME of {', '.join(made)}")
    found: Callable[..., Any] = made[name]
    return found


def _called(file: Path) -> str:
    return f"{file.stem} of {file.resolve().parent}"


def _module(file: Path) -> ModuleType:
    name = _called(file)
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, file) if file.is_file() else None
    if spec is None or spec.loader is None:
        raise UsageError(f"there is no file {file}")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise UsageError(f"{file} cannot be read: {type(error).__name__}: {error}") from error
    return module
