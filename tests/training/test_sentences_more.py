"""The hand-written sentences for the service robot, the warehouse robot and the rescue drone.

Each names what it means in the form that a suite judges by: a command's goals and world, a warehouse task, a mission.
So this shows that the meanings exist, that doing nothing meets none, and that no generator wrote the words.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from nearness import likeness
from training_path import TRAINING

sys.path.append(str(Path(__file__).parents[1] / "robots" / "warehouse"))
from played import judged, oracle_states

from sayso.bench.judge import TruthRecorder
from sayso.errors import UsageError
from sayso.goal import Pred, Which
from sayso.goals.clauses import preds
from sayso.goals.text import parse
from sayso.robots.aircraft.mission import read_mission
from sayso.robots.aircraft.operator_wish import Grounds
from sayso.robots.aircraft.search.lost import categories
from sayso.robots.aircraft.search.terrain import KINDS
from sayso.robots.aircraft.search.wish import SearchWish
from sayso.robots.aircraft.suite.episode import missions
from sayso.robots.aircraft.world.scene import read_scene, scene_names
from sayso.robots.service.prompt import GUIDANCE
from sayso.robots.service.suite.commands import CATEGORIES, Command, commands, frames
from sayso.robots.service.suite.draw import CHOICES, flat, kinds, place_rooms, rooms
from sayso.robots.service.world import FLAT
from sayso.robots.warehouse.suite.episode import told
from sayso.robots.warehouse.suite.goal import first_state, task, tasks
from sayso.robots.warehouse.world import STORE
from sayso.world import Real
from sayso.worlds.indoor.place import IndoorTruth, Somebody
from sayso.worlds.indoor.rooms import _map
from sayso.worlds.indoor.scene import knowledge, read_flat
from sayso.worlds.indoor.setup import Layout, lay_out

Row = Mapping[str, Any]

DIGITS = re.compile(r"(\d+)$")
PLEASE = re.compile(
    r"\b(please|thank you|thanks|could you|would you|can you|hey robot|robot|i would like you to|kindly)\b"
)
LIKE_MAX = 0.85
GOALS_WITH_PLACES = ("placed", "guided")


def read(name: str) -> list[Row]:
    lines = (TRAINING / "sentences" / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


HOME, WAREHOUSE, RESCUE = read("home"), read("warehouse"), read("rescue")
DONE = [r for r in HOME if r["category"] != "refuse"]


def words(said: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", PLEASE.sub(" ", said.lower().replace("'", ""))))


@cache
def trigrams(said: str) -> frozenset[str]:
    padded = f"  {words(said)}  "
    return frozenset(padded[i : i + 3] for i in range(len(padded) - 2))


def alike(one: str, other: str) -> float:
    a, b = trigrams(one), trigrams(other)
    return 2 * len(a & b) / (len(a) + len(b))


def rebuilt(row: Row) -> Command:
    """The command that a line of `home.jsonl` is, for `bench.service` to carry out and judge."""
    goal = {**row["goal"], "goals": tuple(row["goal"]["goals"])}
    return Command(id=row["id"], category=row["category"], text=row["say"], **goal)


# All three


@pytest.mark.parametrize("rows", [HOME, WAREHOUSE, RESCUE], ids=["home", "warehouse", "rescue"])
def test_ids_and_sentences_are_unique_and_numbered_from_one(rows: Sequence[Row]) -> None:
    """Even numbers may be looked at while lessons are made better, odd ones never: both must be there in every part."""
    assert len({r["id"] for r in rows}) == len({words(r["say"]) or r["say"] for r in rows}) == len(rows)
    assert all(r["by"] and r["say"].strip() == r["say"] != "" for r in rows)
    groups: dict[str, list[int]] = {}
    for r in rows:
        number = DIGITS.search(r["id"])
        assert number, r["id"]
        groups.setdefault(r["id"][: number.start()], []).append(int(number[1]))
    assert all(sorted(numbers) == list(range(1, len(numbers) + 1)) for numbers in groups.values())


@pytest.mark.parametrize("rows", [HOME, WAREHOUSE, RESCUE], ids=["home", "warehouse", "rescue"])
def test_many_people_speak_and_none_repeats_another(rows: Sequence[Row]) -> None:
    assert len({r["by"] for r in rows}) >= 20
    assert max(Counter(r["by"] for r in rows).values()) <= 0.2 * len(rows)
    long = [r for r in rows if len(words(r["say"])) > 25]
    for one, other in itertools.combinations(long, 2):
        assert alike(one["say"], other["say"]) < LIKE_MAX, (one["say"], other["say"])


# The home


def test_the_nine_categories_come_evenly() -> None:
    counted = Counter(r["category"] for r in HOME)
    assert {counted[c] for c in CATEGORIES} == {36}
    assert counted["refuse"] == 30
    assert {r["goal"]["frame"] for r in DONE} == {f["id"] for f in frames()}
    by_frame: dict[str, set[int]] = {}
    for r in DONE:
        by_frame.setdefault(r["goal"]["frame"], set()).add(int(r["id"][-2:]) % 2)
    assert all(halves == {0, 1} for halves in by_frame.values())


def test_a_line_is_a_command() -> None:
    meant = {f["id"]: f for f in frames()}
    for row in DONE:
        one = rebuilt(row)
        frame = meant[one.frame]
        assert (one.category, one.takes, one.kinds) == (frame["category"], frame["takes"], frame["kinds"]), one.id
        assert one.goals
        assert one.plan
        assert "{" not in one.plan or one.frame == "say-times", one.id


def test_what_cannot_be_done_asks_for_nothing() -> None:
    for row in HOME:
        assert ("expect" in row) == (row["category"] == "refuse"), row["id"]
    refused = [r for r in HOME if r["category"] == "refuse"]
    assert Counter(r["expect"] for r in refused).keys() == {"refuse", "ask"}
    assert all(rebuilt(r).goals == () for r in refused)


def layout(one: Command) -> Layout:
    for seed in range(3, 9):
        try:
            return lay_out(flat(), _ground(), one.setup, seed)
        except UsageError as error:
            last = error
    raise last


@cache
def _ground() -> Any:
    return _map(flat())


def beginning(one: Command) -> IndoorTruth:
    """What a judge is told of the home before anything has happened, from the layout alone."""
    home, laid = flat(), layout(one)
    start = laid.robot
    return IndoorTruth(
        pose=start,
        room=home.room_of(start.x_m, start.y_m),
        people={p.name: Somebody(label=p.name, pose=p.pose, room=home.room_of(p.pose.x_m, p.pose.y_m))
                for p in laid.people},
        things={
            i.id: Real(
                label=i.label, category=i.kind["category"], on=i.on, place=i.on, pose=i.at,
                room=home.room_of(i.at.x_m, i.at.y_m),
            )
            for i in laid.things
        },
        closed=frozenset(laid.closed),
    )  # fmt: skip


def test_doing_nothing_meets_no_goal() -> None:
    """Only whoever is to be followed and brought back is already where they are to end."""
    for row in DONE:
        one = rebuilt(row)
        witness = TruthRecorder(lambda one=one: beginning(one), CHOICES)  # type: ignore[misc]
        met = [goal for goal in one.goals if witness.verdict(goal).truth]
        holds = [goal for goal in met if not goal.startswith("not ")]
        led = [goal for goal in one.goals if goal.startswith("followed(")]
        assert len(met) < len(one.goals), one.id
        assert not holds or led, (one.id, holds)


def wanted(row: Row) -> list[Pred]:
    return [pred for goal in row["goal"]["goals"] for pred in preds(parse(goal))]


def named(pred: Pred, n: int) -> str:
    which = pred.args[n]
    assert isinstance(which, Which)
    return which.kind


def test_every_place_in_a_goal_exists() -> None:
    known = {*rooms(), *place_rooms(), "taxi", "street"}
    for row in DONE:
        people = {"operator", *(p["name"] for p in row["goal"]["setup"]["people"])}
        for pred in wanted(row):
            if pred.name in GOALS_WITH_PLACES:
                assert named(pred, 1) in (known | people if pred.name == "guided" else known), (row["id"], pred)


def test_people_who_are_spoken_of_are_there() -> None:
    names = {*knowledge(FLAT)["people"]["male"], *knowledge(FLAT)["people"]["female"]}
    for row in DONE:
        spoken = {name for name in names if re.search(rf"\b{name.lower()}s?\b", row["say"].lower())}
        assert spoken <= {p["name"] for p in row["goal"]["setup"]["people"]}, row["id"]


def test_the_thing_that_is_meant_can_be_heard() -> None:
    """A goal's thing is named or described; where neither is so, the frame leaves it out on purpose."""
    left_out = {"bring-what", "on-top", "beside", "leftmost", "best", "colour", "clean", "what-on-top", "best-told"}
    for row in DONE:
        held = [named(pred, 0) for pred in wanted(row) if pred.name in ("given", "placed", "at")]
        for thing in set(held) & set(kinds()) if row["goal"]["frame"] not in left_out else ():
            other = [thing, *kinds()[thing]["aliases"]]
            assert any(name in row["say"].lower() for name in other), (row["id"], thing)


def test_no_generator_wrote_them() -> None:
    generated = {words(c.text) for seed in (0, 1) for c in commands(1000, seed)}
    known = sorted(generated | {words(example.task) for example in GUIDANCE.examples})
    assert len(generated) > 1500
    assert not {words(row["say"]) for row in HOME} & {*known}
    like = likeness([trigrams(row["say"]) for row in HOME], [trigrams(text) for text in known]).max(axis=1)
    assert like.max() < LIKE_MAX, HOME[int(like.argmax())]


# The warehouse


def test_a_hundred_a_level_and_every_task_several_times() -> None:
    asked = [r for r in WAREHOUSE if r["task"]]
    assert {n: sum(r["level"] == n for r in asked) for n in (1, 2, 3, 4)} == {1: 100, 2: 100, 3: 100, 4: 100}
    counted = Counter(r["task"] for r in asked)
    assert set(counted) == {t.id for t in tasks()}
    assert min(counted.values()) >= 5
    assert all(task(r["task"]).level == r["level"] for r in asked)
    for id_ in counted:
        assert {int(r["id"][-3:]) % 2 for r in asked if r["task"] == id_} == {0, 1}, id_


def test_what_is_no_task_is_to_be_given_up() -> None:
    none = [r for r in WAREHOUSE if not r["task"]]
    assert len(none) == 20
    assert all(r["expect"] == "give_up" and r["world"] == "store" for r in none)
    assert not any("expect" in r for r in WAREHOUSE if r["task"])


def test_the_goals_are_open_at_first_and_can_be_met() -> None:
    for id_ in {r["task"] for r in WAREHOUSE if r["task"]}:
        one = task(id_)
        first = first_state(one, read_flat(one.world, STORE).stock)
        assert not judged(one, [first, first]).success, id_
        assert judged(one, oracle_states(one, first), robot_at=one.robot_at).success, id_


def test_a_list_that_is_spoken_of_is_told() -> None:
    for row in WAREHOUSE:
        if row["task"] in ("R-04", "R-05"):
            heard = told(replace(task(row["task"]), instruction=row["say"])).lower()
            assert all(word in heard for word in ("apple", "storage rack", "coke", "basket")), row["id"]


def test_none_is_an_instruction_of_the_suite() -> None:
    known = {words(t.instruction) for t in tasks()}
    for row in WAREHOUSE:
        assert words(row["say"]) not in known, row["say"]
        assert max(alike(row["say"], other) for other in known) < LIKE_MAX, row["say"]


# The rescue


def grounds(row: Row) -> Grounds:
    return Grounds(tuple(row["places"]), KINDS, categories())


def wish(row: Row, key: str = "mission") -> SearchWish:
    return read_mission(json.dumps(row[key]), "", grounds(row))


def test_searches_changes_and_what_is_none() -> None:
    kinds_of = Counter(r["id"].split("-")[0] for r in RESCUE)
    assert kinds_of == {"search": 50, "change": 15, "none": 15}
    for row in RESCUE:
        assert (row["mission"] is None) == row["id"].startswith("none"), row["id"]
        assert ("running" in row) == row["id"].startswith("change"), row["id"]


def test_every_mission_is_read_as_it_is_written() -> None:
    """Nothing of it is lost: each place exists under just this name, each number and word is within its bounds."""
    for row in RESCUE:
        for key in ("running", "mission"):
            if not row.get(key):
                continue
            said, got = row[key], wish(row, key)
            assert tuple(said["areas"]) == got.areas, row["id"]
            assert tuple(said["not_in"]) == got.avoid, row["id"]
            assert tuple(said["on_find"]) == got.on_find, row["id"]
            assert [_told(s) for s in said["objects"]] == [_got(s) for s in got.sought], row["id"]


FACTS = ("label", "colour", "size", "moves", "toward", "seen", "ago", "category")


def _told(entry: Row) -> tuple[Any, ...]:
    assert set(entry) <= set(FACTS), entry
    usual = {"size": None, "ago": None, "moves": "unknown"}
    return tuple(entry.get(name, usual.get(name, "")) for name in FACTS)


def _got(s: Any) -> tuple[Any, ...]:
    ago_min = None if s.seen_ago_s is None else s.seen_ago_s / 60
    return (s.label, s.colour, s.size_m, s.mobility, s.toward, s.seen_at, ago_min, s.category)


def test_a_change_changes_something() -> None:
    for row in RESCUE:
        if row.get("running"):
            assert wish(row, "running") != wish(row), row["id"]


def test_scenes_and_their_places_are_those_of_the_world() -> None:
    assert {r["scene"] for r in RESCUE} - {""} <= set(scene_names())
    for row in RESCUE:
        if row["scene"]:
            assert sorted(row["places"]) == sorted(read_scene(row["scene"]).terrain.named), row["id"]
    assert sum(not r["scene"] for r in RESCUE) >= 20


def test_none_is_a_sentence_of_the_rescue_suite() -> None:
    known = {words(m.says) for m in missions()} | {words(read_scene(s).instruction) for s in scene_names()}
    for row in RESCUE:
        assert words(row["say"]) not in known, row["say"]
        assert max(alike(row["say"], m.says) for m in missions()) < LIKE_MAX, row["say"]
