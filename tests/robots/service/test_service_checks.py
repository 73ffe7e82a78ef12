"""The suite's checks of itself, a few of each: what they find right, what they refuse, how a run is gone on with."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest
from rich.console import Console

from sayso.errors import UsageError
from sayso.parts import Model, Planner
from sayso.planners.sequence import Sequence
from sayso.robots.service.admit import admit
from sayso.robots.service.prompt import sequence_prompt
from sayso.robots.service.suite.check import WAYS, corruption, household, mutants, mutated, references
from sayso.robots.service.suite.commands import Command, commands, read_commands
from sayso.robots.service.suite.episode import carry_out, carry_out_plan, double
from sayso.robots.service.suite.run import run_check, run_write


def test_mutants_are_wrong_in_one_point_and_often_to_be_had() -> None:
    some = [(one, mutated(one, random.Random(one.id))) for one in commands(200, seed=5)]
    found = [(one, mutant) for one, mutant in some if mutant]
    assert len(found) > 180 and {mutant.way for _, mutant in found} == set(WAYS)
    known = household()
    assert all(mutant.plan != one.plan and admit(mutant.plan, known).plan for one, mutant in found)


def test_the_judge_refuses_mutants_and_takes_references() -> None:
    wrong = list(mutants(range(12)))
    assert len(wrong) >= 10 and all(row["ok"] for row in wrong), wrong
    right = list(references(range(9)))
    assert [row["ok"] for row in right] == [True] * 9, right


@pytest.mark.parametrize("number", [94, 157, 219, 229, 294])
def test_robot_and_people_do_not_lose_each_other(number: int) -> None:
    """Round a table, through two doors, out of sight, with others in the way."""
    (row,) = references([number])
    assert row["ok"], row


def test_answers_spoiled_at_thirty_percent_are_asked_again_and_never_run() -> None:
    rows = list(corruption(range(1000)))
    assert sum(row["spoiled"] for row in rows) > 300
    assert not any(row["inadmissible"] for row in rows)
    assert sum(row["ok"] for row in rows) >= 995


def test_a_run_goes_on_where_it_was_left(tmp_path: Path) -> None:
    file, told = tmp_path / "rows.jsonl", io.StringIO()
    console = Console(file=told, width=200)
    assert run_check(console, "corruption", 5, 0, str(file)) == 0
    first = file.read_text("utf-8")
    assert run_check(console, "corruption", 8, 0, str(file)) == 0
    assert file.read_text("utf-8").startswith(first)
    assert [json.loads(line)["i"] for line in file.read_text("utf-8").splitlines()] == list(range(8))
    assert "corruption: 8 of 8 as they should be" in told.getvalue()
    with pytest.raises(UsageError, match="no check 'miracles'"):
        run_check(console, "miracles", 1, 0, "")


def test_commands_are_written(tmp_path: Path) -> None:
    file = tmp_path / "commands.jsonl"
    assert run_write(Console(file=io.StringIO()), 6, 3, str(file)) == 0
    assert read_commands(file) == list(commands(6, seed=3))
    with pytest.raises(UsageError, match="--json"):
        run_write(Console(file=io.StringIO()), 6, 3, "")


# The six examples that the paper shows, in other words. It could not do the last two.


def example(text: str, plan: str, *goals: str, **setup: object) -> Command:
    return Command(text, "example", "direct", "ABC", "example", text, plan, goals, {"people": [], **setup})


FRANCIS = {"name": "Francis", "place": "end table"}
ALEX = {"name": "Alex", "place": "kitchen"}
WAVES = {"name": "Mary", "place": "corridor", "gesture": "waving", "asks": ["Who wrote Hamlet?"]}
OTHER = {"name": "John", "place": "bedroom", "gesture": ""}
EXAMPLES = [
    example(
        "Francis is at the end table; please show him to the bed",
        "mt('end table');lp('Francis');sp('Please follow me!');mt('bed')",
        "guided('Francis', 'bed')", people=[FRANCIS],
    ),
    example(
        "the cereal belongs on the end table",
        "mt('cupboard');lo('cereal');gr('cereal');mt('end table');pl('end table')",
        "placed('cereal', 'end table')",
    ),
    example(
        "Alex should come back here with you",
        "_1=ak('Where can I find Alex?');mt(_1);lp('Alex');sp('Please follow me!');mt('initial location')",
        "guided('Alex', 'operator')", people=[ALEX],
        operator={"answers": [{"when": ["where"], "say": "In the kitchen."}]},
    ),
    example(
        "somebody waves in the corridor and wants to know something",
        "mt('corridor');lp('person waving');an('question')",
        "heard('Mary', 'shakespeare')", people=[WAVES, OTHER],
    ),
    example(
        "is it a man or a woman who stands at the exit",
        "mt('exit');lp('person');_1=pi('gender');mt('initial location');lp('me');sp('The person is '+_1)",
        "heard('operator', 'female')", people=[{"name": "Linda", "place": "exit"}],
    ),
    example(
        "on the counter something lies on top of the potato chips; I want it",
        "mt('counter');lo('object on top of the potato chips');gr('it');pt('me')",
        "given('apple', 'operator')", objects={"potato chips": "counter", "apple": {"on": "potato chips"}},
    ),
]  # fmt: skip


def sequence(model: Model) -> Planner:
    return Sequence(model, sequence_prompt, admit, replans=0)


@pytest.mark.parametrize("one", EXAMPLES, ids=lambda one: one.text[:24])
def test_the_papers_six_examples_are_carried_out(one: Command) -> None:
    done = carry_out(one, double(one), sequence, 2)
    assert done.ended.outcome == "achieved", done.ended.reason
    assert not done.missed


def test_what_lies_on_top_is_told_by_the_relation_alone() -> None:
    last = EXAMPLES[-1]
    tell = "mt('counter');_1=oi('on top of','potato chips');mt('initial location');lp('me');sp('It is the '+_1)"
    one = example("what is on top of the chips", tell, "heard('operator', 'apple')", objects=last.setup["objects"])
    assert not carry_out_plan(one, one.plan, 2).missed


def test_without_the_relation_the_sixth_is_not_done() -> None:
    last = EXAMPLES[-1]
    assert carry_out_plan(last, "mt('counter');lo('potato chips');gr('it');pt('me')", 2).missed
