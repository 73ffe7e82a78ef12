"""Goals over all of a kind: open until what was seen says that none is left, and told one thing at a time."""

from sayso.plugins.steps import Step, StepResult
from sayso.robots.warehouse.failures import NOT_SEEN
from sayso.robots.warehouse.ledger import Goal, goals_of
from sayso.robots.warehouse.names import Table
from sayso.robots.warehouse.notes import Sights
from sayso.robots.warehouse.perception import SeenFromHere
from sayso.roles import Observation, RobotState
from sayso.task import FELL, Ran

TABLE = Table(
    {
        "places": [
            {"name": "fruit table", "kind": "home", "placement": True, "aliases": []},
            {"name": "toy rack", "kind": "home", "placement": True, "aliases": ["toy shelf"]},
            {"name": "dock", "kind": "in", "placement": True, "aliases": []},
            {"name": "basket", "kind": "box", "placement": True, "aliases": []},
        ],
        "categories": [
            {"name": "fruit", "place": "fruit table", "aliases": ["fruits"]},
            {"name": "toy", "place": "toy rack", "aliases": []},
        ],
        "objects": [
            {"name": "lemon", "category": "fruit", "paint": "yellow", "aliases": []},
            {"name": "apple", "category": "fruit", "paint": "red", "aliases": []},
            {"name": "duck", "category": "toy", "paint": "yellow", "aliases": ["toy duck"]},
            {"name": "kite", "category": "toy", "paint": "green", "aliases": []},
        ],
    }
)
NOTHING = SeenFromHere(())
LEMONS = Goal("every lemon", "basket", "fruit table")


class Robot:
    """What a mission has seen, told as its notes tell it."""

    def __init__(self) -> None:
        self.sights, self.hand = Sights(TABLE), ""

    def go(self, place: str, *things: str) -> None:
        self._hear("go_to", place, SeenFromHere(((place, things),) if things else ()))

    def pick(self, thing: str) -> None:
        self.hand = thing
        self._hear("pick_up", thing)

    def put(self, thing: str) -> None:
        self.hand = ""
        self._hear("place", thing)

    def _hear(self, skill: str, arg: str, view: SeenFromHere = NOTHING) -> None:
        seen = Observation.of(view, state=RobotState(holding=self.hand))
        self.sights.hear(Step(skill, (arg,)), StepResult(True, seen=seen))


def whole(goal: Goal | None) -> str:
    """With where it comes from."""
    if goal is None or not goal.thing:
        return f"go {goal.place}" if goal else ""
    return f"{goal.thing} from {goal.source} to {goal.place}"


def test_one_after_the_other_and_then_every_place_that_could_hold_one() -> None:
    robot = Robot()
    assert whole(robot.sights.next_of(LEMONS, [LEMONS])) == "go fruit table"
    for left in (2, 1):
        robot.go("fruit table", "apple (red)", *["lemon (yellow)"] * left)
        assert whole(robot.sights.due([LEMONS])[0]) == "lemon from fruit table to basket"
        robot.pick("lemon")
        assert whole(robot.sights.due([LEMONS])[0]) == "lemon from fruit table to basket", "it is held"
        robot.go("basket")
        robot.put("lemon")
        assert not robot.sights.settled([LEMONS])
    for place in ("toy rack", "dock"):
        assert whole(robot.sights.due([LEMONS])[0]) == f"go {place}"
        robot.go(place)
    assert robot.sights.settled([LEMONS]) == [LEMONS]


def test_one_that_is_found_elsewhere_is_brought_as_well_but_not_what_was_put_there_on_purpose() -> None:
    robot, apple = Robot(), Goal("apple", "toy rack", "fruit table")
    fruit = Goal("every fruit", "basket", "fruit table")
    robot.go("fruit table", "apple (red)")
    goals = robot.sights.due([fruit, apple])
    assert whole(goals[0]) == "go toy rack", "the apple is asked for elsewhere"
    robot.pick("apple")
    robot.go("toy rack", "lemon (yellow)")
    robot.put("apple")
    robot.sights.seen["toy rack"].append("apple (red)")
    assert whole(robot.sights.next_of(fruit, [fruit])) == "lemon from toy rack to basket"


def test_a_place_that_the_wish_names_is_the_only_one_and_is_looked_at_again_where_it_seems_empty() -> None:
    robot = Robot()
    steps = [Step("go_to", ("dock",)), Step("pick_up", ("every toy on the dock",)), Step("go_to", ("home",)),
             Step("place", ("every toy on the dock",))]  # fmt: skip
    goal = goals_of(steps)[0]
    assert goal.only and whole(goal) == "every toy from dock to home"
    robot.go("dock")
    assert whole(robot.sights.next_of(goal, [goal])) == "go dock"
    robot.go("dock", "duck (yellow)", "apple (red)")
    assert whole(robot.sights.next_of(goal, [goal])) == "duck from dock to toy rack", "home is its own"


def test_what_somebody_took_away_before_it_was_its_turn_is_looked_for() -> None:
    robot, goal = Robot(), Goal("every toy", "home", "dock", only=True)
    robot.go("dock", "duck (yellow)", "kite (green)")
    robot.pick("duck")
    robot.go("toy rack")
    robot.put("duck")
    robot.go("dock", "apple (red)")
    assert whole(robot.sights.next_of(goal, [goal])) == "go fruit table"
    robot.go("fruit table", "kite (green)")
    assert whole(robot.sights.next_of(goal, [goal])) == "kite from fruit table to toy rack"


def test_what_fell_is_fetched_first() -> None:
    robot = Robot()
    robot.go("fruit table", "lemon (yellow)", "lemon (yellow)")
    robot.pick("lemon")
    fell = Ran("go_to", ("basket",), "failed", "the hand is empty", code=FELL, about=(3.2, -4.1))
    robot.sights.hear(Step("go_to", ("basket",)), StepResult(False, (fell,)))
    assert whole(robot.sights.due([LEMONS])[0]) == "lemon from 3.2, -4.1 to basket"
    assert robot.sights.fell == [("lemon", "3.2, -4.1")]
    robot.sights.hear(Step("go_to", ("3.2, -4.1",)), StepResult(True))
    assert whole(robot.sights.due([LEMONS])[0]).startswith("lemon from 3.2"), "the eyes may have missed it"
    in_vain = Ran("pick_up", ("lemon",), "failed", "no lemon is seen here", code=NOT_SEEN)
    robot.sights.hear(Step("pick_up", ("lemon",)), StepResult(False, (in_vain,)))
    assert whole(robot.sights.due([LEMONS])[0]) == "lemon from fruit table to basket"


def test_misplaced_things_are_looked_for_on_the_tables_only() -> None:
    robot, goal = Robot(), Goal("every misplaced thing", "dock")
    robot.go("fruit table", "lemon (yellow)", "kite (green)")
    assert whole(robot.sights.next_of(goal, [goal])) == "kite from fruit table to dock"
    robot.pick("kite")
    robot.go("dock")
    robot.put("kite")
    assert whole(robot.sights.next_of(goal, [goal])) == "go toy rack"
    robot.go("toy rack", "duck (yellow)")
    assert robot.sights.next_of(goal, [goal]) is None


def test_a_goal_that_finds_nothing_stays_open_and_waits_behind_what_can_be_done() -> None:
    robot, goals = Robot(), [Goal("every kite", "dock", "fruit table", only=True), LEMONS]
    for _ in range(2):
        robot.go("fruit table", "lemon (yellow)")
    assert not robot.sights.settled(goals)
    assert whole(robot.sights.due(goals)[0]) == "lemon from fruit table to basket"
