"""The search domain: what may be done when, what is believed after each look, and what look-ahead makes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from sayso.errors import NotUnderstood
from sayso.planners.scored_domain import Candidate
from sayso.robots.aircraft.domain import RescueDomain, Rules
from sayso.robots.aircraft.hunt import AGAIN, LOOKS_MAX
from sayso.robots.aircraft.reach import NEARLY_MAX, Flight
from sayso.robots.aircraft.search.craft import LEVELS_M, Charts
from sayso.robots.aircraft.search.detection import detection
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.outlook import Lump, Surveys, chances, look_ahead
from sayso.robots.aircraft.search.pay import Effort, LookAhead, Step
from sayso.robots.aircraft.search.problem import CONFIRMED, NOTHING, SIGHTING, Layout, build, lower, upper
from sayso.robots.aircraft.search.sweep import Look, as_thing
from sayso.robots.aircraft.search.terrain import Terrain, area_of, squares
from sayso.robots.aircraft.search.whereabouts import Whereabouts
from sayso.robots.aircraft.search.wish import SearchWish, Sought
from sayso.roles import Attempt, Brief, Observation
from sayso.scene import Pose, Scene, Thing
from sayso.search import AEMS2, value
from sayso.skill import SkillSet

RED = SearchWish((Sought("person", "red", mobility="still"),))


def terrain(across: int = 3) -> Terrain:
    """A field of 600 m with a wood in its east, in squares."""
    kinds = np.zeros((30, 30), dtype=np.uint8)
    kinds[:, 24:] = 1
    wood = area_of("wood", "forest", kinds == 1)
    areas = {"wood": wood, **{s.name: s for s in squares(kinds.shape, across, across)}}
    return Terrain(kinds, np.zeros(kinds.shape), 20.0, areas)


@dataclass
class Sky:
    """An aircraft and its reports, as a test wants them."""

    ground: Terrain = field(default_factory=terrain)
    flight: Flight = field(default_factory=lambda: Flight((0.0, 0.0, 0.0), 1.0))
    things: list[Thing] = field(default_factory=list)
    says: str = "find her"
    wishes: dict[str, SearchWish] = field(default_factory=lambda: {"find her": RED})
    history: list[Attempt] = field(default_factory=list)

    def domain(self, **rules: object) -> RescueDomain:
        async def read(brief: Brief, running: SearchWish | None) -> SearchWish:
            return self.wishes[brief.instruction]

        charts = Charts(self.ground, detection())
        names = tuple(self.ground.areas)
        return RescueDomain(charts, names, lambda brief: self.flight, read, Rules(**rules))  # type: ignore[arg-type]

    def tell(self, domain: RescueDomain, chosen: Candidate | None = None, failure: str = "") -> None:
        if chosen:
            domain.chosen(chosen)
            self.history.append(Attempt(chosen.statement))
        scene = Scene(tuple(self.things), Pose())
        brief = Brief(self.says, SkillSet(), Observation(scene), tuple(self.history), failure)
        asyncio.run(domain.take_in(brief))

    def fly(self, at: tuple[float, float, float] = (0.0, 0.0, 60.0), charge: float = 0.9) -> None:
        self.flight = Flight(at, charge, self.flight.now_s)

    def swept(self, area: str, seen: Sequence[tuple[float, float]] = ()) -> None:
        n = len(self.things) + 1
        look = Look("sweep", "eo", 60.0, 1.4, area, 58.0, 0, 1e6, from_s=10.0 * n, at_s=10.0 * n + 9, id=f"look {n}")
        self.things.append(as_thing(look))
        for k, (x, y) in enumerate(seen):
            told = {"look": look.id, "status": "unconfirmed"}
            self.things.append(
                Thing(f"s{n}{k}", "person", pose=Pose(x, y), confidence=0.9, attributes=told, seen_s=10.0 * n + 5)
            )

    def asked(self, sighting: str, said: str, at: tuple[float, float]) -> None:
        n = len(self.things) + 1
        look = Look(
            "stare", "eo", 30.0, 1.0, x_m=at[0], y_m=at[1], from_s=10.0 * n, at_s=10.0 * n + 9, asked=sighting,
            said=said, id=f"look {n}",
        )  # fmt: skip
        self.things.append(as_thing(look))


def can(domain: RescueDomain) -> dict[str, float]:
    return {k.name: k.can for k in domain.kinds() if k.can > 0}


def step(domain: RescueDomain, kind: str, which: int = 0) -> Candidate:
    return domain.candidates(kind)[which]


def test_on_the_ground_there_is_only_the_take_off() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.tell(domain)
    assert can(domain) == {"take_off": 1.0}
    assert domain.news() == [
        "I search for a red person (not moving) everywhere. On a find I confirm it and come home to land."
    ]
    assert domain.news() == []


def test_in_the_air_everything_but_a_confirmation_without_a_sighting() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    assert set(can(domain)) == {
        "search_area", "ascend", "descend", "hover", "take_image", "perform_mapping", "return_home",
    }  # fmt: skip
    assert [c.statement for c in domain.candidates("ascend")] == ["ascend(90)"]
    assert len(domain.candidates("search_area")) == 10


def test_the_last_action_is_the_way_home_and_so_is_an_empty_battery() -> None:
    sky = Sky()
    domain = sky.domain(steps_max=2)
    sky.fly()
    sky.tell(domain)
    sky.tell(domain, step(domain, "search_area"))
    assert can(domain) == {"return_home": 1.0}
    tired = Sky()
    tired.fly(charge=0.17)
    domain = tired.domain()
    tired.tell(domain)
    assert "search_area" not in can(domain) and can(domain)["return_home"] == 1.0


def test_the_last_sweep_is_by_the_exact_course_where_the_estimate_says_no() -> None:
    """What the aircraft itself would not refuse is offered, what it would is not; and only the likeliest are asked."""
    sky, most = Sky(), 0
    domain = sky.domain()
    for charge in np.arange(0.20, 0.36, 0.01):
        sky.fly(charge=float(charge))
        sky.tell(domain)
        offered = {c.statement.split('"')[1] for c in domain.candidates("search_area")}
        left = {
            a: domain.charts.left_at_home(float(charge), sky.flight.at, domain.charts.search(sky.flight.at, a))
            for a in domain.hunt.areas
        }
        assert all(left[a] >= domain.charts.craft.reserve for a in offered), "nothing that would be refused"
        estimate = domain.hunted[0].surveys.spared(sky.flight.at, float(charge), 1) >= domain.charts.craft.reserve
        assert {a for a, yes in zip(domain.hunt.areas, estimate, strict=True) if yes} <= offered
        more = len(offered) - int(estimate.sum())
        assert 0 <= more <= NEARLY_MAX
        most = max(most, more)
    assert most > 0, "the exact course allows more than the estimate"


def test_four_squares_at_once_are_a_sweep_and_no_place_to_be_told_of() -> None:
    sky = Sky()
    domain = sky.domain()
    domain.hunt.areas = (*domain.hunt.areas, *sky.ground.blocks)
    sky.fly()
    sky.tell(domain)
    found = {c.statement.split('"')[1]: c.can for c in domain.candidates("search_area")}
    assert found["A1-B2"] > max(found[a] for a in ("A1", "A2", "B1", "B2"))
    assert "areas within reach of the battery: 10" in domain.told().notes


def test_everything_is_more_than_what_is_possible() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.tell(domain)
    possible = [c.statement for k in domain.kinds() if k.can > 0 for c in domain.candidates(k.name)]
    every = [c.statement for c in domain.everything()]
    assert possible == ["take_off()"] and set(possible) < set(every)
    assert len(every) == len(set(every)) == 10 + 6 + 6 + 3 + 1


def test_a_sweep_without_a_find_cools_its_area_and_is_told() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    before = {c.statement: c.can for c in domain.candidates("search_area")}
    sky.swept("A1")
    sky.tell(domain, next(c for c in domain.candidates("search_area") if "A1" in c.statement))
    after = {c.statement: c.can for c in domain.candidates("search_area")}
    assert after['search_area("A1")'] < 0.5 * before['search_area("A1")']
    assert after['search_area("A3")'] > before['search_area("A3")']
    assert domain.told().history == (Attempt("search A1", ended="nothing new"),)


def test_a_sighting_is_to_be_confirmed_and_the_operators_word_counts() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1", seen=[(-200.0, 200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    assert 0.5 < can(domain)["confirm"] <= 1.0
    assert "sightings not checked: person" in " ".join(domain.told().notes)
    confirm = step(domain, "confirm")
    assert confirm.statement == 'confirm("s10")'
    sky.asked("s10", "no", (-200.0, 200.0))
    sky.tell(domain, confirm)
    assert "confirm" not in can(domain)
    assert "denies" in domain.told().history[-1].ended
    assert not domain.all_found


def test_what_is_not_to_be_confirmed_is_reported_and_not_flown_to() -> None:
    sky = Sky(wishes={"find her": replace(RED, unconfirmed=True)})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1", seen=[(-200.0, 200.0)])
    domain.news()
    sky.tell(domain, step(domain, "search_area", 1))
    assert "confirm" not in can(domain) and not domain.candidates("confirm")
    assert not any(c.kind == "confirm" for c in domain.everything())
    [news] = domain.news()
    assert news.startswith("A person may be at x -200 m, y 200 m") and news.endswith("I do not fly there.")
    sky.flight = Flight((0.0, 0.0, 0.0), 0.9)
    sky.tell(domain)
    ended = domain.over()
    assert ended and not ended.met and news in ended.reason


def test_found_confirmed_and_home_is_the_end() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1", seen=[(-200.0, 200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    sky.asked("s10", "yes", (-200.0, 200.0))
    sky.tell(domain, step(domain, "confirm"))
    assert domain.all_found and domain.over() is None
    assert max(zip(domain.pay(every := [step(domain, "hover"), step(domain, "return_home")]), every, strict=True),
               key=lambda pair: pair[0])[1].kind == "return_home"  # fmt: skip
    sky.fly((0.0, 0.0, 0.0))
    sky.tell(domain, step(domain, "return_home"))
    verdict = domain.over()
    assert verdict is not None and verdict.met and "found the person" in verdict.reason


def test_what_was_asked_for_on_a_find_is_due_until_it_is_done() -> None:
    sky = Sky(wishes={"find her": replace(RED, on_find=("confirm", "image", "home"))})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1", seen=[(-200.0, 200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    assert not any("still to do" in note for note in domain.told().notes)
    sky.asked("s10", "yes", (-200.0, 200.0))
    sky.tell(domain, step(domain, "confirm"))
    assert "still to do: take one image of what is below" in domain.told().notes
    sky.tell(domain, step(domain, "take_image"))
    assert not any("still to do" in note for note in domain.told().notes)


def test_a_step_that_failed_is_not_offered_at_once_again() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    refused = step(domain, "search_area", 2)
    sky.tell(domain, refused, failure="the limit battery reserve is at least 15%")
    assert refused.statement not in [c.statement for c in domain.candidates("search_area")]
    assert "battery reserve" in domain.told().history[-1].ended
    sky.tell(domain, step(domain, "hover"))
    assert refused.statement in [c.statement for c in domain.candidates("search_area")]


def test_a_changed_wish_changes_the_belief_and_does_not_begin_it_again() -> None:
    sky = Sky()
    sky.wishes["she was last seen in the wood"] = SearchWish((replace(RED.sought[0], seen_at="wood", seen_ago_s=60.0),))
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1")
    sky.tell(domain, step(domain, "search_area", 1))
    cooled = domain.hunted[0].where.belief.probability.copy()
    sky.says = "she was last seen in the wood"
    sky.tell(domain)
    belief = domain.hunted[0].where.belief
    wood = np.zeros(sky.ground.shape)
    wood[:, 24:] = 1
    assert (belief.probability * wood).sum() > 2 * (cooled * wood).sum()
    window = sky.ground.area("A1").window
    unsearched = sky.ground.area("A3").window
    assert belief.probability[window].sum() < belief.probability[unsearched].sum(), "A1 stays searched"
    assert len(domain.steps) == 1


def test_words_that_are_no_search_change_nothing() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    domain.news()

    async def nothing(brief: Brief, running: SearchWish | None) -> SearchWish:
        raise NotUnderstood("no search")

    domain._read = nothing
    sky.says = "what is the capital of France"
    sky.tell(domain)
    assert domain.wish == RED and "go on as before: I search for a red person" in domain.news()[0]
    fresh = sky.domain()
    fresh._read = nothing
    with pytest.raises(NotUnderstood):
        sky.tell(fresh)


def test_ground_that_is_to_be_left_out_is_not_offered() -> None:
    sky = Sky()
    sky.wishes["not the wood"] = replace(RED, avoid=("wood",))
    domain = sky.domain()
    sky.fly()
    sky.says = "not the wood"
    sky.tell(domain)
    offered = {c.statement.split('"')[1] for c in domain.candidates("search_area")}
    assert "wood" not in offered and "A1" in offered
    in_wood = [a.name for a in sky.ground.areas.values() if (a.mask & (sky.ground.kinds[a.window] == 1)).any()]
    assert not offered & set(in_wood)
    sky.says = "not the wood, but that square"
    named = next(n for n in in_wood if n != "wood")
    sky.wishes[sky.says] = replace(RED, areas=(named,), avoid=("wood",))
    sky.tell(domain)
    assert named in {c.statement.split('"')[1] for c in domain.candidates("search_area")}


def test_a_likely_sighting_that_was_denied_is_shown_again_but_not_for_ever() -> None:
    sky = Sky()
    domain = sky.domain()
    sky.fly()
    sky.swept("B2", [(0.0, 0.0)])
    sky.tell(domain)
    sighting = domain.candidates("confirm")[0].statement.split('"')[1]
    shown = 0
    while can(domain).get("confirm") and shown < 10:
        sky.asked(sighting, "no", (0.0, 0.0))
        sky.tell(domain, step(domain, "confirm"))
        shown += 1
    assert 1 <= shown <= LOOKS_MAX
    assert shown > 1 or domain.hunted[0].where.belief.probability.max() < AGAIN


def test_another_object_gets_a_belief_of_its_own() -> None:
    sky = Sky()
    sky.wishes["and the dog"] = SearchWish((*RED.sought, Sought("dog")))
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    person = domain.hunted[0]
    sky.says = "and the dog"
    sky.tell(domain)
    assert [h.label for h in domain.hunted] == ["person", "dog"]
    assert domain.hunted[0] is person
    assert len(domain.pay(domain.candidates("search_area"))) == 10


def test_several_lost_at_once_are_several_and_a_confirmation_closes_one() -> None:
    sky = Sky(wishes={"find her": SearchWish((replace(RED.sought[0], count=2),))})
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    assert [h.label for h in domain.hunted] == ["person", "person"]
    sky.swept("A1", seen=[(-200.0, 200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    assert [c.statement for c in domain.candidates("confirm")] == ['confirm("s10")'], "one sighting is shown once"
    sky.asked("s10", "yes", (-200.0, 200.0))
    sky.tell(domain, step(domain, "confirm"))
    assert sorted(h.found for h in domain.hunted) == [False, True] and not domain.all_found
    assert "confirm" not in can(domain)
    (other,) = domain.hunt.missing
    there = other.where.belief.probability[domain.charts.terrain.area("A1").window].sum()
    assert there < 1 / 9, "that the first one was sighted there says nothing of the second"
    sky.swept("C3", seen=[(150.0, -200.0)])
    sky.tell(domain, step(domain, "search_area", 1))
    (again,) = domain.candidates("confirm")
    assert again.statement != 'confirm("s10")' and again.can > 0.5
    sky.asked(again.statement[9:12], "yes", (150.0, -200.0))
    sky.tell(domain, again)
    assert domain.all_found


def test_one_more_of_the_same_in_flight_is_looked_for_by_all_that_was_seen() -> None:
    sky = Sky()
    sky.wishes["there are two of them"] = SearchWish((replace(RED.sought[0], count=2),))
    domain = sky.domain()
    sky.fly()
    sky.tell(domain)
    sky.swept("A1")
    sky.tell(domain, step(domain, "search_area", 1))
    first = domain.hunted[0]
    sky.says = "there are two of them"
    sky.tell(domain)
    assert domain.hunted[0] is first and len(domain.hunted) == 2
    window = domain.charts.terrain.area("A1").window
    of_both = [one.where.belief.probability[window].sum() for one in (domain.hunted[1], first)]
    assert of_both[0] == pytest.approx(of_both[1], abs=1e-6)


# The look-ahead


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
