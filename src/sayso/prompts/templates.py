"""The data files of this room, read once."""

from __future__ import annotations

import functools
import re
from importlib import resources

from sayso.tables.guidance import Guidance, read_guidance

GENERAL: Guidance = read_guidance(__package__, "general.toml")
"""What holds for every robot; its examples are for those whose kit brings none."""

_FIELD = re.compile(r"\{(\w+)\}")


@functools.cache
def text(name: str, package: str = "sayso.prompts") -> str:
    """A template in a package, its fields not yet filled."""
    return resources.files(package).joinpath(name).read_text("utf-8").strip()


def fill(template: str, **fields: str) -> str:
    """Put fields in their `{places}`, in one pass: what is put in is not read again. Other braces are MiniSpec."""
    return _FIELD.sub(lambda place: fields.get(place.group(1), place.group()), template)
