"""What a robot's own sensors tell, as a goal."""

from __future__ import annotations

from sayso import Pose
from sayso.events import Event, TaskEnded, TaskStarted
from sayso.goals.judge import Verdict, judge
from sayso.goals.observed import Watch
from sayso.goals.planned import reachable
from sayso.goals.text import parse
from sayso.skill import SkillSet, skill, skills_of


class Bed:
    """A sensor, a switch and a nozzle."""

    @skill()
    async def soil_moisture_percent(self) -> float:
        """How moist is the soil."""
        return 0.0

    @skill()
    async def lid_open(self) -> bool:
        """Whether the lid is open."""
        return False

    @skill(uses="nozzle")
    async def water(self) -> None:
        """Water the bed."""


SKILLS = SkillSet(skills_of(Bed()))


def verdict(goal: str, *called: tuple[str, object]) -> Verdict:
    """On the record of these skills and what each returned, a second each."""
    watch = Watch(lambda: SKILLS)
    watch.stands(Pose(), 0.0)
    events: list[Event] = []
    for n, (name, value) in enumerate(called, 1):
        events += [
            TaskStarted(at_s=n - 0.5, task=n, skill=name, args=(), statement=0),
            TaskEnded(at_s=float(n), task=n, skill=name, outcome="done", value=value),  # type: ignore[arg-type]
        ]
    for event in events:
        watch.see(event)
    watch.stands(Pose(), len(called) + 1.0)
    return judge(parse(goal), watch.evidence())


def test_what_was_measured_last_decides() -> None:
    """G61"""
    moist = "measured(soil_moisture, at least, 40 %)"
    assert verdict(moist).truth is None
    assert verdict(moist, ("soil_moisture_percent", 41.0)).truth is True
    dry = verdict(moist, ("soil_moisture_percent", 41.0), ("soil_moisture_percent", 31.0))
    assert dry.truth is False and dry.missing[0].why == "the soil moisture is 31 %"
    assert verdict("measured(soil_moisture, at least, 40 celsius)", ("soil_moisture_percent", 41.0)).truth is None


def test_what_was_measured_before_something_was_done_is_no_evidence() -> None:
    """G61"""
    moist = "measured(soil_moisture, at least, 40 %)"
    assert verdict(moist, ("soil_moisture_percent", 41.0), ("water", None)).truth is None
    assert verdict(moist, ("soil_moisture_percent", 31.0), ("water", None), ("soil_moisture_percent", 40.0)).truth


def test_a_test_of_what_is_measured_counts_as_it_was_measured() -> None:
    """G14, G61"""
    goal = "if not measured(soil_moisture, at least, 40 %) { landed }"
    assert verdict(goal, ("soil_moisture_percent", 41.0), ("water", None)).truth is True
    assert verdict("if sensed(lid_open) { landed }", ("lid_open", False), ("water", None)).truth is True


def test_only_what_has_a_unit_may_be_asked_of_a_model() -> None:
    assert "measured" in reachable(SKILLS)
    assert "measured" not in reachable(SKILLS.only({"water", "lid_open"}))


def test_what_only_the_skill_itself_tells_is_not_known() -> None:
    """G61"""
    assert verdict("did('water')", ("water", None)).truth is None
