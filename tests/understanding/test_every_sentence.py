"""Every sentence that code makes is English that one can bear (U10): goals, what came of them, and what robots reply.

Goals are generated over the whole language, with names that things here have; each of their sentences keeps the same
few laws of grammar, which need no parser: number, article, verb form, capital, full stop, no raw names.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sayso
from sayso.events import Judged
from sayso.goal import (
    ALL,
    BOUNDS,
    IT,
    ME,
    PREDICATES,
    RANKS,
    RELATIONS,
    SIDES,
    All,
    Amount,
    Any,
    Clause,
    Each,
    If,
    Never,
    Not,
    Only,
    Parameter,
    Part,
    Pred,
    Relation,
    Then,
    Until,
    Which,
    Within,
)
from sayso.goals.spoken import claim, done, doubtful, fact, partly, short, spoken, unmet, unseen
from sayso.goals.text import written
from sayso.grounding.inflection import about, amount, article, counted, indefinite, plural, sentence, there, words
from sayso.tables import toml

THINGS = (
    "chair",
    "apple",
    "person",
    "knife",
    "side table",
    "bottle of milk",
    "orange juice",
    "shelf",
    "child",
    "box",
    "hourglass",
)
COLOURS = ("red", "green", "blue")
ASKED = tuple(sorted(words()["questions"]))
SEVERAL = {one: plural(one) for one in THINGS}
SINGULAR, MANY = {"is", "was", "has", "does"}, {"are", "were", "have", "do"}


def things(*, several: bool = True) -> st.SearchStrategy[Which]:
    counts = (1, 1, ALL, 2, 3) if several else (1,)
    plain = st.builds(
        lambda kind, traits, count, rank, nth: Which(kind, tuple(traits), count, rank, nth if rank else 1),
        st.sampled_from(THINGS), st.lists(st.sampled_from(COLOURS), max_size=1), st.sampled_from(counts),
        st.sampled_from(("", "", "", *RANKS)), st.sampled_from((1, 1, 2, 3)),
    )  # fmt: skip
    named = st.sampled_from((Which("Mary"), Which(ME), Which("something to drink"), Which("thing", count=ALL)))
    to = st.builds(Relation, st.sampled_from(RELATIONS), st.sampled_from(THINGS).map(Which))
    related = st.builds(lambda one, other: Which(one.kind, one.traits, one.count, relation=other), plain, to)
    return st.one_of(plain, named, related)


def argument(parameter: Parameter) -> st.SearchStrategy[Which | Amount | str]:
    match parameter.kind:
        case "which":
            return things()
        case "side":
            return st.sampled_from(SIDES)
        case "text":
            return (
                st.sampled_from((*ASKED, "the bus is late"))
                if parameter.name == "question"
                else st.just("the bus is late")
            )
        case "name":
            return st.just("soil moisture")
        case "bound":
            return st.sampled_from(BOUNDS)
        case "measure":
            return st.just(Amount(40.0, "%"))
        case "":
            return st.integers(1, 9).map(lambda n: Amount(n))
    return st.sampled_from((0.2, 1.0, 1.25, 12.0, 90.0, 600.0, 2500.0)).map(lambda n: Amount(n, parameter.kind))


@st.composite
def preds(draw: st.DrawFn) -> Pred:
    name = draw(st.sampled_from(sorted(PREDICATES)))
    parameters = PREDICATES[name].parameters
    given_ = parameters[: draw(st.integers(sum(not p.optional for p in parameters), len(parameters)))]
    return Pred(name, tuple(draw(argument(p)) for p in given_))


def grown(inside: st.SearchStrategy[Clause]) -> st.SearchStrategy[Clause]:
    some = st.lists(inside, min_size=2, max_size=3).map(tuple)
    to_it = st.sampled_from(("at", "picture", "confirmed", "holding", "sees")).map(
        lambda name: Pred(name, (Which(IT),))
    )
    return st.one_of(
        inside.map(Not), inside.map(Never), preds().map(Only), some.map(All), some.map(Any), some.map(Then),
        st.builds(If, preds(), inside, st.one_of(st.none(), inside)),
        st.builds(Until, preds(), inside, st.integers(0, 5)),
        st.builds(Each, things(), to_it), st.builds(Within, st.just(Amount(20.0, "s")), inside),
    )  # fmt: skip


def faults(text: str) -> Iterator[str]:
    """What is wrong with a sentence."""
    said = text.rstrip(".").split()
    if "  " in text or text[:1].islower() or not text.endswith(".") or text.endswith(".."):
        yield "spaces, capital or full stop"
    yield from (f"doubled {a}" for a, b in pairwise(said) if a == b and a.isalpha() and a != "it")
    yield from (f"{mark} is left" for mark in ("None", "{", "}", "_", "“”", " ,", " .", "()") if mark in text)
    yield from (f"the predicate {name}" for name in PREDICATES if f"{name}(" in text)
    bare = [word.strip(".,:;“”").lower() for word in said]
    pairs, plain = [*pairwise(bare)], f" {' '.join(bare)} "
    yield from (f"{a} {b}" for a, b in pairs if a in ("a", "an") and a != article(b))
    yield from (f"I {b}" for a, b in pairs if a == "i" and b in ("is", "are", "has", "does"))
    yield from (f"you {b}" for a, b in pairs if a == "you" and b in SINGULAR)
    for one, several in SEVERAL.items():
        yield from (f"{n} {one}" for n in ("2", "3", "more") if f" {n} {one} " in plain)
        yield from (f"{one} {v}" for v in MANY if f" every {one} {v} " in plain or bare[:3] == ["the", one, v])
        yield from (f"{several} {v}" for v in SINGULAR for n in "23" if plain.startswith(f" {n} {several} {v} "))


@given(st.recursive(preds(), grown, max_leaves=4))
def test_u10_every_goal_is_told_in_english(goal: Clause) -> None:
    told = [
        spoken(goal),
        sentence(f"I cannot tell whether {fact(goal)}"),
        sentence(f"It is not so that {fact(Not(goal))}"),
    ]
    told += [unmet([Part(written(goal), False)]), sentence(doubtful(Part(written(goal), None))), done(goal) or "So."]
    for text in told:
        assert not [*faults(text)], text


@given(preds(), st.sampled_from(THINGS), st.integers(0, 3), st.integers(2, 4))
def test_u10_what_came_of_it_in_part_is_told_in_english(pred: Pred, kind: str, met: int, need: int) -> None:
    which = Which(kind, count=need)
    about_it = Pred(pred.name, tuple(which if isinstance(a, Which) else a for a in pred.args))
    for text in (
        partly(about_it, which, met, need, "I stopped 3 m short of one of them"),
        short(about_it, which, met, need),
        unseen(which),
    ):
        assert not [*faults(sentence(text))], text


@given(st.sampled_from(THINGS), st.integers(0, 12))
def test_u10_numbers_and_nouns_agree(noun: str, number: int) -> None:
    assert not [*faults(there(number, noun))], there(number, noun)
    assert counted(number, noun).endswith(plural(noun) if number > 1 else noun) or not number
    assert indefinite(noun).split()[0] == article(noun)


def test_u10_irregular_words_are_what_they_are() -> None:
    told = {"person": "people", "child": "children", "knife": "knives", "lens": "lenses", "furniture": "furniture",
            "loaf of bread": "loaves of bread", "person in the blue shirt": "people in the blue shirt"}  # fmt: skip
    assert {one: plural(one) for one in told} == told
    assert [indefinite(noun) for noun in ("umbrella", "unit", "hour", "Mary", "something to eat")] == [
        "an umbrella", "a unit", "an hour", "Mary", "something to eat",
    ]  # fmt: skip


@given(st.floats(0.001, 9999), st.sampled_from(("m", "deg", "s", "%")))
def test_u10_an_amount_has_its_unit_and_no_more_figures_than_one_reads(value: float, unit: str) -> None:
    for told in (amount(value, unit), about(value, unit)):
        number, _, behind = told.rstrip("°").partition(" ")
        assert len(number.replace(".", "")) <= 6 and (behind or told.endswith("°"))


@pytest.mark.parametrize("answer", ["coke", "True", "False", "chair#chair-2"])
@pytest.mark.parametrize(
    "question", ["Which is something to drink?", "Is the lamp lit?", "Which thing is closest to the sofa?"]
)
def test_u9_a_models_word_is_told_as_its_word(question: str, answer: str) -> None:
    told = claim(Judged(question=question, answer=answer, confidence=1.0, by="pocket"))
    assert told.startswith("pocket: ") or not told
    assert "#" not in told and "True" not in told and "False" not in told


REPLIES = sorted((Path(sayso.__file__).parent / "robots").glob("*/replies.toml"))


@pytest.mark.parametrize("file", REPLIES, ids=lambda file: file.parent.name)
def test_u10_what_a_robot_replies_is_whole_sentences(file: Path) -> None:
    table = toml(f"sayso.robots.{file.parent.name}", "replies.toml")
    for text in (text for section in ("refuse", "ask") for text in table.get(section, {}).values()):
        assert not [*faults(text.replace("?", ".").format(wish="wash it"))], text
