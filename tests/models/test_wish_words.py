"""Slips of the finger are mended in the person's words and nowhere else; what no lesson had is told."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.events import TaskStarted
from sayso.mission.defaults import make_planner
from sayso.models.pocket import Pocket, words
from sayso.models.pocket import net as nets
from sayso.models.pocket.answer import asked
from sayso.prompts import plan_prompt
from sayso.roles import Brief, Observation
from sayso.scene import Box, Scene, Thing
from sayso.skill import SkillSet
from sayso.worlds import make as make_world

TOKENS = nets.load().tokenizer.ids
SCENE = "<see>chair 42 37 13 28 blue by zeldo;zeldo 72 43 25 15<ground><do>"


def wish_of(wish: str) -> str:
    text = words.mended(f"<plan>{wish}{SCENE}", TOKENS)
    assert text.startswith("<plan>") and text.endswith(SCENE)
    return text[len("<plan>") : -len(SCENE)]


def test_one_letter_is_mended() -> None:
    assert wish_of("trun lfet, then go to teh chiar") == "turn left, then go to teh chair"
    assert wish_of("pelase fidn somthing to drnik") == "please find something to drink"
    assert wish_of("i am hungy and thirsy") == "i am hungry and thirsty"
    assert wish_of("dont move, isnt it late") == "dont move, isn't it late"


def test_a_name_in_view_is_left_alone_and_preferred() -> None:
    assert wish_of("go to the zeldo") == "go to the zeldo"
    assert wish_of("go to the zedlo") == "go to the zeldo"


def test_a_name_that_the_robot_knows_is_left_alone_wherever_it_stands() -> None:
    seen = Observation(Scene((Thing("a", "fanta", Box(0.5, 0.5, 0.1, 0.1)),)))
    table = {"objects": [{"name": "fanta can"}]}
    for knows in (Brief("", SkillSet(()), seen, kind="drone"), Brief("", SkillSet(()), knowledge=table, kind="drone")):
        brief = replace(knows, instruction="go to the fanta")
        assert "fanta" in asked(nets.load(), plan_prompt(brief)).reads


def test_what_people_say_is_no_slip() -> None:
    for said in ("thats a foto of pyjamas", "manoeuvre, wilco", "beckon to the wanderer with a pail", "ccw 90"):
        assert wish_of(said) == said


def test_what_stands_in_quotes_is_said_as_it_stands() -> None:
    assert wish_of('say "helo wrold" to the chiar') == 'say "helo wrold" to the chair'


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="<>"), max_size=60))
def test_in_any_wish_only_words_change_and_no_known_one(wish: str) -> None:
    kept = re.compile(r"[a-z']+")
    assert kept.sub("w", wish_of(wish)) == kept.sub("w", wish), "between words nothing changes"
    for word in words.WORD.findall(wish):
        if word in TOKENS or word in words.dictionary():
            assert words.meant(word, TOKENS) == word


@given(st.from_regex(r"[a-z]{4,12}", fullmatch=True))
def test_any_word_that_changes_becomes_a_known_one(word: str) -> None:
    meant = words.meant(word, TOKENS)
    assert meant == word or meant in TOKENS or meant in words.dictionary()
    assert words.meant(meant, TOKENS) == meant, "to mend twice is to mend once"


def test_questions_about_other_texts_are_left_alone() -> None:
    for text in ("<score>find the mna<tried><see><ask>lnad<say>", "no mark: trun lfet"):
        assert words.mended(text, TOKENS) == text


def test_a_misspelt_wish_is_flown() -> None:
    clock = SimClock()
    world = make_world("office", scene="task01", seed=0)

    async def mission() -> list[str]:
        brain = Pocket()
        async with Agent(world=world, model=brain, planner=make_planner("stream", brain)) as agent:
            events = [event async for event in agent.say("pelase fly tot eh chiar")]
        return [f"{e.skill} {e.args[0]}" for e in events if isinstance(e, TaskStarted) and e.args]

    assert "goto chair" in clock.run(mission())


def test_what_no_lesson_had_is_told_unless_it_is_a_name_or_passed_on() -> None:
    def unlearned(wish: str, *known: str) -> tuple[str, ...]:
        return words.unlearned(f"<plan>{wish}{SCENE}", known)

    assert unlearned("please fly to the chair, thats behind the zeldo") == ()
    assert unlearned("zibble to the chair and zibble back") == ("zibble",)
    assert unlearned("zibble to the chair", "the zibble table") == ()
    assert unlearned('say "zibble" at the chair') == ()
    assert words.unlearned("<score>zibble<tried>") == ()
