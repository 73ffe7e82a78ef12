"""The account of a sentence: its phrases, each of which has to make a difference to what is done (U3).

"From the other side", "with your left hand", "that nobody uses", "tomorrow", "and smile", the "ripe" of a lemon: which
there may be nobody can list. A phrase is heard where its words stand in the goal, or where the sentence without it is
read as another wish; who hears of neither asks.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from sayso.goal import ALL, IT, ME, Any, Clause, If, Not, Which
from sayso.goals.clauses import clauses, preds, whiches
from sayso.grounding import amounts, lexicon, numbers
from sayso.grounding.amounts import way
from sayso.grounding.answers import begins_wish
from sayso.grounding.mentions import Name
from sayso.grounding.pattern import pattern
from sayso.grounding.people import is_person
from sayso.grounding.tokens import Token, clean, tokens
from sayso.grounding.utterance import stem, table
from sayso.tables import toml
from sayso.understanding.operators import Operator, honoured, idle, of_the_speaker, operators, texts
from sayso.understanding.things import rank_of

FRONT_WORDS = 4
"""So many words before a comma are no sentence of their own: "tomorrow", "for the last time"."""

NAME_WORDS = 3
"""As many from an article to the noun behind it."""


def phrases(sentence: str, goal: Clause) -> list[Operator]:
    """From left to right, those that have words of their own and ask for something. What is forbidden and not done
    anyhow is kept, and an operator has an account of its own."""
    plain = clean(sentence)
    words, every = tokens(plain), operators(plain)
    kept = [one for one in every if honoured(plain, one, goal)]
    told = {n for n, t in enumerate(words) for one in every if one.start <= t.start < one.end} | idle(words)
    ways = (_adjuncts, _front, _joined, _modifiers, _adverbs, _shares, _measures)
    spans = {span for spans_of in ways for span in spans_of(words)}
    found = list[Operator]()
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        said, rest = words[start:end], [words[n] for n in range(start, end) if n not in told]
        one = Operator("phrase", " ".join(t.text for t in said), said[0].start, said[-1].end)
        within = any(one.end <= other.end for other in found)
        keeps = any(one.start <= other.start < one.end for other in kept)
        asks = (_own(rest) or _points(said)) and not (_is_idle(said) or of_the_speaker(words, start))
        found += [one] if asks and not (within or keeps) else []
    return found


def named(said: Operator, goal: Clause, sentence: str = "") -> bool:
    """Whether each of its words stands in the goal, or another name for it does, as often as in the sentence; of
    that of which there has to be none, for another one to be meant, once."""
    none = next((f.slots for say in _table()["spare"] if (f := pattern(say).whole(tokens(said.text)))), None)
    if none is not None and any(isinstance(one, Any) for one in clauses(goal)):
        return all(_stands(word, goal) for word in str(none.get("a", "")).split())
    often = Counter(stem(word) for word in _own(tokens(clean(sentence).lower())))
    if _points(tokens(said.text)):
        return any(which.relation for which in whiches(goal))
    return all(_stands(word, goal) >= max(1, often[stem(word)]) for word in _own(tokens(said.text)))


def misplaced(sentence: str, goal: Clause) -> Iterator[Operator]:
    """A superlative, a colour or an "each" that the goal has of another thing than the one before which it was said:
    "the tallest person" is no tallest apple."""
    words, about = tokens(clean(sentence)), [*whiches(goal)]
    for like, name in pairwise(words):
        rank, each = rank_of(like.text), like.text in table()["each"]["said"]
        if not (rank or each) and like.text not in table()["traits"]["colours"]:
            continue
        has = [one for one in about if (rank and one.rank == rank) or like.text in (*one.traits, *one.kind.split())]
        has += [one for one in about if each and one.count == ALL]
        who = is_person(name.text)
        of = [one for one in about if lexicon.means(name.text, one.kind) or (who and is_person(one.kind))]
        if has and of and not any(one in of for one in has):
            yield Operator("phrase", f"{like.text} {name.text}", like.start, name.end)


def owned(sentence: str, goal: Clause) -> Iterator[Operator]:
    """What is somebody's, where the goal does it to the owner, of whom nothing else is said: "bring Ann's cup" is not
    for Ann, and her sister is somebody else."""
    words = tokens(clean(sentence))
    said = {word.text for word in words}
    for word, of in pairwise(words):
        owner = word.text.removesuffix("'s").removesuffix("’s")
        again = not is_person(of.text) and bool(said & {*_table()["again"]})
        if owner != word.text and owner not in said and not again:
            alone = [pred for pred in preds(goal) if len(pred.args) > 1 or is_person(of.text)]
            if any(one.kind.lower() == owner for pred in alone for one in whiches(pred)):
                yield Operator("phrase", f"{word.text} {of.text}", word.start, of.end)


def unmet(sentence: str, goal: Clause) -> Iterator[Operator]:
    """Somebody to whom a thing is to be brought, of whom the goal has given it to the speaker: "bring her a plum"."""
    words, mine = tokens(clean(sentence)), {pred.args[1] for pred in preds(goal) if pred.name == "given"} == {Which(ME)}
    for verb, who, of in zip(words, words[1:], words[2:], strict=False) if mine else ():
        if who.text in _table()["again"] and of.text in (*_table()["article"], *_table()["some"]):
            yield Operator("phrase", f"{verb.text} {who.text}", verb.start, who.end)


def unplaced(sentence: str, goal: Clause) -> Iterator[Operator]:
    """A condition at a place that was said before it, where the goal tests it anywhere: "unless one is there"."""
    tests = [one for part in clauses(goal) if isinstance(part, If) for one in whiches(part.test)]
    placed, words = any(which.source or which.relation for which in tests), tokens(clean(sentence))
    for start, end in [] if placed or not tests else _adjuncts(words):
        *before, last = (t.text for t in words[start:end])
        if before and before[0] in _table()["tests"] and last == "there" and not begins_wish(before[-1]):
            told = " ".join((*before, last))
            yield Operator("condition", told, words[start].start, words[end - 1].end)


def untimely(sentence: str, goal: Clause) -> Iterator[Operator]:
    """A time that may be how soon a thing is to begin or to be over, of which the goal has made another wait: "be at
    the gate IN TEN SECONDS"."""
    first, words = next(preds(goal), None), tokens(clean(sentence))
    for at in range(len(words) - 1):
        said = amounts.read(words, at + 1) if words[at].text in _table()["soon"] else None
        if said and said.kind == "time" and not (first and first.name == "waited"):
            told = " ".join(t.text for t in words[at : said.end])
            yield Operator("condition", told, words[at].start, words[said.end - 1].end)


def inverted(sentence: str, goal: Clause) -> Iterator[Operator]:
    """An "unless", of which the goal has made an "if": nothing in it is denied, nor done otherwise."""
    ifs = [part for part in clauses(goal) if isinstance(part, If)]
    if ifs and not any(isinstance(part.test, Not) or part.no for part in ifs):
        words = tokens(clean(sentence))
        for start, end in _adjuncts(words):
            if words[start].text in _table()["unless"]:
                told = " ".join(t.text for t in words[start:end])
                yield Operator("condition", told, words[start].start, words[end - 1].end)


def recited(sentence: str, goal: Clause) -> Iterator[Operator]:
    """What is to be said as it was put, and only tells what: "ask IF THEY WANT TEA", "say YOUR NAME"."""
    for pred in preds(goal):
        text = str(pred.args[-1]) if pred.name in ("said", "heard") and pred.args else ""
        first = tokens(clean(text))[:1]
        at = clean(sentence).lower().find(text.lower())
        if (
            first
            and first[0].text in _table()["telling"]
            and at >= 0
            and clean(sentence)[at - 1 : at] not in ("'", '"')
        ):
            yield Operator("condition", text, at, at + len(text))


def untested(said: Operator, goal: Clause) -> bool:
    """Whether a phrase is a condition of which no word stands in the goal: that it has one tells nothing of which."""
    first, *_ = said.text.split()
    own = _own(tokens(said.text))
    return first in _table()["tests"] and bool(own) and not any(_stands(word, goal) for word in own)


def unsought(sentence: str, goal: Clause) -> bool:
    """Whether a phrase for what is looked for names nothing of what the goal finds: "search the lake FOR A TENT"."""
    sought = [one for one in phrases(sentence, goal) if one.text.split()[0] in _table()["sought"]]
    return any(not any(_stands(word, goal) for word in _own(tokens(one.text))) for one in sought)


def by_itself(said: Operator) -> str:
    """What a phrase asks for that begins with an "and", or "so that you"; empty for others."""
    begins = next((one for one in (*_table()["joins"], *_table()["so"]) if said.text.startswith(f"{one} ")), "")
    return said.text.removeprefix(f"{begins} ") if said.kind == "phrase" and begins else ""


def lost(sentence: str, goal: Clause, held: Clause, names: Sequence[Name] = ()) -> Iterator[Operator]:
    """Phrases of which a goal has all words, and what is made of it none; of `names` others give account."""
    said = {stem(t.text) for t in tokens(clean(sentence).lower())}
    known = {word for one in names if {*one.words} <= said for word in one.words}
    for one in phrases(sentence, goal):
        within = not one.text.endswith(" of")
        own = [word for word in _own(tokens(one.text)) if not (within and stem(word) in known)]
        if own and named(one, goal) and not any(_stands(word, held) for word in own):
            yield one


def _stands(word: str, goal: Clause) -> int:
    """How often the goal has it."""
    names = [one for which in whiches(goal) for one in (which.kind, which.source, *which.traits) if one]
    who = is_person(word)
    alike = sum(lexicon.means(word, one) or lexicon.means(one, word) or (who and is_person(one)) for one in names)
    return max(alike, f"{texts(goal)} ".count(f" {word} "))


def _adjuncts(words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """What begins with one of a few words, up to the next of them: "under the stairs", "that nobody uses"."""
    at, begin = 0, _table()["begin"]
    while at < len(words):
        start, at = at, at + 1
        opens = start == 0 or words[start - 1].kind == "mark"  # a part of the sentence
        if words[start].text in begin and not (words[start].text in _table()["article"] and opens):
            at += len([*takewhile(lambda t: t.text in (*begin, *_table()["of"]), words[at:])])
            at += len([*takewhile(lambda t: t.kind != "mark" and t.text not in (*begin, *_table()["end"]), words[at:])])
            yield start, at


def _front(words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """What stands before the first comma, and what is to be done at the moment that this tells of."""
    end = len([*takewhile(lambda t: t.kind != "mark", words)])
    if 0 < end < len(words) and words[end].text == "," and end <= FRONT_WORDS:
        yield 0, end
    joins, begin = _table()["joins"], end + 1
    if end < len(words) and words[0].text in _table()["moment"]:
        begin += len([*takewhile(lambda t: t.text in joins, words[begin:])])
        if then := len([*takewhile(lambda t: t.kind != "mark" and t.text not in joins, words[begin:])]):
            yield begin, begin + then


def _joined(words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """What follows an "and", as far as no mark or further one comes between."""
    ends = [n for n, word in enumerate(words) if word.kind == "mark" or word.text in _table()["joins"]]
    for start in (n for n in ends if n and words[n].text in _table()["joins"]):
        yield start, next((n for n in ends if n > start), len(words))


def _modifiers(words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The words between an article, or "any" and its like, and what it is of, and the one behind "something"."""
    article = {*_table()["article"], *_table()["some"]}
    for start in (n for n, word in enumerate(words, 1) if word.text in article):
        name = [*takewhile(lambda t: bool(_own([t])), words[start : start + NAME_WORDS])]
        before = len([*takewhile(lambda t: not lexicon.known(t.text), name)])
        noun = before + len([*takewhile(lambda t: lexicon.known(t.text), name[before:])]) - 1
        if [t.text for t in words[start + len(name) :][:1]] == ["one"]:
            before, noun = -1, len(name)  # "the wooden one"
        yield from ((at, at + 1) for at in range(start, start + noun) if before < len(name))
    anything = toml("sayso.grounding", "things.toml")["nouns"]["anything"]
    yield from ((n, n + 1) for n in range(1, len(words)) if words[n - 1].text in anything)


def _adverbs(words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The word between a verb, with which a part begins, and where that leads: "fly HIGH to the sofa"."""
    for at in range(len(words) - 2):
        begins = at == 0 or words[at - 1].kind == "mark" or words[at - 1].text in _table()["joins"]
        leads = begins and words[at + 2].text in _table()["leads"]
        if leads and not (way(words, at + 1) or begins_wish(words[at + 1].text)):
            yield at + 1, at + 2


def _shares(words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """What is of something that is named, and not that itself: "the northern edge of" the lawn."""
    for of in (n for n, word in enumerate(words) if word.text == "of"):
        name = len([*takewhile(lambda t: bool(_own([t])), reversed(words[max(0, of - NAME_WORDS) : of]))])
        start = of - name - 1
        opened = start > 0 and words[start - 1].text in _table()["begin"]  # by an adjunct, which has it all
        if name and start >= 0 and not opened and words[start].text in _table()["article"][:1]:
            yield start, of + 1


def _measures(words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """What tells in what, or in how large a part, a thing is wanted: the "glass of" of "a glass of juice"."""
    no, packages = _table()["no_measure"], lexicon.aliases().compounds["packages"]
    for at in range(1, len(words) - 2):
        of = words[at : at + 3]
        bare = of[1].text == "of" and len(_own(of)) == 2 and numbers.read(words, at - 1) is not None
        if bare and not {of[0].text, lexicon.kind(of[0].text)} & {*no, *packages}:
            yield at, at + 2


def _own(said: Sequence[Token]) -> list[str]:
    """Its words, but those that name nothing."""
    small = {word for key in ("begin", "of", "joins", "small") for word in _table()[key]}
    return [t.text for t in said if t.kind == "word" and t.text not in small]


def _points(said: Sequence[Token]) -> bool:
    """Whether it tells how something stands to what was named before: "on it"."""
    return len(said) == 2 and said[0].text in _table()["relates"] and said[1].text == IT


def _is_idle(said: Sequence[Token]) -> bool:
    return any(pattern(text).whole(said) for text in _table()["idle"])


def _table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = toml("sayso.grounding", "account.toml")
    return table


CHECKS = (misplaced, owned, unmet, unplaced, untimely, inverted, recited)
"""Those that hold a sentence against its goal by themselves."""
