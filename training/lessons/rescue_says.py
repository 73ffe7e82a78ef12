"""What operators, police, pilots and relatives say of a search, and its reading, clause by clause.

Each fact is drawn, said in a frame of its table, and read in a clause whose names and amounts are the very words that
were just said. A search is composed of them, and so is what is new about one that is running.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from knowledge import fraction
from lessons import words
from lessons.lists import lists
from lessons.phrasing import fill, tables
from lessons.rescue_caller import Caller, lines
from lessons.rescue_places import Ground, listed
from lessons.saying import named
from lessons.telling import Unsaid
from lessons.voice import ARTICLES, rough
from sayso.grounding.clock import clocked
from sayso.grounding.utterance import figured

HELD_OUT_PAIRS = 0.12
NOUNS = {
    "man": 10, "woman": 10, "person": 14, "hiker": 10, "dementia": 8, "boy": 5, "girl": 5, "child": 7, "his": 3,
    "her": 3, "his_child": 2, "her_child": 2, "dog": 8, "car": 4, "vehicle": 1, "boat": 4, "tent": 2, "backpack": 3,
    "bicycle": 2, "kayak": 2, "things": 12, "beasts": 6,
}  # fmt: skip
"""How often each kind of noun is drawn."""

MALE, FEMALE = ("man", "boy", "his", "his_child"), ("woman", "girl", "her", "her_child")
CHILDREN, GROWN = (
    ("boy", "girl", "child", "his_child", "her_child"),
    ("man", "woman", "person", "hiker", "dementia", "his", "her"),
)
MANY = {"man": "men", "woman": "women", "child": "children", "kid": "kids", "hiker": "hikers", "walker": "walkers",
        "boy": "boys", "girl": "girls", "skier": "skiers", "climber": "climbers", "camper": "campers", "dog": "dogs",
        "cow": "cows", "horse": "horses", "goat": "goats", "person": "people", "tourist": "tourists"}  # fmt: skip
PAIRS = {"person": ("an old couple", "a couple", "a young couple", "a pair of walkers", "a pair of cyclists"),
         "child": ("twins, both small", "a pair of toddlers")}  # fmt: skip
PASSING = ("lost", "missing", "unknown", "stolen", "abandoned", "broken", "empty", "old", "small", "big", "little")
"""What is said of a thing and is no part of its name."""

SHADES = ("black and white", "brown and white", "red and blue", "green and yellow", "red-and-white", "dark", "khaki",
          "light", "striped", "chequered", "olive", "maroon", "bright", "camouflage", "multicoloured")  # fmt: skip
TINTS = ("bright ", "dark ", "light ", "pale ", "navy ", "neon ")
MOVES = {"still": 8, "slow": 5, "walking": 5, "fast": 3, "drifting": 2}
ADJECTIVES = {"still": ("unconscious", "injured", "motionless"), "slow": ("limping",), "walking": ("wandering",)}
MINUTES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 18, 20, 22, 25, 30, 35, 40, 45, 50, 60, 70, 75, 80, 90, 100, 120,
           150, 180, 240, 300, 480, 600)  # fmt: skip
SPANS = {15: ("a quarter of an hour",), 30: ("half an hour",), 45: ("three quarters of an hour",), 60: ("an hour",),
         90: ("an hour and a half", "1.5 hours"), 120: ("two hours",), 150: ("two and a half hours",)}  # fmt: skip
AGO = ("{} ago", "{} ago", "about {} ago", "some {} ago", "{} back", "roughly {} ago", "maybe {} ago", "only {} ago",
       "{} or so ago", "{} earlier")  # fmt: skip
NEAR = ("{} behind {}", "{} north of {}", "{} beyond {}", "{} below {}", "{} above {}", "{} along {}", "{} next to {}",
        "{} between {} and {}", "{} at the foot of {}", "{} south west of {}", "{} opposite {}")  # fmt: skip
MEANT = "|"
"""Stands before what is meant where something else was said first and taken back."""

CORRECTED = ("no,", "sorry,", "i mean", "no wait,", "scratch that,", "or rather", "make that", "correction:")
STRETCHES = ("the stretch from {} to {}", "the edge of {}", "the near side of {}", "the upper end of {}",
             "between {} and {}", "from {} down to {}")  # fmt: skip
WHOM = ("the warden", "the ranger", "the doctor", "the police", "the coast guard", "the hut keeper", "the fire brigade",
        "the harbour master", "the family", "his wife", "her brother", "the vet", "the ambulance", "the ground team",
        "the rescue boat", "me", "us", "base", "control", "the owner", "the shepherd", "the pilot")  # fmt: skip
HEIGHTS_M = (5, 10, 20, 25, 30, 35, 40, 45, 50, 60, 60, 60, 70, 75, 80, 90, 90, 100, 120)
ON_FIND = {"home": 55, "image_home": 16, "hover": 10, "hover_home": 5, "image_hover": 4, "image_hover_home": 5}
FIRST = ("find", "colour", "aged", "size", "is", "moves", "toward", "seen", "ago", "since")
"""The order in which what is told of one is read."""

LAST = ("in", "ordered", "more", "drop", "everywhere", "skip", "off", "free", "under", "most", "least", "at", "within",
        "by", "battery", "then", "no", "tell", "besides", "hands", "unsafe", "over")  # fmt: skip
"""And the order of what is told of the search."""

_CONFIRM = re.compile(r"confirm|verif|identif|sure|certain|check that|\bp?id\b|positive|really")
_OFF = re.compile(
    r"\bfl(?:y|ying|ight|ies)\b|overfl|(?<!all )\bover\b|(?<!cross )\boff\b|\baway\b|clear of|avoid|airspace"
)
_SECONDS, _AGE = re.compile(r"\d+ s\b"), re.compile(r"\d+")
_SOMEBODY = re.compile(r"surviv|one|body|people|person|human|him|her\b|them")
_COPIED = re.compile(r"\[([^]]*)\]")


@dataclass(slots=True)
class Who:
    """Someone or something to be found: how it is spoken of, and the word under which it is read."""

    text: str
    label: str
    group: str
    pronouns: dict[str, str]
    told: list[str] = field(default_factory=list)

    @property
    def person(self) -> bool:
        return self.label.split()[-1] in ("person", "child")

    @property
    def alive(self) -> bool:
        return self.person or self.group in ("dog", "beasts")


@dataclass(slots=True)
class Told:
    """A search in the making, or what is new about one: what was said so far, and what is read of it."""

    c: Caller
    where: Ground
    who: list[Who] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    areas: list[str] = field(default_factory=list)
    avoid: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    @property
    def reading(self) -> str:
        of_all = [c for one in self.who for c in sorted(one.told, key=lambda c: FIRST.index(_verb(c)))]
        return "; ".join([*of_all, *sorted(self.told, key=lambda c: LAST.index(_verb(c)) if _verb(c) in LAST else -1)])

    @property
    def joined(self) -> bool:
        """Whether it joins two things that training never joins."""
        colours = [(w.label, c) for w in self.who for c in w.told if c.startswith("colour")]
        pairs = [*colours, *((w.label, " ".join(self.steps)) for w in self.who if len(self.steps) > 1)]
        return any(fraction("rescue", a, b) < HELD_OUT_PAIRS for a, b in pairs)

    def say(self, table: str, kind: str = "sentences", **slots: str) -> str:
        """A wording of it, now and then a clause that leans on what was said before."""
        leans = kind == "sentences" and "clauses" in tables()[f"rescue.{table}"] and self.c.chance(0.3)
        return f", {self.c.say(table, 'clauses', **slots)}" if leans else self.c.say(table, kind, **slots)


def _verb(clause: str) -> str:
    return clause.partition("(")[0]


def search(c: Caller, where: Ground) -> Told:
    """A whole order."""
    t = Told(c, where)
    t.who = [who(c) for _ in range(c.rng.choices((1, 2, 3), (82, 15, 3))[0])]
    t.who = _told_apart(c) if c.chance(0.07) else t.who
    main = _main(t, terse=c.chance(0.25))
    one = t.who[0] if len(t.who) == 1 and t.who[0].pronouns["he"] != "they" else None
    facts = _facts(t, one) if one else [_together(t)] if t.who and c.chance(0.3) else []
    parts = [main, *facts]
    parts += [_areas(t)] if not t.areas and c.chance(0.55) else []
    parts += [_avoid(t)] if not t.avoid and c.chance(0.22) else []
    parts += [_bound(t) for _ in range(c.rng.choices((0, 1, 2), (55, 35, 10))[0])]
    parts += [_then(t, t.who[0])] if t.who and c.chance(0.6) else []
    parts += [_more(t) for _ in range(c.rng.choices((0, 1, 2), (60, 30, 10))[0])]
    if c.chance(0.3):
        c.rng.shuffle(parts)
    t.parts = [p for p in parts if p]
    if len({*t.areas, *t.avoid}) < len(t.areas) + len(t.avoid):
        raise Unsaid("a place twice")
    return t


def change(c: Caller, where: Ground) -> Told:
    """Something new about a running search, now and then two things at once."""
    t = Told(c, where)
    for make in c.rng.choices(tuple(CHANGES), tuple(CHANGES.values()), k=c.rng.choices((1, 2), (85, 15))[0]):
        t.parts.append(make(t))
    if "over" in t.told and len(t.told) > 1:
        raise Unsaid("it is over, and something is new")
    t.parts[0] = c.say("change", "frames", s=t.parts[0].removeprefix(", "))
    return t


def spoken(t: Told) -> str:
    """All of it in one breath, with what has nothing to do with it, and slips."""
    c, rng = t.c, t.c.rng
    first, *others = (part.replace(MEANT, "") for part in t.parts)
    text = first.removeprefix(", ")
    for part in others:
        text += part if part.startswith(", ") else rng.choice((". ", ". ", ". ", ", ", "; ", " - ")) + part
    text = ARTICLES.sub("", text) if c.chance(0.06) else text
    slots = {"num": words.number(rng, rng.randrange(2, 60)), "name": c.name(), "other": place(c, t.where)}
    slots |= t.who[0].pronouns if t.who else _pronouns(c, "person", "person")
    if c.chance(0.14):
        text = f"{fill(rng.choice(lines('chatter', 'before')), slots)} {text}"
    if c.chance(0.14):
        text = f"{text}. {fill(rng.choice(lines('chatter', 'after')), slots)}"
    if c.chance(0.03):
        text = f"{text}. {fill(rng.choice(lines('inject', 'after')), slots)}"
    if c.chance(0.3):
        text = f"{text[:1].upper()}{text[1:]}."
    return rough(rng, text)


# Who


def who(c: Caller) -> Who:
    """Someone or something, with an article, and what the words for it tell."""
    rng = c.rng
    group = rng.choices(tuple(NOUNS), tuple(NOUNS.values()))[0]
    if (several := _several(c, group)) and c.chance(0.14):
        return _told_by(c, several)
    noun = rng.choice(nouns(group))
    label = _label(group, noun)
    one = Who(noun, label, group, _pronouns(c, group, noun))
    one.told.append(f"find({named(label)})")
    if one.person and (age := _AGE.search(figured(noun))):
        one.told.append(f"aged({age[0]})")
    if group in ("hiker", "dementia"):
        one.told.append(f"is({group})")
    return _told_by(c, one)


def _label(group: str, noun: str) -> str:
    thing = " ".join(w for w in noun.split() if w not in PASSING)
    return "child" if group in CHILDREN else "person" if group in GROWN else "dog" if group == "dog" else thing


def _several(c: Caller, group: str) -> Who | None:
    """Two or more of whom the same is said."""
    rng, label = c.rng, "child" if group in CHILDREN else "person"
    them = {"he": "they", "him": "them", "his": "their"}
    if group in (*GROWN, *CHILDREN) and c.chance(0.3):
        return Who(rng.choice(PAIRS[label]), label, group, them, [f"find(2 {label})"])
    one = rng.choice([n for n in MANY if n in nouns(group)] or [""])
    if not one:
        return None
    n, many = rng.choice((2, 2, 2, 3, 3, 4, 5, 6, 8, 12, 25)), MANY[one]
    label = label if group in (*GROWN, *CHILDREN) else "dog" if group == "dog" else named(many)
    read = [f"find({n} {label})", *(["is(hiker)"] if group == "hiker" else [])]
    return Who(f"{words.number(rng, n)} {many}", label, group, them, read)


def _told_apart(c: Caller) -> list[Who]:
    """Two of a kind, one in this colour and one in that."""
    rng, noun = c.rng, c.rng.choice(("man", "woman", "hiker", "child", "skier", "dog", "girl", "boy", "climber"))
    group = noun if noun in NOUNS else "person"
    (one, first), (other, second) = colour(c), colour(c)
    worn_in = "" if noun == "dog" else "in "
    ways = ("two {m}, one {i}{a} and one {i}{b}", "two {m}: one {i}{a}, the other {i}{b}",
            "two {m}, the first {i}{a}, the second {i}{b}", "two {m}, {a} and {b}")  # fmt: skip
    text = rng.choice(ways).format(m=MANY[noun], i=worn_in, a=one, b=other)
    them, label = {"he": "they", "him": "them", "his": "their"}, _label(group, noun)
    kinds = ["is(hiker)"] if noun == "hiker" else []
    read = ([f"find({label})", f"colour({shade})", *kinds] for shade in (first, second))
    return [Who(said, label, group, them, told) for said, told in zip((text, ""), read, strict=True)]


def _told_by(c: Caller, one: Who) -> Who:
    """With a colour or a way to move in the phrase itself, and an article."""
    rng, bare = c.rng, "," in one.text or one.text.startswith(("my ", "our ", "some", "one of", "a ", "an "))
    many = one.told[0][len("find(") :][:1].isdigit()
    if not bare and not many and one.alive and c.chance(0.12):
        pace = rng.choice(tuple(ADJECTIVES))
        one.text, one.told = f"{rng.choice(ADJECTIVES[pace])} {one.text}", [*one.told, f"moves({pace})"]
    behind = ""
    if "," not in one.text and c.chance(0.5):
        said, read = colour(c)
        behind = f" {worn(c, said)}" if one.person or one.text.startswith(("my ", "our ")) else ""
        one.text = one.text if behind else f"{said} {one.text}" if not many else one.text
        one.told += [f"colour({read})"] if behind or not many else []
    if not bare and not many:
        the = "the" if c.chance(0.15) else "an" if one.text[0] in "aeiou" else "a"
        one.text = f"{the} {one.text}"
    one.text += behind
    return one


def _pronouns(c: Caller, group: str, noun: str) -> dict[str, str]:
    female = group in FEMALE or any(w in ("woman", "lady", "girl", "female") for w in noun.split())
    male = group in MALE or any(w in ("man", "boy", "male", "guy") for w in noun.split())
    if group in ("dog", "beasts") or group not in (*CHILDREN, *GROWN):
        return {"he": "it", "him": "it", "his": "its"}
    if female or (not male and c.chance(0.45)):
        return {"he": "she", "him": "her", "his": "her"}
    return {"he": "he", "him": "him", "his": "his"}


@functools.cache
def nouns(group: str) -> tuple[str, ...]:
    """The words for a group."""
    some = lists("rescue_labels").get(group) or lists("rescue_who")[group]
    return (*some, *tables().get("rescue.nouns", {}).get(group, "").strip().splitlines())


def colour(c: Caller) -> tuple[str, str]:
    """A colour as people see it, and as it is read."""
    of = lists("rescue_who")
    if c.chance(0.15):
        said = c.rng.choice(SHADES)
        return said, named(said)
    said = c.rng.choice(of["colours"] if c.chance(0.85) else of["rare"])
    return f"{c.rng.choice(TINTS) if c.chance(0.12) else ''}{said}", named(said)


def worn(c: Caller, shade: str) -> str:
    garment = c.rng.choice((*lists("rescue_who")["garments"], *lines("words", "garments")))
    a = "an" if shade[0] in "aeiou" else "a"
    ways = ("in {s}", "wearing {s}", "dressed in {s}", "in {a} {s} {g}", "wearing {a} {s} {g}", "with {a} {s} {g}",
            "in {s} clothes", "with {s} hair")  # fmt: skip
    return c.rng.choice(ways).format(s=shade, a=a, g=garment)


# What is told of somebody


def _facts(t: Told, one: Who) -> list[str]:
    """What the phrase has left, some of it."""
    c, had = t.c, {_verb(clause) for clause in one.told}
    makers = [m for m, share in FACTS.items() if c.chance(share) and _TELLS[m] not in had]
    c.rng.shuffle(makers)
    return [m(t, one) for m in makers]


def _coloured(t: Told, one: Who) -> str:
    said, read = colour(t.c)
    one.told.append(f"colour({read})")
    a, garment = "an" if said[0] in "aeiou" else "a", t.c.rng.choice(lists("rescue_who")["garments"])
    return t.say("colour" if one.person else "painted", **one.pronouns, colour=said, a=a, garment=garment)


def _age(t: Told, one: Who) -> str:
    if not one.person:
        return ""
    child = one.label == "child"
    years = words.number(t.c.rng, t.c.rng.randint(*((2, 17) if child else (18, 94))))
    one.told.append(f"aged({figured(years)})")
    line = t.c.rng.choice(lines("age", "young" if child and t.c.chance(0.4) else "any"))
    return fill(line, one.pronouns | {"age": years})


def _moves(t: Told, one: Who) -> str:
    if not one.alive:
        return ""
    pace = t.c.rng.choices(tuple(MOVES), tuple(MOVES.values()))[0]
    one.told.append(f"moves({pace})")
    return t.say(pace, **one.pronouns)


def _ill(t: Told, one: Who) -> str:
    if one.label != "person":
        return ""
    one.told.append("is(dementia)")
    return t.say("dementia", **one.pronouns)


def _size(t: Told, one: Who) -> str:
    if one.alive and not one.person:
        return ""
    metres = t.c.rng.choice((1.5, 1.6, 1.7, 1.8, 1.9) if one.person else (1, 1.5, 2, 3, 4, 6, 8, 12))
    said = f"{metres:g} {t.c.rng.choice(('m', 'metres'))}"
    one.told.append(f"size({figured(said)})")
    return t.say("size" if one.person else "long", **one.pronouns, size=said)


def _seen(t: Told, one: Who) -> str:
    """Where it was last, when, and where it is heading."""
    c, roll, slots = t.c, t.c.rng.random(), dict(one.pronouns)
    if roll < 0.25:
        return t.say("seen_at", **slots, place=_at(t, one, "seen"))
    if roll < 0.4:
        return t.say("gone", **slots, **ago(c, one.told))
    if roll < 0.55 and one.alive:
        return c.say("seen_toward", "both", **slots, place=_at(t, one, "seen"), goal=_at(t, one, "toward"),
                     **ago(c, one.told))  # fmt: skip
    if roll < 0.7:
        at, now = _times(c)
        one.told.append(f"since({_time(at)}, {_time(now)})")
        return t.say("since", **slots, at=at, now=now)
    return c.say("seen", "both", **slots, place=_at(t, one, "seen"), **ago(c, one.told))


def _toward(t: Told, one: Who) -> str:
    return t.say("toward", **one.pronouns, goal=_at(t, one, "toward")) if one.alive else ""


def _together(t: Told) -> str:
    """What is the same of all of them."""
    t.told += ["all"] if len(t.who) > 1 else []
    said = place(t.c, t.where)
    t.told.append(f"seen({_place(said)})")
    return t.c.say("all", place=said, **ago(t.c, t.told))


def _at(t: Told, one: Who, verb: str) -> str:
    said = place(t.c, t.where)
    if verb == "toward" and t.c.chance(0.15):
        said = t.c.rng.choice(("north", "south", "east", "west"))
    elif verb == "toward" and t.c.chance(0.15):
        said = t.c.rng.choice([w for ways in lists("rescue_grounds").values() for w in ways])
    one.told.append(f"{verb}({_place(said)})")
    return said


def ago(c: Caller, told: list[str]) -> dict[str, str]:
    """{ago} and {dur}, and how it is read."""
    rng = c.rng
    if c.chance(0.06):
        told.append("ago(now)")
        return {"ago": rng.choice(("just now", "right now", "this moment")), "dur": "a moment"}
    minutes = rng.choice(MINUTES)
    if minutes in SPANS and c.chance(0.6):
        span = rng.choice(SPANS[minutes])
    elif minutes % 60 == 0 and minutes > 60:
        span = f"{words.number(rng, minutes // 60)} hours"
    else:
        span = f"{words.number(rng, minutes)} {rng.choice(('minutes', 'min', 'mins'))}"
    told.append(f"ago({60 * minutes} s)")
    return {"ago": rng.choice(AGO).format(span), "dur": span}


def _times(c: Caller) -> tuple[str, str]:
    """Two times of day, as people say them."""
    rng = c.rng
    begin, long = rng.randrange(0, 24 * 60, 5), rng.randrange(10, 9 * 60, 5)
    style, half = rng.randrange(4), (begin + long) // 720 != begin // 720
    return _o_clock(c, begin, style, half or c.chance(0.2)), _o_clock(c, begin + long, style, half)


def _o_clock(c: Caller, minutes: int, style: int, half: bool) -> str:
    hour, minute = divmod(minutes % 1440, 60)
    if style == 0 or (minute % 15 and style > 1):
        return f"{hour}:{minute:02d}"
    day = " in the morning" if hour < 12 else " in the afternoon" if hour < 18 else " in the evening"
    twelve, word = (hour + 11) % 12 + 1, lambda n: words.number(c.rng, n)
    full = f"{word(twelve)}{c.rng.choice(('', ' o’clock'))}"
    spoken = {0: full, 30: f"half past {word(twelve)}", 15: f"quarter past {word(twelve)}"}
    spoken[45] = f"quarter to {word(twelve % 12 + 1)}"
    if style == 1 or minute not in spoken:
        return f"{word(twelve)} {minute:02d}" if minute else f"{word(twelve)}{day if half else ''}"
    return f"{spoken[minute]}{day if half else ''}"


def _time(said: str) -> str:
    return named(clocked(said))


# Where


def place(c: Caller, where: Ground) -> str:
    """A place with its article: its name, or words that tell where it is."""
    rng = c.rng
    one = rng.choice(where.places).said(rng)
    if c.chance(0.14):
        return rng.choice(NEAR).format(one, *(rng.choice(where.places).said(rng) for _ in "ab"))
    if c.chance(0.06):
        return rng.choice(STRETCHES).format(*(rng.choice(where.places).said(rng) for _ in "ab"))
    if c.chance(0.03):
        return f"{rng.choice(where.places).said(rng)}, {rng.choice(CORRECTED)} {MEANT}{one}"
    if where.squares and c.chance(0.05):
        return rng.choice(("square {}", "grid {}", "{}")).format(rng.choice(where.squares))
    return one


def _place(said: str) -> str:
    return named(said.rpartition(MEANT)[2])


def some(t: Told, verb: str, most: int = 3) -> str:
    """One or more places in one phrase, each read by itself."""
    c, kinds = t.c, t.where.several()
    if kinds and c.chance(0.15):
        kind = c.rng.choice(kinds)
        plural = kind if kind.endswith("s") else f"{kind}es" if kind.endswith(("ch", "sh")) else f"{kind}s"
        t.told.append(f"{verb}({plural})")
        return c.rng.choice((f"the {plural}", f"all the {plural}", f"all of the {plural}", plural))
    said = list(dict.fromkeys(place(c, t.where) for _ in range(min(most, c.rng.choice((1, 1, 1, 2, 2, 3))))))
    t.told += [f"{verb}({_place(one)})" for one in said]
    kept = t.areas if verb in ("in", "more") else t.avoid
    kept += [one.rpartition(MEANT)[2].removeprefix("the ") for one in said]
    return listed(c.rng, said, "or" if c.chance(0.1) else "and")


def _main(t: Told, terse: bool) -> str:
    c = t.c
    if c.chance(0.04):
        t.who = []
        return c.say("plain_find", "orders", main=True, fits=lambda f: not _SOMEBODY.search(f), where=some(t, "in"))
    them = listed(c.rng, [one.text for one in t.who if one.text])
    kind = "clauses" if terse else "orders" if c.chance(0.6) else "sentences"
    roll = c.rng.random()
    if roll < 0.42:
        return c.say("find_in", kind, main=True, who=them, where=some(t, "in"))
    if roll < 0.5:
        return c.say("find_but", kind, main=True, who=them, out=some(t, "skip", 2))
    one = t.who[0]
    if kind == "sentences" and len(t.who) == 1 and c.chance(0.2):
        table = "find_person" if one.person else "" if one.alive else "find_thing"
        return c.say(table or "find", kind, main=True, who=them)
    if kind == "sentences" and len(t.who) == 1 and c.chance(0.1):
        return c.say("seen_who_at", main=True, who=them, place=_at(t, one, "seen"))
    if kind == "sentences" and len(t.who) == 1 and c.chance(0.3):
        return c.say("seen_who", "both", main=True, who=them, place=_at(t, one, "seen"), **ago(c, one.told))
    return c.say("find", kind, main=True, who=them)


def _areas(t: Told) -> str:
    c, slots = t.c, t.who[0].pronouns if t.who else _pronouns(t.c, "person", "")
    if c.chance(0.06):
        t.told.append("everywhere")
        return c.say("everywhere", **slots)
    if c.chance(0.2):
        three = dict(zip("abc", (place(c, t.where) for _ in "abc"), strict=True))
        said = c.say("order", "orders", **{k: f"<{k}>" for k in "abc"})
        order = sorted(k for k in "abc" if f"<{k}>" in said) if "comes after" not in said else ["a", "b"]
        t.told += [*(f"in({_place(three[k])})" for k in order), "ordered"]
        t.areas += [three[k].rpartition(MEANT)[2].removeprefix("the ") for k in order]
        for k in order:
            said = said.replace(f"<{k}>", three[k])
        return said
    return t.say("areas", **slots, where=some(t, "in"))


def _avoid(t: Told) -> str:
    """What is left out, or not flown over at all."""
    c, verb = t.c, t.c.rng.choice(("skip", "off"))
    fits = (lambda text: bool(_OFF.search(text))) if verb == "off" else (lambda text: not _OFF.search(text))
    slots = t.who[0].pronouns if t.who else _pronouns(c, "person", "")
    return c.say("avoid", fits=fits, **slots, where=some(t, verb, 2))


# What holds throughout, and what else is asked for


def _bound(t: Told) -> str:
    c, rng = t.c, t.c.rng
    kind = rng.choice(("under", "most", "least", "at", "at", "within", "by", "battery"))
    if kind in {_verb(clause) for clause in t.told} or (kind in HEIGHTS and HEIGHTS & {_verb(x) for x in t.told}):
        return ""
    if kind in HEIGHTS:
        height = f"{words.number(rng, rng.choice(HEIGHTS_M))} {rng.choice(('m', 'metres', 'meters'))}"
        t.told.append(f"{kind}({figured(height)})")
        return t.say(kind, h=height)
    if kind == "within":
        read: list[str] = []
        said = ago(c, read)["dur"]
        if read == ["ago(now)"]:
            return ""
        t.told.append(read[0].replace("ago", "within"))
        return t.say(kind, dur=said)
    if kind == "by":
        now, at = _times(c)
        t.told.append(f"by({_time(at)}, {_time(now)})")
        return t.say(kind, at=at, now=now)
    share = f"{words.number(rng, 5 * rng.randint(3, 14))} {rng.choice(('percent', '%', 'per cent'))}"
    t.told.append(f"battery({figured(share)})")
    return t.say(kind, pct=share)


HEIGHTS = {"under", "most", "least", "at"}


def _then(t: Told, one: Who) -> str:
    """What to do on a find."""
    c = t.c
    table = c.rng.choices(tuple(ON_FIND), tuple(ON_FIND.values()))[0]
    slots = one.pronouns | {"one": c.rng.choice(("a person", "anyone", "someone", "one", one.pronouns["him"]))}
    said = t.say(f"then_{table}", **slots, **{"is": "is"})
    steps = [*(["confirm"] if _CONFIRM.search(said) else []), *table.split("_")]
    t.told += [f"then({step})" for step in steps]
    t.steps = steps
    return said


def _more(t: Told) -> str:
    """Somebody to be told, what is not to be done, and what has no clause of its own."""
    c, pronouns = t.c, t.who[0].pronouns if t.who else _pronouns(t.c, "person", "")
    kind = c.rng.choices(("tell", "no_confirm", "no_hover", "no_image", "on", "besides", "hands", "unsafe"),
                         (6, 2, 1, 1, 2, 9, 2, 2))[0]  # fmt: skip
    verb = kind.partition("_")[0]
    if kind == "tell":
        whom = c.rng.choice(WHOM)
        t.told.append(f"tell({named(whom.removeprefix('his ').removeprefix('her '))})")
        return c.say("tell", whom=whom)
    if verb == "no":
        step = kind.partition("_")[2]
        if f"then({step})" in t.told or f"no({step})" in t.told:
            return ""
        t.told.append(f"no({step})")
        return c.say(kind, **pronouns)
    if kind == "on":
        if "then(home)" in t.told or "then(hover)" in t.told:
            return ""
        t.told.append("then(on)")
        return c.say(kind, **pronouns)
    said = c.say(kind, **pronouns)
    read = [f"{verb}({named(copied)})" for copied in _COPIED.findall(said)]
    if {*read} & {*t.told}:
        return ""
    t.told += read
    return _COPIED.sub(r"\1", said)


# What is new


def _spoken_of(t: Told) -> Who:
    """By a pronoun, or by a noun that tells whom of several."""
    group = t.c.rng.choices(tuple(NOUNS), tuple(NOUNS.values()))[0]
    noun = t.c.rng.choice([n for n in nouns(group) if "," not in n and "{" not in n])
    one = Who(noun, "", group, _pronouns(t.c, group, noun))
    one.label = _label(group, noun)
    if t.c.chance(0.2) and not _AGE.search(figured(noun)) and not noun.startswith(("my ", "our ", "some", "one of")):
        one.pronouns = {"he": f"the {noun}", "him": f"the {noun}", "his": f"the {noun}'s"}
        t.told.append(f"of({named(one.label)})")
    return one


def _news(tell: Callable[[Told, Who], str]) -> Callable[[Told], str]:
    def make(t: Told) -> str:
        one = _spoken_of(t)
        said = tell(t, one)
        if not said:
            raise Unsaid("nothing to tell of it")
        t.told += sorted(one.told, key=lambda clause: FIRST.index(_verb(clause)))
        return said.removeprefix(", ")

    return make


def _new_sighting(t: Told, one: Who) -> str:
    if t.c.chance(0.5):
        return t.c.say("new_seen_at", main=True, **one.pronouns, place=_at(t, one, "seen"))
    return t.c.say("new_seen", "both", main=True, **one.pronouns, place=_at(t, one, "seen"), **ago(t.c, one.told))


def _new_colour(t: Told, one: Who) -> str:
    said, read = colour(t.c)
    one.told.append(f"colour({read})")
    a, garment = "an" if said[0] in "aeiou" else "a", t.c.rng.choice(lists("rescue_who")["garments"])
    table = "new_colour" if one.label in ("person", "child") else "new_painted"
    return t.c.say(table, main=True, **one.pronouns, colour=said, a=a, garment=garment)


def _new_time(t: Told, one: Who) -> str:
    return t.c.say("new_ago", "both", main=True, **one.pronouns, **ago(t.c, one.told))


def _another(verb: str) -> Callable[[Told], str]:
    def make(t: Told) -> str:
        fresh = who(t.c)
        t.told += [f"{verb}{clause.removeprefix('find')}" if clause.startswith("find") else clause
                   for clause in sorted(fresh.told, key=lambda clause: FIRST.index(_verb(clause)))]  # fmt: skip
        return t.c.say(verb, main=True, **_pronouns(t.c, "person", ""), who=fresh.text)

    return make


def _gone(t: Told) -> str:
    one = _spoken_of(t)
    t.told = [f"gone{c.removeprefix('of')}" if c.startswith("of(") else c for c in t.told]
    if not any(c.startswith("gone") for c in t.told):
        t.told.append(f"gone({'dog' if one.pronouns['he'] == 'it' else 'person'})")
    return t.c.say("found", main=True, **one.pronouns)


def _where(table: str, verb: str) -> Callable[[Told], str]:
    def make(t: Told) -> str:
        return t.c.say(table, main=True, **_pronouns(t.c, "person", ""), where=some(t, verb, 2))

    return make


def _instead_there(t: Told) -> str:
    return t.c.say(
        "not_there", main=True, **_pronouns(t.c, "person", ""), old=some(t, "drop", 1), where=some(t, "more", 1)
    )


def _plain(table: str, clause: str) -> Callable[[Told], str]:
    def make(t: Told) -> str:
        t.told.append(clause)
        return t.c.say(table, main=True, **_pronouns(t.c, "person", ""))

    return make


def _new_then(t: Told) -> str:
    one = Who("", "person", "person", _pronouns(t.c, "person", ""))
    return t.c.say("new_then", "frames", main=True, t=_then(t, one).removeprefix(", "))


FACTS: Mapping[Callable[[Told, Who], str], float] = {
    _seen: 0.5, _coloured: 0.35, _moves: 0.25, _toward: 0.2, _age: 0.15, _ill: 0.06, _size: 0.06,
}  # fmt: skip
_TELLS = {
    _seen: "seen",
    _coloured: "colour",
    _moves: "moves",
    _toward: "toward",
    _age: "aged",
    _ill: "is",
    _size: "size",
}

CHANGES: Mapping[Callable[[Told], str], int] = {
    _news(_new_sighting): 14, _news(_new_colour): 6, _news(_new_time): 3, _news(_moves): 5, _news(_toward): 6,
    _news(_ill): 2, _another("instead"): 8, _another("also"): 9, _gone: 6, _where("new_areas", "in"): 8,
    _where("more_areas", "more"): 7, _where("free_again", "free"): 3, _avoid: 12, _instead_there: 7, _bound: 8,
    _plain("no_areas", "everywhere"): 3, _plain("then_add_image", "then(image)"): 4, _new_then: 4,
    _plain("then_add_hover", "then(hover)"): 3, _plain("then_no_image", "no(image)"): 2, _plain("over", "over"): 9,
    _more: 4,
}  # fmt: skip
