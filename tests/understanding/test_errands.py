"""Plain errands are read by code to their last word, and what cannot be undone is named or asked about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.errors import NotUnderstood, Unclear
from sayso.goal import ALL, Pred, Which
from sayso.goals.text import parse, show
from sayso.grounding.mentions import Name
from sayso.understanding.errands import Vocabulary, how_many
from sayso.understanding.irreversible import Irreversible, IrreversibleDeeds
from sayso.wish import Wish

NAMES = [
    *(Name.of(w, "kind", n) for w, n in (("pear", "pear"), ("hammer", "hammer"), ("jar", "jam"), ("jam", "jam"))),
    *(
        Name.of(w, "category", n)
        for w, n in (("tools", "tool"), ("something to eat", "food"), ("garden things", "garden"))
    ),
    *(
        Name.of(w, "place", n)
        for w, n in (("desk", "desk"), ("work bench", "bench"), ("shed", "shed"), ("skip", "skip"))
    ),
]
SHED = Vocabulary(NAMES, ("Olga", "Ben"), "skip")


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("Could you bring Olga something to eat, please?", "given(food, Olga)"),
        ("put the pear and the jam on the work bench", "placed(pear, bench); placed(jam, bench)"),
        ("carry both the hammer and the jar to Ben", "given(hammer, Ben); given(jam, Ben)"),
        ("toss the pear out", "placed(pear, skip)"),
        ("we want both jars on the work bench", "placed(2 jam, bench)"),
        ("leave the hammer alone and take the other tools to the shed",
         "never holding(hammer); placed(all tool but hammer, shed)"),
        ("toss the pear in the skip", "placed(pear, skip)"),
        ("ask Olga whether she is well", "asked(Olga, 'whether she is well')"),
        ("go to the shed and wait there for ten seconds", "visited(shed) then waited(10 s)"),
        ("go to the shed and stay there", "visited(shed) then stayed"),
        ("get rid of the jam and come back", "placed(jam, skip); home"),
        ("take all the tools to the shed but leave the hammer alone",
         "placed(all tool but hammer, shed); never holding(hammer)"),
        ("don't touch the jam, just fetch me two pears", "never holding(jam); given(2 pear, me)"),
        ("give everyone in the shed a pear", "each(all person from shed) { given(pear, it) }"),
        ("tell everybody in the shed that tea is ready", "each(all person from shed) { heard(it, 'tea is ready') }"),
        ("greet the first person you come across in the shed", "heard(nearest person from shed, 'Hello')"),
        ("wait in the shed until I call you", "visited(shed) then stayed"),
        ("if there is no pear left, bring me the jam", "if not found(pear) { given(jam, me) }"),
        ("if there's a pear on the desk, put it in the shed, otherwise come back",
         "if found(pear from desk) { placed(pear, shed) } else { home }"),
        ("make sure that there is a pear on the desk", "placed(pear, desk)"),
        ("turn to face me", "found(me)"),
        ("put the pear on the desk and the jam in the shed", "placed(pear, desk); placed(jam, shed)"),
        ("two pears and some jam, please", "given(2 pear, me); given(jam, me)"),
        ("bring me something to eat, but nothing sweet", "given(food but jam but pear, me)"),
        ("take a tool that isn't the hammer to Ben", "given(tool but hammer, Ben)"),
        ("pick a pear for me", "given(pear, me)"),
        ("bring me a tool, but not a soft one", "given(tool, me)"),
        ("let the people in the shed know that tea is on", "each(all person from shed) { heard(it, 'tea is on') }"),
        ("show Olga to the shed", "guided(Olga, shed)"),
        ("take everything red to the shed", "placed(all thing.red, shed)"),
        ("go to Ben and ask him how he is", "asked(Ben, 'how he is')"),
        ("tell whoever's in the shed that tea is on", "each(all person from shed) { heard(it, 'tea is on') }"),
        ("would you be so kind as to go and fetch me a pear?", "given(pear, me)"),
        ("go to the desk and bring Ben what lies on it", "visited(desk); given(all thing from desk, Ben)"),
        ("take the red one from the desk to Olga", "given(thing.red from desk, Olga)"),
        ("take the red pear from the desk back to where it belongs", "placed(pear.red from desk, home)"),
        ("go to the shed and pick up the hamer", "visited(shed); holding(hammer)"),
        ("take any tools to the shed", "placed(all tool, shed)"),
        ("bring me any pear", "given(pear, me)"),
        ("tell Ben that lunch is at one", "heard(Ben, 'lunch is at one')"),
        ("give Olga the heaviest thing you can find", "given(heaviest thing, Olga)"),
        ("bring me the tools", "given(all tool, me)"),
        ("take the red pears to the desk", "placed(all pear.red, desk)"),
        ("put the jam away", "placed(jam, home)"),
        ("fetch Ben a tool but not the hammer", "given(tool but hammer, Ben)"),
        ("bring me a tool and don't touch the hammer", "given(tool but hammer, me); never holding(hammer)"),
        ("first carry the jam to the desk, then go to the shed", "placed(jam, desk) then visited(shed)"),
        ("lay the pear on the bench", "placed(pear, bench)"),
        ("come back to where you started", "home"),
    ],
)  # fmt: skip
def test_u3_an_errand_is_read_to_its_last_word(said: str, wants: str) -> None:
    errand = SHED.errand(said)
    assert errand is not None and show(errand.goal) == f"want {wants}" and parse(show(errand.goal)) == errand.goal
    assert not errand.vague


def test_any_thing_is_no_part_of_a_name() -> None:
    asks = SHED.grounded(Pred("answered", ("is it so", Which("pear"), parse("found(thing on desk)").args[0])))
    assert show(asks) == "want answered('is it here', pear on desk)"


@pytest.mark.parametrize(
    "said", ["tidy up the shed", "would you clean the desk up?", "put everything back where it belongs"]
)
def test_u6_to_tidy_is_each_thing_where_it_belongs_and_asked_about(said: str) -> None:
    errand = SHED.errand(said)
    assert errand is not None and errand.vague
    assert isinstance(errand.goal, Pred) and errand.goal.args[1] == Which("home")


@pytest.mark.parametrize(
    "said",
    [
        "bring Olga the violin",
        "bring the pear quickly over the moon to Ben",
        "don't bring the pear",
        "where is Olga?",
        "ask Olga to close the shed",
        "bring the other tools to the shed",
        "put everything from the skip into the skip",
        "wait in the shed until I call you and then fetch the jam",
        "",
    ],
)
def test_u3_of_which_a_word_is_left_over_is_not_read(said: str) -> None:
    assert SHED.errand(said) is None


@given(
    st.sampled_from(["pear", "hammer", "jam"]), st.sampled_from(["desk", "shed"]), st.text("abcdefghij ", max_size=12)
)
def test_u3_no_word_is_dropped(thing: str, place: str, more: str) -> None:
    """(U3) Whatever stands behind an errand, it is read or the sentence is not."""
    plain = SHED.errand(f"take the {thing} to the {place}")
    other = SHED.errand(f"take the {thing} to the {place} {more}x")
    assert plain is not None and other is None


def finals(wish: str, said: Wish | None = None, holding: str = "") -> IrreversibleDeeds:
    lost = Irreversible(deed="thrown", marks=lambda thing, to: to == "skip", names=NAMES, kind_of=lambda t: "tool")
    sharp = Irreversible(
        deed="handed",
        marks=lambda thing, to: thing == "hammer",
        names=NAMES,
        never="No {thing} for a child.",
        never_to=lambda w: "toddler" in w,
    )
    return IrreversibleDeeds((lost, sharp), lambda: wish, lambda: said, lambda: holding)


THROWN, HELD = Pred("placed", (Which("jam"), Which("skip"))), Pred("placed", (Which(), Which("skip")))


def test_u6_what_cannot_be_undone_is_named_or_asked() -> None:
    finals("throw the jam away").check([THROWN])
    finals("chuck everything out", holding="jam").check([HELD])
    for wish, holding in (("make some room on the desk", ""), ("throw the pear away", ""), ("clear the desk", "jam")):
        with pytest.raises(Unclear, match="Shall I bring the jam to the skip"):
            finals(wish, holding=holding).check([HELD if holding else THROWN])


def test_u6_a_yes_goes_on_with_it_and_a_no_leaves_it() -> None:
    wish, asks = Wish("make some room on the desk"), "Shall I bring the jam to the skip?"
    finals(wish.text, wish.answered(asks, "yes, please")).check([THROWN])
    with pytest.raises(NotUnderstood, match="leave it"):
        finals(wish.text, wish.answered(asks, "no")).check([THROWN])
    with pytest.raises(Unclear):
        finals(wish.text, wish.answered("Are you sure?", "yes")).check([THROWN])


def test_u6_a_yes_to_all_of_them_is_a_yes_to_each() -> None:
    every = Pred("placed", (Which(count=ALL, source="desk"), Which("skip")))
    wish = Wish("make some room on the desk")
    with pytest.raises(Unclear) as asked:
        finals(wish.text).check([every])
    agreed = finals(wish.text, wish.answered(str(asked.value), "yes"))
    agreed.check([every])
    agreed.check([THROWN])


def test_u6_what_hurts_is_never_handed_to_a_child_and_to_others_where_it_is_named() -> None:
    handed = [Pred("holding", (Which("hammer"),)), Pred("given", (Which(), Which("Ben")))]
    finals("hand Ben the hammer").check(handed)
    with pytest.raises(Unclear, match="Shall I give the hammer to Ben"):
        finals("bring Ben the pear").check(handed)
    with pytest.raises(NotUnderstood, match="No hammer for a child"):
        finals("give the toddler the hammer").check(handed)


def test_u3_a_word_of_another_name_that_a_thing_has_does_not_name_it() -> None:
    names = [Name.of("chocolate milk", "kind", "cocoa"), Name.of("work bench", "place", "bench")]
    named = Vocabulary(names).named
    assert named(["bench"], ("place",)) == "bench"
    assert named(["milk"], ("kind",)) == ""


def _by_amount(text: str) -> Pred | None:
    """A double of the plain commands, which knows two of them."""
    return {"turn left": Pred("turned", ("left",)), "go ahead": Pred("moved", ("forward",))}.get(text)


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("turn left and then bring me the pear", "turned(left) then given(pear, me)"),
        ("go to the shed and count the pears", "visited(shed) then answered('how many all round', pear from shed)"),
        ("put the jar on the desk, go ahead and tell me where the hammer is",
         "placed(jam, desk) then moved(forward) then answered('where', hammer)"),
        ("where is the pear, and how many jars are on the desk?",
         "answered('where', pear) then answered('how many all round', jam on desk)"),
    ],
)  # fmt: skip
def test_u3_parts_that_code_reads_by_themselves_are_done_in_their_order(said: str, wants: str) -> None:
    assert SHED.in_order(said, _by_amount) == parse(wants)


@pytest.mark.parametrize(
    "said",
    ["turn left and sing", "turn left and go ahead", "bring me the pear", "bring me the pear and the hammer to Olga"],
)
def test_u3_parts_that_belong_together_are_not_read_apart(said: str) -> None:
    assert SHED.in_order(said, _by_amount) is None


@pytest.mark.parametrize(
    "said", ["bring me some tools", "carry a few hammers to the bench", "get a bunch of pears for Olga"]
)
def test_u4_how_many_a_few_are_is_asked(said: str) -> None:
    with pytest.raises(NotUnderstood, match="How many"):
        SHED.errand(said)


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("ask Olga if she needs the hammer", "asked(Olga, 'if she needs the hammer')"),
        ("ask Olga if she needs it and bring the jar", "asked(Olga, 'if she needs it'); given(jam, me)"),
        ("ask Olga if she needs the hammer and bring it along", ""),  # which no part of a question is
    ],
)
def test_u3_what_somebody_is_asked_has_no_order_in_it(said: str, wants: str) -> None:
    errand = SHED.errand(said)
    assert ("" if errand is None else show(errand.goal).removeprefix("want ")) == wants


@pytest.mark.parametrize(
    ("goal", "asks"),
    [
        ("given(hammers, me)", "How many hammers?"),
        ("given(2 hammers, me)", ""),
        ("given(hammer, me); placed(all pears, shed)", ""),
        ("given(scissors, me)", ""),
    ],
)
def test_u4_several_are_brought_only_where_it_is_said_how_many(goal: str, asks: str) -> None:
    assert how_many(parse(goal), NAMES) == asks


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("bring all tools but hammers to the shed", "placed(all tool but hammer, shed)"),
        ("find some hammers", "found(hammer)"),
        ("bring Olga hammers, Ben and jars to the shed", ""),
    ],
)
def test_u4_how_many_is_asked_only_of_what_is_brought(said: str, wants: str) -> None:
    errand = SHED.errand(said)
    assert ("" if errand is None else show(errand.goal).removeprefix("want ")) == wants
