"""What was read of an operator's words becomes a search, a question or a refusal; names are grounded on the map."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace

import pytest

from sayso.errors import NotUnderstood, Unclear
from sayso.models.scripted import Scripted
from sayso.robots.aircraft.form import SEARCH, HearingForm
from sayso.robots.aircraft.mission import MissionReader
from sayso.robots.aircraft.operator_wish import Grounds, clauses_of, heard
from sayso.robots.aircraft.search.lost import attractor
from sayso.robots.aircraft.search.wish import Bounds, SearchWish, Sought
from sayso.roles import Brief, Prompt
from sayso.skill import SkillSet
from sayso.understanding import requested

PLACES = (
    "north field",
    "west field",
    "pine wood",
    "oak wood",
    "highway",
    "village",
    "Mill Bridge",
    "sector four",
    "B2",
)
KINDS, LOST = ("field", "forest", "settlement", "water", "road"), ("dementia", "hiker", "child")
RED = SearchWish((Sought("person", "red"),), ("north field",), only=True)


def hear(said: str, reading: str, running: SearchWish | None = None) -> SearchWish:
    """What comes of a reading that the model may write for these words."""
    held_to = SEARCH.constraint(SEARCH.reads(said))
    assert held_to.take(reading) and held_to.may_end, f"{reading} is no reading of {said}"
    clauses = clauses_of(reading)
    assert clauses
    return heard(clauses, said, Grounds(PLACES, KINDS, LOST), running)


def test_what_is_not_to_be_confirmed_stands_in_the_search() -> None:
    said = "Search the north field for a person in red and do not confirm."
    wish = hear(said, "find(person); colour(red); in('north field'); no(confirm)")
    assert wish.unconfirmed and "confirm" not in wish.on_find and wish.left_out == ()
    assert "do not fly there" in wish.in_words()
    again = hear("Now confirm.", "then(confirm)", wish)
    assert not again.unconfirmed and "confirm sightings" in wish.differs(again)


def test_everything_that_was_said_stands_in_the_search() -> None:
    wish = hear(
        "Two hikers in orange were last seen at the Mill Bridge at ten, it is half past eleven, toward the village."
        " Search both woods, then the north field, from sixty metres, not over the highway, be back within an hour with"
        " thirty percent battery. Take a picture, stay over them and tell the warden.",
        "find(2 person); colour(orange); is(hiker); moves(walking); toward(village); seen('mill bridge');"
        " since('10', '11:30'); in('both woods'); in('north field'); ordered; off(highway); at(60 m); within(3600 s);"
        " battery(30 %); then(image); then(hover); tell(warden)",
    )
    hikers = Sought("person", "orange", None, "walking", "village", "Mill Bridge", 5400.0, "hiker", 2)
    assert wish.sought == (hikers,)
    assert wish.areas == ("pine wood", "oak wood", "north field") and wish.ordered
    assert wish.avoid == ("highway",)
    assert wish.bounds == Bounds(at_m=60.0, off=("highway",), within_s=3600.0, reserve=0.3)
    assert wish.on_find == ("image", "hover") and wish.report == ("warden",) and wish.left_out == ()


@pytest.mark.parametrize(
    ("said", "reading", "label", "colour", "left_out"),
    [
        ("My sister is lost in the village.", "find(child); in(village)", "person", "", ()),
        ("A little boy is lost in the village.", "find(child); in(village)", "child", "", ()),
        ("Find a man with a grey beard, village.", "find(person); colour(grey); in(village)", "person", "", ("grey",)),
        ("Find a man in grey, village.", "find(person); colour(grey); in(village)", "person", "grey", ()),
    ],
)
def test_nobody_is_younger_or_of_another_colour_than_was_said(
    said: str, reading: str, label: str, colour: str, left_out: tuple[str, ...]
) -> None:
    wish = hear(said, reading)
    assert (wish.sought[0].label, wish.sought[0].colour, wish.left_out) == (label, colour, left_out)


def test_what_is_to_be_kept_off_is_all_that_a_word_may_mean() -> None:
    wish = hear("Find a dog in the village and keep off the wood.", "find(dog); in(village); off(wood)")
    assert wish.bounds.off == ("pine wood", "oak wood")


def test_what_is_told_belongs_to_the_one_before_or_to_all() -> None:
    said = "A woman in white and a green kayak, both gone for twenty minutes from the village. Look everywhere."
    wish = hear(
        said,
        "find(person); colour(white); find(kayak); colour(green); all; seen(village); ago(1200 s); everywhere",
    )
    assert [(s.label, s.colour, s.seen_at, s.seen_ago_s) for s in wish.sought] == [
        ("person", "white", "village", 1200.0),
        ("kayak", "green", "village", 1200.0),
    ]


def test_an_age_tells_a_child_and_a_thing_lies_still() -> None:
    wish = hear("My boy, 15, with a grey rucksack, village", "find(child); aged(15); find(rucksack); in(village)")
    assert [(s.label, s.category, s.mobility) for s in wish.sought] == [
        ("person", "", "unknown"),
        ("rucksack", "", "still"),
    ]


def test_what_has_no_clause_of_its_own_is_told_as_left_out_and_so_are_amounts_that_were_not_read() -> None:
    wish = hear(
        "A man in sector four, in strips 40 m apart with the thermal camera, do not confirm.",
        "find(person); in('sector 4'); besides('with the thermal camera'); no(confirm)",
    )
    assert wish.areas == ("sector four",)
    assert "with the thermal camera" in wish.left_out and "40 m" in wish.left_out
    assert wish.on_find == ("home",) and wish.unconfirmed


@pytest.mark.parametrize(
    ("said", "reading", "asks"),
    [
        ("Search the north field", "in('north field')", "Who or what is missing?"),
        ("Find the man outside the wood", "find(person)", "Where shall I search: pine wood or oak wood, or everywhere"),
        ("A man in the wood", "find(person); in(wood)", "Which wood: pine wood or oak wood?"),
        ("A man in the harbour", "find(person); in(harbour)", "I know no place here that is called “harbour”"),
        ("A man east of the village", "find(person); in('east of the village')", "no place .* “east of the village”"),
        ("A man, village, not the village", "find(person); in(village); skip(village)", "What is it with village"),
        ("A man in the north field and the village", "find(person); in('north field')", "What is it with village"),
    ],
)  # fmt: skip
def test_what_is_missing_unknown_contradictory_or_forgotten_is_asked_for(said: str, reading: str, asks: str) -> None:
    with pytest.raises(Unclear, match=asks):
        hear(said, reading)


@pytest.mark.parametrize(
    ("said", "reading", "why"),
    [
        ("A man in the village, carry him home", "find(person); in(village); hands('carry him home')", "cannot carry"),
        ("A man, fly through the tunnel", "find(person); unsafe('through the tunnel')", "“through the tunnel”: that"),
        ("A man in the village at five metres", "find(person); in(village); at(500 cm)", "do not fly lower"),
        ("What is the time", "nothing", "asks for no search"),
        ("Never search the village", "skip(village)", "I shall keep off the village"),
    ],
)  # fmt: skip
def test_what_the_aircraft_cannot_do_is_refused_by_code_with_the_words(said: str, reading: str, why: str) -> None:
    with pytest.raises(NotUnderstood, match=why):
        hear(said, reading)


@pytest.mark.parametrize(
    ("said", "reading", "after"),
    [
        ("He was just seen in the village", "seen(village); ago(now)",
         replace(RED, sought=(Sought("person", "red", seen_at="village", seen_ago_s=0.0),))),
        ("Also a dog in brown", "also(dog); colour(brown)", replace(RED, sought=(*RED.sought, Sought("dog", "brown")))),
        ("Look for a dog instead", "instead(dog)", replace(RED, sought=(Sought("dog"),))),
        ("Try the village too", "more(village)", replace(RED, areas=("north field", "village"))),
        ("Search the village now", "in(village)", replace(RED, areas=("village",))),
        ("Leave out the village", "skip(village)", replace(RED, avoid=("village",))),
        ("Take a picture as well", "then(image)", replace(RED, on_find=("confirm", "image", "home"))),
        ("Stay over him", "then(hover)", replace(RED, on_find=("confirm", "hover"))),
        ("Not below 60 m", "least(60 m)", replace(RED, bounds=Bounds(least_m=60.0))),
        ("Call it off", "over", replace(RED, over=True)),
        ("We have the man", "gone(person)", replace(RED, over=True)),
    ],
)  # fmt: skip
def test_in_flight_what_is_new_changes_the_running_search_and_nothing_else(
    said: str, reading: str, after: SearchWish
) -> None:
    assert hear(said, reading, RED) == after


def test_in_flight_it_is_asked_who_is_meant() -> None:
    with pytest.raises(Unclear, match="Shall I look for the dog instead of the person, or as well"):
        hear("Look for a dog", "find(dog)", RED)
    two = replace(RED, sought=(*RED.sought, Sought("dog", "brown")))
    with pytest.raises(Unclear, match="Of whom do you speak: person or dog"):
        hear("It is in the village", "seen(village)", two)
    assert hear("The dog is in the village", "of(dog); seen(village)", two).sought[1].seen_at == "village"
    assert hear("We have the dog", "gone(dog)", two).sought == RED.sought


def test_a_side_of_the_map_attracts() -> None:
    from search_ground import flat

    from sayso.robots.aircraft.search.wish import subject_of

    wish = hear("A man walking north in the village", "find(person); moves(walking); toward(north); in(village)")
    assert wish.sought[0].toward == "north"
    north = attractor(replace(subject_of(Sought("person", toward="north"), RED, flat())), flat())
    assert north is not None and (north[0] > 0).all() and not north[1].any()


@pytest.mark.parametrize(
    "text", ["", "find", "go(home)", "find(person), in(village)", "find(person); ", "find('person"]
)
def test_what_is_no_reading_is_none(text: str) -> None:
    assert clauses_of(text) in (None, (("find",),))


def test_the_reader_takes_a_reading_and_asks_where_the_model_is_in_doubt() -> None:
    grounds = Grounds(PLACES, KINDS, LOST)

    def read(answer: str) -> SearchWish:
        reader = MissionReader(Scripted([answer]), grounds)
        return asyncio.run(reader.read(Brief("Find the man in red in the north field", SkillSet())))

    assert read("find(person); colour(red); in('north field')") == RED
    doubt = HearingForm().declined(Prompt("mission", ()), "Please say it in other words.")
    with pytest.raises(Unclear, match="Please say it in other words"):
        read(doubt)


@pytest.mark.parametrize(
    ("said", "error", "why"),
    [
        ("Where do the deer sleep in the pine wood?", Unclear, "Shall I search “pine wood”, and for whom?"),
        ("Is anybody in the pine wood?", Unclear, "Shall I “search the pine wood for a person”"),
        ("How cold is it?", NotUnderstood, "I cannot find that out"),
        ("Paint the village", Unclear, "What shall I do about “village”"),
        ("Paint the town", NotUnderstood, "asks for no search"),
    ],
)
def test_a_sentence_that_asks_for_no_search_is_answered_as_what_it_is(said: str, error: type, why: str) -> None:
    reader = MissionReader(Scripted(["nothing"]), Grounds(PLACES, KINDS, LOST))
    brief = Brief(said, SkillSet(), request=requested(said))
    with pytest.raises(error, match=why):
        asyncio.run(reader.read(brief))


@pytest.mark.parametrize("sought", ["2 person", "village"])
@pytest.mark.parametrize("said", ["circle over the village twice", "make three rounds above the village"])
def test_u3_a_reading_that_looks_for_somebody_of_whom_nothing_was_said_is_none(said: str, sought: str) -> None:
    reader = MissionReader(Scripted([f"find({sought}); in(village)"]), Grounds(PLACES, KINDS, LOST))
    with pytest.raises(Unclear, match="What shall I do about “village”"):
        asyncio.run(reader.read(Brief(said, SkillSet(), request=requested(said))))


@pytest.mark.parametrize(
    ("said", "reading", "told"),
    [
        ("scan the west field and then the north one", "in('west field'); in('north field')", ", in this order."),
        (
            "sweep the fields, but not the one in the north",
            "in(fields)",
            "in the west field, leaving out",
        ),
        ("comb the woods apart from the oak wood", "skip(woods)", "in the pine wood, leaving out the oak wood."),
        ("search the village for a quarter of an hour", "find(900 s); in(village)", "back within 15 min"),
        ("look for somebody near the village", "find(person); seen(village)", "in the village."),
        (
            "look for them from above 40 m in the village",
            "find(person); in(village); most(40 m)",
            "at least 40 m above the ground",
        ),
        (
            "check the village and report back",
            "in(village); tell(back)",
            "On a find I confirm it and come home to land.",
        ),
        (
            "search the village until 40 % battery are left",
            "find(40 person); in(village)",
            "for a person in the village",
        ),
        ("search the village twice", "find(2 person); in(village)", "I search for a person in the village"),
        ("scan the woods", "find(2 wood)", "in the pine wood and the oak wood"),
        ("first the village, then everywhere else for him", "find(person); in(village); everywhere", "everywhere else"),
        ("go through both woods and avoid the village", "in(woods)", "not over village"),
    ],
)
def test_u3_what_code_reads_of_a_search_stands_in_it_and_who_is_missing_is_known(
    said: str, reading: str, told: str
) -> None:
    reader = MissionReader(Scripted([reading]), Grounds(PLACES, KINDS, LOST, "person"))
    wish = asyncio.run(reader.read(Brief(said, SkillSet(), request=requested(said)))).in_words()
    assert wish.startswith("I search for a person in") and told in wish


def test_names_and_amounts_can_only_be_copied() -> None:
    held_to = SEARCH.constraint(SEARCH.reads("find the man in the north field, below forty metres"))
    assert held_to.viable("find(person); in('north field'); under(40 m)")
    assert not held_to.viable("find(person); in(village")
    assert not held_to.viable("find(person); under(60")
    assert not math.isnan(len(held_to.letters()))
