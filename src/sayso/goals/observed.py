"""The evidence in a mission's events: what the robot itself observed and did, and nothing that it was not told.

Poses come from its telemetry, things from its looks, deeds from what its skills report to have done. What a skill says
it means (`Skill.means`) counts as done when the skill ended well, since that is what the skill measured; states are
held against poses and looks all the same.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from sayso import events as ev
from sayso.goal import ANYTHING, IT, Amount, Clause, Pred, Which
from sayso.goals.clauses import preds
from sayso.goals.deeds import SOUGHT, tells
from sayso.goals.evidence import GROUND_M, HALF_VIEW, HOME_M, Deed, Evidence, Moment, reading, whole
from sayso.goals.planned import meant
from sayso.grounding.phrases import asked_of
from sayso.scene import Ground, Pose, Scene, Sense, Spot, Thing, View, scene_from, wrap
from sayso.skill import Skill, SkillSet

HANDS = {"holding": True, "placed": False, "given": False}
"""What a deed makes of the gripper: full or empty."""

STILL_M, STILL_RAD = 0.01, 0.01
"""Who stays within this has not moved between two looks at its pose."""

INSTANT_S = 1e-6

SPOT_M = 0.5
"""Looks from no further apart are from one spot."""
EDGE = 0.02
"""Two images meet where no more than this share of their width is between them."""

PROBE = "probe"
"""The purpose for which a model is asked a question of a plan."""

EYES = frozenset({"head"})
LOOKING = EYES | {"camera"}
"""Resources that change nothing in the world; a picture that is taken is something that was done."""

ALOFT = {"landed": True, "airborne": False}
"""What a deed makes of being on the ground."""


class Watch:
    """Collects the evidence in a mission's events, in order. `skills` gives those of the moment, which tell what a call
    means; `sizes_m` are height and width by label, of the things whose size the robot knows. `home` is where it first
    was, where that was before this mission; `ground` the places that it knows. `reader` is the model that writes no
    plan and says nothing of its own: code does, by what it read."""

    def __init__(
        self,
        skills: Callable[[], SkillSet],
        sizes_m: Mapping[str, tuple[float, float]] = MappingProxyType({}),
        home: Pose | None = None,
        ground: Ground | None = None,
        reader: str = "",
    ) -> None:
        self._reader, self._asked_model, self._own_words = reader, "", True
        self._skills, self._sizes_m, self._home, self._ground = skills, sizes_m, home, ground
        self._looked: set[str] = set()
        self._looking: set[int] = set()
        self._round, self._wished_s = Round(), 0.0
        self._left: bool | None = None
        self._moments: list[Moment] = []
        self._deeds: list[Deed] = []
        self._things: dict[str, Thing] = {}
        self._rooms: dict[str, frozenset[str]] = {}
        """By thing, where else it is than on what a look tells."""
        self._afar: dict[str, Thing] = {}
        self.spots: Mapping[str, Spot] = {}
        """What things take up of the floor, by id; another mapping after each look."""
        self._readings: dict[str, Amount] = {}
        self._scene = Scene()
        self._pose = Pose()
        self._holding: str | None = None
        self._found = ""
        """The id of what a skill said last that it had found."""
        self._landed: bool | None = None
        self._running: dict[int, ev.TaskStarted] = {}
        self._surveyed_s: float | None = None
        self._unseen: frozenset[str] = frozenset()
        self._sense: Sense | None = None
        self._doubtful: dict[str, float] = {}
        self.judged: list[ev.Judged] = []
        """What models said of pictures that they were shown."""
        self.told: list[ev.Judged] = []
        """What models said that were asked and shown no picture: common sense."""
        self.meant: list[Clause] = []
        """What the skills that ended well mean, in order; those that only look are left out."""
        self.acted = False
        """Whether the robot did or said anything, looking aside; what failed or was refused did nothing."""

    def stands(self, pose: Pose, at_s: float) -> None:
        """Where the robot reports to be."""
        self._pose = pose
        self._moment(at_s)

    def see(self, event: ev.Event) -> None:
        """Take in what happened."""
        match event:
            case ev.Moved():
                self.stands(Pose(event.x_m, event.y_m, event.z_m, event.yaw_rad), event.at_s)
            case ev.Observed(scene=data, task=task):
                self._looking |= {*self._running} if task else set()
                self._is_free(event)
                self._look(scene_from(data), event.at_s)
            case ev.Said(text=text):
                self.acted = True
                self._deeds.append(Deed(event.at_s, "said", (text,)))
            case ev.Instructed():
                self._wished_s = event.at_s
            case ev.PictureTaken(labels=labels):
                self.acted = True
                shown = frozenset(t.id for t in self._scene if t.label in labels)
                self._deeds.append(Deed(event.at_s, "picture", (), shown))
            case ev.Judged():
                self.judged.append(event)
                self._asked_model = ""
            case ev.Prompted():
                self._own_words = self._own_words and event.model == self._reader
                self._asked_model = event.model if event.purpose == PROBE else self._asked_model
            case ev.TaskStarted():
                skill = self._skills().get(event.skill)
                self._running[event.task] = event
                if skill and "home" in skill.brings and self._left is None:
                    self._left = self._away(self._pose)
            case ev.TaskEnded() if started := self._running.pop(event.task, None):
                skill = self._skills().get(event.skill)
                worked = event.outcome in ("done", "preempted") and skill and {*skill.uses} - LOOKING
                self.acted = self.acted or bool(worked)
                if worked:
                    self._readings = {}
                if event.outcome == "done":
                    self._measure(skill, event.value, event.at_s)
                    self._heard(started, event.value)
                    self._went(event.skill, started.args, looked=event.task in self._looking)
                    self._done(event.skill, started.args, event.value, event.at_s)
            case ev.SkillEnded():
                self._done(event.skill, event.args, event.value, event.at_s)

    def _measure(self, skill: Skill | None, value: ev.Json, at_s: float) -> None:
        """A skill that only tells something has told it."""
        if skill and skill.measures and isinstance(value, int | float):
            self._readings = {**self._readings, **dict([reading(skill.name, value)])}
            self._moment(at_s)

    def evidence(self, alike: Mapping[str, frozenset[str]] | None = None) -> Evidence:
        """All of it so far; at least one moment."""
        moments = self._moments or [Moment(0.0, self._pose, dict(self._things))]
        sizes_m = {t.id: self._sizes_m[t.label] for t in self._things.values() if t.label in self._sizes_m}
        return Evidence(
            moments,
            tuple(self._deeds),
            surveyed_s=self._surveyed_s,
            spots=self._ground.spots if self._ground else frozenset(),
            looked=frozenset(self._looked),
            ground=self._ground.names if self._ground else frozenset(),
            alike=alike or {},
            sizes_m=sizes_m,
            afar=dict(self._afar),
            spots_of=self.spots,
            homes=self._homes(moments),
            wished_s=self._wished_s,
            sense=self._sense,
            doubtful=self._doubtful,
            judged=self._fitting(),
            own_words=self._own_words,
        )

    @property
    def held(self) -> str:
        """What the hand has, as far as looks and deeds tell; empty for nothing."""
        held = self._holding or ""
        return self._things[held].label if held in self._things else held

    def _fitting(self) -> Mapping[str, frozenset[str]]:
        """By description, the ids of what a model that was shown a picture says fits it."""
        words = (*self.judged, *self.told)
        asked = {asked_of(one.question) for one in words}
        said = [(asked_of(one.question), one.thing) for one in words if one.thing]
        return {what: frozenset(thing for of, thing in said if of == what) for what in asked}

    def _homes(self, moments: Sequence[Moment]) -> tuple[Pose, ...]:
        """Home; and where this mission began, for who has left that when it sets out for home."""
        if self._home is None:
            return ()
        left = self._left if self._left is not None else any(self._away(m.pose) for m in moments)
        return (self._home, moments[0].pose) if left else (self._home,)

    def _away(self, pose: Pose) -> bool:
        """Whether that is not where the mission began; what flies has not left by taking off."""
        began = self._moments[0].pose if self._moments else pose
        risen_m = pose.z_m - began.z_m if began.z_m > GROUND_M else 0.0
        return math.hypot(pose.level_m(began), risen_m) > HOME_M

    def _look(self, scene: Scene, at_s: float) -> None:
        self._scene, self._sense = scene, scene.sense
        for thing in scene.doubtful:
            self._doubtful[thing.label] = max(thing.confidence, self._doubtful.get(thing.label, 0.0))
        if scene.view and self._round.closed_by(scene.view):
            self._surveyed(at_s)
        self._things = {**self._things, **{t.id: t for t in scene}}
        self.spots = {**self.spots, **{spot.id: self._widest(spot) for spot in _spots(scene)}}
        if self._ground:
            around = {t.id: self._ground.below(t.pose) - self._ground.spots for t in scene if t.pose}
            self._rooms = {**self._rooms, **around}
        self._afar |= {t.id: t for t in scene if _tells(t) >= _tells(self._afar.get(t.id))}
        if not self._moments:
            self._pose = scene.observer
        self._moment(at_s)

    def _widest(self, spot: Spot) -> Spot:
        """From near by a part of a thing may be out of view: as it looked when most of it showed, where it is now."""
        known = self.spots.get(spot.id)
        return known.at(spot.middle) if known and known.aside_m > spot.aside_m else spot

    def known(self, id_: str) -> Thing | None:
        """The thing of this id, as it was seen last."""
        return self._things.get(id_)

    def untold(self, kind: str) -> str:
        """Why nobody can tell whether there is such a thing; empty where that can be told."""
        return self.evidence().untold(Which(kind))

    def _done(self, name: str, args: Sequence[ev.Json], value: ev.Json, at_s: float) -> None:
        """Note the deed that a skill means, since it ended well, unless its value says that it is not so."""
        skill = self._skills().get(name)
        means = meant(skill, args, self._scene) if skill else None
        if skill is None or means is None:
            return
        if value is not False and ({*skill.uses} - EYES or skill.source):
            self.meant.append(means)
        if isinstance(value, str) and any(p.name == "found" for p in preds(means)):
            self._found = self._named([Which(value)])
        for pred in preds(means):
            if value is False and pred.name != "asked":  # who said no was asked
                self._denied(pred, at_s)
            elif pred.name not in ("said", "picture"):
                self._deed(pred, at_s)

    def _is_free(self, seen: ev.Observed) -> None:
        """A hand that can take something and tells of nothing in it is empty, as long as nothing was done with it."""
        if self._holding is None and not (seen.holding or seen.task):
            takes = any(skill.means.startswith("holding(") for skill in self._skills().values())
            self._holding = "" if takes else None

    def _heard(self, asked: ev.TaskStarted, value: ev.Json) -> None:
        """What a model answered that was asked just then."""
        model, self._asked_model = self._asked_model, ""
        if model and asked.args and value is not None:
            thing = self._scene.find(str(value))
            named = thing.id if thing else ""
            self.told.append(ev.Judged(
                question=str(asked.args[0]), answer=str(value), confidence=1.0, by=model, thing=named
            ))  # fmt: skip

    def _went(self, name: str, args: Sequence[ev.Json], *, looked: bool) -> None:
        """A skill that looked while it dealt with a place has looked at that."""
        skill, spots = self._skills().get(name), self._ground.spots if self._ground else ()
        if skill and looked:
            named = {str(arg).lower() for p, arg in zip(skill.params, args, strict=False) if p.kind == "place"}
            self._looked |= {spot for spot in spots if spot.lower() in named}

    def _surveyed(self, at_s: float) -> None:
        """Everything around was looked at. Who knows several places has seen one of them."""
        if self._surveyed_s is None and not (self._ground and self._ground.spots):
            self._surveyed_s = at_s

    def _denied(self, pred: Pred, at_s: float) -> None:
        """Something was looked for: all round, in vain, or it is not in view."""
        if pred.name == "found":
            self._surveyed(at_s)
            self._deeds.append(Deed(at_s, SOUGHT, pred.args))
        if pred.name in ("found", "sees"):
            self._unseen = self._unseen | {w.kind for w in pred.args if isinstance(w, Which)}
            self._moment(at_s)

    def _deed(self, pred: Pred, at_s: float) -> None:
        which = [a for a in pred.args if isinstance(a, Which)]
        ids = {t.id for w in which for t in self._things.values() if _is_of(t, w.kind)}
        args = pred.args
        if pred.name in HANDS and (it := self._meant_by(which)):
            ids.add(it)
            args = args if it in self._things and which[0].kind == ANYTHING else (Which(it), *args[1:])
        self._deeds.append(Deed(at_s, pred.name, args, frozenset(ids)))
        if pred.name in HANDS:
            it = self._meant_by(which)
            held = it if it in self._things else self._named(which)
            if HANDS[pred.name] and (taken := self._things.get(held)):
                self._looked.discard(taken.attributes.get("on", ""))  # another may have stood behind it
            self._holding = held if HANDS[pred.name] else ""
            on = which[1].kind if pred.name == "placed" and len(which) > 1 else ""
            if (thing := self._things.get(held)) and on != ANYTHING:  # wherever it was put, a look may have told
                self._things = {**self._things, held: replace(thing, attributes={**thing.attributes, "on": on})}
                self._rooms = {**self._rooms, held: frozenset()}
        if pred.name in ALOFT:
            self._landed = ALOFT[pred.name]
        self._moment(at_s)

    def _meant_by(self, which: Sequence[Which]) -> str:
        """What "it" is: what the hand has, or what was found last; empty where a name is told."""
        kind = which[0].kind if which else ""
        return (self._holding or "") if kind == ANYTHING else (self._holding or self._found) if kind == IT else ""

    def _named(self, which: Sequence[Which]) -> str:
        """The id of the thing that is meant; its name where no look told one."""
        if not which:
            return ""
        known = (*self._scene, *self._things.values())  # what is in view is meant before what was
        return next((t.id for t in known if which[0].kind in (t.id, t.label)), which[0].kind)

    def _moment(self, at_s: float) -> None:
        in_view = frozenset(t.id for t in self._scene)
        over = self._ground.below(self._pose) if self._ground else None
        now = Moment(
            at_s,
            self._pose,
            self._things,
            in_view,
            self._holding,
            self._landed,
            over=over,
            unseen=self._unseen,
            rooms=self._rooms,
            ground_m=self._ground.height_m(self._pose) if self._ground else 0.0,
            readings=self._readings,
        )
        acted = self._deeds and self._moments and self._deeds[-1].at_s == self._moments[-1].at_s
        stands = len(self._moments) > 1 and not acted and all(_alike(now, m) for m in self._moments[-2:])
        last = self._moments[-1] if self._moments else now
        if not stands and last.at_s == at_s and len(self._moments) > 1 and _alike(last, self._moments[-2]):
            self._moments[-1] = last = replace(last, at_s=at_s - INSTANT_S)  # it stood until then
        if stands or (self._moments and last.at_s == at_s and last.readings == now.readings):
            self._moments[-1] = now  # of a time in which nothing changes, the beginning and the end are enough
        else:
            self._moments.append(now)


class Round:
    """Looks from one spot, until they have closed the round."""

    def __init__(self) -> None:
        self._eye, self._closed = Pose(), False
        self._seen_rad: dict[int, tuple[float, float]] = {}

    def closed_by(self, view: View) -> bool:
        """Whether nothing around is left that was not in one of the images, this one included."""
        if abs(view.pitch_rad) > view.half_height_rad:  # what looks down sees nothing of what is around
            return False
        if view.eye.level_m(self._eye) > SPOT_M:
            self._seen_rad.clear()
        if not self._seen_rad:
            self._eye, self._closed = view.eye, False
        yaw_rad, half_rad = view.eye.yaw_rad % math.tau, view.half_width_rad
        side = round(yaw_rad / STILL_RAD)
        if self._closed or self._seen_rad.get(side, (0.0, 0.0))[1] >= half_rad:  # nothing new
            return self._closed
        self._seen_rad[side] = (yaw_rad, half_rad)
        seen = sorted(self._seen_rad.values())
        ahead = [*seen[1:], (seen[0][0] + math.tau, seen[0][1])]
        self._closed = all(
            b - a <= (half + other) * (1 + EDGE) for (a, half), (b, other) in zip(seen, ahead, strict=True)
        )
        return self._closed


def _tells(thing: Thing | None) -> tuple[bool, float]:
    """How well a look tells the size of a thing: not where it is cut off, and from afar rather than near by."""
    return (whole(thing), thing.distance_m or 0.0) if thing and thing.box else (False, 0.0)


HALF_VIEW_RAD = math.atan(HALF_VIEW)


def _spots(scene: Scene) -> Iterator[Spot]:
    half_rad = scene.view.half_width_rad if scene.view else HALF_VIEW_RAD
    found = (Spot.seen(thing, scene.observer, half_rad) for thing in scene)
    return (spot for spot in found if spot)


def _alike(one: Moment, other: Moment) -> bool:
    """Whether nothing has happened between two moments but time."""
    still = one.pose.distance_m(other.pose) < STILL_M and abs(wrap(one.pose.yaw_rad - other.pose.yaw_rad)) < STILL_RAD
    return still and replace(one, at_s=other.at_s, pose=other.pose) == other


def _is_of(thing: Thing, said: str) -> bool:
    """Whether it is what a skill was told, or somebody named in that, as in an answer: "To Elizabeth, please"."""
    name = thing.attributes.get("name", "")
    return said in (thing.id, thing.label) or (bool(name) and tells(said, name))
