"""Plain questions about the world, read by code to their last word (U1, U7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.errors import NotUnderstood, Unclear
from sayso.goal import Pred, Which
from sayso.goals.spoken import doing
from sayso.goals.text import parse, show, written
from sayso.understanding.questions import asked, only_asked, untold
from sayso.understanding.things import which
from sayso.wish import Act, Request


@pytest.mark.parametrize(
    ("sentence", "goal", "left"),
    [
        ("is the kettle hot?", "answered('is it here', kettle)", ["hot"]),
        ("what do you see under the bench?", "answered('what is here')", ["bench"]),
        ("how many mugs are there?", "answered('how many', mug)", []),
        ("are the kettles hot?", "answered('how many', kettle)", ["hot"]),
        ("has Olga got a driving licence?", "answered('is it here', Olga)", ["driving", "licence"]),
        ("is there a kettle left?", "answered('is it here', kettle)", []),
        ("are there any mugs on the bench?", "answered('is it here', mug on bench)", []),
        ("where is the hot kettle?", "answered('where', kettle)", []),
        ("is the kettle hot?", "at(kettle)", []),
    ],
)
def test_u3_that_there_is_one_does_not_tell_what_it_is_like(sentence: str, goal: str, left: list[str]) -> None:
    assert untold(sentence, parse(goal)) == left


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        ("How many mugs are there?", "answered('how many all round', mug)"),
        ("how many of them are to your left?", "answered('how many all round', person left_of you)"),
        ("how many mugs do you see", "answered('how many', mug)"),
        ("how many mugs do you see around here", "answered('how many all round', mug)"),
        ("please tell me how many mugs there are on the bench", "answered('how many all round', mug on bench)"),
        ("do you see a lamp?", "answered('is it in view', lamp)"),
        ("do you see a lamp anywhere?", "answered('is it here', lamp)"),
        ("is there a kettle anywhere in this room?", "answered('is it here', kettle)"),
        ("how far is it from where you stand to the kettle?", "answered('how far', kettle)"),
        ("in which direction is the kettle from your position?", "answered('where', kettle)"),
        ("which one's nearer to you, the kettle or the bench?", "answered('which is nearest', kettle, bench)"),
        ("just tell me what is straight in front of you", "answered('what is here', thing)"),
        ("is there somebody behind you?", "answered('is it here', person behind you)"),
        ("could you tell me where the lamp is", "answered('where', lamp)"),
        ("how far away is the nearest lamp?", "answered('how far', nearest lamp)"),
        ("how far is the lamp from the bench?", "answered('how far apart', lamp, bench)"),
        ("what color is the lamp", "answered('what colour', lamp)"),
        ("what is the woman by the bench wearing?", "answered('what is worn', woman beside bench)"),
        ("what does the man in the yellow jacket hold?", "answered('what is held', man.yellow)"),
        ("what's on the bench?", "answered('what is on', bench)"),
        ("is the bench bare?", "answered('what is on', bench)"),
        ("where do you think the mug is?", "answered('where', mug)"),
        ("which mugs have you got that are red?", "answered('what is all round', mug.red)"),
        ("where does the mug belong?", "answered('where it belongs', mug)"),
        ("where should I put the mug?", "answered('where it belongs', mug)"),
        ("who is standing closest to you?", "answered('which one', nearest person)"),
        ("have a look in the cellar and tell me who is there", "answered('what is all round', person in cellar)"),
        ("check on the bench and tell me what is there", "answered('what is on', bench)"),
        ("what do we have in stock?", "answered('what is all round', thing)"),
        ("which is bigger, the lamp or the bench?", "answered('which is largest', lamp, bench)"),
        ("is the lamp nearer than the bench?", "answered('which is nearest', lamp, bench)"),
        ("is the white lamp taller than the blue one?", "answered('which is tallest', lamp.white, lamp.blue)"),
        ("what is the smallest thing in this room?", "answered('which one', smallest thing)"),
        ("who is the tallest?", "answered('which one', tallest person)"),
        ("is the lamp white?", "answered('is it so', lamp, thing.white)"),
        ("what can you see?", "answered('what is here', thing)"),
        ("what is there on your left?", "answered('what is all round', thing left_of you)"),
        ("are there more mugs than lamps?", "answered('which are more', mug, lamp)"),
        ("the mug is already on the bench, isn't it?", "answered('is it here', mug on bench)"),
        ("is the lemon next to the orange?", "answered('is it so', lemon, thing beside orange)"),
        (
            "is the mug on the bench or under the lamp?",
            "answered('is it so', mug, {thing on bench or thing under lamp})",
        ),
        ("what colour is the mug that's nearest the lamp?", "answered('what colour', nearest mug beside lamp)"),
        ("who is standing next to the lamp?", "answered('what is all round', person beside lamp)"),
        ("spin round once and tell me what you see", "answered('what is all round', thing)"),
        ("tell me if someone left a mug on the bench", "answered('is it here', mug on bench)"),
        ("go to the bench and tell me who is there", "answered('what is all round', person beside bench)"),
        ("check whether the mug is on the bench", "answered('is it so', mug, thing on bench)"),
        ("run over to the bench and see whether the mug is there", "answered('is it so', mug, thing on bench)"),
        ("go to the bench and tell me how many mugs you see", "answered('how many all round', mug on bench)"),
        ("has any mug come in?", "answered('is it here', mug)"),
        ("I need the mug. Where is it?", "answered('where', mug)"),
        ("we are after mugs, so how many are there?", "answered('how many all round', mug)"),
        ("do you still sell lamps?", "answered('is it here', lamp)"),
        ("how many jars of honey have we got at the moment, please?", "answered('how many all round', 'honey jar')"),
        ("which shelf is the mug on?", "answered('where', mug)"),
        ("how far is the bench from here?", "answered('how far', bench)"),
        ("is anybody dressed in white?", "answered('is it here', person.white)"),
        ("is the lamp on your left or on your right?", "answered('where', lamp)"),
        ("do you see any lamps or mugs?", "answered('is either here', lamp, mug)"),
        ("anyone about?", "answered('is it here', person)"),
        (
            "go to the attic, check whether anybody's in there, then return and tell us",
            "answered('is it here', person in attic)",
        ),
        ("somebody behind you?", "answered('is it here', person behind you)"),
        ("how many lamps are green?", "answered('how many all round', lamp.green)"),
        ("how many benches have a vase on them?", "answered('how many all round', bench under vase)"),
        ("which bench has the vase on it?", "answered('where', bench under vase)"),
        ("where is the lamp standing?", "answered('where', lamp)"),
        ("which lamp is nearer to the bench?", "answered('where', nearest lamp beside bench)"),
        ("what are the women wearing?", "answered('what is worn', all women)"),
        ("what colour tops have these women got on?", "answered('what is worn', all women)"),
        (
            "is the man in white taller than the other one?",
            "answered('which is tallest', man.white, man but man.white)",
        ),
        (
            "which person is shorter, the grey one or the one in pink?",
            "answered('which is shortest', person.grey, person.pink)",
        ),
        ("can you see a pair of pliers anywhere?", "answered('is it here', plier)"),
        ("how tall is the man straight ahead?", "answered('how tall', man before you)"),
        ("what do you think is on the bench over there?", "answered('what is on', bench)"),
    ],
)
def test_u7_a_plain_question_is_read(sentence: str, goal: str) -> None:
    read = asked(sentence)
    assert read is not None
    assert written(read) == goal
    assert parse(show(read)) == read
    assert "“" not in doing(read), "a question that can be read can be told"


@pytest.mark.parametrize(
    "sentence",
    [
        "go to the lamp",
        "how high are you?",
        "are you all right?",
        "is the lamp switched on by the man?",
        "how many mugs are there and how many lamps?",
        "what is seven times eight",
        "are the three mugs red?",
    ],
)
def test_u7_what_is_not_read_to_the_last_word_is_left_to_others(sentence: str) -> None:
    assert asked(sentence) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("which is closer, the lamp or the bench?", "which is farther, the lamp or the bench?"),
        ("how many red mugs are there?", "how many blue mugs are there?"),
        ("where is the second lamp from the left?", "where is the third lamp from the left?"),
        ("is there a person in white?", "is there a person in black?"),
        ("what is on the bench?", "what is next to the bench?"),
        ("how many mugs but the red one are there?", "how many mugs are there?"),
    ],
)
def test_u3_another_word_is_another_question(one: str, other: str) -> None:
    assert asked(one) is not None
    assert asked(one) != asked(other)


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("the second lamp from the left", "nth 2 leftmost lamp"),
        ("the tallest person in green", "tallest person.green"),
        ("all mugs but the red one", "all mug but mug.red"),
        ("the lamp that is farthest away", "furthest lamp"),
        ("the man with the umbrella", "man.umbrella"),
        ("the one in the yellow shirt", "person.yellow"),
        ("the mug on the bench next to the door", "mug on bench beside door"),
        ("both lamps", "2 lamp"),
        ("the pair of pliers", "plier"),
        ("the tweezers", "tweezer"),
        ("a pair of glasses", "spectacle"),
        ("everybody except the woman in blue", "all person but woman.blue"),
    ],
)
def test_u7_which_things_are_meant(phrase: str, meant: str) -> None:
    read = which(phrase)
    assert read is not None
    assert written(Pred("found", (read,))) == f"found({meant})"


def test_u3_an_ordinal_without_an_order_is_asked_about() -> None:
    with pytest.raises(Unclear, match="Which one is the second lamp: counted from the left, or from the nearest"):
        which("the second lamp")


@given(st.text(max_size=60))
def test_any_text_is_a_question_or_none(text: str) -> None:
    try:
        read = asked(text)
    except Unclear:
        return
    assert read is None or isinstance(read.args[-1], Which)


def test_u7_what_is_for_a_use_and_what_it_is_not_is_read_and_a_word_for_this_place_is_here() -> None:
    assert show(asked("got anything to drink that isn't juice?")) == "want answered('is it here', drink but juice)"
    assert show(asked("what do we have left to eat?")) == "want answered('what is all round', food)"
    assert show(asked("how many lamps are there in the flat?")) == "want answered('how many all round', lamp)"
    assert "hall" in show(asked("how many lamps are there in the hall?", ["hall"]))
    assert asked("is there anything sour?") is None


def test_u1_what_only_asks_is_not_said_aloud() -> None:
    request = Request("could anybody shut the lid?", Act.WORLD)
    with pytest.raises(NotUnderstood, match="asked, or should say"):
        only_asked(parse("said('please shut the lid')"), request)
    assert only_asked(parse("said('the lid')"), Request("say the lid", Act.COMMAND)) == parse("said('the lid')")
    either = parse("if sees(lid) { said('yes') } else { said('no') }")
    assert show(only_asked(either, request)) == "want answered('is it here', lid)"
    assert only_asked(either, Request("say whether there is a lid", Act.COMMAND)) == either


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        ("what is the baker in white up to?", "found(baker.white)"),
        ("who left the ladder here?", "answered('is it here', ladder)"),
        ("where is the tram heading?", "found(tram)"),
        ("why is it so dark?", "answered('is it in view', lamp)"),
        ("what is to your rear?", "turned(back)"),
    ],
)
def test_u1_yes_or_no_and_a_deed_are_no_answers_to_who_asks_for_anything_else(sentence: str, goal: str) -> None:
    with pytest.raises(NotUnderstood, match="cannot find that out"):
        only_asked(parse(goal), Request(sentence, Act.WORLD, sentence))
    asked_so = Request("is there a ladder, or a tram?", Act.WORLD, "is there a ladder, or a tram?")
    assert only_asked(parse("found(ladder)"), asked_so) == parse("answered('is it here', ladder)")
