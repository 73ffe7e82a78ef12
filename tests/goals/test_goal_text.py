"""Goals as text: docs/goals.md, rules G1 to G4."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.errors import PlanSyntaxError
from sayso.goal import (
    ALL,
    BOUNDS,
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
    Pred,
    Relation,
    Then,
    Until,
    Which,
    Within,
)
from sayso.goals.text import parse, show

names = st.text(st.characters(codec="utf-8", exclude_categories=("C",)), min_size=1, max_size=12).filter(str.strip)
numbers = st.integers(-10_000_000, 10_000_000).map(lambda n: n / 1000)


def things() -> st.SearchStrategy[Which]:
    flat = st.builds(
        lambda kind, traits, count, rank, nth, source: Which(
            kind, tuple(traits), count, rank, nth if rank else 1, None, source
        ),
        names,
        st.lists(names, max_size=2),
        st.integers(0, 9),
        st.sampled_from(("", *RANKS)),
        st.integers(1, 5),
        st.one_of(st.just(""), names),
    )
    relations = st.builds(Relation, st.sampled_from(RELATIONS), flat)
    related = st.builds(lambda w, r: Which(w.kind, w.traits, w.count, w.rank, w.nth, r), flat, relations)
    return st.one_of(flat, related)


def argument(parameter: Parameter) -> st.SearchStrategy[Which | Amount | str]:
    match parameter.kind:
        case "which":
            return things()
        case "side":
            return st.sampled_from(SIDES)
        case "text" | "name":
            return names
        case "bound":
            return st.sampled_from(BOUNDS)
        case "measure":
            return st.builds(Amount, numbers, st.sampled_from(("", "%", "°C", "cm", "l/min", "m²")))
    return numbers.map(lambda n: Amount(n, parameter.kind))


@st.composite
def preds(draw: st.DrawFn) -> Pred:
    name = draw(st.sampled_from(sorted(PREDICATES)))
    parameters = PREDICATES[name].parameters
    least = sum(not p.optional for p in parameters)
    given = parameters[: draw(st.integers(least, len(parameters)))]
    return Pred(name, tuple(draw(argument(p)) for p in given))


def grown(inside: st.SearchStrategy[Clause]) -> st.SearchStrategy[Clause]:
    some = st.lists(inside, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        inside.map(Not),
        inside.map(Never),
        preds().map(Only),
        some.map(All),
        some.map(Any),
        some.map(Then),
        st.builds(If, inside, inside, st.one_of(st.none(), inside)),
        st.builds(Until, inside, inside, st.integers(0, 9)),
        st.builds(Each, things(), inside),
        st.builds(Within, numbers.map(lambda n: Amount(n, "s")), inside),
    )


clauses = st.recursive(preds(), grown, max_leaves=6)


def flat(clause: Clause) -> Clause:
    """Lists inside lists of their own kind read as one."""
    match clause:
        case All(parts) | Any(parts) | Then(parts):
            return type(clause)(tuple(map(flat, parts)))
        case Not(part) | Never(part):
            return type(clause)(flat(part))
    return clause


@given(clauses)
def test_every_goal_reads_back_as_it_was_written(clause: Clause) -> None:
    """G1"""
    assert parse(show(clause)) == clause


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("want home", Pred("home")),
        ("at(mug.red)", Pred("at", (Which("mug", ("red",)),))),
        ("moved(up, 40 cm)", Pred("moved", ("up", Amount(0.4, "m")))),
        ("waited(2 min)", Pred("waited", (Amount(120, "s"),))),
        (
            "placed(all lemon from 'receiving shelf' but lemon.green, basket)",
            Pred(
                "placed",
                (
                    Which("lemon", count=ALL, source="receiving shelf", but=(Which("lemon", ("green",)),)),
                    Which("basket"),
                ),
            ),
        ),
        (
            "picture(nth 2 largest box on table) then home; never over(river)",
            All(
                (
                    Then(
                        (
                            Pred(
                                "picture",
                                (Which("box", rank="largest", nth=2, relation=Relation("on", Which("table"))),),
                            ),
                            Pred("home"),
                        )
                    ),
                    Never(Pred("over", (Which("river"),))),
                )
            ),
        ),
    ],
)
def test_what_is_written_is_what_is_meant(text: str, clause: Clause) -> None:
    """G2"""
    assert parse(text) == clause


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("go(mug)", "line 1, column 1: not 'go' here (expected one of at, "),
        ("at()", "line 1, column 5: the goal ends here (expected (which, within (or not)) behind at: which is missing"),
        ("at(mug, 2)", "line 1, column 10: not ')' here (expected a unit: m or cm or mm or km)"),
        ("at(mug, 2 deg)", "line 1, column 11: not 'deg' here (expected a unit: m or cm or mm or km)"),
        ("moved(sideways, 1 m)", "line 1, column 7: not 'sideways' here (expected one of forward, "),
        ("home home", "line 1, column 6: not 'home' here (expected the end, `;`, `then` or `or`)"),
        ("at(nth 2 mug)", "line 1, column 10: not 'mug' here (expected one of nearest, "),
        ("at(from)", "line 1, column 4: not 'from' here (expected a name; 'from' in quotes where something is called"),
        ("if home { landed", "line 1, column 17: the goal ends here (expected `}`)"),
        ("home & landed", "line 1, column 6: not '&' here"),
        ("", "line 1, column 1: the goal ends here"),
    ],
)
def test_a_text_that_is_no_goal_is_refused_with_the_place_and_what_would_be_right(text: str, problem: str) -> None:
    """G3"""
    with pytest.raises(PlanSyntaxError) as refused:
        parse(text)
    assert str(refused.value).startswith(problem)


@pytest.mark.parametrize("text", ["not " * 4000 + "home", "{" * 2000, "at(a " + "on a " * 500 + ")"])
def test_depth_and_length_are_bounded(text: str) -> None:
    """G4"""
    with pytest.raises(PlanSyntaxError):
        parse(text)


@given(st.text(max_size=60))
def test_any_text_is_a_goal_or_a_clear_error(text: str) -> None:
    """G3"""
    try:
        parse(text)
    except PlanSyntaxError as error:
        assert error.expected
