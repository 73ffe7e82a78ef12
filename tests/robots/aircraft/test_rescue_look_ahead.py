"""What look-ahead makes of the search: places, bounds, and the tree that is kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from rescue_sky import terrain

from sayso.robots.aircraft.search.craft import LEVELS_M, Charts
from sayso.robots.aircraft.search.detection import detection
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.outlook import Lump, Surveys, chances, look_ahead
from sayso.robots.aircraft.search.pay import Effort, LookAhead, Step
from sayso.robots.aircraft.search.problem import CONFIRMED, NOTHING, SIGHTING, Layout, build, lower, upper
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.search import AEMS2, value


def lumped(focus: Sequence[int]) -> tuple[Whereabouts, Surveys, Lump]:
    ground = terrain()
    where = Whereabouts(Subject(colour="red", mobile=False, seen_at=(-150.0, 120.0), ago_s=600.0), ground, detection())
    surveys = Surveys(where, Charts(ground, detection()), tuple(ground.areas))
    return where, surveys, Lump(surveys, focus)


@pytest.mark.parametrize("focus", [(1,), (0, 1, 2, 5), tuple(range(10))])
def test_places_keep_all_probability_and_what_each_sweep_finds(focus: Sequence[int]) -> None:
    where, surveys, lump = lumped(focus)
    outlook = look_ahead(where, surveys, (0.0, 0.0, 60.0), lump)
    assert outlook.seen.sum() + outlook.hidden.sum() == pytest.approx(1.0)
    assert outlook.pod.shape[2] == lump.n_places
    assert np.allclose(outlook.pod[:, :, -1], 0) or outlook.seen[-1] > 0
    for level in range(len(LEVELS_M)):
        assert outlook.pod[level] @ outlook.seen == pytest.approx(chances(where, surveys, level)[list(focus)])


def test_overlapping_sweeps_share_places() -> None:
    _, _, lump = lumped((0, 3))  # the wood, and the square in the north-east
    assert lump.n_places == 4, "each alone, both, elsewhere"


def test_two_looks_in_the_lumped_problem_are_two_looks_on_the_map() -> None:
    where, surveys, lump = lumped((1, 4))
    problem = build(look_ahead(where, surveys, (0.0, 0.0, 60.0), lump))
    planner = AEMS2(problem, expansions=1)
    for action, area in ((0, "A1"), (1, surveys.areas[4])):
        survey = surveys.survey(area, 1)
        chance = where.belief.miss(survey.window, survey.pod)
        predicted = problem.transitions.push(action, planner.belief) @ problem.observation[action]
        alarm = survey.alarm
        assert predicted[NOTHING] == pytest.approx(chance * (1 - alarm))
        assert predicted[SIGHTING] == pytest.approx(1 - chance * (1 - alarm))
        planner.observe(action, NOTHING)


def test_bounds_hold_what_the_search_finds_between_them() -> None:
    where, surveys, lump = lumped((0, 1, 4, 5))
    outlook = look_ahead(where, surveys, (0.0, 0.0, 60.0), lump, pending=((-150.0, 120.0), 0.6))
    problem = build(outlook)
    low, high = lower(problem, outlook), upper(problem, outlook)
    assert value(low, problem.start) <= value(high, problem.start)
    planner = AEMS2(problem, low, high, expansions=20)
    decision = planner.plan(20, gap=0)
    assert value(low, problem.start) - 1e-9 <= decision.lower <= decision.upper <= value(high, problem.start) + 1e-9
    assert problem.actions[decision.action] == "confirm"


def test_confirmed_there_is_nothing_better_than_home() -> None:
    where, surveys, lump = lumped((1, 4))
    outlook = look_ahead(where, surveys, (0.0, 0.0, 60.0), lump)
    problem, lay = build(outlook), Layout(outlook)
    planner = AEMS2(problem, lower(problem, outlook), upper(problem, outlook))
    planner.start(np.eye(lay.n_states)[lay.confirmed(1)])
    assert problem.actions[planner.plan(30).action] == "home"


def test_the_tree_is_kept_while_it_agrees_with_the_map() -> None:
    where, surveys, _ = lumped((0,))
    ahead = LookAhead(where, surveys, Effort(focus=3, expansions=15))
    steps = [Step("sweep", area=a) for a in surveys.areas[:3]] + [Step("home"), Step("idle", seconds=10.0)]
    at = (0.0, 0.0, 60.0)
    worths = ahead.worths(steps, at)
    assert len(worths) == 5 and ahead.planted == 1
    survey = surveys.survey(surveys.areas[1], 1)
    where.belief.miss(survey.window, survey.pod)
    ahead.observe(steps[1], NOTHING)
    ahead.worths(steps, at)
    assert (ahead.planted, ahead.kept) == (1, 1)
    ahead.observe(steps[0], CONFIRMED)  # cannot follow a sweep
    ahead.worths(steps, at)
    assert ahead.planted == 2


def test_a_far_area_is_worth_less_by_the_way_there() -> None:
    where, surveys, _ = lumped((0,))
    ahead = LookAhead(where, surveys, Effort(focus=0, expansions=10))
    steps = [Step("sweep", area=a) for a in surveys.areas[1:]]
    near = ahead.worths(steps, (-200.0, 200.0, 60.0))
    ahead.forget()  # a tree that goes on growing finds better bounds
    far = ahead.worths(steps, (200.0, -200.0, 60.0))
    assert near[0] > far[0]
