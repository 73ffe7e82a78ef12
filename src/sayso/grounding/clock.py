"""Times of day as people say them: "22:50", "half past nine", "8 last night", "quarter to ten", "noon".

A time without its half of the day may be either; how long ago it was tells which.
"""

import re

from sayso.grounding import ENGLISH
from sayso.grounding.tokens import clean
from sayso.grounding.utterance import figured

HALF_DAY_MIN, DAY_MIN = 12 * 60, 24 * 60

_CLOCK = ENGLISH["clock"]
_WORDS = re.compile(r"[a-z]+|\d+")
_HOURS = {word: n for n, word in enumerate(ENGLISH["numbers"]["ones"][:13]) if n}
_PARTS = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty five": 25}
_HOUR = rf"(?P<hour>{'|'.join(sorted(_HOURS, key=len, reverse=True))}|1[0-2]|[1-9])"
_PART = rf"(?:a )?(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))}|5|10|20|25)"
_SPOKEN = re.compile(
    rf"\b{_PART} (?P<side>past|to) {_HOUR}\b(?! ?(?:m|cm|%|[a-z]*met|minute|hour|percent))", re.IGNORECASE
)
_SHARP = re.compile(rf"(?<!your )(?<!my )(?<!their )\b{_HOUR} ?o'?clock\b", re.IGNORECASE)


def clocked(wish: str) -> str:
    """The wish with its times of day in figures: "quarter to ten" as 9:45, "six o'clock" as 6:00.

    "Ten to six" is one only behind a word that a time may follow.
    """
    plain = clean(wish)

    def spoken(found: re.Match[str]) -> str:
        part, before = found["part"].lower(), plain[: found.start()].lower().split()
        if part not in ("half", "quarter") and (found["side"].lower() == "to" or part.isdigit()):
            if not before or before[-1] not in _CLOCK["before"]:
                return found[0]
        minutes = _PARTS.get(part) or int(part)
        hour = _hour(found["hour"])
        hour, minutes = (hour, minutes) if found["side"].lower() == "past" else ((hour + 10) % 12 + 1, 60 - minutes)
        return f"{hour}:{minutes:02d}"

    plain = _SPOKEN.sub(spoken, plain)
    return _SHARP.sub(lambda found: f"{_hour(found['hour'])}:00", plain)


def _hour(said: str) -> int:
    return _HOURS.get(said.lower()) or int(said)


def minutes_of(phrase: str) -> tuple[int, ...]:
    """The minutes of the day that a phrase may mean: two where it does not say which half of it, none for no time."""
    words = _WORDS.findall(figured(clocked(phrase)).lower())
    for word, minutes in _CLOCK["named"].items():
        if word in words:
            return (int(minutes),)
    numbers = [w for w in words if w.isdigit()]
    if not numbers:
        return ()
    first = numbers[0]
    hour, minute = (
        (int(first[:-2]), int(first[-2:])) if len(first) > 2 else (int(first), int((numbers[1:] or ["0"])[0]))
    )
    if hour > 24 or minute > 59:
        return ()
    said, at = {*words}, (hour % 24) * 60 + minute
    if hour > 12 or hour == 0 or len(first) == 4 or first.startswith("0"):
        return (at,)
    if said & {*_CLOCK["am"]}:
        return (at % HALF_DAY_MIN,)
    if said & {*_CLOCK["pm"]}:
        return (at % HALF_DAY_MIN + HALF_DAY_MIN,)
    return (at % HALF_DAY_MIN, at % HALF_DAY_MIN + HALF_DAY_MIN)


def between_min(earlier: str, later: str) -> int | None:
    """Minutes from one time of day to the next other one, the shortest that fits; None where either tells no time."""
    spans = [(b - a) % DAY_MIN for a in minutes_of(earlier) for b in minutes_of(later)]
    return min(spans, default=None)
