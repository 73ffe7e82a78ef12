"""The home: a flat with furniture, things and people, and a service robot in it.

world = Home("flat", seed=3, setup={"people": [{"name": "Mary", "place": "sink"}]})
"""

from pathlib import Path
from typing import ClassVar

from sayso.perception.indoor import IndoorCamera
from sayso.robots.service.world import FLAT
from sayso.worlds.indoor.place import Furnished
from sayso.worlds.indoor.rooms import Eyes


class Home(Furnished):
    """A scene of the home."""

    name: ClassVar[str] = "home"
    folder: ClassVar[Path] = FLAT
    eyes: ClassVar[Eyes] = IndoorCamera
