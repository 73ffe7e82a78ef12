"""Events: whatever happens can be written down and read back; what is unknown is refused, not guessed."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

import pytest

from sayso.errors import JournalError
from sayso.events import KINDS, Event, Said, from_json, to_json

SAMPLES: dict[str, Any] = {"str": "a “quoted”\nline", "int": 3, "bool": True, "float": 0.25, "float | None": None}


def sample(cls: type[Event]) -> Event:
    hints = {f.name: str(f.type) for f in dataclasses.fields(cls)}
    values: dict[str, Any] = {}
    for name, hint in hints.items():
        if hint.startswith("tuple[tuple"):
            values[name] = (("system", "x"), ("user", "y"))
        elif hint.startswith("tuple"):
            values[name] = ("a", "b")
        elif hint.startswith("Mapping"):
            values[name] = {"k": 1}
        else:
            values[name] = SAMPLES.get(hint, "v")
    return cls(**values)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_survives_the_journal(kind: str) -> None:
    event = sample(KINDS[kind])
    assert from_json(kind, to_json(event)) == event


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_frozen_and_says_what_it_means(kind: str) -> None:
    cls = KINDS[kind]
    assert cls.__doc__ and len(cls.__doc__) > 20
    with pytest.raises(dataclasses.FrozenInstanceError):
        sample(cls).at_s = 1.0  # type: ignore[misc]


def test_unknown_kinds_and_fields_are_refused() -> None:
    with pytest.raises(JournalError, match="unknown kind 'Teleported'"):
        from_json("Teleported", "{}")
    with pytest.raises(JournalError, match="volume"):
        from_json("Said", to_json(Said(text="hi"))[:-1] + ', "volume": 11}')


def test_all_public_events_are_registered() -> None:
    import sayso.events as module

    classes = {c for c in vars(module).values() if isinstance(c, type) and issubclass(c, Event) and c is not Event}
    assert classes == set(KINDS.values())
    assert typing.get_type_hints(Event)["at_s"] is float
