"""`sayso chat`: wish after wish with one robot, each seeing what came before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from cli_runner import Home, Terminal

from sayso.events import Event, MissionEnded, MissionStarted, Prompted
from sayso.memory.journal import Journal
from sayso.planners.reflex import urgent
from sayso.wish import Wish


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_a_conversation_goes_on_where_it_was(home: Home) -> None:
    ran = home.sayso(
        "chat", "--planner", "reflex", "--scene", "tour", stdin=b"go to the chair\ntake a picture of it\nquit\n"
    )
    assert ran.code == 0 and ran.out.count("achieved") == 2 and ran.out.rstrip().endswith("landed")
    assert home.missions() == 2
    assert "the replay ended the same" in home.sayso("replay").out, "a replay knows what `it` was"


def test_go_back_goes_to_where_the_conversation_began(home: Home) -> None:
    """G46"""
    ran = home.sayso("chat", "--planner", "reflex", "--scene", "tour", stdin=b"go forward 1 metre\ngo back\ngo back\n")
    assert ran.code == 0 and ran.out.count("achieved") == 3
    assert ran.out.count("I am back already.") == 1
    assert "the replay ended the same" in home.sayso("replay").out, "a replay knows where home was"


def test_the_model_is_told_what_was_said_and_done_before(home: Home) -> None:
    answers = {"plan": ["tc(90);l('to the right')", "tu(90)"]}
    model = f"scripted:{home.file('answers.json', answers)}"
    ran = home.sayso("chat", "-m", model, "--planner", "stream", stdin=b"turn right\nand back again\n")
    assert ran.code == 0 and ran.out.count("achieved") == 2
    (asked,) = [e for e in home.events() if isinstance(e, Prompted)]
    told = asked.messages[-1][1]
    assert "Earlier in this conversation:" in told
    assert all(words in told for words in ("wish: turn right", "turn_cw: done", "said: ", "to the right"))
    assert "the replay ended the same" in home.sayso("replay").out


def test_a_wish_that_is_not_understood_ends_nothing(home: Home) -> None:
    ran = home.sayso("chat", "--planner", "reflex", stdin=b"order a pizza\n\nturn left\n")
    assert ran.code == 0 and "refused" in ran.out and "achieved" in ran.out


def test_ctrl_c_stops_the_robot_and_the_talk_goes_on(home: Home) -> None:
    talk = Terminal(home, "chat", "--planner", "reflex", "--pace", "4")
    talk.see("> ")
    talk.type("wait 50 seconds\n")
    talk.see("delay(50)")
    talk.type("\x03")
    talk.see("release lets it go on")
    talk.type("turn left\n")
    talk.see("stopped by key; a person has to release it")
    talk.type("release\n")
    talk.type("turn left\n")
    talk.see("achieved")
    talk.type("quit\n")
    assert talk.end() == 0
    assert home.missions() == 3


def test_the_next_wish_points_back_to_the_one_before(home: Home) -> None:
    """G56"""
    typed = b"turn left 30 degrees\nonce more, but 20 cm higher\ngo to the chair\nand the table\n"
    ran = home.sayso("chat", "--planner", "reflex", "--scene", "tour", stdin=typed)
    assert ran.code == 0 and ran.out.count("achieved") == 4
    with Journal(home.journal) as journal:
        asked = [started(journal.events(row.id)) for row in journal.missions()]
    assert [a.instruction for a in asked] == [line.decode() for line in typed.splitlines()], "on record as it was said"
    assert [e["wish"] for e in asked[-1].setup["earlier"]][1:] == [
        "go 20 cm higher, then turn left 30 degrees",
        "go to the chair",
    ]


def test_one_of_several_is_still_meant_by_the_next_wish(home: Home) -> None:
    """G56"""
    typed = b"go to the left chair\ntake a picture of it\n"
    ran = home.sayso("chat", "--planner", "reflex", "--scene", "task06", stdin=typed)
    assert ran.code == 0 and "I went to the leftmost chair." in ran.out
    assert ran.out.count("picture") > 1 and "stumbled" not in ran.out


@pytest.mark.parametrize("word", ["hold it", "land it", "land it now", "put it down"])
def test_words_that_stop_stay_what_they_are_in_a_conversation(home: Home, word: str) -> None:
    """G56"""
    ran = home.sayso("chat", "--planner", "reflex", "--scene", "tour", stdin=f"go to the chair\n{word}\n".encode())
    assert ran.code == 0 and urgent(word)
    with Journal(home.journal) as journal:
        *_, end = journal.events(journal.missions()[-1].id)
    assert isinstance(end, MissionEnded) and end.outcome == "achieved", "and is not refused as a wish about the chair"


ASKS = "l('Left or right?');->False"


def test_the_next_line_answers_what_was_asked(home: Home) -> None:
    answers = {"plan": [ASKS, "tu(90)", ASKS, "mu(50)"]}
    model = f"scripted:{home.file('answers.json', answers)}"
    typed = b"turn for me please\nleft\nturn for me please\nstop\n"
    ran = home.sayso("chat", "-m", model, "--planner", "stream", stdin=typed)
    assert ran.code == 0 and ran.out.count("your answer> ") == 2 and ran.out.count("asked: Left or right?") == 2
    turned, stopped = (wishes(home)[n] for n in (1, 3))
    assert turned == Wish("turn for me please").answered("Left or right?", "left")
    assert stopped == Wish("stop"), "it is obeyed, and answers nothing"


def test_what_is_plainly_a_new_wish_answers_nothing(home: Home) -> None:
    model = f"scripted:{home.file('answers.json', {'plan': [ASKS, 'mu(50)']})}"
    ran = home.sayso("chat", "-m", model, "--planner", "stream", stdin=b"turn for me please\nfly higher by 50 cm\n")
    assert ran.code == 0 and wishes(home)[-1] == Wish("fly higher by 50 cm")


def wishes(home: Home) -> list[Wish]:
    with Journal(home.journal) as journal:
        return [started(journal.events(row.id)).wish for row in journal.missions()]


def started(events: Sequence[Event]) -> MissionStarted:
    first = events[0]
    assert isinstance(first, MissionStarted)
    return first
