"""Sentences written whole, each with the deeds that it asks for: what joining of short orders never says.

A line of `written/*.txt` is `deeds :: sentence`; `#` begins a comment, `(a|b)` is a choice. Slots of the sentence: `{x}
{y} {z}` things with an article, `{x1}` without, `{xs}` several of them, `{d} {e}` distances, `{a} {b}` angles, `{t}` a
time, `{q}` something described, `{most}` one of several. The deeds, parted by `;`, name what stands in the slots:

    go x   find x   face x   pic x   close x      close is to go there and take a picture
    wgo q  wfind q  wpic q   hint drink           what is described; `wgo drink`: the sentence describes it by itself
    wface q                                       `w... who` with {who}, somebody told apart by what is worn or held
    pgo    pface    ppic     psay                 with {most}
    ongo x  onface x  onpic x  onsay x            what lies on it
    forward d  back 50  left d  right d  up d  down d  cw a  ccw 90  around  spin  wait t
    home  land  takeoff  shoot  look  count xs  say some words
    if see x { ... } else { ... }    if exists x { ... }    if unseen x { ... }    if missing x { ... }
    if more xs 2 { ... }    3 { up 30; shoot }    until x 8 { up 30 }

`person` may stand for a thing that the sentence need not name: `if unseen person { land }`.

`@intent :: sentence` adds a sentence to one of the intents of `frames/`, `@intent/orders :: order` an order.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from knowledge import Quality
from lessons import described, words
from lessons.lists import lists
from lessons.phrasing import Frame, fill, frame
from lessons.picks import Pick, pick
from lessons.saying import amount, asked, moved, named, quoted, turned
from lessons.simple import Clause, Maker
from lessons.telling import Target, Teller, Unsaid, target
from lessons.wants import Want, known, of_quality, want
from sayso.grounding.utterance import figured

FOLDER = Path(__file__).parent / "written"
SLOTS = frozenset({"x", "y", "z", "xs", "d", "e", "a", "b", "t"})
WANTED, PICKED = ("wgo", "wfind", "wpic", "wface", "hint"), ("pgo", "pface", "ppic", "psay")
TURNS = ("cw", "ccw")
LAST = ("land", "home", "hint")
MOVES = {way: way for way in ("forward", "back", "left", "right", "up", "down")} | {"cw": "right", "ccw": "left"}
"""To which side; of a turn, which way round."""
HOWS = {"see": "sees({x})", "unseen": "not sees({x})", "exists": "found({x})", "missing": "not found({x})",
        "more": "sees({n} {x})"}  # fmt: skip
"""What the tests mean; {x} is the thing, {n} the least number of them."""
OFTEN = {"drone_o.txt": 3, "drone_p.txt": 4, "drone_q.txt": 8, "drone_r.txt": 8, "drone_s.txt": 40}
"""Files whose lines are drawn more often: the shipped weights have seen the others for longer."""
PERSON = Target("anybody", "person", "person")
PLAIN = {
    "home": "home", "land": "landed", "takeoff": "airborne", "shoot": "picture", "around": "turned(back)",
    "spin": "turned(right, 360 deg)", "look": "answered('what is here')",
}  # fmt: skip
ABOUT = {
    "go": "at({x})", "find": "found({x})", "face": "facing({x})", "pic": "picture({x})",
    "close": "at({x}) then picture({x})", "wgo": "at({x})", "wfind": "named({x})", "wpic": "picture({x})",
    "wface": "facing({x})", "hint": "at({x})", "pgo": "at({x})", "pface": "facing({x})", "ppic": "picture({x})",
    "psay": "named({x})", "ongo": "at(thing on {x})", "onface": "facing(thing on {x})",
    "onpic": "picture(thing on {x})", "onsay": "named(thing on {x})",
}  # fmt: skip
"""What the deeds mean, those alone and those with a thing, which is {x}."""
VERBS = frozenset({*ABOUT, *PLAIN, *MOVES, "wait", "say", "count"})
NEEDS = VERBS - {*PLAIN, *PICKED, "say"}

_SLOT = re.compile(r"\{([a-z]+)1?\}")
_PART = re.compile(r"[{};]|[^{};\s]+")

Deed: TypeAlias = "tuple[str, ...] | Test | Loop"
WEARING = (
    "the person in {}", "the {} shirt guy", "whoever wears {}", "the one in the {} top", "the man in {}",
    "the woman in the {} shirt", "somebody dressed in {}", "a person with a {} shirt", "the colleague in {}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Test:
    """What to do where a thing is seen, and where not.

    `how` is see or unseen (at a glance), exists or missing (by a search), or more, of which there are `than`.
    """

    how: str
    thing: str
    yes: tuple[Deed, ...]
    no: tuple[Deed, ...]
    than: int = 0


@dataclass(frozen=True, slots=True)
class Loop:
    """As often as that, or only until a thing is in view."""

    times: int
    deeds: tuple[Deed, ...]
    until: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    deeds: tuple[Deed, ...]
    frame: Frame


@dataclass(slots=True)
class Slots:
    """What stands in the slots of one sentence: how it is said, and what is meant."""

    t: Teller
    said: dict[str, str] = field(default_factory=dict)
    things: dict[str, Target] = field(default_factory=dict)
    wanted: dict[str, Want] = field(default_factory=dict)
    most: Pick | None = None


def whole(t: Teller, form: str, goes_on: bool = False) -> Clause:
    """A sentence of the files. Raises `Unsaid` where this room has nothing for its slots.

    With `goes_on` one that another order may follow: it tests nothing, repeats nothing, and does not end a flight.
    """
    choice = lines(True) if t.side.held == "frame" else _drawn()
    if not choice:
        raise Unsaid("no sentence is held out")
    line = t.rng.choice(choice)
    if goes_on and not all(isinstance(deed, tuple) and deed[0] not in LAST for deed in line.deeds):
        raise Unsaid("nothing can follow")
    t.held_frames += line.frame.held_out
    t.frames.append(line.frame.id)
    text = line.frame.say(t.rng)
    slots = _filled(t, text, line.deeds)
    sentence = fill(text, slots.said)
    return Clause("written", "sentences", sentence, _goal(line.deeds, slots, sentence))


def _goal(deeds: tuple[Deed, ...], slots: Slots, sentence: str) -> str:
    """The deeds in the language of goals."""
    parts = []
    for deed in deeds:
        match deed:
            case Test(how, thing, yes, no, than):
                x = named(_called(thing, slots))
                test = HOWS[how].format(x=x, n=than + 1)
                otherwise = f" else {{ {_goal(no, slots, sentence)} }}" if no else ""
                parts.append(f"if {test} {{ {_goal(yes, slots, sentence)} }}{otherwise}")
            case Loop(times, inside, until):
                body = _goal(inside, slots, sentence)
                if not until:
                    parts.append(f"{times} {{ {body} }}")
                    continue
                most = f" most {times}" if re.search(rf"(?<![\d.]){times}(?![\d.])", figured(sentence)) else ""
                parts.append(f"until sees({named(_called(until, slots))}) {{ {body} }}{most}")
            case (verb, *rest):
                parts.append(_meaning(verb, rest, slots, sentence))
    return " then ".join(parts)


def _called(name: str, slots: Slots) -> str:
    return _thing(name, slots).bare


def _meaning(verb: str, rest: list[str], slots: Slots, sentence: str) -> str:
    if verb in PLAIN:
        return PLAIN[verb]
    if verb in MOVES:
        unit = "deg" if verb in TURNS else "cm"
        return (turned if verb in TURNS else moved)(MOVES[verb], slots.said.get(rest[0], f"{rest[0]} {unit}"))
    if verb == "wait":
        return f"waited({amount(slots.said.get(rest[0], f'{rest[0]} s'))})"
    if verb == "say":
        return f"said({quoted(' '.join(rest))})"
    if verb == "count":
        return asked("how many", slots.said.get(rest[0]) or _called(rest[0], slots))
    if verb in PICKED:
        assert slots.most is not None
        return ABOUT[verb].format(x=slots.most.goal)
    if verb in WANTED:
        it = slots.wanted[rest[0]]
        return ABOUT[verb].format(x=named(it.called(sentence) if rest[0] in ("q", "who") else it.first))
    return ABOUT[verb].format(x=named(_called(rest[0], slots)))


def _filled(t: Teller, text: str, deeds: tuple[Deed, ...]) -> Slots:
    slots = Slots(t)
    labels: set[str] = set()
    tested = {_named(deed) for deed in _each(deeds) if _plainly(deed)}
    for name in sorted({m[1] for m in _SLOT.finditer(text)}):
        if name in ("x", "y", "z"):
            it = target(t, definite=0.85, plain=f"{{{name}1}}" in text or name in tested)
            if it.label in labels:
                raise Unsaid("the same thing twice")
            labels.add(it.label)
            slots.things[name], slots.said[name], slots.said[f"{name}1"] = it, it.phrase, it.bare
        elif name == "xs":
            item = t.item()
            slots.said[name], slots.things[name] = item.plural, Target(item.plural, item.plural, item.label)
        else:
            _amount(slots, name)
    for deed in _each(deeds):
        if isinstance(deed, tuple) and deed[0] in WANTED and deed[1] not in ("q", "who"):
            slots.wanted[deed[1]] = of_quality(t.rng, _quality(deed[1]))
    return slots


def _plainly(deed: tuple[str, ...] | Test | Loop) -> bool:
    """Whether the thing of the deed is one of its kind, and not one told apart by its colour."""
    return not isinstance(deed, tuple) or deed[0].startswith("on")


def _named(deed: tuple[str, ...] | Test | Loop) -> str:
    """The slot of the thing that it is about."""
    return deed.thing if isinstance(deed, Test) else deed.until if isinstance(deed, Loop) else deed[1]


def somebody(t: Teller) -> Want:
    """A person told apart by what is worn or held, or in words that no table knows."""
    people = lists("people")
    if t.rng.random() < 0.3:
        return Want(f"{t.rng.choice(('the', 'the', 'a'))} {described.somebody(t.rng)}")
    if t.rng.random() < 0.6:
        held = words.a(t.rng.choice(people["held"]))
        return Want(words.holding(t.rng, held.partition(" ")[2], t.rng.choice(("a", "the"))))
    shirt = t.rng.choice(people["shirts"])
    if t.rng.random() < 0.5:
        return Want(words.wearing(t.rng, shirt))
    return Want(t.rng.choice(WEARING).format(words.shade(t.rng, shirt)))


def _amount(slots: Slots, name: str) -> None:
    rng = slots.t.rng
    if name == "q":
        slots.wanted["q"] = want(slots.t)
        slots.said["q"], slots.said["q1"] = slots.wanted["q"].noun, slots.wanted["q"].bare
        return
    if name == "who":
        slots.wanted["who"] = somebody(slots.t)
        slots.said["who"] = slots.wanted["who"].noun
        return
    if name == "most":
        slots.most = pick(slots.t)
        slots.said["most"] = slots.most.phrase
        return
    drawn = {"d": words.distance_cm, "e": words.distance_cm, "a": words.angle_deg, "b": words.angle_deg,
             "t": words.duration_s}[name](rng)  # fmt: skip
    slots.said[name] = drawn.text


def _thing(name: str, slots: Slots) -> Target:
    return PERSON if name == "person" else slots.things[name]


# The files


@functools.cache
def lines(held_out: bool) -> tuple[Line, ...]:
    """The sentences with deeds, of one side of the split."""
    every = (line for file in sorted(FOLDER.glob("*.txt")) for line in _read(file))
    return tuple({line.frame.id: line for line in every if line.frame.held_out == held_out}.values())


@functools.cache
def _drawn() -> tuple[Line, ...]:
    """Those to learn from, some of them several times."""
    often = {line.frame.id: times for name, times in OFTEN.items() for line in _read(FOLDER / name)}
    return tuple(line for line in lines(False) for _ in range(often.get(line.frame.id, 1)))


def _read(file: Path) -> list[Line]:
    found = []
    for number, row in enumerate(file.read_text("utf-8").splitlines(), 1):
        deeds, parted, said = row.partition("::")
        if not row.strip() or row.startswith(("#", "@")):
            continue
        try:
            if not parted or not said.strip():
                raise ValueError("there is no sentence behind ::")
            line = Line(deeds_of(deeds), frame("written", said.strip()))
            _slots_fit(line)
            found.append(line)
        except (ValueError, IndexError, KeyError) as error:
            raise ValueError(f"{file.name}, line {number}: {error}: {row}") from error
    return found


def deeds_of(text: str) -> tuple[Deed, ...]:
    """Read what stands before `::`."""
    parts = _PART.findall(text)
    deeds = _block(parts)
    if parts:
        raise ValueError(f"what does {parts[0]} close?")
    return deeds


def _block(parts: list[str]) -> tuple[Deed, ...]:
    """Takes deeds from the front of `parts`, up to a brace that closes."""
    deeds: list[Deed] = []
    while parts and parts[0] != "}":
        first = parts.pop(0)
        if first == ";":
            continue
        if first == "if":
            how, thing = parts.pop(0), parts.pop(0)
            if how not in HOWS:
                raise ValueError(f"no test is called {how}; there are {', '.join(HOWS)}")
            than = int(parts.pop(0)) if how == "more" else 0
            yes, no = _braced(parts), ()
            if parts[:1] == ["else"]:
                parts.pop(0)
                no = _braced(parts)
            deeds.append(Test(how, thing, yes, no, than))
        elif first == "until":
            thing, times = parts.pop(0), int(parts.pop(0))
            deeds.append(Loop(times, _braced(parts), thing))
        elif first.isdigit():
            deeds.append(Loop(int(first), _braced(parts)))
        else:
            end = next((i for i, part in enumerate(parts) if part in "{};"), len(parts))
            deeds.append(_plain((first, *parts[:end])))
            del parts[:end]
    return tuple(deeds)


def _braced(parts: list[str]) -> tuple[Deed, ...]:
    if parts.pop(0) != "{":
        raise ValueError("a { is missing")
    deeds = _block(parts)
    if not parts or parts.pop(0) != "}":
        raise ValueError("a } is missing")
    return deeds


def _plain(deed: tuple[str, ...]) -> Deed:
    verb, *rest = deed
    if verb not in VERBS:
        raise ValueError(f"nobody can {verb}; there are {', '.join(sorted(VERBS))}")
    if verb in WANTED and rest not in (["q"], ["who"]):
        _quality(rest[0])
    if verb in NEEDS and len(rest) != 1:
        raise ValueError(f"{verb} takes one word behind it")
    if verb in MOVES and rest[0] not in "deab" and not rest[0].replace(".", "").isdigit():
        raise ValueError(f"{verb} takes a slot or a number, not {rest[0]}")
    return deed


def _slots_fit(line: Line) -> None:
    """Raises `ValueError` where a deed needs what the sentence does not say, or the other way round."""
    said = {m[1] for m in _SLOT.finditer(line.frame.text)}
    needed = {slot for deed in _each(line.deeds) for slot in _needed(deed)}
    if needed != said:
        raise ValueError(f"the sentence has the slots {sorted(said)} and the deeds need {sorted(needed)}")


def _needed(deed: tuple[str, ...] | Test | Loop) -> set[str]:
    if not isinstance(deed, tuple):
        return {_named(deed)} & SLOTS
    verb, *rest = deed
    if verb in WANTED:
        return {"q", "who"} & set(rest)
    if verb in PICKED:
        return {"most"}
    return set() if verb == "say" else set(rest) & SLOTS


def _each(deeds: tuple[Deed, ...]) -> Iterator[Deed]:
    """Every deed, test and loop, those within others too."""
    for deed in deeds:
        yield deed
        if isinstance(deed, Loop):
            yield from _each(deed.deeds)
        elif isinstance(deed, Test):
            yield from _each((*deed.yes, *deed.no))


@functools.cache
def _quality_names() -> dict[str, Quality]:
    return {quality.name: quality for quality in known()}


def _quality(name: str) -> Quality:
    if name not in _quality_names():
        raise ValueError(f"there is no quality {name}; there are {', '.join(sorted(_quality_names()))}")
    return _quality_names()[name]


WRITTEN: dict[Maker, float] = {whole: 1}
