"""Hypothesis strategies for plans that the drone of `language_world` admits.

Arguments suit the kinds of their parameters; whether variables are set is left open, since only running tells.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from language_world import SKILLS

from sayso.language.nodes import (
    Assign,
    Block,
    Branch,
    Conditional,
    Expr,
    Invocation,
    Literal,
    Loop,
    Operation,
    Plan,
    Replan,
    Return,
    Variable,
)
from sayso.skill import Param, Skill

OPS = {1: ["|"], 2: ["&"], 5: ["+", "-"], 6: ["*", "/"]}
COMPARE = ["==", "!=", "<", "<=", ">", ">="]

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.integers(0, 10**9) | st.floats(0, 1e9, allow_nan=False)
variables = st.builds(Variable, st.sampled_from(["_1", "_2", "_count", "_x9"]))
literals = st.builds(Literal, numbers | texts | st.booleans() | st.none())


@cache
def exprs(depth: int = 3) -> st.SearchStrategy[Expr]:
    if depth == 0:
        return literals | variables
    inner = exprs(depth - 1)
    return literals | variables | calls(depth - 1) | operations(inner)


def operations(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Operation]:
    prefix = st.sampled_from([(3, "!"), (7, "-")])
    return st.one_of(
        st.builds(lambda p, item: Operation(p[0], [p[1]], [item]), prefix, inner),
        st.builds(lambda op, a, b: Operation(4, [op], [a, b]), st.sampled_from(COMPARE), inner, inner),
        st.sampled_from(list(OPS)).flatmap(lambda level: chains(level, inner)),
    )


def chains(level: int, inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Operation]:
    rest = st.lists(st.tuples(st.sampled_from(OPS[level]), inner), min_size=1, max_size=3)
    return st.builds(
        lambda first, more: Operation(level, [op for op, _ in more], [first, *(item for _, item in more)]), inner, rest
    )


@cache
def calls(depth: int) -> st.SearchStrategy[Invocation]:
    built_in = st.builds(
        lambda name, arg: Invocation(name, [arg]), st.sampled_from(["int", "float", "str"]), exprs(depth)
    )
    return st.sampled_from(SKILLS.skills).flatmap(lambda skill: call_of(skill, depth)) | built_in


def call_of(skill: Skill, depth: int) -> st.SearchStrategy[Invocation]:
    args = st.tuples(*(arguments(p, depth) for p in skill.params)).map(list)
    return st.builds(Invocation, st.sampled_from([skill.name, skill.short]), args)


def arguments(param: Param, depth: int) -> st.SearchStrategy[Expr]:
    """Values for one parameter: a literal that suits, or something that only running can tell."""
    open_ = variables | calls(depth - 1) if depth else variables
    if param.options:
        return st.builds(Literal, st.sampled_from(param.options)) | open_
    if param.kind in ("number", "integer"):
        low, high = (param.range.low, param.range.high) if param.range else (0, 1e6)
        whole = st.integers(int(low), int(high))
        some = whole if param.kind == "integer" else whole | st.floats(low, high, allow_nan=False)
        sums = st.builds(lambda a, op, b: Operation(5, [op], [a, b]), open_, st.sampled_from("+-"), open_)
        products = st.builds(lambda a, b: Operation(6, ["*"], [a, b]), open_, st.builds(Literal, numbers) | sums)
        return st.builds(Literal, some) | open_ | sums | products
    if param.kind in ("text", "thing", "place"):
        names = texts.filter(str.strip)
        joined = st.builds(lambda a, b: Operation(5, ["+"], [Literal(a), b]), names, open_)
        return st.builds(Literal, names) | open_ | joined
    return st.builds(Literal, st.booleans()) | open_ if param.kind == "flag" else exprs(max(depth - 1, 0))


@cache
def statements(depth: int) -> st.SearchStrategy[object]:
    simple = st.one_of(
        calls(1),
        st.builds(Assign, st.sampled_from(["_1", "_2", "_count"]), exprs(2)),
        st.builds(Return, exprs(2)),
        st.builds(Replan),
    )
    if depth == 0:
        return simple
    branch = st.builds(Branch, exprs(2), blocks(depth - 1))
    loop = st.builds(Loop, st.integers(1, 1000), blocks(depth - 1))
    conditional = st.builds(Conditional, st.lists(branch, min_size=1, max_size=3), st.none() | blocks(depth - 1))
    return simple | loop | conditional


def blocks(depth: int) -> st.SearchStrategy[Block]:
    return st.builds(Block, st.lists(statements(depth), max_size=4))


plans: st.SearchStrategy[Plan] = st.builds(Plan, blocks(2))
