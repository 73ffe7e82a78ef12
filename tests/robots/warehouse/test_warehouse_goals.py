"""All 55 goals of the warehouse, in pure logic: open at first, met by the oracle, open again without its last move."""

from dataclasses import replace
from itertools import pairwise

import pytest
from played import KINDS, judged, oracle_states

from sayso.errors import NotUnderstood
from sayso.grounding.names import read_names
from sayso.robots.warehouse.names import Table
from sayso.robots.warehouse.suite.courier import Courier, read
from sayso.robots.warehouse.suite.episode import errands, told
from sayso.robots.warehouse.suite.goal import Task, first_state, task, tasks
from sayso.robots.warehouse.world import STORE
from sayso.skills.name_resolver import NameResolver
from sayso.worlds import make
from sayso.worlds.indoor.scene import knowledge, read_flat

ALL = pytest.mark.parametrize("wanted", tasks(), ids=lambda t: t.id)
TABLE = Table(knowledge(STORE))


def begin(wanted: Task) -> dict[str, str]:
    return first_state(wanted, read_flat(wanted.world, STORE).stock)


def test_there_are_55_of_the_counts_that_the_paper_prints() -> None:
    ids = [t.id for t in tasks()]
    assert len(ids) == len(set(ids)) == 55
    assert [sum(i.startswith(f"L{n}") for i in ids) for n in (1, 2, 3, 4)] == [10, 7, 10, 10]
    assert sum(i.startswith("R-") for i in ids) == 10


@ALL
def test_goal_is_open_at_first_and_met_by_its_oracle(wanted: Task) -> None:
    first = begin(wanted)
    assert not judged(wanted, [first], robot_at="entrance" if wanted.robot_at != "entrance" else "").success
    verdict = judged(wanted, oracle_states(wanted, first), robot_at=wanted.robot_at)
    assert verdict.success and verdict.clean and verdict.conditions == 1.0


@ALL
def test_goal_is_open_without_the_oracles_last_move(wanted: Task) -> None:
    first = begin(wanted)
    states = oracle_states(wanted, first, max(0, len(wanted.oracle) - 1))
    at = wanted.robot_at if wanted.oracle else ""
    assert not judged(wanted, states, robot_at=at).success


@ALL
def test_over_delivery_is_not_clean(wanted: Task) -> None:
    first = begin(wanted)
    states = oracle_states(wanted, first)
    other = next(i for i in first if i not in dict(wanted.oracle))
    states.append({**states[-1], other: "dining table"})
    assert not judged(wanted, states, robot_at=wanted.robot_at).clean


def test_full_hand_and_silence_are_no_success() -> None:
    wanted = task("L1-01")
    first = begin(wanted)
    states = oracle_states(wanted, first)
    assert not judged(wanted, states, holding="apple_1").success
    assert not judged(wanted, states, outcome="not_achieved").success


def test_all_of_nothing_is_not_met() -> None:
    wanted = task("L1-01")
    nothing = replace(wanted, goal="placed(all unicorn, basket)")
    first = begin(wanted)
    assert not judged(nothing, [first, first]).success


def test_what_held_on_the_way_and_not_at_the_end_is_not_met() -> None:
    wanted = task("L1-01")
    first = begin(wanted)
    states = [*oracle_states(wanted, first), first]
    assert not judged(wanted, states).success


def test_same_thing_is_meant_where_a_letter_binds_it() -> None:
    wanted = task("L3-08")
    first = begin(wanted)
    shipped = {**first, "pepsi_1": "shipping shelf"}
    direct = [first, shipped, {**shipped, "sprite_1": "fruit table"}]
    verdict = judged(wanted, direct)
    assert not verdict.success and verdict.conditions == 0.5


def test_sizes_are_compared_within_the_kind() -> None:
    wanted = task("X-03")
    first = begin(wanted)
    met = [i for i in first if judged(wanted, [first, {**first, i: "shipping shelf"}]).success]
    assert met == ["fire_engine_1"]


@ALL
def test_oracle_in_words_leads_to_its_places(wanted: Task) -> None:
    """The double's errands, as steps, go where the oracle goes."""
    steps = Courier(errands(wanted, begin(wanted))).listed()
    assert steps[-1] == "done"
    goes = [s[len("go_to(") : -1] for s, after in pairwise(steps) if "place(" in after]
    assert goes == [to for _, to in wanted.oracle]


def by_rule(wanted: Task) -> set[tuple[str, str]]:
    return {(e.thing, e.to) for e in read(told(wanted), TABLE) if e.thing}


@pytest.mark.parametrize("wanted", [t for t in tasks() if t.level <= 2], ids=lambda t: t.id)
def test_rules_read_levels_one_and_two(wanted: Task) -> None:
    assert by_rule(wanted) == {(KINDS[i]["name"], to) for i, to in wanted.oracle}


@pytest.mark.parametrize("name", ["rack", "shelf", "table"])
def test_a_name_that_several_places_share_is_asked_about(name: str) -> None:
    with pytest.raises(NotUnderstood, match=f"Which {name} do you mean: the .* or the .*?"):
        TABLE.place_in(name)


def test_of_several_places_of_a_name_things_are_on_the_one_of_their_kind() -> None:
    named = NameResolver(read_names(make("warehouse").robot.knowledge))
    assert named.find_place("rack", "toys") == "toy rack" and not named.find_place("rack")
