"""The service robot's lessons: admissible, in the planner's own form, split by design, and not learnt by heart."""

from __future__ import annotations

import re
import time
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

import pytest
import training_path  # noqa: F401

import sayso.models.pocket
from lessons import home
from lessons.home import Command, brief_of, eight_set, held_structures, home_lesson, service_set, with_eight
from lessons.home_mends import Mended
from lessons.home_mimic import mimics
from lessons.home_table import Table, shipped
from lessons.phrasing import FOLDER, everything, frames, tables
from sayso.bench.speed.references import call_s
from sayso.models.pocket.constraints import PlanConstraint
from sayso.models.pocket.tokenizer import Tokenizer
from sayso.parts import Attempt, Brief, Prompt
from sayso.robots.service.admit import admit
from sayso.robots.service.form import CommandForm, matches, unseen
from sayso.robots.service.kit import service_skills
from sayso.robots.service.prompt import placed
from sayso.robots.service.world import FLAT
from sayso.skill import SkillSet
from sayso.task import NOT_FOUND, Ran
from sayso.worlds import make
from sayso.worlds.indoor.scene import knowledge

N = 900


def plan(target: str) -> str:
    return target.removesuffix("<end>")


@pytest.fixture(scope="module")
def made() -> list[tuple[home.Lesson, Brief]]:
    """Lessons, each with the brief that its prompt is the short form of."""
    briefs: list[Brief] = []

    def noted(command: Command, table: Table, skills: SkillSet, mend: Mended | None) -> Brief:
        briefs.append(brief_of(command, table, skills, mend))
        return briefs[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(home, "brief_of", noted)
        return [(home_lesson(7, n, held_out=0.3), briefs[-1]) for n in range(N)]


def test_the_same_dice_make_the_same_lesson(made: list[tuple[home.Lesson, Brief]]) -> None:
    assert [home_lesson(7, n, 0.3) for n in range(40)] == [one for one, _ in made[:40]]
    assert home_lesson(8, 3, 0.3) != made[3][0]


def test_every_target_passes_the_planners_admission_as_it_is(made: list[tuple[home.Lesson, Brief]]) -> None:
    for one, brief in made:
        admitted = admit(plan(one.target), brief)
        assert admitted.plan == plan(one.target), (one.sentence, one.target, admitted.problems)


def test_a_prompt_is_what_the_model_will_read_of_such_a_brief(made: list[tuple[home.Lesson, Brief]]) -> None:
    for one, brief in made:
        assert CommandForm().reads(Prompt("replan", (), brief=brief)) == one.prompt
        assert one.prompt.startswith("<command>") and one.prompt.endswith("<do>")


def test_lessons_can_be_read_and_written_whole(made: list[tuple[home.Lesson, Brief]]) -> None:
    words = Tokenizer.load(Path(sayso.models.pocket.__file__).parent / "weights" / "vocab.txt")
    for one, _ in made:
        assert len(words.read(one.prompt)) <= 320, one
        written = words.write(one.target)
        assert len(written) <= 160 and words.text(written) == plan(one.target), one


def test_the_guide_lets_every_target_pass(made: list[tuple[home.Lesson, Brief]]) -> None:
    for one, brief in made[:60]:
        guide = PlanConstraint(placed(brief.skills, brief.knowledge))
        assert all(guide.take(letter) for letter in plan(one.target)), one
        assert guide.may_end


def test_the_skills_are_those_of_the_robot() -> None:
    world = make("home", setup={"people": []})
    real = service_skills(world.robot, world.perception, None, lambda text: None)  # type: ignore[arg-type]
    assert service_set().describe() == CommandForm().taught(real).describe()


def test_a_robot_with_eight_primitives_is_told_apart_and_uses_no_more(made: list[tuple[home.Lesson, Brief]]) -> None:
    few = [(one, brief) for one, brief in made if "<memory>eight/" in one.prompt]
    assert len(few) > 10
    assert all(len(brief.skills) == len(eight_set()) for _, brief in few)
    assert with_eight("_1=ak('Where to?');mt(_1)") == "sp('Where to?');->False"
    assert with_eight("mt('sink');lo('cup');gr('cup');pl('sink')") == "mt('sink');lo('cup');gr('cup');pt('sink')"


def test_training_sees_no_structure_and_no_frame_that_is_held_out(made: list[tuple[home.Lesson, Brief]]) -> None:
    held = {f.id for f in everything() if f.held_out} | set(held_structures())
    assert len(held_structures()) >= 6
    for one, _ in made:
        assert bool(held & set(one.frames)) == (one.held == "frame") or one.held, one
        assert not held & set(one.frames) or one.held, one
    assert 0.2 < sum(one.held == "frame" for one, _ in made) / N < 0.4


def test_frames_of_own_wording_are_not_near_to_what_the_robot_is_measured_with() -> None:
    """What was written for measuring must not come in by another name; a few words that everybody says may."""
    files = [f for f in FOLDER.glob("home_*.toml") if any(part in f.stem for part in ("wide", "joined", "talk"))]
    lines = [
        (name, line)
        for file in files
        for name, kinds in tomllib.loads(file.read_text("utf-8")).items()
        if name not in ("home.clause", "home.shell", "home.chatter") and not name.startswith("home.words.")
        for kind, text in kinds.items()
        if kind != "plan"
        for line in text.strip().splitlines()
    ]
    assert len(lines) > 1500
    assert not [line for line in lines if mimics(line[1])]
    assert mimics("{name} over by the {spot} has lost track again, {name.he} needs to hear which day we've got today")


def test_there_are_many_ways_of_saying_and_all_intents_come() -> None:
    own = [name for name in tables() if name.startswith("home.")]
    lines = [f for name in own for kind in ("orders", "sentences") for f in frames(name, kind)]
    assert len(lines) > 1000
    intents = Counter(home_lesson(9, n, 0.0).intent.removeprefix("home.") for n in range(2500))
    assert {e["id"] for e in home.service_commands.frames()} <= set(intents)
    assert {f"refuse.{kind}" for kind in home.REFUSED} <= set(intents)
    mends = sum(n for intent, n in intents.items() if intent.startswith("mend."))
    assert 0.04 < mends / 2500 < 0.14


def test_the_same_words_in_the_same_home_mean_the_same(made: list[tuple[home.Lesson, Brief]]) -> None:
    meant: dict[str, set[str]] = defaultdict(set)
    for one, _ in made:
        meant[one.prompt].add(one.target)
    assert [said for said, plans in meant.items() if len(plans) > 1] == []


def test_names_come_from_homes_that_are_not_ours_too(made: list[tuple[home.Lesson, Brief]]) -> None:
    ours = [brief.knowledge["places"] == shipped().data["places"] for _, brief in made]
    assert 0.5 < sum(ours) / N < 0.75
    usual = {c["name"]: c["place"] for c in knowledge(FLAT)["categories"]}
    moved = [c for _, b in made for c in b.knowledge["categories"] if c["place"] != usual.get(c["name"])]
    assert len(moved) > 500


def test_what_is_refused_moves_nothing(made: list[tuple[home.Lesson, Brief]]) -> None:
    refused = [one for one, _ in made if one.intent.startswith("home.refuse")]
    assert len(refused) > 50
    assert all(re.fullmatch(r"sp\('[^']+'\);->False<end>", one.target) for one in refused)


def test_a_lesson_is_quickly_made() -> None:
    began_s = time.process_time()
    for n in range(100):
        home_lesson(11, n)
    assert (time.process_time() - began_s) / 100 < 1e6 * call_s()  # a tenth of that is usual


# The short form and its guide


def test_a_place_that_does_not_exist_cannot_be_written() -> None:
    skills = placed(service_set(), shipped().data)

    def writable(plan: str) -> bool:
        guide = PlanConstraint(skills)
        return all(guide.take(letter) for letter in plan) and guide.may_end

    assert writable("mt('dining table');_1=ak('Where to?');mt(_1);pl('initial location')")
    assert not writable("mt('garage')")
    assert not writable("mt('robert')")
    assert not writable("_1=ct('people','initial location')")


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("bring me a cola from the sofa", ["cola=coke drinks at counter", "sofa=couch in living room"]),
        ("meet mary in the kithcen", ["mary female", "kithcen=kitchen room"]),
        ("some juice", ["juice=grape juice drinks at counter", "juice=orange juice drinks at counter"]),
        ("the dinnig table", ["dinnig table=dining table in dining room"]),
        ("a fruit", ["fruit=fruits at bookcase:apple,orange,paprika,banana"]),
        ("go to the place where people wait", []),
        ("", []),
    ],
)
def test_what_is_known_of_the_names_in_a_wish(wish: str, told: list[str]) -> None:
    assert matches(wish, knowledge(FLAT)) == told


def test_a_command_in_short() -> None:
    looked = ("counter", "sink", "dishwasher", "storage table", "cupboard")
    lost = Ran("look_for_obj", (), "failed", "found no coke", code=NOT_FOUND, about=looked)
    tried = Attempt("mt('counter');lo('coke')", (Ran("move_to"), lost), "")
    why = "found no coke: looked at the counter, sink, dishwasher, storage table and cupboard"
    tried = Attempt(tried.plan, tried.ran, why)
    brief = Brief("Bring me a Coke!", service_set(), history=(tried,), failure=why, knowledge=shipped().data)
    text = CommandForm().reads(Prompt("replan", (), brief=brief))
    assert text.startswith(
        "<command>bring me a coke<tried>mt('counter');lo('coke')<ran>move_to look_for_obj!<failed>found no coke: looked"
    )
    assert "<memory>left bedroom,dining room,living room/coke drinks at counter/bedroom:bed,side table;" in text
    assert text.endswith("fruits bookcase;snacks dining table<do>")
    assert unseen("side table, end table", knowledge(FLAT)) == ["dining room", "kitchen"]
