"""What a stepwise mission has seen: place by place, without what was taken, and with what was looked for in vain."""

from sayso.plugins.steps import Step, StepResult
from sayso.robots.warehouse.errands import Errands
from sayso.robots.warehouse.failures import LOST, NOT_SEEN
from sayso.robots.warehouse.ledger import Goal, goals_of
from sayso.robots.warehouse.names import Table
from sayso.robots.warehouse.notes import Sights, named, sights
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.roles import Brief, Observation, RobotState
from sayso.skill import SkillSet
from sayso.task import Ran

FRUIT = SeenFromHere(
    (("fruit table", ("apple (red)", "apple (green)", "plum (purple)")), ("toy rack", ("duck (yellow)",)))
)
NOTHING = SeenFromHere(())
TASK = Brief("", SkillSet())


def saw(view: SeenFromHere, holding: str = "") -> StepResult:
    """The step was done, and this is seen after it."""
    return StepResult(True, seen=Observation.of(view, state=RobotState(holding=holding)))


def there(sights_: Sights) -> None:
    sights_.hear(Step("go_to", ("fruit table",)), saw(FRUIT))


def test_a_look_is_kept_by_place_and_glimpses_are_added() -> None:
    mine = Sights(Table({}))
    there(mine)
    assert mine.at == "fruit table"
    assert mine.seen == {
        "fruit table": ["apple (red)", "apple (green)", "plum (purple)"],
        "toy rack": ["duck (yellow)"],
    }
    mine.hear(Step("go_to", ("far side of toy rack",)), saw(SeenFromHere((("toy rack", ("shark (grey)",)),))))
    assert mine.at == "toy rack" and mine.seen["toy rack"] == ["shark (grey)"], "who arrives knows better"
    assert mine.seen["fruit table"] == ["apple (red)", "apple (green)", "plum (purple)"]


def test_what_was_taken_is_no_longer_there_though_the_eyes_go_on_telling_of_it() -> None:
    mine = Sights(Table({}))
    there(mine)
    mine.hear(Step("pick_up", ("green apple",)), saw(FRUIT, "apple"))
    assert mine.seen["fruit table"] == ["apple (red)", "plum (purple)"]
    mine.hear(Step("go_to", ("basket",)), saw(NOTHING, "apple"))
    mine.hear(Step("place", ("green apple",)), saw(NOTHING))
    assert mine.put == [("green apple", "basket")]


def test_what_was_reached_for_in_vain_is_not_there_and_a_failed_way_leads_nowhere() -> None:
    mine = Sights(Table({}))
    there(mine)
    in_vain = Ran("pick_up", ("plum",), "failed", "no plum is seen here; seen: apple", code=NOT_SEEN, about=("plum",))
    mine.hear(Step("pick_up", ("plum",)), StepResult(False, (in_vain,), Observation.of(FRUIT)))
    assert mine.seen["fruit table"] == ["apple (red)", "apple (green)"]
    mine.hear(Step("go_to", ("basket",)), StepResult(False, (Ran("go_to", ("basket",), "failed", "lost", code=LOST),)))
    assert mine.at == "" and set(mine.seen) == {"fruit table", "toy rack"}


def test_what_is_told_reads_as_a_line_each() -> None:
    assert [str(b) for b in (FRUIT, NOTHING)] == [
        "seen from here on the fruit table: apple (red), apple (green), plum (purple); on the toy rack: duck (yellow)",
        "seen from here: nothing",
    ]


def test_things_are_found_by_their_place_and_their_words() -> None:
    assert sights(Observation.of(NOTHING)) == {}
    assert sights(Observation.of(FRUIT))["toy rack"] == ["duck (yellow)"]
    assert named("the green apple", "apple (green)") and not named("green apple", "apple (red)")


def test_goals_tell_where_from_and_where_the_robot_is_to_end_up() -> None:
    fetch = [Step("go_to", ("fruit table",)), Step("pick_up", ("apple",)), Step("go_to", ("basket",)),
             Step("place", ("apple",))]  # fmt: skip
    goals = goals_of([*fetch, Step("go_to", ("the entrance",)), Step("done")])
    assert [(g.thing, g.source, g.place) for g in goals] == [("apple", "fruit table", "basket"), ("", "", "entrance")]
    ledger = Errands(TASK)
    ledger.take([*fetch, Step("go_to", ("entrance",)), Step("done")])
    for step in (*fetch, Step("go_to", ("entrance",))):
        assert ledger.open
        ledger.hear(step, StepResult(True))
    assert ledger.open == [] and ledger.met == [Goal("apple", "basket"), Goal("", "entrance")]


def test_a_later_list_is_what_is_left_unless_it_is_the_whole_again() -> None:
    def fetch(thing: str) -> list[Step]:
        return [Step("go_to", ("a",)), Step("pick_up", (thing,)), Step("go_to", ("b",)), Step("place", (thing,))]

    ledger = Errands(TASK)
    ledger.take([*fetch("plum"), *fetch("pear"), Step("done")])
    for step in fetch("plum"):
        ledger.hear(step, StepResult(True))
    ledger.take([*fetch("plum"), *fetch("pear"), *fetch("kiwi"), Step("done")])
    assert [g.thing for g in ledger.open] == ["pear", "kiwi"]
    ledger.take([*fetch("kiwi"), *fetch("fig"), Step("done")])
    assert [g.thing for g in ledger.open] == ["kiwi", "fig"]


def test_done_before_anything_was_done_is_owed_the_task() -> None:
    assert "nothing has been done" in Errands(TASK).owed
    ledger = Errands(TASK)
    ledger.hear(Step("go_to", ("a",)), StepResult(True))
    assert ledger.owed == ""


def test_the_ledger_knows_open_goals_and_sides() -> None:
    ledger = Errands(TASK)
    there = [Step("go_to", ("the basket",)), Step("place", ("apple",))]
    ledger.take([Step("go_to", ("a",)), Step("pick_up", ("apple",)), *there])
    assert ledger.open == [Goal("apple", "basket")]
    ledger.hear(Step("go_to", ("far side of basket",)), StepResult(True))
    ledger.hear(Step("place", ("red apple",)), StepResult(True))
    assert ledger.open == [] and ledger.met == [Goal("apple", "basket")]
