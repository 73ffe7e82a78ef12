"""Lessons in weighing steps: a search somewhere on its way, lettered choices, and a letter drawn as is sensible.

Where several kinds of steps make sense, the letter is drawn with the chance that the mission's logic gives each, so
that the probabilities that the model learns are weights and not a bet on one. The state is told by the planner's own
function. How the search came there is played with dice: outcomes follow from steps, as they do in flight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from lessons.rescue_says import Told
from lessons.telling import Unsaid
from sayso.planners.scored import LETTERS
from sayso.robots.aircraft.domain import FOLLOW_UP, KINDS, told_state
from sayso.robots.aircraft.search.craft import LEVELS_M
from sayso.robots.aircraft.suite.baselines import OTHER
from sayso.roles import Attempt, Brief, Observation, Prompt
from sayso.skill import SkillSet

ACTIONS = 16
SAYS = dict(KINDS)
SITUATIONS = {"low": 16, "searching": 20, "denied": 9, "sighted": 20, "to do": 30, "found": 8, "far": 8, "any": 3}
"""What can be the matter while it flies, and how often; on the ground there is nothing to choose."""

MOMENTS = 40
LAST = 2
"""With so many actions left there is one beside the way home: too late to climb for a better view."""

TRUSTED, DOUBTFUL = 0.3, 0.12
"""A sighting likelier than the first is always worth a look; one less likely than the second hardly."""

TRUTHS = ((0.05, 0.3), (0.3, 0.8), (0.75, 1.0), (0.9, 1.0))
"""Most sightings are likely ones, in flight too."""

AGAIN = 0.5
"""A denied sighting that is likelier than this may be asked about again."""

_NOBODY = SkillSet()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be found, by labels, in which of the places of a map, and what is wanted on a find."""

    labels: tuple[str, ...]
    places: tuple[str, ...]
    squares: tuple[str, ...]
    areas: tuple[str, ...]
    avoid: tuple[str, ...]
    on_find: tuple[str, ...]


def wanted(told: Told) -> Wanted:
    """As much of what was said as the state of a search tells."""
    if not told.who:
        raise Unsaid("nobody is missing")
    places = dict.fromkeys((*told.where.names, *told.areas))
    steps = tuple(told.steps) or ("confirm", "home")
    labels = tuple(one.label.split()[-1] for one in told.who)
    return Wanted(labels, (*places,), told.where.squares, (*told.areas,), (*told.avoid,), steps)


@dataclass(slots=True)
class Moment:
    """A search on its way, as far as it is told: no map, only what came of the steps."""

    rng: Random
    goal: Wanted
    level: int = -1
    charge: float = 1.0
    actions: int = ACTIONS
    found: list[bool] = field(default_factory=list)
    unchecked: list[tuple[int, float]] = field(default_factory=list)
    within: int = 0
    steps: list[Attempt] = field(default_factory=list)
    followed: set[str] = field(default_factory=set)
    searched: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.found = [False] * len(self.goal.labels)
        self.within = len(self.goal.places)
        self.charge = 1.0 - self.rng.choice((0.0, 0.0, 0.0, 0.05, 0.3))

    @property
    def flying(self) -> bool:
        return self.level >= 0

    @property
    def all_found(self) -> bool:
        return all(self.found)

    def to_do(self) -> list[str]:
        """What is wanted on a find and was not done yet."""
        wanted = [kind for step, kind in FOLLOW_UP.items() if step in self.goal.on_find]
        return [kind for kind in wanted if self.all_found and kind not in self.followed]

    def possible(self) -> list[str]:
        """The kinds that the planner would offer."""
        if not self.flying:
            return ["take_off"]
        searching = not self.all_found and self.within > 0
        here = {
            "search_area": searching,
            "confirm": bool(self.unchecked) and not self.all_found,
            "ascend": not self.all_found and self.level < len(LEVELS_M) - 1 and self.charge > 0.15,
            "descend": not self.all_found and self.level > 0 and self.charge > 0.15,
            "hover": self.charge > 0.12,
            "take_image": self.charge > 0.12,
            "perform_mapping": searching,
            "return_home": True,
        }
        return [kind for kind, _ in KINDS if here.get(kind)]

    def told(self) -> list[str]:
        """The state in the planner's words."""
        labels = self.goal.labels
        return told_state(
            height_m=LEVELS_M[self.level] if self.flying else None,
            charge=self.charge,
            actions=self.actions,
            found=list(zip(labels, self.found, strict=True)),
            within=self.within,
            unchecked=[(labels[n], truth) for n, truth in self.unchecked],
            to_do=[SAYS[kind] for kind in self.to_do()],
        )

    def step(self, kind: str) -> None:
        """Do it, and remember what came of it."""
        says, told = _DONE[kind](self)
        says = says or SAYS[kind]
        if self.all_found and kind != "confirm":
            self.followed.add(kind)
        self.steps.append(Attempt(says, ended=told))
        self.actions -= 1

    def spend(self, charge: float) -> None:
        self.charge = max(0.08, self.charge - charge)
        share = min(1.0, max(0.0, (self.charge - 0.1) / 0.35))
        self.within = round(len(self.goal.places) * share)


def sensible(moment: Moment) -> dict[str, float]:
    """How sensible each possible kind is; they sum to one."""
    possible = moment.possible()
    if not moment.flying:
        return dict.fromkeys(possible, 1 / len(possible))
    likes = _likes(moment)
    weights = {kind: likes.get(kind, 0.004) for kind in possible}
    total = sum(weights.values())
    return {kind: weight / total for kind, weight in weights.items()}


def _likes(moment: Moment) -> Mapping[str, float]:
    """What the mission's logic likes at this moment; what is not named is as good as senseless."""
    if to_do := moment.to_do():
        return {to_do[0]: 0.97, "return_home": 0.01} | dict.fromkeys(to_do[1:], 0.03)
    if moment.all_found:
        return {"return_home": 0.98}
    going_on = _going_on(moment)
    truth = max((t for _, t in moment.unchecked), default=0.0)
    if truth == 0:
        return going_on
    sure = 0.97 if truth >= TRUSTED or moment.within == 0 else 0.94 if truth >= DOUBTFUL else 0.6
    return {kind: (1 - sure) * like for kind, like in going_on.items()} | {"confirm": sure}


def _going_on(moment: Moment) -> Mapping[str, float]:
    """With the search, from a good height, as long as anything is within reach."""
    if moment.within == 0:
        return {"return_home": 0.97, "descend": 0.01}
    if moment.level == 0 and moment.actions > LAST:
        return {"ascend": 0.93, "search_area": 0.05}
    climb = {"ascend": 0.02} if moment.level < len(LEVELS_M) - 1 else {"descend": 0.02}
    tired = {"return_home": 0.02} if moment.charge < 0.25 else {}
    return {"search_area": 0.94, "perform_mapping": 0.01} | climb | tired


def _take_off(m: Moment) -> tuple[str, str]:
    m.level = 0
    m.spend(0.02)
    return SAYS["take_off"], "nothing new"


def _climb(m: Moment) -> tuple[str, str]:
    others = [n for n in range(len(LEVELS_M)) if n > m.level]
    m.level = m.rng.choice(others[:1] + others[-1:] * 2)
    m.spend(0.015)
    return f"ascend to {LEVELS_M[m.level]:g} m", "nothing new"


def _sink(m: Moment) -> tuple[str, str]:
    m.level = m.rng.randrange(m.level)
    m.spend(0.015)
    return f"descend to {LEVELS_M[m.level]:g} m", "nothing new"


def _search(m: Moment, verb: str = "search") -> tuple[str, str]:
    area = m.rng.choice(m.goal.areas or m.goal.places)
    if m.rng.random() < 0.4:
        area = _block(m) or area
    m.searched.append(area)
    m.spend(m.rng.uniform(0.03, 0.09))
    return f"{verb} {area}", _sighted(m)


def _block(m: Moment) -> str:
    """Four squares at once, as the planner names them; empty where the map has none."""
    if not m.goal.squares:
        return ""
    square = m.rng.choice(m.goal.squares)
    other = f"{chr(ord(square[0]) + 1)}{int(square[1:]) + 1}"
    return f"{square}-{other}" if other in m.goal.squares else ""


def _map(m: Moment) -> tuple[str, str]:
    return _search(m, "map")


def _below(m: Moment) -> tuple[str, str]:
    """What was found is seen again from above it."""
    m.spend(0.005)
    label = m.rng.choice(m.goal.labels)
    again = m.all_found and m.rng.random() < 0.5
    return "", f"sighted a {label} ({m.rng.choice((1.0, 1.0, 0.99, 0.97)):.0%} likely)" if again else "nothing new"


def _sighted(m: Moment) -> str:
    missing = [n for n, yes in enumerate(m.found) if not yes]
    if m.rng.random() < 0.3 and missing:
        n, truth = m.rng.choice(missing), m.rng.uniform(*m.rng.choice(TRUTHS))
        m.unchecked.append((n, truth))
        m.unchecked.sort(key=lambda pair: -pair[1])
        return f"sighted a {m.goal.labels[n]} ({truth:.0%} likely)"
    return "nothing new"


def _confirm(m: Moment) -> tuple[str, str]:
    """Close by, that is: from the lowest level. What is still likely after a denial stays open for another look."""
    n, truth = m.unchecked.pop(0)
    label = m.goal.labels[n]
    m.level = 0
    m.spend(0.03)
    yes = m.rng.random() < truth
    if yes:
        m.found[n] = True
        m.unchecked = [pair for pair in m.unchecked if pair[0] != n]
    elif truth > AGAIN and m.rng.random() < 0.3:
        m.unchecked.insert(0, (n, m.rng.uniform(AGAIN, truth)))
    return (
        f"confirm the {label} sighted as s{m.rng.randrange(1, 9)}",
        f"the operator {'confirms' if yes else 'denies'} the {label}",
    )


_DONE = {
    "take_off": _take_off, "ascend": _climb, "descend": _sink, "search_area": _search, "perform_mapping": _map,
    "confirm": _confirm, "hover": _below, "take_image": _below,
}  # fmt: skip


def moment(rng: Random, goal: Wanted) -> Moment:
    """Some moment of a search. Every situation that decides otherwise comes about equally often."""
    wanted = drawn(rng, SITUATIONS if set(FOLLOW_UP) & set(goal.on_find) else SITUATIONS | {"to do": 0})
    for _ in range(MOMENTS):
        now = _flown(rng, goal, spent=0.55 if wanted == "far" else 0.0)
        if wanted == "any" or _situation(now) == wanted:
            return now
    return now


def _situation(now: Moment) -> str:
    if not now.flying:
        return "ground"
    if now.all_found:
        return "to do" if now.to_do() else "found"
    if now.unchecked:
        return "sighted"
    if now.level == 0 and any("denies" in step.ended for step in now.steps[-3:]) and now.within:
        return "denied"
    return "far" if now.within == 0 else "low" if now.level == 0 else "searching"


def _flown(rng: Random, goal: Wanted, spent: float) -> Moment:
    """A search up to some moment: mostly flown sensibly, now and then not."""
    now = Moment(rng, goal)
    now.charge -= spent
    careless = rng.choice((0.02, 0.1, 0.3))
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14))):
        likes = sensible(now)
        kinds = [k for k in likes if k != "return_home"]
        settled = now.all_found and not now.to_do() and rng.random() < 0.8
        if now.actions <= 2 or not kinds or settled:
            break
        pick = rng.choice(kinds) if rng.random() < careless else drawn(rng, {k: likes[k] for k in kinds})
        if rng.random() < 0.03:
            now.steps.append(
                Attempt(
                    SAYS[pick],
                    ended=f"failed: {rng.choice(('not enough charge', 'the wind is too strong', 'no such place'))}",
                )
            )
            now.actions -= 1
            continue
        now.step(pick)
    return now


def asked(now: Moment, said: str) -> tuple[Prompt, str, str]:
    """The prompt, the letter, and what kind of question it is."""
    rng = now.rng
    roll = rng.random()
    if roll < 0.85 or not now.flying:
        choices, weights = _kinds(now)
        about = "kinds"
    elif roll < 0.94:
        choices, weights = _alone(now)
        about = "alone"
    else:
        choices, weights = _steps(now)
        about = "steps"
    if about == "kinds" and rng.random() < 0.25:
        order = rng.sample(range(len(choices)), len(choices))
        choices, weights = [choices[i] for i in order], [weights[i] for i in order]
    letter = LETTERS[rng.choices(range(len(choices)), weights)[0]]
    brief = Brief(said, _NOBODY, Observation.of(*now.told()), tuple(now.steps))
    return Prompt("score", (), brief=brief, question="\n".join(choices)), letter, about


def _kinds(now: Moment) -> tuple[list[str], list[float]]:
    likes = sensible(now)
    if len(likes) < 2:
        raise Unsaid("where there is no choice nobody is asked")
    return [SAYS[kind] for kind in likes], list(likes.values())


def _alone(now: Moment) -> tuple[list[str], list[float]]:
    """One step against something else."""
    likes = sensible(now)
    kind = now.rng.choice([*likes, *(k for k in ("search_area", "confirm") if k in likes)])
    step, fits = _step(now, kind)
    like = min(0.97, max(0.02, likes[kind] * fits))
    return [step, OTHER], [like, 1 - like]


def _steps(now: Moment) -> tuple[list[str], list[float]]:
    """Several steps of one kind."""
    if now.all_found or not now.within:
        return _kinds(now)
    names = list(now.goal.places)
    some = now.rng.sample(names, min(len(names), now.rng.choice((2, 4, 6, 8, 8))))
    return [f"search {area}" for area in some], [_fit(now, area) for area in some]


def _step(now: Moment, kind: str) -> tuple[str, float]:
    """A step of this kind in words, and how well its parameter fits the wish."""
    if kind in ("search_area", "perform_mapping"):
        areas = now.goal.areas if now.goal.areas and now.rng.random() < 0.5 else now.goal.places
        area = now.rng.choice(areas)
        return f"{'search' if kind == 'search_area' else 'map'} {area}", _fit(now, area)
    if kind == "confirm":
        return f"confirm the {now.goal.labels[now.unchecked[0][0]]} sighted as s1", 1.0
    if kind in ("ascend", "descend"):
        others = [n for n in range(len(LEVELS_M)) if (n > now.level) == (kind == "ascend") and n != now.level]
        return f"{kind} to {LEVELS_M[now.rng.choice(others)]:g} m", 1.0
    return SAYS[kind], 1.0


def _fit(now: Moment, area: str) -> float:
    """Areas of the wish first, not those to be left out, and rather one that was not searched yet."""
    goal = now.goal
    if area in goal.avoid:
        return 0.02
    wished = 1.0 if not goal.areas or area in goal.areas else 0.15
    return wished * (1.0 if goal.areas else 0.7) * (0.35 if area in now.searched else 1.0)


def drawn(rng: Random, weights: Mapping[str, float]) -> str:
    return rng.choices(list(weights), list(weights.values()))[0]
