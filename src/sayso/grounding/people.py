"""Descriptions of people: whether it is a man or a woman, the pose, the gesture, the clothes.

the lady in the white coat · somebody waving like mad · a bloke pointing left · one sitting
"""

import re
from collections.abc import Mapping, Sequence

from sayso.grounding.utterance import also, table
from sayso.tables import toml

GARMENTS = ("t-shirt", "shirt", "sweater", "jacket", "blouse", "coat")
POSES = ("sitting", "standing", "lying")


def _words() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return toml(__package__, "people.toml")


def is_pronoun(phrase: str) -> bool:
    """Whether it only points back to somebody."""
    return phrase.lower() in _words()["nouns"]["pronouns"]


def kind_of(phrase: str) -> str:
    """man, woman or person, where a word of it says so; else empty."""
    said = re.findall(r"[a-z]+", phrase.lower())
    nouns = _words()["nouns"]
    return next((kind for kind in ("woman", "man", "person") if any(w in nouns[kind] for w in said)), "")


def is_child(phrase: str) -> bool:
    """Whether it speaks of a child."""
    children = {"child", *also("child")}
    return any(w in children for w in re.findall(r"[a-z]+", phrase.lower()))


def is_person(phrase: str) -> bool:
    """Whether it speaks of people: by a noun, or by what is told of nothing else."""
    return bool(kind_of(phrase)) or bool(looks(phrase).keys() & {"pose", "gesture", "garment"} and _some(phrase))


def _some(phrase: str) -> bool:
    return any(w in _words()["nouns"]["some"] for w in re.findall(r"[a-z]+", phrase.lower()))


def looks(phrase: str) -> dict[str, str]:
    """What it says of a person's attributes: gender, pose, gesture, shirt (a colour) and garment, as far as it does."""
    said = re.findall(r"[a-z'-]+", phrase.lower().replace("tshirt", "t-shirt").replace("t shirt", "t-shirt"))
    told = _words()["looks"]
    asked = {"gender": {"man": "male", "woman": "female"}.get(kind_of(phrase), "")}
    asked["pose"] = next((pose for pose in POSES if any(w in told[pose] for w in said)), "")
    asked["gesture"] = _gesture(said)
    asked["shirt"] = next((c.replace("gray", "grey") for c in table()["traits"]["colours"] if c in said), "")
    asked["garment"] = next((g for g in GARMENTS if g in said or f"{g}s" in said), "")
    return {key: value for key, value in asked.items() if value}


def _gesture(said: Sequence[str]) -> str:
    told = _words()["looks"]
    side = next((w for w in said if w in ("left", "right")), "")
    if any(w in told["waving"] for w in said):
        return "waving"
    if side and any(w in told["pointing"] for w in said):
        return f"pointing {side}"
    if side and any(w in ("arm", "hand", "arms", "hands") for w in said) and any(w in told["raising"] for w in said):
        return f"raising {side} arm"
    return ""


def described(phrase: str) -> str:
    """The same in the words that every robot's search for people knows; empty where it describes nobody."""
    asked = looks(phrase)
    kind = kind_of(phrase)
    if not (kind or asked or _some(phrase)):
        return ""
    worn = " ".join(asked[k] for k in ("shirt", "garment") if k in asked)
    words = [kind or "person", asked.get("pose", ""), asked.get("gesture", ""), worn and f"in the {worn}"]
    return " ".join(w for w in words if w)
