"""The skill of a look all round: what is there, how many of a kind, and each in its turn.

    lr;l('I see '+hm('person')+' people.')          _i=0;20{?_i<hm('chair'){_i=_i+1;g(nt('chair',_i));tp}}
    lr;g(nt('tallest person',1))                    l(wo('which is nearest','plant, sofa'))

What was seen is kept until the next look round, each thing as an individual: a plan can go through them by their names.
What is asked for is a label, or things as goals have them (`sayso.goals.text`).
"""

import math
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated

from sayso.errors import PlanSyntaxError, SkillFailed
from sayso.goal import ANYTHING, Pred
from sayso.goals.clauses import whiches
from sayso.goals.evidence import whole
from sayso.goals.seen import IN_VIEW, Seen
from sayso.goals.text import parse, quoted
from sayso.roles import Perception
from sayso.scene import Scene, Thing, plain
from sayso.skill import Range, ThingName, Value, skill
from sayso.task import NOT_FOUND, UNSENSED

STEP_RAD = math.radians(45)
"""How far it turns between looks where nobody says how wide the camera sees."""

OVERLAP = 0.8
"""Of the width of an image, so much is new in the next one: what stands at its edge is seen whole in one of them."""

SPOT_M = 0.5
"""From no further away what the look round showed is what is around."""


class LookRound:
    """A look all round; `turn` turns the robot (radians, positive is left), `ready` makes it fit to."""

    def __init__(
        self, turn: Callable[[float], Awaitable[None]], perception: Perception, ready: Callable[[], Awaitable[None]]
    ) -> None:
        self._turn, self._perception, self._ready = turn, perception, ready
        self._seen: Scene | None = None

    @skill(uses="base", short="lr", again=True)
    async def look_round(self) -> str:
        """Turn all the way round and list what there is, with how many of each kind."""
        await self._ready()
        scene = await self._perception.look()
        step_rad = 2 * scene.view.half_width_rad * OVERLAP if scene.view else STEP_RAD
        turns = math.ceil(2 * math.pi / step_rad)
        seen: dict[str, Thing] = {}
        for _ in range(turns):
            for thing in scene:
                if thing.id not in seen or _clear(thing) > _clear(seen[thing.id]):
                    seen[thing.id] = thing
            await self._turn(-2 * math.pi / turns)
            scene = await self._perception.look()
        nearest = sorted(seen.values(), key=lambda t: (math.inf if t.distance_m is None else t.distance_m, t.id))
        self._seen = replace(scene, things=tuple(nearest))
        kinds = Counter(plain(t.label) for t in nearest)
        return ", ".join(f"{many} {kind}" for kind, many in kinds.items()) or "nothing"

    @skill(short="hm")
    async def how_many(self, thing: ThingName) -> int:
        """How many of a kind the last look_round saw."""
        there = self._alike(thing)
        if not there and (why := self._looked().untold(thing)):
            raise SkillFailed(why, UNSENSED)
        return len(there)

    @skill(short="nt")
    async def nth(self, thing: ThingName, number: Annotated[int, Range(1, 1000)]) -> str:
        """The name of one of a kind that the last look_round saw, for goto and the like; number 1 was the nearest."""
        alike = self._alike(thing)
        if number > len(alike):
            raise SkillFailed(f"the look round saw {len(alike)} {plain(thing)}, so there is no number {number}")
        return alike[int(number) - 1].name

    @skill(uses="base", short="fc", means="facing({thing})")
    async def face(self, thing: ThingName) -> None:
        """Turn to a thing in view or seen by the last look_round."""
        scene = await self._perception.look()
        there = scene.find(thing) or self.recall(thing)
        if there is None or there.pose is None:
            raise SkillFailed(f"no {plain(thing.partition('#')[0])} in view", NOT_FOUND)
        await self._ready()
        await self._turn(scene.observer.bearing_rad(there.pose))

    @skill(short="wo", means="answered({question}, {things})")
    async def work_out(self, question: str, things: str) -> Value:
        """The answer to a question of goals about things, from what is in view and the last look_round; else False."""
        asked = parse(f"answered({quoted(question)}, {things})")
        assert isinstance(asked, Pred)
        scene, around = await self._perception.look(), self._seen
        here = around is not None and around.observer.level_m(scene.observer) <= SPOT_M
        seen = Seen(scene) if around is None or not here or question in IN_VIEW else Seen(around, around=True)
        for one in whiches(asked):
            if one.kind != ANYTHING and not seen.things(one) and (why := seen.scene.untold(one.kind)):
                raise SkillFailed(why, UNSENSED)
        return seen.answer(asked) or False

    def recall(self, name: str) -> Thing | None:
        """What the look round saw under this name."""
        return self._seen.find(name) if self._seen else None

    def _alike(self, name: str) -> list[Thing]:
        """Those that the look round saw of what a text of goals means, or else of a label."""
        try:
            meant = next(whiches(parse(f"found({name})")))
        except PlanSyntaxError:
            return self._looked().alike(name)
        return Seen(self._looked(), around=True).things(meant)

    def _looked(self) -> Scene:
        if self._seen is None:
            raise SkillFailed("nobody has looked round yet; look_round first")
        return self._seen


def _clear(thing: Thing) -> tuple[bool, float]:
    """How well a look shows a thing: whole, and in the middle."""
    return whole(thing), -abs(thing.box.x - 0.5) if thing.box else 0.0
