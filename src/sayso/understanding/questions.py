"""Questions about the world, read by code as goals: what is asked, of which things (U7).

"how far off is the lamp?" is `answered('how far', lamp)`. The ways to ask are in `grounding/questions.toml`; a
question of which a word is not read is somebody else's.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sayso.errors import NotUnderstood
from sayso.goal import ANYTHING, IT, ME, YOU, Clause, If, Pred, Which
from sayso.goals.clauses import preds, whiches
from sayso.grounding import pattern
from sayso.grounding.lexicon import kind, known, means, words
from sayso.grounding.pattern import Found
from sayso.grounding.people import is_person
from sayso.grounding.phrases import fitting, trimmed
from sayso.grounding.tokens import Token, clean, tokens
from sayso.grounding.utterance import speaks_of_view
from sayso.tables import toml
from sayso.understanding.forms import OTHERWISE
from sayso.understanding.things import compared, which
from sayso.wish import Act, Request

WHICH = "which is"
"""What asks for one of two; a superlative goes with it."""
WHO, ONE_OF, PERSON = "who is there", "which one", "person"
ANSWERS = ("answered", "asked", "heard", "informed", "said", "told")
"""What does nothing but speak."""
UNREAD = "I cannot find that out. Ask me where something is, what there is, or about myself; or tell me what to do."
"""What is said to a question about the world that nobody reads."""
COUNTED = ("how many", "how many all round", "is it in view", "is it here")
"""Questions in which a number may stand."""
OF_EACH = ("what colour", "what is worn", "what is held", "where", "how far", "how tall", "how big")
"""Questions that are answered of each that is meant."""


def asked(sentence: str, names: Collection[str] = ()) -> Pred | None:
    """`answered(…)` for a plain question; None where a word is not read. `names` are what things here are called."""
    if {word.text for word in tokens(clean(sentence))[:1]} & {*_table()["whether"]["condition"]}:
        return None  # on that something hangs
    ways = (turned for said in _there(sentence) for turned in (said, *_turned(said)))
    return next((read for said in ways if (read := _asked(said, names)) is not None), None)


def _turned(sentence: str) -> Iterator[str]:
    """What is asked behind "whether", as a question."""
    table, said = _table()["whether"], tokens(_spelt(sentence))
    ways = ((verb, pattern.pattern(way.format(verb=verb))) for verb in table["verbs"] for way in table["say"])
    for verb, found in ((verb, one) for verb, way in ways for one in way.readings(said)):
        if asks_anything(str(found.slots.get("lead", verb))):
            yield f"{verb} {found.slots['a']} {found.slots['rest']}"


def _asked(sentence: str, names: Collection[str]) -> Pred | None:
    words = _plain(sentence)
    wide, texts = 0, [t.text for t in words]
    while more := fitting(texts[: len(texts) - wide], _table()["around"]["wide"], end=True):
        wide += more  # "anywhere in this room"
    if wide and texts[-1] in map(str.lower, names):  # a place here is called so
        wide = 0
    for row, say in pattern.sayings("questions.toml", "question"):
        for tail, said in ((True, words[: len(words) - wide]), (False, words)) if wide else ((False, words),):
            for found in reversed([*say.readings(said)]):  # the more is told of the first thing, the better
                if read := _answered(row, found, names, wide=tail):
                    return read
    return None


def is_plain(question: str) -> bool:
    """Whether code reads that question by itself, and a look answers it; no other words that somebody asks."""
    rows = (row for row, _ in pattern.sayings("questions.toml", "question"))
    return question.startswith((WHICH, WHO)) or any(question in (row["asks"], row.get("wide")) for row in rows)


def _there(sentence: str) -> Iterator[str]:
    """A question with the place at which it is asked to look first behind it, or in the place of "there"; and as it
    was said."""
    for there, place, asks in _elsewhere(sentence):
        if asks[-2:] == [there, "there"]:
            del asks[-2]
        if there == "in" and means("furniture", place.split()[-1]):
            there = "beside" if asks[0] == "who" else "on"
        if asks[-1] == "there" or not {*asks[:-1]} & {*_table()["needed"]["where"]}:
            yield " ".join((*asks[: len(asks) - (asks[-1] == "there")], there, place))
    said = tokens(clean(sentence))
    for found in (one for say in _table()["needed"]["say"] for one in pattern.pattern(say).readings(said)):
        asks, thing = str(found.slots["asks"]).split(), str(found.slots["a"])
        yield " ".join(thing if word in _table()["needed"]["pronouns"] else word for word in asks)
        yield from (" ".join((*asks[:n], thing, *asks[n:])) for n in (1, 2))  # how many "apples" are there
    yield sentence


def _elsewhere(sentence: str) -> Iterator[tuple[str, str, list[str]]]:
    """The ways in which it may send to a place to find out something: how one is there, the place, what is asked."""
    said = tokens(clean(sentence))
    for row, say in pattern.sayings("questions.toml", "elsewhere"):
        for found in say.readings(said):
            yield row["there"], str(found.slots.get("place", row.get("place"))), str(found.slots["asks"]).split()


def asks_anything(sentence: str) -> bool:
    """Whether some word of it asks or wants to be told; "type on the keyboard" does not."""
    said = {word.text for word in tokens(clean(sentence))}
    return "?" in sentence or bool(said & {*_table()["around"]["asking"]})


def only_asked(goal: Clause, request: Request | None) -> Clause:
    """What a sentence that only asks wants to hear, where it was read as something to do: whether there is what that
    would be done with. "I'm thirsty, is there anything for me?" sends nobody for it (U1). Raises `NotUnderstood` where
    nothing that it was read as would answer it."""
    if request is None or request.act is not Act.WORLD:
        return goal
    if isinstance(goal, Pred) and goal.name in ("said", "heard"):
        raise NotUnderstood(f"I do not know whether I am asked, or should say “{goal.args[-1]}”. {OTHERWISE}")
    about = next((one for one in whiches(goal) if one.kind not in (IT, ME, YOU)), None)
    match goal:
        case If(Pred("sees" | "found", (Which() as about,)), Pred("said"), Pred("said") | None):
            goal = Pred("answered", ("is it in view" if speaks_of_view(request.core) else "is it here", about))
    if about and not any(pred.name in ANSWERS for pred in preds(goal)):
        goal = Pred("answered", (ONE_OF if about.rank else "is it here", about))
    match goal:
        case Pred("answered", (question, *_)):
            wrong = question in _table()["form"]["polar"] and form_of(_plain(request.core)) not in ("polar", "either")
        case _:
            wrong = not any(pred.name in ANSWERS for pred in preds(goal))
    if wrong:
        raise NotUnderstood(UNREAD)
    return goal


def form_of(words: Sequence[Token]) -> str:
    """What a question asks for, by how it begins: `polar` for yes or no, `either` for one of two, `degree` for how much
    of something, `manner` for how, `what`, `who`, `where`, `when` or `why`."""
    for at, word in enumerate(words[:3]):
        form = next((form for form, begins in _table()["form"]["begins"].items() if word.text in begins), "")
        if form == "how":
            then = words[at + 1].text if at + 1 < len(words) else ""
            return "degree" if word.text == "how" and then not in _table()["form"]["manner"] else "manner"
        if form:
            return str(form)
    form = _table()["form"]
    if words and words[0].text in form["tells"] and not any(word.text in form["whether"] for word in words):
        return "what"  # "tell me your height"
    return "either" if any(word.text == "or" for word in words) else "polar"


def untold(sentence: str, goal: Clause) -> list[str]:
    """Words of a question that its reading has not, of one that is no question of yes or no the names of things:
    whether there is a cup does not tell whether it is clean, nor what is in view what is out of the window."""
    match goal:
        case Pred("answered", (str(question), *_)):
            asks = next(_turned(sentence), sentence)  # whether it is so
            said, about = [word.text for word in _plain(asks) if word.kind == "word"], [*whiches(goal)]
            some = about + [one.relation.to for one in about if one.relation]
            kinds, near = [one.kind for one in some], [one.relation.word for one in some if one.relation]
            traits = [trait for one in some for trait in (*one.traits, one.source)]
            told, small = words(" ".join((question, *kinds, *traits, *near))), _table()["polar"]["small"]
            polar = len(about) == 1 and bool(said) and said[0] in _table()["polar"]["begins"]
            rest = [w for w in said[polar:] if w not in small and kind(w) not in told]
            rest = [w for w in rest if not any(means(w, one) for one in kinds)]
            left = [w for w in rest if polar or (w not in _table()["around"]["asking"] and known(kind(w)))]
            needs = _table()["needs"].get(question)  # "describe the chair" does not ask what is written on it
            return left or (said[:1] if needs and not {*needs} & {*said} else [])
    return []


def _answered(row: Mapping[str, str], found: Found, names: Collection[str], *, wide: bool) -> Pred | None:
    """One way to read it."""
    question, slots = row["asks"], {name: str(said) for name, said in found.slots.items()}
    if wide:
        question = row.get("wide", question)
    if more := slots.get("more", ""):
        if not (rank := compared(more)):
            return None
        question = f"{question} {rank}"
    about = _about(question, slots, names, row.get("which", ANYTHING))
    if about is None or (question == ONE_OF and not about[0].rank):
        return None
    if row.get("which") == PERSON and about and about[0].rank and not is_person(about[0].kind):
        return None  # "who is standing closest" is no kind of thing
    return Pred("answered", (question, *(about or [Which(row.get("which", ANYTHING))])))


def _about(question: str, slots: Mapping[str, str], names: Collection[str], one: str) -> list[Which] | None:
    """The things that it is about, `one` where no kind is said; None where one of them is not read."""
    bare = one if question == ONE_OF else ""
    if "kind" in slots:
        kind = which(slots["kind"], names)
        bare = kind.kind if kind else ""
    said = [slots[slot] for slot in ("a", "b") if slot in slots]
    if "tell" in slots:
        ways = [f"{said[0] if said else one} {lead}{slots['tell']}" for lead in ("", "that is ")]
        read = ((way, which(way, names)) for way in ways)
        said[:1] = [next((way for way, is_ in read if is_ and not (is_.but and is_ == Which(one, but=is_.but))), "")]
    if "most" in slots:
        said.append(f"{slots['most']} {slots['kind']}")
    said += [f"{one} {slots[slot]}" for slot in ("side",) if slot in slots]
    things = list[Which | None]()
    for phrase in said:  # "the red one" is one of what was named before
        if phrase in _table()["around"]["other"] and things and things[0]:
            things.append(Which(things[0].kind, but=(things[0],)))
            continue
        things.append(which(phrase, names, bare or (things[0].kind if things and things[0] else "")))
    likes = [which(f"one that is {slots[slot]}", names, ANYTHING) for slot in ("tells", "others") if slot in slots]
    things += likes if len(likes) < 2 or None in likes else [Which(among=tuple(one for one in likes if one))]
    if "side" in slots and not (things[0] and things[0].relation):
        return None
    most = math.inf if question in (*COUNTED, *OF_EACH) else 1
    found = [one for one in things if one is not None and one.count <= most]
    if len(found) < len(things):
        return None
    return [replace(one, count=max(1, one.count)) if question in COUNTED else one for one in found]


def _plain(sentence: str) -> list[Token]:
    """Its words, without what asks nothing and in the spelling that the patterns have."""
    said = f" {_spelt(sentence)} "
    for aside, plain in _table()["around"]["aside"].items():
        said = said.replace(f" {aside} ", f" {plain} ")
    return trimmed(tokens(said), _table()["around"]["before"], _table()["around"]["behind"])


def _spelt(sentence: str) -> str:
    same = _table()["same"]
    return " ".join(str(same.get(t.text, t.text)) for t in tokens(clean(sentence)))


def _table() -> Mapping[str, Any]:
    return toml("sayso.grounding", "questions.toml")
