"""What the robot answers when it is asked about itself, or talked to (U2).

A topic answers questions of its forms only: how much of something is no matter of yes or no, and who asks why is not
told what. All that is said has to belong to the topic: "are your motors running hot?" is not answered by whether they
are running. What no topic answers, the robot does not know.
"""

import functools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from sayso.grounding import pattern
from sayso.grounding.tokens import Token, clean, tokens
from sayso.limits import REST_MPS
from sayso.skill import SkillSet
from sayso.tables import toml
from sayso.understanding.abilities import abilities, able
from sayso.understanding.acts import questions, talk_of
from sayso.understanding.endurance import enough, farthest_m, trip
from sayso.understanding.facts import TELLS, fit, height, last, places, speed
from sayso.understanding.operators import operators
from sayso.understanding.questions import form_of
from sayso.understanding.self_model import SelfModel, Unsure

UNKNOWN = "I do not know that about myself. Ask me where I am, how my battery is, what I can do or what I did last."
THE_REST = "The rest of what you ask I do not know about myself."


@dataclass(frozen=True, slots=True)
class Reply:
    """What the robot says, and whether it knew all that it was asked."""

    said: str
    known: bool = True


def reply(sentence: str, known: SelfModel) -> Reply:
    """What the robot answers to questions about itself, or to talk."""
    if talk := talk_of(sentence):
        return Reply(toml("sayso.grounding", "acts.toml")["says"].get(talk) or fit(known))
    told = [_answer(one, known) for asked in questions(sentence) for one in _each(asked)]
    whole = bool(told) and all(told)
    more = [] if whole else [THE_REST if any(told) else UNKNOWN]
    return Reply(
        " ".join(dict.fromkeys([*filter(None, told), *more])),
        whole and not any(isinstance(one, Unsure) for one in told),
    )


def _each(asked: str) -> list[str]:
    """The questions that two names make, which are asked for in one: "your height and speed"."""
    first, joint, then = asked.partition(" and ")
    other = f"what is your {then}" if joint else ""
    two = other and topic_of(first) and topic_of(other) not in ("", topic_of(first))
    return [first, other] if two else [asked]


def recalls(sentence: str) -> bool:
    """Whether the answer is about missions before."""
    return any(topic_of(asked) in ("last", "why") for asked in questions(sentence))


def topic_of(asked: str) -> str:
    """The topic that answers a question about the robot; empty where none does."""
    words = tokens(clean(asked))
    form = form_of(words)
    return next((str(topic["name"]) for topic in _table()["topic"] if _answers(topic, form, words)), "")


def _answers(topic: Mapping[str, Any], form: str, words: Sequence[Token]) -> bool:
    """Whether a topic answers such a question, and knows each word of it."""
    if form not in topic.get("of", _table()["of"]):
        return False
    found = [each for way in topic["say"] if (each := pattern.pattern(way).search(words))]
    if not found or any(pattern.pattern(way).search(words) for way in topic.get("unless", ())):
        return False
    within = {id(word) for each in found for word in words[each.start : each.end]}
    before = takewhile(lambda word: id(word) in within or word.text not in _table()["aside"], words)
    own = _own(topic["name"])
    return topic.get("free", False) or all(
        id(word) in within or word.text in own for word in before if word.kind == "word"
    )


@functools.cache
def _own(name: str) -> frozenset[str]:
    """The words of a topic, and those that ask for nothing."""
    told = (" ".join((*row["say"], *row.get("words", ()))) for row in _table()["topic"] if row["name"] == name)
    return frozenset((*re.findall(r"[a-z']+", re.sub("<.*?>", "", " ".join(told))), *_table()["light"]))


def _answer(asked: str, known: SelfModel) -> str:
    """Empty where no topic answers it."""
    topic, form = topic_of(asked), form_of(tokens(clean(asked)))
    if topic in TRUE:
        true, tell = TRUE[topic]
        return tell(known) if form == "either" else _polar(true(known), tell(known))
    if topic in WRONG:
        return fit(known, *WRONG[topic])
    if topic in ASKED:
        return ASKED[topic](known, asked)
    if topic == "last":
        return _did(asked, known) if form == "polar" else last(known)
    if topic in ("able", "has", "unproved"):
        return _able(asked, known, topic, form)
    return TELLS[topic](known) if topic else ""


def _able(asked: str, known: SelfModel, topic: str, form: str) -> str:
    """Whether it can do what is asked, by its skills; of so much, so long, so high or so fast, by what bounds that. It
    has no more abilities than it knows of, but may have parts and habits of which nobody told it."""
    can, told = able(asked, known.skills)
    words = tokens(clean(asked))
    heard, named = _heard(asked, known), {word.text for word in words} & _abilities()
    if (not heard and (topic == "has" or form == "what")) or (topic == "has" and not named):
        return ""
    for bound, say in () if can is False else pattern.sayings("facts.toml", "bound"):
        if found := say.search(words):
            wanted, most = float(str(found.slots["amount"])), BOUNDS[bound["topic"]](known)
            fact = TELLS[bound["topic"]](known)
            return _polar(wanted <= most, fact) if most else fact
    if can and (topic == "unproved" or not heard or any(one.kind != "deed" for one in operators(asked))):
        return Unsure(f"{told} {TELLS['unproved'](known)}")
    if topic == "unproved":
        return TELLS["unproved"](known)
    if form == "either":
        return told if can else ""
    return told if can is None or form != "polar" else f"Yes, {told}" if can else _polar(False, told)


def _polar(true: bool, told: str) -> str:
    return f"{'Yes' if true else 'No'}. {told}"


def _heard(asked: str, known: SelfModel) -> bool:
    """Whether each word belongs to an ability."""
    can = {"to", *(word for one in abilities(known.skills) for word in (*one.asked, *one.says.split()))}
    heard = can | _abilities() | {*_table()["light"], *_table()["general"]}
    said = [word.text for word in tokens(clean(asked)) if word.kind == "word"]
    return all({word, stem := word.removesuffix("ing"), f"{stem}e"} & heard for word in said)


@functools.cache
def _abilities() -> frozenset[str]:
    """The words by which any ability is asked for."""
    return frozenset(word for ability in _table()["ability"] for word in ability["asked"])


def _did(asked: str, known: SelfModel) -> str:
    """Whether it did something of the kind that is asked, as far as its skills tell, and what it did last."""
    if not known.earlier:
        return _polar(False, last(known))
    ran = {one.partition(":")[0] for before in known.earlier for one in before.ran}
    done = abilities(SkillSet([skill for skill in known.skills.values() if skill.name in ran]))
    words = {word.text for word in tokens(asked)}
    spoken_of = [one for one in abilities(known.skills) if one.asked & words]
    never = spoken_of and not any(one in done for one in spoken_of)
    return f"Not that I know of. {last(known)}" if never else last(known)


def _table() -> dict[str, Any]:
    return toml("sayso.grounding", "facts.toml")


ASKED: Mapping[str, Callable[[SelfModel, str], str]] = {"enough": enough, "trip": trip, "places": places}
"""Topics of which the answer depends on what else is said."""
WRONG = {
    "ready": ("No", "Yes, I am ready"),
    "trouble": ("Yes", "No, nothing that I know of"),
    "kept": ("Something keeps me from it", "Nothing keeps me from it that I know of"),
}
"""What is said first where something keeps it from setting out, and where nothing does."""
TRUE: Mapping[str, tuple[Callable[[SelfModel], bool], Callable[[SelfModel], str]]] = {
    "aloft": (lambda known: known.aloft, height),
    "grounded": (lambda known: not known.aloft, height),
    "moving": (lambda known: known.state.speed_mps > REST_MPS, speed),
    "still": (lambda known: known.state.speed_mps <= REST_MPS, speed),
}
"""Questions of yes or no, or of one or the other: whether it is so, and what that rests on."""
BOUNDS: Mapping[str, Callable[[SelfModel], float]] = {
    "endurance": lambda known: min(known.left_s, known.limits.mission_max_s),
    "pace": lambda known: known.limits.speed_max_mps,
    "ceiling": lambda known: known.limits.altitude_max_m,
    "reach": lambda known: farthest_m(known) or math.inf,
}
"""How long, how fast, how high and how far at most; 0 where nobody knows."""
