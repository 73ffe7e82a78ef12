"""The rules of the grammar for what the camera is for, and for waiting and speaking."""

from __future__ import annotations

from sayso.errors import NotUnderstood
from sayso.planners.reflex.reader import Reader
from sayso.planners.reflex.tree import (
    Answer,
    Face,
    Find,
    GoTo,
    LookAround,
    Picture,
    Return,
    Say,
    Step,
    Steps,
    Times,
    Wait,
)  # fmt: skip

COMMANDS = (
    "take_off", "land", "come_back", "turn_round", "turn", "spin", "climb", "sink", "go", "look_around", "go_to",
    "approach", "find", "face", "take", "wait", "hover", "say", "otherwise", "repeat",
)  # fmt: skip
"""What can begin the next command after words that are said aloud."""


def times(r: Reader, n: int, body: Steps) -> Step:
    """`body` n times. Raises `NotUnderstood` for a count that nobody means."""
    most = int(r.vocab.defaults["repeat_max"])
    if not 1 <= n <= most:
        raise NotUnderstood(f"I repeat something at least once and at most {most} times, not {n} times.")
    return body[0] if n == 1 and len(body) == 1 else Times(n, body)


def look_around(r: Reader) -> Step | None:
    return LookAround() if r.take("look_around") else None


def go_to(r: Reader) -> Step | None:
    """ "go to the chair", "approach the person", "go there"."""
    if r.take("there"):
        if not r.last_thing:
            r.expect("thing", "Nothing was named before that it could mean.")
        return GoTo(r.last_thing) if r.last_thing else None
    if not r.take("approach"):
        if not r.take("go_to"):
            return None
        if not r.take("to"):
            r.expect("direction")
            return None
    thing = r.thing()
    return GoTo(thing) if thing else None


def gone_to(r: Reader) -> Step | None:
    """ "… and then (to) the table", "… and back": the verb left out."""
    if r.take("and_back"):
        return Return()
    r.take("to")
    thing = r.thing() if r.sees("determiner") else None
    return GoTo(thing) if thing else None


def find(r: Reader) -> Step | None:
    thing = r.thing() if r.take("find") else None
    return Find(thing) if thing else None


def found(r: Reader) -> Step | None:
    """ "find a chair and A TABLE"."""
    thing = r.thing() if r.sees("determiner") else None
    return Find(thing) if thing else None


def face(r: Reader) -> Step | None:
    thing = r.thing() if r.take("face") else None
    return Face(thing) if thing else None


def picture(r: Reader) -> Step | None:
    """ "take a picture (of the chair)", "take 3 photos", "photograph the chair"."""
    start = r.at
    if r.take("photograph"):
        if thing := r.thing():
            return Picture(thing)
        r.at = start
    verb = r.token()
    if verb is None or not r.take("take"):
        return None
    n = _how_many(r)
    if not r.take("picture"):
        r.expect("picture", r.hint(verb.text) or "I can take nothing but pictures.")
        return None
    if not r.take("of") or r.take("scenery"):
        return times(r, n, (Picture(),))
    thing = r.thing()
    return times(r, n, (Picture(thing),)) if thing else None


def _how_many(r: Reader) -> int:
    """Of pictures: one, or the number that is said; 0 for one that counts nothing."""
    if r.take("determiner"):
        return 1
    number = r.number()
    if number is None:
        return 1
    return int(number.value) if number.value in range(1_000_000) else 0


def answer(r: Reader) -> Step | None:
    """ "do you see a chair?"."""
    thing = r.thing() if r.take("ask_see") else None
    return Answer(thing) if thing else None


# Waiting and saying


def wait(r: Reader) -> Step | None:
    """ "wait 5 seconds", "stop for a moment"."""
    return _waited(r) if r.take("wait") else None


def hover(r: Reader) -> Step | None:
    """ "hover for a minute", "stay there"."""
    if not r.take("hover"):
        return None
    waited = _waited(r)
    return Wait(waited.s if waited else r.vocab.defaults["hover_s"], hovering=True)


def hold(r: Reader) -> Step | None:
    """ "… and stop": every motion ends in a hover, so there is nothing left to do."""
    return Wait(0.0) if r.take("hold") else None


def _waited(r: Reader) -> Wait | None:
    start, most_s = r.at, r.vocab.defaults["wait_max_s"]
    amount = r.amount()
    if amount and amount.kind == "little":
        return Wait(r.vocab.defaults["little_s"])
    if amount is None or amount.kind != "time":
        r.at = start
        r.expect("time")
        return None
    if amount.value > most_s:
        r.at = start
        r.expect("time", f"I wait at most {most_s:g} seconds.")
        return None
    return Wait(amount.value)


def say(r: Reader) -> Step | None:
    """ "say hello", 'say "hello and welcome"', 'tell me "…"'."""
    tells = r.take("tell")
    if not tells and not r.take("say"):
        return None
    token = r.token()
    if token and token.kind == "quote":
        r.at += 1
        text = r.text(r.at - 1, r.at)[1:-1].strip()
        return Say(text) if text else None
    if tells:
        r.expect("words", "Put what I shall say in quotes.")
        return None
    said = said_freely(r)
    return Say(said) if said else None


def said_freely(r: Reader) -> str | None:
    """Words without quotes run up to a full stop, or to a joiner after which a command begins."""
    start = r.at
    while not r.done:
        end = r.at
        marks = r.marks()
        joined = r.take("join") or bool(marks)
        if r.token() is None or set(marks) & set(".!?;") or (joined and any(r.sees(verb) for verb in COMMANDS)):
            r.at = end if joined else r.at
            break
        r.at = max(end + 1, r.at)
    if r.at == start:
        r.expect("words")
        return None
    return r.text(start, r.at)
