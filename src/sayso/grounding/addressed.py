"""Messages turned to whom they are for: "to take his tablets" is said as "Please take your tablets."."""

import re
from collections.abc import Mapping

from sayso.tables import toml


def _table() -> Mapping[str, Mapping[str, str]]:
    return toml(__package__, "addressed.toml")


def telling(text: str, wish: str = "") -> str:
    """A message. Its words stand as in the `wish`, capitals too, where they stand there."""
    said = _as_written(text, wish)
    first, _, rest = said.partition(" ")
    if first.lower() == "to" and rest:
        return _sentence(f"please {_turned(rest)}", ".")
    said = rest if first.lower() == "that" and rest else said
    return _sentence(_turned(said) if said.partition(" ")[0].lower() in _table()["you"] else said, ".")


def asking(text: str, wish: str = "") -> str:
    """A question, direct or not."""
    said = _as_written(text, wish)
    first = said.partition(" ")[0].lower()
    if first in _table()["indirect"]:
        return _sentence(f"may I ask {_turned(said)}", "?")
    return telling(text, wish) if first == "to" else _sentence(said, "?")


def question(text: str) -> str:
    """A question to be answered."""
    return _sentence(text, "?")


def _turned(text: str) -> str:
    """Told of somebody, said to them: what she needs, what you need."""
    you, verbs = _table()["you"], _table()["verbs"]

    def verb(found: re.Match[str]) -> str:
        does = found[2].lower()
        return f"you {verbs.get(does) or (does if does.endswith('ss') else does.removesuffix('s'))}"

    said = re.sub(r"\b(he|she)\s+(\w+)", verb, text, flags=re.IGNORECASE)
    return re.sub(r"[A-Za-z']+", lambda m: you.get(m[0].lower(), m[0]), said)


def _as_written(text: str, wish: str) -> str:
    at = wish.lower().find(text.lower())
    return wish[at : at + len(text)] if at >= 0 else text


def _sentence(text: str, end: str) -> str:
    text = text.strip().rstrip(".!?,;:")
    return f"{text[:1].upper()}{text[1:]}{end}" if text else ""
