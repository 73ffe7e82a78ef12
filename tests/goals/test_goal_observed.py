"""Evidence from a mission's events: docs/goals.md, rules G25 and G26."""

from __future__ import annotations

import math
from dataclasses import replace

from plans_of_a_drone import SKILLS

from sayso.events import Event, Instructed, Moved, Observed, PictureTaken, Said, TaskEnded, TaskStarted
from sayso.goal import Truth
from sayso.goals.judge import judge
from sayso.goals.observed import Watch
from sayso.goals.text import parse
from sayso.scene import Box, Ground, Pose, Scene, Sense, Thing, View, scene_json
from sayso.skill import PlaceName, SkillSet, ThingName, skill, skills_of

LAMP = Thing("lamp-1", "lamp", pose=Pose(3.0), attributes={"color": "white"})


def seen(*events: Event, skills: SkillSet = SKILLS, ground: Ground | None = None) -> Watch:
    watch = Watch(lambda: skills, ground=ground)
    for event in events:
        watch.see(event)
    return watch


def at(at_s: float, x_m: float, z_m: float = 1.0) -> Moved:
    return Moved(at_s=at_s, x_m=x_m, y_m=0.0, z_m=z_m, yaw_rad=0.0)


def looked(at_s: float, *things: Thing) -> Observed:
    return Observed(at_s=at_s, scene=scene_json(Scene(things, Pose(z_m=1.0), at_s)))


def call(n: int, at_s: float, skill: str, *args: str | float, value: bool | str | None = None) -> tuple[Event, Event]:
    began = TaskStarted(at_s=at_s, task=n, skill=skill, args=args)
    return began, TaskEnded(at_s=at_s + 1, task=n, skill=skill, outcome="done", value=value)


def truth(text: str, watch: Watch) -> Truth:
    return judge(parse(text), watch.evidence()).truth


def test_poses_come_from_telemetry_and_things_from_looks() -> None:
    """G25"""
    watch = seen(looked(0, LAMP), at(0, 0), at(5, 2.4))
    assert truth("at(lamp.white)", watch) is True
    assert truth("moved(forward, 2.4 m)", watch) is True
    assert truth("at(piano)", watch) is None


def test_where_a_motion_ended_is_known_between_two_readings_of_telemetry() -> None:
    """G25"""
    watch = seen(looked(0, LAMP), at(0, 0))
    assert truth("want moved(forward, 1 m)", watch) is not True
    watch.stands(Pose(1.0, 0.0, 1.0), 2.1)
    watch.stands(Pose(1.0, 0.0, 1.0), 2.4)
    assert truth("want moved(forward, 1 m)", watch) is True


def test_a_skill_that_ended_well_did_what_it_means() -> None:
    """G26"""
    watch = seen(at(0, 0), *call(1, 1, "delay", 4.0), *call(2, 3, "land"), at(5, 0, 0))
    assert truth("waited(4 s) then landed", watch) is True
    assert truth("landed", seen(at(0, 0))) is None


def test_a_search_all_round_in_vain_is_a_whole_look() -> None:
    """G26"""
    watch = seen(at(0, 0), *call(1, 1, "scan", "piano", value=False))
    assert truth("found(piano)", watch) is False
    assert truth("at(piano)", watch) is False


def test_pictures_and_words_are_what_was_shown_and_said() -> None:
    """G25"""
    watch = seen(looked(0, LAMP), at(0, 0), PictureTaken(at_s=1, file="", labels=("lamp",)), Said(at_s=2, text="done"))
    assert truth("picture(lamp)", watch) is True
    assert truth("picture(chair)", watch) is False
    assert truth("said('done')", watch) is True


def test_never_over_is_held_against_every_pose() -> None:
    """G47"""
    ground = Ground(frozenset({"river", "field"}), lambda pose: frozenset({"river" if 2 < pose.x_m < 4 else "field"}))
    across, along = (seen(at(0, 0), at(3, x_m), at(6, 5), ground=ground) for x_m in (3, 1))
    assert truth("never over(river)", along) is True
    [part] = judge(parse("never over(river)"), across.evidence()).missing
    assert part.why == "3 s into the mission I flew over the river"
    assert truth("over(field)", across) is True
    assert truth("never over(lake)", along) is None, "no place that is known"
    schools = Ground(frozenset({"school", "old school"}), lambda pose: frozenset({"old school"}))
    assert truth("never over(school)", seen(at(0, 0), at(3, 1), ground=schools)) is True, (
        "it is another that is called so"
    )
    changed = seen(at(0, 0), at(3, 3), at(6, 5), Instructed(at_s=7, instruction=""), at(8, 6), ground=ground)
    assert truth("never over(river)", changed) is True, "it was said when that was behind it"


def test_a_thing_is_also_in_the_room_that_it_was_seen_in() -> None:
    """G25"""
    ground = Ground(frozenset({"hall", "attic", "box"}), lambda pose: frozenset({"hall", "box"}), frozenset({"box"}))
    watch = seen(looked(0, LAMP), at(0, 0), ground=ground)
    assert truth("placed(lamp, hall)", watch) is True
    assert truth("placed(lamp, attic)", watch) is False
    assert truth("not placed(lamp, box)", watch) is None, "what it is on a look tells by itself"


def test_who_was_told_to_go_and_was_not_looked_for_since_may_have_gone() -> None:
    """G8"""
    told = Said(at_s=2, text="Please leave.")
    assert truth("gone(lamp)", seen(looked(0, LAMP), at(0, 0), told)) is None
    assert truth("gone(lamp)", seen(looked(0, LAMP), at(0, 0), told, looked(3, replace(LAMP)))) is None, "too soon"
    assert truth("gone(lamp)", seen(looked(0, LAMP), at(0, 0), told, looked(20, replace(LAMP)))) is False
    moved = replace(LAMP, pose=Pose(6.0))
    assert truth("gone(lamp)", seen(looked(0, LAMP), at(0, 0), told, looked(3, moved))) is True


def test_the_moment_of_a_deed_stays_though_nothing_changes_after_it() -> None:
    """G25"""

    class Voice:
        @skill(means="asked(person, {question}) then agreed(person)")
        async def confirm(self, question: str) -> bool:
            """Ask."""
            raise NotImplementedError

    still, skills = [at(n, 0) for n in range(10)], SkillSet(skills_of(Voice()))
    for yes, is_so in ((True, True), (False, False)):
        watch = seen(*still[:4], *call(1, 3, "confirm", "tea?", value=yes), *still[5:], skills=skills)
        assert truth("asked(person, 'tea?') then agreed(person)", watch) is is_so


def test_whoever_knows_no_ground_knows_what_it_has_seen() -> None:
    """G47"""
    above, beside = (seen(looked(0, LAMP), at(0, 0), at(3, x_m), at(6, 5)) for x_m in (3, 1))
    assert truth("never over(lamp)", above) is False
    assert truth("never over(lamp)", beside) is None, "another may not have been seen"
    for event in call(1, 7, "scan", "piano", value=False):
        beside.see(event)
    assert truth("never over(lamp)", beside) is True
    assert truth("never over(lamp)", seen(at(0, 0))) is None


def turned(*headings_deg: float, x_m: float = 0.0, pitch_rad: float = 0.0) -> list[Event]:
    """Looks from one spot, each a third of the round wide."""
    eyes = [Pose(x_m, z_m=1.0, yaw_rad=math.radians(deg)) for deg in headings_deg]
    views = [View(eye, math.radians(60), math.radians(50), pitch_rad) for eye in eyes]
    return [Observed(at_s=n, scene=scene_json(Scene((LAMP,), v.eye, n, v)), task=-1) for n, v in enumerate(views)]


def test_looks_that_close_the_round_show_all_that_is_around() -> None:
    """G48"""
    every = "picture(all lamp)"
    taken = PictureTaken(at_s=9, file="", labels=("lamp",))
    assert truth(every, seen(*turned(0, 120, 240), taken)) is True
    assert truth(every, seen(*turned(350, 110, 230, 20), taken)) is True
    assert truth(every, seen(*turned(0, 120), taken)) is None
    assert truth(every, seen(*turned(0, 120), *turned(240, x_m=2.0), taken)) is None, "from two spots"
    assert truth(every, seen(*turned(0, 120, 240, pitch_rad=-1.5), taken)) is None, "it looks at the ground"


class Picker:
    """What a robot between shelves is asked for."""

    @skill(means="visited({place})")
    async def go_to(self, place: PlaceName) -> None:
        """Go there and look."""

    @skill(means="holding({thing})")
    async def pick_up(self, thing: ThingName) -> None:
        """Take it."""

    @skill(means="found({thing})")
    async def look_for(self, thing: ThingName) -> str:
        """Find it; what it is."""
        return thing

    @skill(means="given(thing, {person})")
    async def give(self, person: ThingName) -> None:
        """Hand it over."""

    @skill(means="placed({thing}, {place})")
    async def put(self, thing: ThingName, place: PlaceName) -> None:
        """Put it down, without a look."""


def test_all_of_a_place_is_known_when_that_was_looked_at_after_the_last_was_taken() -> None:
    """G48"""
    shelves = Ground(frozenset(), lambda pose: frozenset(), spots=frozenset({"shelf", "rack", "box"}))
    lamp = Thing("lamp-1", "lamp", attributes={"on": "shelf"})

    def went(n: int, place: str, *things: Thing) -> list[Event]:
        began, ended_ = call(n, n, "go_to", place)
        return [began, Observed(at_s=n, scene=scene_json(Scene(things, Pose(), n)), task=-1), ended_]

    def brought(*after: Event) -> Watch:
        fetched = [*went(1, "shelf", lamp), *call(2, 3, "pick_up", "lamp"), *call(3, 5, "put", "lamp", "box")]
        return seen(*fetched, *after, skills=SkillSet(skills_of(Picker())), ground=shelves)

    again, rack, box = went(7, "shelf"), went(9, "rack"), went(11, "box")
    assert truth("placed(all lamp from shelf, box)", brought()) is None, "one may have stood behind it"
    assert truth("placed(all lamp from shelf, box)", brought(*again)) is True
    assert truth("placed(all lamp, box)", brought(*again, *rack)) is None, "the box was never looked into"
    assert truth("placed(all lamp, box)", brought(*again, *rack, *box)) is True


def test_whoever_took_something_holds_something_though_no_look_told_which() -> None:
    """G26"""
    skills = SkillSet(skills_of(Picker()))
    lamp = looked(0, Thing("lamp-1", "lamp"))
    took, put = call(1, 1, "pick_up", "thing"), call(2, 3, "put", "thing", "box")
    held, free = seen(lamp, *took, skills=skills), seen(lamp, *took, *put, skills=skills)
    assert [truth("not holding(thing)", w) for w in (held, free)] == [False, True]
    assert truth("holding(lamp)", held) is None
    assert truth("holding(lamp)", seen(*call(1, 1, "pick_up", "lamp"), skills=skills)) is True


def test_it_is_what_was_found_last_and_then_what_the_hand_has() -> None:
    """G26"""
    room = looked(0, Thing("lamp-1", "lamp", attributes={"on": "shelf"}), Thing("cup", "cup"))
    found, took, put = (
        call(1, 1, "look_for", "object", value="cup"),
        call(2, 3, "pick_up", "it"),
        call(3, 5, "put", "it", "box"),
    )
    watch = seen(room, *found, *took, *put, skills=SkillSet(skills_of(Picker())))
    assert [truth(f"placed({thing}, box)", watch) for thing in ("cup", "lamp")] == [True, False]
    assert truth("holding(cup)", seen(room, *found, *took, skills=SkillSet(skills_of(Picker())))) is True


def test_whom_an_answer_names_is_who_was_given_something() -> None:
    """G26"""
    people = [Thing(name, "person", attributes={"name": name}) for name in ("Anna", "Ben")]
    took, gave = call(1, 1, "pick_up", "cup"), call(2, 3, "give", "To Anna, please.")
    watch = seen(looked(0, Thing("cup", "cup"), *people), *took, *gave, skills=SkillSet(skills_of(Picker())))
    assert [truth(f"given(cup, {whom})", watch) for whom in ("person", "Anna", "Ben")] == [True, True, False]


def test_of_a_time_in_which_nothing_changes_the_beginning_and_the_end_are_kept() -> None:
    """G25"""
    watch = seen(*(at(n / 4, 0) for n in range(400)), at(101, 2))
    assert [m.at_s for m in watch.evidence().moments] == [0, 99.75, 101]
    assert truth("waited(90 s)", watch) is True


def test_sizes_are_told_from_afar_where_near_by_everything_looks_large() -> None:
    """G25"""
    small = Thing("a", "box", Box(0.5, 0.8, 0.1, 0.17), 2.4, Pose(2.4))
    large = Thing("b", "box", Box(0.2, 0.7, 0.1, 0.16), 3.9, Pose(3.6, 1.5))
    near = replace(small, box=Box(0.5, 0.6, 0.9, 0.9), distance_m=1.0)
    watch = seen(looked(0, small, large), at(0, 0), at(4, 2.0), looked(5, near))
    assert truth("at(smallest box)", watch) is not False
    assert truth("at(largest box)", watch) is False
    assert truth("at(largest thing)", watch) is not False, "it looks larger"


EYES = Sense("eyes.onnx", ("chair", "trash can", "apple"))


def detected(*things: Thing, doubtful: tuple[Thing, ...] = (), by: Sense = EYES) -> Watch:
    """A look of a detector, and a search all round that found no lamp and no chair."""
    scene = scene_json(Scene(things, Pose(z_m=1.0), 0.0, sense=by, doubtful=doubtful))
    calls = (call(n, n, "scan", what, value=False) for n, what in enumerate(("lamp", "chair"), 1))
    return seen(Observed(at_s=0, scene=scene), *(event for pair in calls for event in pair), at(4, 0))


def why_unknown(text: str, watch: Watch) -> str:
    verdict = judge(parse(text), watch.evidence())
    assert verdict.truth is None, verdict
    return verdict.unknown[0].why


def test_what_no_sense_has_a_label_for_stays_unknown_however_often_it_was_looked_for() -> None:
    """G50"""
    watch = detected()
    assert truth("found(chair)", watch) is False
    for goal in ("found(lamp)", "sees(lamp)", "there(lamp)", "each(lamp) { picture(it) }", "at(lamp)"):
        assert why_unknown(f"want {goal}", watch) == "eyes.onnx cannot tell what is a lamp"
    assert truth("want found(bin)", watch) is False  # it is called trash can
    assert truth("want found(fruit)", watch) is False  # an apple is one


def test_looks_and_what_is_on_what_stay_unknown_to_who_tells_neither() -> None:
    """G50"""
    watch = detected(Thing("chair-1", "chair", pose=Pose(2.0)))
    assert truth("there(chair)", watch) is True
    assert why_unknown("want there(chair.red)", watch) == "eyes.onnx does not tell what is red"
    assert "what is on what" in why_unknown("want there(apple on chair)", watch)


def test_who_tells_colours_tells_those_and_of_what_it_told_them() -> None:
    """G50"""
    eyes = replace(EYES, traits=("red", "blue"))
    chair = Thing("chair-1", "chair", pose=Pose(2.0), attributes={"color": "blue"})
    assert truth("want sees(chair.blue)", detected(chair, by=eyes)) is True
    assert truth("want found(chair.red)", detected(chair, by=eyes)) is False
    assert why_unknown("want there(chair.white)", detected(chair, by=eyes)) == "eyes.onnx does not tell what is white"
    plain = detected(replace(chair, attributes={}), by=eyes)
    assert why_unknown("want there(chair.red)", plain) == "eyes.onnx could not tell what chair-1 looks like"


def test_what_may_have_been_seen_is_neither_there_nor_absent() -> None:
    """G50"""
    watch = detected(doubtful=(Thing("chair-1", "chair", confidence=0.35),))
    assert why_unknown("want found(chair)", watch) == "I may have seen a chair, 35% sure"
    assert why_unknown("want there(chair)", watch) == "I may have seen a chair, 35% sure"
