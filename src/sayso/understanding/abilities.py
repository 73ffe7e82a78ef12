"""A robot's abilities, told from its skills (U2)."""

import re
from dataclasses import dataclass
from itertools import pairwise

from sayso.grounding.inflection import row
from sayso.skill import Skill, SkillSet
from sayso.tables import toml
from sayso.task import AT_REST

OWN_MAX = 6
"""Of the skills that nobody has a general word for, as many are told."""


@dataclass(frozen=True, slots=True)
class Ability:
    """Something that a robot can do: what it `says`, and by which words it is `asked`."""

    says: str
    asked: frozenset[str]


def abilities(skills: SkillSet) -> list[Ability]:
    """General ones first, then skills of the robot's own, by what is said of them."""
    table = toml("sayso.grounding", "facts.toml")
    rows = table["ability"]
    words = {s.name: _words(s) for s in skills.values()}
    found = [Ability(r["says"], frozenset(r["asked"])) for r in rows if any({*r["by"]} & w for w in words.values())]
    known = {word for row in rows for word in (*row["by"], *row["asked"])}
    tells = {*table["tells"]}
    own = [s for s in skills.values() if {*s.uses} - AT_REST and not words[s.name] & (known | tells)]
    return found + [
        Ability(short(s), words[s.name] | {*re.findall(r"[a-z]+", short(s))} - _table("general")) for s in own[:OWN_MAX]
    ]


def able(asked: str, skills: SkillSet) -> tuple[bool | None, str]:
    """Whether the robot can do what is asked, None where nothing in particular is, and what it can, in a sentence."""
    words = {*re.findall(r"[a-z]+", asked)}
    verbs = words | {word.removesuffix("ing") + end for word in words if word.endswith("ing") for end in ("", "e")}
    can = abilities(skills)
    told = f"I can {row([one.says for one in can])}."
    rows = [row for row in toml("sayso.grounding", "facts.toml")["ability"] if verbs & {*row["asked"]}]
    if yes := [one.says for one in can if verbs & one.asked]:
        return True, f"I can {row(yes)}."
    said = asked.split()
    does = next((then for you, then in pairwise(said) if you == "you"), "")  # "can you help me with the house"
    if not rows and (does in _table("any") or not words - _table("general")):
        return None, told
    lacks = next((f"{row['lacks']}. " for row in rows if "lacks" in row), "")
    return False, f"{lacks}{told}"


def _table(words: str) -> frozenset[str]:
    return frozenset(toml("sayso.grounding", "facts.toml")[words])


def _words(skill: Skill) -> frozenset[str]:
    """Its name, and the first words of both name and description."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", skill.name).lower()
    first = re.match(r"\w+", skill.description.lower())
    return frozenset({name, name.partition("_")[0], first[0] if first else ""})


def short(skill: Skill) -> str:
    """What is said of it, in a few words."""
    told = re.split(r"[;:,.(]", skill.description)[0].strip()
    return f"{told[:1].lower()}{told[1:]}"
