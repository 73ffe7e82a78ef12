"""The kind of sentence that a wish is: a command, a question about the robot or the world, or talk (U1).

It is told by how it is put, not by what it speaks of: each part of a sentence for itself, the words in
`grounding/acts.toml`. A command beside a question is a command, and so is whatever is neither question nor talk.
"""

import functools
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

from sayso.errors import Unclear
from sayso.grounding import pattern
from sayso.grounding.pattern import Found, Patterns
from sayso.grounding.tokens import Token, clean, tokens
from sayso.tables import toml
from sayso.understanding.things import which
from sayso.wish import Act

ENDS = ".!?;"
NAME_WORDS_MAX = 2
"""What stands alone before a comma may be a name by which the robot is called, as long as this."""

QUESTION_WORDS_MAX = 40
"""A question about the robot beside something else is no longer, so that a long text is read in little time."""

REMARK_WORDS_MAX = 8
"""Who tells more than that tells a story, which a wish may begin with."""


def act_of(sentence: str) -> Act:
    """By how it is put; what is neither a question nor talk is a command."""
    parts = _parts(tokens(clean(untagged(sentence))))
    found = [_of_part(part, asks) for part, asks in parts]
    others = [act for act, (part, _) in zip(found, parts, strict=True) if not _needs(_opened(part))]
    if len(others) < len(found) and Act.COMMAND not in others and found[-1] is Act.WORLD:
        return Act.WORLD  # who tells what they need, and asks what there is, has not sent for it yet
    return next((act for act in (Act.COMMAND, Act.WORLD, Act.SELF, Act.TALK) if act in found), Act.COMMAND)


def _needs(words: Sequence[Token]) -> bool:
    """Whether somebody tells what they need, and not what is to be done."""
    return bool(_at("need", "say", words)) and not _at("need", "unless", words)


def talk_of(sentence: str) -> str:
    """What sort of talk it is, such as thanks; empty for anything else. Of several the last one counts."""
    if act_of(sentence) is not Act.TALK:
        return ""
    parts = [part for part, _ in _parts(tokens(clean(sentence)))]
    sorts = [_talk(part) or _talk(_opened(part)) or "remark" * _remark(_opened(part)) for part in parts]
    return next((sort for sort in reversed(sorts) if sort), "greeting")


def questions(sentence: str) -> list[str]:
    """The questions of a sentence in lower case, without what leads in: "where are you and how high?" has two."""
    found = list[str]()
    for part, asks in _parts(tokens(clean(untagged(sentence)))):
        if _of_part(part, asks) is Act.TALK:
            continue
        words, begin = _unframed(_opened(part))[0], 0
        for at in range(1, len(words) + 1):
            if at == len(words) or (words[at].text in (",", "and") and _at("question", "say", words[at + 1 :])):
                found.append(" ".join(word.text for word in words[begin:at]))
                begin = at + 1
    return found


def untagged(sentence: str) -> str:
    """The sentence with a question for what is told to be so before it is asked whether it is: "the tea is hot, isn't
    it?" is "is the tea hot?"."""
    text = clean(sentence)
    words = tokens(text)
    for at in (0, *(n for n, word in enumerate(words, 1) if word.kind == "mark")):
        for asks, say in _tags() if _search("tagged", "tag", words[at:]) else ():
            if (found := say.at(words, at)) and not _at("action", "deed", words[at:]):
                about = str(found.slots.get("a", ""))
                with suppress(Unclear):
                    if "a" not in found.slots or which(about) or about in _table()["tagged"]["about"]:
                        behind = text[words[found.end - 1].end :].lstrip("?")
                        told = " ".join(filter(None, (asks, about, str(found.slots["rest"]))))
                        return f"{text[: words[at].start]}{told}?{behind}"
    return sentence


def asked_behind(sentence: str) -> str:
    """The question about the robot that a sentence of another kind ends with; empty where there is none."""
    said = clean(sentence)
    ends = [word.end for word in tokens(said) if word.kind == "mark" or word.text in ("and", "then")]
    return next((said[end:] for end in ends if said[end:].strip() and act_of(said[end:]) is Act.SELF), "")


def ordered_behind(sentence: str) -> str:
    """What else is wanted behind the first word or mark that joins, a command or a question; empty where nothing is."""
    said = clean(sentence)
    ends = [a.end for a, b in pairwise(tokens(said)) if _joins(a) and not _joins(b)]
    rests = (said[end:].strip(" ,.!") for end in ends)
    return next((rest for rest in rests if rest and act_of(rest) in (Act.COMMAND, Act.WORLD)), "")


def set_apart(sentence: str) -> tuple[str, str, str]:
    """A sentence without the questions about the robot that it begins and ends with, between these: "tell me how high
    you are, then land"."""
    said = clean(sentence)
    words = tokens(said)
    joints = [n for n, word in enumerate(words) if _joins(word)]
    begin, end = 0, len(words)
    for n in joints:
        if n + 1 < end and _asks_itself(words[begin:n], "?" in words[n].text):
            begin = n + 1
    for n in reversed(joints):
        ends = words[n].kind == "mark" and {*words[n].text} & {*ENDS}
        if n >= begin and _asks_itself(words[n + 1 : end], bool(ends)):
            end = n
    first, last = words[begin - 1].end if begin else 0, words[end].start if end < len(words) else len(said)
    core = [word for word in words[begin:end] if not _joins(word)]
    if not core or (first, last) == (0, len(said)):
        return "", sentence, ""
    return said[:first], said[core[0].start : core[-1].end], said[last:]


def _joins(word: Token) -> bool:
    return word.kind == "mark" or word.text in ("and", "then")


def _asks_itself(part: Sequence[Token], alone: bool) -> bool:
    """Whether a part asks about the robot: `alone` in a sentence of its own, else where it says that it asks."""
    if len(part) > QUESTION_WORDS_MAX:
        return False
    words = _opened([word for word in part if not _joins(word)])
    return bool(words) and (alone or _unframed(words)[1]) and _of_part(words, alone) is Act.SELF


def only_tells(sentence: str) -> bool:
    """Whether it tells how things are, and neither orders nor asks nor says what somebody wants: "my feet hurt"."""
    words, joins = tokens(clean(sentence)), _table()["telling"]["joins"]
    ends = [n for n, word in enumerate(words) if word.kind == "mark" or word.text in joins]
    parts = [words[n + 1 : end] for n, end in pairwise((-1, *ends, len(words))) if end > n + 1]
    told = [part for part in map(_opened, parts) if part]
    return bool(told) and all(_at("telling", "say", part) and not _search("telling", "unless", part) for part in told)


def only_named(sentence: str) -> str:
    """What is asked of somebody who names a thing and says nothing to do about it; empty for all else."""
    words = tokens(clean(sentence))
    for found in (found for say in _table()["named"]["say"] for found in pattern.pattern(say).readings(words)):
        with suppress(Unclear):
            if which(f"the {found.slots['a']}"):
                return f"What about the {found.slots['a']}? Please say it in a whole sentence."
    return ""


def is_deed(part: str) -> bool:
    """Whether a part of a sentence begins as an order does, or wants to be told something."""
    said = tokens(clean(part))
    return _at("action", "deed", said) is not None or _at("frame", "say", said) is not None


def _parts(words: Sequence[Token]) -> list[tuple[Sequence[Token], bool]]:
    """Sentence by sentence, each without its mark, and whether that asks; what is needed and what is asked then are
    two."""
    parts, begin = list[tuple[Sequence[Token], bool]](), 0
    for at, word in enumerate((*words, Token("mark", ".", 0, 0))):
        asks = word.text == "," and _at("question", "say", words[at + 1 :])
        asks = asks and _at("need", "say", _opened(words[begin:at]))
        if word.kind == "mark" and (asks or {*word.text} & {*ENDS}):
            if words[begin:at]:
                parts.append((words[begin:at], "?" in word.text))
            begin = at + 1
    return parts


def _of_part(part: Sequence[Token], asks: bool) -> Act:
    if _talk(part):
        return Act.TALK
    words = _opened(part)
    if not words or _talk(words) or (not asks and _remark(words)):
        return Act.TALK
    if _alone(words):
        return Act.SELF
    chore = not asks and _patterns("order", "chore").whole(words)
    if chore or _search("action", "say", words) or _at("order", "say", words):
        return Act.COMMAND
    inner, framed = _unframed(words)
    if not framed and (act := _requested(words)):
        return act
    if framed or _at("question", "say", inner) or (asks and _at("question", "short", inner)):
        return _about(inner)
    return Act.COMMAND


def _opened(part: Sequence[Token]) -> Sequence[Token]:
    """Without what only opens it: a greeting, thanks, a name that is called."""
    while part and not _talk(part):
        if part[0].text == ",":
            part = part[1:]
            continue
        comma = next((at for at, word in enumerate(part) if word.text == ","), 0)
        if found := _at("before", "say", part):
            part = part[found.end :]
        elif comma and (_talk(part[:comma]) or (comma <= NAME_WORDS_MAX and _addressed(_opened(part[comma + 1 :])))):
            part = part[comma + 1 :]
        else:
            break
    return part


def _addressed(part: Sequence[Token]) -> bool:
    """Whether this is said to somebody who was called by name before it: a question, a request, a need, talk."""
    ways = {"frame": ("say",), "question": ("say", "short"), "request": ("say", "able"), "need": ("say",)}
    return _alone(part) or any(_at(table, key, part) for table in ways for key in ways[table]) or bool(_talk(part))


def _unframed(words: Sequence[Token]) -> tuple[Sequence[Token], bool]:
    """The question in "tell me whether …", and whether it was put so."""
    found = None if _at("request", "ability", words) else _at("frame", "say", words)
    if found and _at("frame", "then", words[found.end :]):
        return words[found.end :], True
    return words, _at("frame", "about", words) is not None


def _requested(words: Sequence[Token]) -> Act | None:
    """What a request in the form of a question is; None where it is none."""
    if found := _at("request", "able", words) or _at("request", "ability", words):
        rest = words[found.end :]
        if _at("request", "mind", rest):
            return Act.SELF
        if _at("request", "eyes", rest):
            return Act.WORLD
        whether = _at("request", "ability", words) or _search("request", "apart", rest)
        if whether and not _search("request", "favour", rest):
            return Act.SELF
        return Act.SELF if _in_general(rest) and not _search("request", "wanted", words) else Act.COMMAND
    return Act.COMMAND if _at("request", "say", words) else None


def _in_general(rest: Sequence[Token]) -> bool:
    """Whether it speaks of an ability: a verb alone, or many of a kind."""
    if len(rest) <= 1 or _search("request", "general", rest):
        return True
    many = rest[-1].text.endswith("s") and not rest[-1].text.endswith("ss")
    return many and not (_search("request", "ways", rest) or _search("request", "numbered", rest))


def _about(words: Sequence[Token]) -> Act:
    """Whom a question is about."""
    beside = _search("itself", "beside", words)
    rest = [*words[: beside.start], *words[beside.end :]] if beside else words
    if not _search("itself", "say", rest):
        return Act.WORLD
    seen = _search("itself", "world", rest)
    return Act.WORLD if seen and not _search("itself", "own", rest) else Act.SELF


def _alone(words: Sequence[Token]) -> bool:
    """Whether this is a question about the robot without a verb."""
    return _patterns("itself", "alone").whole(words)


def _remark(words: Sequence[Token]) -> bool:
    """Whether the robot is told how it is or was, and nothing to do."""
    comma = next((n for n, word in enumerate(words) if word.text == ","), len(words))
    if rest := words[comma + 1 :]:
        parts = (_opened(part) for part in (words[:comma], rest))
        return all(_remark(part) or bool(_talk(part)) for part in parts)
    if len(words) > REMARK_WORDS_MAX or not _at("remark", "say", words) or _search("remark", "order", words):
        return False
    doing = [replace(word, text=word.text.removesuffix("ing")) for word in words]
    return not any(_search("action", "deed", said) for said in (words, doing))


def _talk(part: Sequence[Token]) -> str:
    """What sort of talk this is, to its end; empty where it is none."""
    rest = [word for word in part if word.text != ","]
    if _search("action", "say", part):
        return ""
    return next((sort for sort in _table()["talk"] if _patterns("talk", sort).whole(rest)), "")


def _at(table: str, key: str, words: Sequence[Token]) -> Found | None:
    return _patterns(table, key).at(words)


def _search(table: str, key: str, words: Sequence[Token]) -> Found | None:
    return _patterns(table, key).search(words)


@functools.cache
def _patterns(table: str, key: str) -> Patterns:
    classes = _table()["words"]
    return Patterns([pattern.pattern(say.format(**classes)) for say in _table()[table][key]])


@functools.cache
def _tags() -> Sequence[tuple[str, pattern.Pattern]]:
    """The ways to tell that something is so and ask whether it is, each with how a question for it begins."""
    table = _table()["tagged"]
    tag = f"<words:rest> [,] ({' | '.join(table['tag'])})"
    short = [tuple(said.split(" / ")) for said in table["short"]]
    return [(asks, pattern.pattern(f"{said} {tag}")) for said, asks in short] + [
        (verb, pattern.pattern(f"<words:a> {verb} {tag}")) for verb in table["verbs"]
    ]


def _table() -> dict[str, dict[str, list[str]]]:
    return toml("sayso.grounding", "acts.toml")
