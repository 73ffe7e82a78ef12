"""The home: a flat with furniture, things and people, and a service robot in it.

world = Home("flat", seed=3, perception=IndoorCamera, setup={"people": [{"name": "Mary", "place": "sink"}]})
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from sayso.robots.service.world import FLAT
from sayso.worlds.indoor.place import Furnished


class Home(Furnished):
    """A scene of the home."""

    name: ClassVar[str] = "home"
    folder: ClassVar[Path] = FLAT
