"""A person's answers to questions: whether a sentence is one, and the wish with its answers in one sentence.

Large models are told wish, question and answer each for itself. Who reads one sentence, the plain commands' grammar or
the small model, is given one: "go", "Where should I go?", "the kitchen" is "go: the kitchen".
"""

import functools
import re

from sayso.grounding.unclear import completed
from sayso.tables import toml
from sayso.wish import Reply, Wish

UNTOLD = "I do not know."
"""An answer that tells nothing."""


def is_answer(text: str, question: str) -> bool:
    """Whether a sentence may answer the question, by how it begins: a wish of its own does not."""
    first = _first(text)
    if agreed(text) or refused(text):
        return True
    return bool(text.strip()) and (first not in _table()["wishes"] or first in _words(question))


def meant(wish: Wish, question: str, text: str) -> Wish:
    """What a person wants who says this while the question about their wish is open: that wish, gone on with, or a new
    one. Where nothing was asked, a new one."""
    return wish.answered(question, text) if question and is_answer(text, question) else Wish(text)


def sentence(wish: Wish) -> str:
    """The wish with its answers in it."""
    return functools.reduce(_answered, wish.replies, wish.text)


def _answered(wish: str, reply: Reply) -> str:
    answer = reply.answer.strip().rstrip(".!")
    if whole := completed(wish, answer):
        return whole
    offered, named = re.search("Shall I “(.+)”", reply.question), re.search("“(.+?)”: ", reply.question)
    if offered and agreed(answer):
        return offered[1]
    if named and begins_wish(answer):
        return re.sub(r"\bit\b", f"the {named[1]}", re.sub(r"\bthere\b", f"to the {named[1]}", answer))
    if agreed(answer) or refused(answer):
        return wish  # that the wish was understood, or not, says no more about it
    if not is_answer(answer, reply.question) or (_first(wish) and _first(answer) == _first(wish)):
        return answer  # it says all of the wish anew
    found = [*re.finditer(rf"\b({'|'.join(_table()['stands_for'])})\b", wish, re.IGNORECASE)]
    if found:
        begin, end = found[-1].span()
        return f"{wish[:begin]}{answer}{wish[end:]}"
    return f"{wish.rstrip(' .!?')}: {answer}"


def begins_wish(text: str) -> bool:
    """Whether a sentence begins with a word that wishes for something."""
    return _first(text) in _table()["wishes"]


def asks_of(wish: str) -> str:
    """What is asked of the thing that a wish speaks of, and no more than that: whether it is there, or where; else
    empty. Who is told to find it wants it found."""
    first, *rest = [s for s in re.split(r"[.!?]+", wish) if s.strip()] or [""]
    begins = any(" ".join(_words(first)).startswith(f"{begin} ") for begin in _table()["whether"])
    if begins and all(_first(one) not in _table()["wishes"] for one in rest):
        return "is it here"
    return "where" if any(f" {way} " in f" {' '.join(_words(wish))} " for way in _table()["where"]) else ""


def agrees(text: str) -> bool:
    """Whether an answer to a question of yes or no is yes."""
    said = _words(text)
    return bool({*said} & _table()["yes"]) and not {*said} & _table()["no"]


def agreed(text: str) -> bool:
    """Whether an answer is yes and nothing else."""
    return _only(text, "yes")


def refused(text: str) -> bool:
    """Whether an answer is no and nothing else."""
    return _only(text, "no")


def unknowing(text: str) -> bool:
    """Whether who was asked says that they do not know."""
    return " ".join(_words(text)) in _table()["unknowing"]


def consented(wish: Wish | None, question: str) -> bool | None:
    """What a person has said to a question of yes or no about their wish; None for neither, or nothing."""
    said = [reply.answer for reply in wish.replies if reply.question == question] if wish else []
    return True if any(map(agreed, said)) else False if any(map(refused, said)) else None


def _only(text: str, which: str) -> bool:
    words = _words(text)
    rest = {*words} - _table()[which] - _table()["beside"]
    return " ".join(words) in _table()[f"{which}_too"] or (bool({*words} & _table()[which]) and not rest)


def choices(question: str) -> tuple[str, ...]:
    """Answers that a question offers by itself: `Tea or coffee?`, `Shall I go on?`; empty where none is in sight."""
    last = question.rstrip("? ").rpartition(".")[2].strip()
    _, colon, listed = last.rpartition(":")
    if " or " in last:
        offered = [part.strip(" ,") for part in (listed if colon else last).replace(" or ", ",").split(",")]
        short = [part for part in offered if 0 < len(part) <= 40]
        if len(short) > 1:
            first = short[0].split()
            if not colon and len(first) > 2:  # "do you want tea": the choice is its end
                short[0] = first[-1]
            return tuple(short[:6])
    return ("yes", "no") if last.lower().startswith(tuple(_table()["asks_yes"])) else ()


def _first(text: str) -> str:
    return next(iter(_words(text)), "")


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


@functools.cache
def _table() -> dict[str, frozenset[str]]:
    data = toml(__package__, "answers.toml")
    return {name: frozenset(words) for name, words in data.items()}
