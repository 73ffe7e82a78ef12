"""`sayso memory`: what was seen on missions, asked for, corrected and deleted by a person."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import Home

from sayso.events import Prompted, TaskEnded
from sayso.memory.journal import Journal


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A person who has flown one mission, which saw the lunch table."""
    home = Home(tmp_path_factory.mktemp("memory"))
    ran = home.sayso("run", "take off, turn left 90 degrees, do you see an apple?", "--planner", "reflex")
    assert ran.code == 0, ran.out + ran.err
    return home


def things(home: Home, *words: str) -> list[dict[str, object]]:
    ran = home.sayso("memory", *words, "--json")
    assert len(ran.out.splitlines()) == 1
    found: list[dict[str, object]] = json.loads(ran.out)
    return found


def test_alone_it_says_what_there_is(home: Home) -> None:
    assert home.sayso("memory").out == home.sayso("memory", "list").out
    assert home.sayso("memory", "--journal", str(home.journal)).code == 0
    assert "Usage: sayso memory" in home.sayso("memory", "--help").out


def test_list_shows_what_was_seen(home: Home) -> None:
    table = home.sayso("memory", "list")
    assert table.code == 0 and table.out.splitlines()[0].split()[:3] == ["id", "thing", "like"]
    assert "office/tour" in table.out and "apple" in table.out and "just now" in table.out
    labels = [t["label"] for t in things(home, "list")]
    assert {"apple", "banana", "coke", "chair"} <= {*labels} and labels.count("apple") == 1
    assert things(home, "list", "--stale") == [] == things(home, "list", "--place", "the moon")


def test_where_answers_or_says_that_it_cannot(home: Home) -> None:
    ran = home.sayso("memory", "where", "the", "red", "apple")
    assert ran.code == 0 and len(ran.out.splitlines()) == 1
    assert "office/tour: apple (red), last seen just now" in ran.out and "with banana" in ran.out
    assert things(home, "where", "aple")[0]["why"] == "spelling"
    assert [t["label"] for t in things(home, "where", "cola", "--map", "office/tour")] == ["coke"]
    assert len(things(home, "where", "fruit", "--top", "1")) == 1
    nothing = home.sayso("memory", "where", "unicorn")
    assert nothing.code == 1 and "nothing of that kind" in nothing.out
    assert home.sayso("memory", "where", "unicorn", "--json").out == "[]\n"
    nearest = home.sayso("memory", "where", "somewhere to sit").out.splitlines()
    assert nearest[0].endswith("closest:") and " chair " in nearest[1]
    assert home.sayso("memory", "where", "green apple").out.startswith("nothing is called 'green apple'; closest:\n")
    wrong = home.sayso("memory", "where", "apple", "--map", "mars")
    assert wrong.code == 2 and "there are office/tour" in wrong.err


def test_a_person_corrects_and_deletes(home: Home) -> None:
    (bottle,) = things(home, "where", "bottle")
    number = str(bottle["id"])
    ran = home.sayso("memory", "correct", number, "--name", "vase", "--like", "color=blue", "--place", "shelf")
    assert ran.code == 0 and "vase (blue)" in ran.out and "at shelf" in ran.out
    assert [t["id"] for t in things(home, "where", "blue vase")] == [bottle["id"]]
    assert [t["id"] for t in things(home, "list", "--place", "shelf")] == [bottle["id"]]
    assert "no longer there" in home.sayso("memory", "correct", number, "--gone").out
    assert [t["id"] for t in things(home, "list", "--stale")] == [bottle["id"]]
    assert "no longer" not in home.sayso("memory", "correct", number, "--there").out
    gone = home.sayso("memory", "forget", number)
    assert gone.code == 0 and "forgotten: office/tour: vase" in gone.out
    assert things(home, "where", "vase") == []
    with Journal(home.journal) as journal:
        assert len(journal.missions()) == 1, "what the journal has of the mission stays"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["correct", "9999", "--name", "x"], "no thing 9999"),
        (["forget", "9999"], "no thing 9999"),
        (["correct", "1"], "say what is right"),
        (["correct", "1", "--like", "red"], "KEY=VALUE"),
        (["correct", "1", "--gone", "--there"], "exclude each other"),
        (["correct", "one"], "valid integer"),
        (["where"], "Missing argument"),
    ],
)
def test_wrong_usage_is_told(home: Home, words: list[str], complaint: str) -> None:
    ran = home.sayso("memory", *words)
    assert ran.code == 2 and complaint in ran.err and ran.out == ""


def test_export_takes_everything_along_and_overwrites_nothing(home: Home) -> None:
    (lab,) = json.loads(home.sayso("memory", "export").out)["maps"]
    assert lab["map"] == "office/tour" and lab["grid"]["cell_m"] == 0.1
    apple = next(t for t in lab["things"] if t["label"] == "apple")
    assert [turn["what"] for turn in apple["history"]] == ["seen"]
    target = home.folder / "memory.json"
    assert home.sayso("memory", "export", str(target)).code == 0
    before = target.read_bytes()
    again = home.sayso("memory", "export", str(target))
    assert again.code == 2 and "exists" in again.err and target.read_bytes() == before


def test_the_next_mission_recalls_and_its_replay_goes_the_same_way(home: Home) -> None:
    plan = home.file("plan.json", {"plan": ["g('apple')"], "replan": ["->False"]})
    ran = home.sayso("run", "go to the apple", "--model", f"scripted:{plan}", "--json")
    assert ran.json["success"] is True
    asked = next(e for e in home.events() if isinstance(e, Prompted))
    assert "remembered: apple" in asked.messages[1][1]
    replayed = home.sayso("replay")
    assert replayed.code == 0, replayed.err
    forgetful = home.sayso("run", "go to the apple", "--model", f"scripted:{plan}", "--no-memory", "--json")
    assert forgetful.json["success"] is False
    assert any(isinstance(e, TaskEnded) and e.detail == "no apple in view" for e in home.events())
    assert home.sayso("replay").code == 0


def test_nothing_is_remembered_yet_and_a_damaged_file_is_told(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert "nothing is remembered" in home.sayso("memory", "list").out
    assert home.sayso("memory", "where", "apple").code == 1
    home.journal.unlink()
    home.journal.write_bytes(b"no journal" * 99)
    ran = home.sayso("memory", "list")
    assert ran.code == 1 and "not a journal of sayso" in ran.err and home.journal.read_bytes() == b"no journal" * 99
