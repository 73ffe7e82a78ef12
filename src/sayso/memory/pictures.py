"""The files of pictures that a robot took, beside the journal."""

import io
from pathlib import Path
from typing import Any

from PIL import Image


def as_jpeg(picture: Any, longest_px: int = 0, quality: int = 75) -> bytes:
    """`picture` ((height, width, 3) uint8) as a JPEG; its longer side no longer than that, where it is given."""
    image = Image.fromarray(picture)
    if longest_px:
        image.thumbnail((longest_px, longest_px))
    made = io.BytesIO()
    image.save(made, "JPEG", quality=quality)
    return made.getvalue()


def keep_picture(picture: Any, folder: Path | None, name: str) -> str:
    """Write `picture` ((height, width, 3) uint8) as a PNG; its path, or "" where there is no picture or no folder."""
    if picture is None or folder is None:
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.png"
    Image.fromarray(picture).save(path)
    return str(path)


def kept_picture(folder: Path, name: str) -> Path | None:
    """The file of a picture that was kept there, by its plain name; None for what is no such file."""
    path = folder / name
    plain = Path(name).name == name and path.suffix == ".png"
    return path if plain and path.is_file() and not path.is_symlink() else None
