"""The skills of a service robot: the eight primitives of the GPSR paper, and what its commands need besides.

    move_to look_for_obj look_for_person follow grasp pass_to speak answer
    count person_info object_info ask place give

A skill looks before it acts and checks afterwards; a failure says what was tried and what is known instead, so that a
planner can mend from it. Names are grounded against the robot's table; descriptions stay descriptions.
"""

import asyncio
import math
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from sayso.errors import ModelError, SkillFailed
from sayso.grounding.answers import UNTOLD, agrees, unknowing
from sayso.grounding.inflection import listed
from sayso.grounding.matching import (
    ANY_THING,
    RELATION_NAMES,
    RELATIONS,
    SUPERLATIVES,
    Wanted,
    must_want,
    wanted_person,
)
from sayso.grounding.names import OPERATOR_NAMES, START_NAMES, Place, bare, lowered, read_names
from sayso.grounding.people import is_person
from sayso.robots.service.follow import Follow
from sayso.roles import Perception
from sayso.scene import Pose, Scene, Thing, plain
from sayso.skill import PlaceName, ThingName, Value, skill
from sayso.skills.hands import free_spots, grip
from sayso.skills.looking import ROUND, TABLE, TILT_ROUND_RAD, TILT_TABLE_RAD, Search, ServiceRobot, along
from sayso.skills.name_resolver import START, USUAL
from sayso.skills.talk import Ask, spoken
from sayso.task import NOT_FOUND

Tell: TypeAlias = Callable[[str], None]

PAPER = ("move_to", "look_for_obj", "look_for_person", "follow", "grasp", "pass_to", "speak", "answer")
"""The primitives of the paper, for comparing with its figures."""

RETURN_TO = ("move_to", "guide", "place")
"""Those that know where the mission began."""

ANSWER_S, QUESTION_S, TAKE_S = 15.0, 8.0, 7.0
QUESTION_WORDS = ("question", "questions", "my question", "his question", "her question", "their question", "")
UNKNOWN_ANSWER = "unknown answer"
NOT_KNOWN = "I am sorry, I do not know the answer."
ATTRIBUTES = {
    "name": "name", "gender": "gender", "sex": "gender", "pose": "pose", "posture": "pose", "gesture": "gesture",
    "shirt": "clothing", "clothing": "clothing", "clothes": "clothing", "wearing": "clothing",
    "color": "shirt", "colour": "shirt", "place": "place", "where": "place",
}  # fmt: skip
"""Words for what can be told of a person, and what it is."""

COME_UP_S = 1.5
"""So long somebody who was guided takes to come up, once there."""


class Service:
    """The skills of one service robot in one mission. The operator is at its `home`, where it first was."""

    def __init__(
        self, robot: ServiceRobot, perception: Perception, tell: Tell, ask: Ask | None, home: Pose | None = None
    ) -> None:
        self._robot, self._tell, self._model = robot, tell, ask
        self.names = read_names(robot.knowledge)
        self.search = Search(robot, perception, self.names)
        self._start = home or robot.state().pose
        self._person: Thing | None = None
        self._thing: Thing | None = None
        self._held = ""
        self._guiding = False
        self._met: set[tuple[str, str]] = set()

    @skill(uses=("base", "head"), short="mt", again=True, means="visited({place})")
    async def move_to(self, place: PlaceName) -> None:
        """Drive to a room, a named place, or 'initial location'; fails where the way is blocked."""
        await self._go(str(place))
        if self._guiding:
            self._guiding = False
            await self._say(f"We have arrived: this is the {bare(str(place))}.")
            await asyncio.sleep(COME_UP_S)

    async def _go(self, text: str) -> None:
        self._thing = None
        if bare(text) in (*START_NAMES, *OPERATOR_NAMES):
            start = self._start
            await self._robot.drive_to(start.x_m, start.y_m, start.yaw_rad, near_m=0.6, what="back to the start")
            return
        await self.search.go(self.names.must_place(text))

    @skill(uses=("base", "head"), short="f", means="followed({person})")
    async def follow(self, person: str) -> None:
        """Follow a person who leads the way, until that person stops; to guide somebody, speak and move_to instead."""
        leads = await self._face(person)
        self._robot.forget_heard()
        await self._say("I will follow you.")
        self._person = await Follow(self.search).behind(leads)

    @skill(uses=("base", "head"), short="lo", again=True, means="found({thing})")
    async def look_for_obj(self, thing: ThingName) -> str:
        """Find an object by name, category or description, here or in this room; its name, or a failure."""
        self._thing = await self.search.find_thing(must_want(str(thing), self.names))
        return self._thing.label

    @skill(uses=("base", "head"), short="lp", again=True, means="found({description})")
    async def look_for_person(self, description: str) -> str:
        """Find a person by name, gender, pose, gesture, clothing or 'me', and stand before them; their name."""
        return (await self._face(description)).attributes.get("name", "person")

    @skill(uses=("base", "head"), short="mn", again=True)
    async def meet_next(self, description: str, place: PlaceName) -> bool:
        """Stand before the next person at a place who fits a description, each once; False if none."""
        where = self.names.must_place(str(place))
        room = where if where.is_room else self.names.places[where.room]
        wanted = wanted_person(description, self.names, None)

        def fresh(view: Sequence[Thing]) -> list[Thing]:
            there = [p for p in wanted.pick(view) if (description, p.id) not in self._met]
            return there if where.is_room else [p for p in there if p.pose and where.beside(p.pose)]

        await self._robot.tuck()
        if self.search.room() is not room or not where.is_room:
            await self.search.go(where)
        try:
            found = await self.search.find_person(Wanted(description, fresh), room)
        except SkillFailed as failed:
            if failed.code != NOT_FOUND:
                raise
            return False
        if found.pose and not room.holds(found.pose):
            return False
        self._met.add((description, found.id))
        self._person = await self.search.near_person(found)
        return True

    @skill(uses=("base", "head"), short="wi", again=True)
    async def what_is(self, kind: str, place: PlaceName) -> str:
        """The names of the objects (by name, category or description) at a place or in a room; or 'nothing'."""
        return listed([t.label for t in (await self._there(kind, self.names.must_place(str(place)))).values()])

    @skill(uses=("base", "head"), short="ct", again=True)
    async def count(self, kind: str, place: PlaceName) -> int:
        """How many objects (by name or category) or people (by description) there are at a place or in a room."""
        return len(await self.there(kind, self.names.must_place(str(place))))

    @skill(uses=("base", "head"), short="pi")
    async def person_info(self, attribute: str) -> str:
        """What is known of the person found last: name, gender, pose, gesture, shirt, or place."""
        if self._person is None:
            raise SkillFailed("no person has been found yet; look_for_person first")
        person = self._person = await self.search.near_person(self._person)
        key = next((key for word, key in ATTRIBUTES.items() if word in bare(attribute).split()), bare(attribute))
        if key == "place":
            near = self.names.place_at(person.pose) if person.pose else None
            return near.name if near else "flat"
        if key == "name" and "name" not in person.attributes:
            return await self.ask("What is your name?")
        if key not in person.attributes:
            if key == "gesture":
                return "no gesture"
            raise SkillFailed(f"cannot tell the {attribute} of a person; name, gender, pose, gesture or shirt")
        return person.attributes[key]

    @skill(uses=("base", "head"), short="oi", again=True)
    async def object_info(self, which: str, thing: str) -> str:
        """The name of an object here by superlative ('biggest', 'drinks') or relation ('left of', 'coke'), or an
        object's attribute ('color', 'cup')."""
        words = lowered(which).removeprefix("the ")
        if words in ("color", "colour", "category", "place"):
            return self._attribute_of(
                words.replace("colour", "color").replace("place", "on"), thing, await self._here()
            )
        relation = next((long for long in (*RELATION_NAMES, *RELATIONS) if long in words), "")
        superlative = next((word for word in SUPERLATIVES if word in words), "")
        if relation:
            head = words.replace(relation, "").strip() or "object"
            wanted = must_want(f"{head} {relation} the {thing}", self.names)
        elif superlative:
            wanted = must_want(f"{superlative} {thing}", self.names)
        else:
            raise SkillFailed(f"{which!r} is no relation or superlative such as {listed(RELATIONS[:4])}, or biggest")
        view = await self._here(wanted)
        found = wanted.pick(view)
        if not found:
            raise SkillFailed(f"there is no {wanted.name} here; {_what(view)}")
        self._thing = found[0]
        return found[0].label

    @skill(uses=("base", "head", "arm", "gripper"), short="gr", means="holding({thing})")
    async def grasp(self, thing: ThingName) -> None:
        """Take an object into the hand, after it was found with look_for_obj; one object at a time."""
        if self._robot.holding:
            raise SkillFailed(f"the hand already holds the {self._held or 'last thing'}; place or give it first")
        found = await self._to_grasp(str(thing))
        await self.search.near_thing(found)
        found = await self.search.again(found, TILT_TABLE_RAD) or found
        try:
            await self._robot.grasp_at(*grip(found, self.names.kinds))
        except SkillFailed as failed:
            raise SkillFailed(f"could not grasp the {found.label}: {failed}", failed.code) from failed
        self._held, self._thing = found.label, None

    @skill(uses=("base", "head", "arm", "gripper"), short="pl", means="placed(thing, {place})")
    async def place(self, place: PlaceName) -> None:
        """Put what the hand holds down on a place; into the trash bin, or on the floor where nothing can be put on."""
        held = self._must_hold()
        usual, home = self.names.usual_place(held), Place(START, "", self._start)
        known = {**dict.fromkeys(START_NAMES, home), USUAL: usual}
        room = where = known.get(bare(str(place))) or self.names.must_place(str(place))
        for top in sorted(self.names.within(room.name), key=lambda one: one != usual):
            where = top
            if free_spots(top, await self.search.view_of(top), held, self.names.kinds):
                break
        if not (where.placement or where.bin):
            await self._put_on_floor(where)
        elif where.bin:
            await self.search.go(where)
            await self._put(where, (0.0, 0.0), held)
        else:
            view = await self.search.view_of(where)
            await self._put(where, self._free_spot(where, view, held), held)
        if where != room:
            self._tell(f"I put it on the {where.name}.")
        self._held = ""

    @skill(uses=("base", "head", "arm", "gripper", "voice"), short="gv", means="given(thing, {person})")
    async def give(self, person: str) -> None:
        """Hand what the hand holds over to a person, by name, description or 'me'."""
        held = self._must_hold()
        faced = await self._face(person)
        name = faced.attributes.get("name", "")
        await self._robot.hold_out(faced.pose.level_m(self._robot.state().pose) if faced.pose else math.inf)
        self._must_hold()  # what fell on the way was taken by nobody
        called = f", {name}" if name and name != "operator" else ""
        await self._say(f"Please take the {held}{called}.")
        taken = await self._until_taken()
        await self._robot.tuck()
        if not taken:
            raise SkillFailed(f"nobody took the {held}")
        self._held = ""

    @skill(uses=("base", "head", "arm", "gripper", "voice"), short="pt", means="given(thing, {receiver})")
    async def pass_to(self, receiver: str) -> None:
        """Hand what the hand holds to a person, or put it on a place."""
        people = bare(receiver) in OPERATOR_NAMES or self.names.person(receiver) or self._is_people(receiver)
        if not people and self.names.place(receiver):
            await self.place(PlaceName(receiver))
            return
        await self.give(receiver)

    @skill(uses="voice", short="sp", means="said({text})")
    async def speak(self, text: Value) -> None:
        """Say something aloud to whoever is near: a text, or what another skill returned."""
        sentence = spoken(text)
        if re.search(r"\b(follow me|come with me|come along|guide you)\b", sentence.lower()):
            self._guiding = True
        await self._say(sentence)

    @skill(uses="voice", short="an", means="answered({question})")
    async def answer(self, question: str) -> str:
        """Answer a question aloud; 'question' lets the person in front ask it first."""
        asked = question
        if bare(question) in QUESTION_WORDS:
            self._robot.forget_heard()
            await self._say("What is your question?")
            heard = await self._robot.listen(QUESTION_S)
            if heard is None:
                raise SkillFailed("nobody asked anything; look_for_person first")
            asked = heard[1]
        reply = self.names.answer(asked) or await self._think(asked)
        await self._say(reply or NOT_KNOWN)
        if not reply:
            raise SkillFailed(f"does not know the answer to {asked!r}", UNKNOWN_ANSWER)
        return reply

    @skill(uses=("head", "voice"), short="ak", means="asked(person, {question})")
    async def ask(self, question: str, where: str = "") -> str:
        """Ask whoever is near a question and return what they answer; also for what a command has left out.

        A person in sight, `where` it asks for one, is at the 'initial location'; what names no place is unknown."""
        if where and (await self.search.around(ROUND, TILT_ROUND_RAD, wanted_person(where, self.names, None)))[0]:
            return START
        self._robot.forget_heard()
        await self._say(question if question.rstrip().endswith("?") else f"{question.rstrip('. ')}?")
        heard = await self._robot.listen(ANSWER_S)
        if heard is None:
            raise SkillFailed(f"nobody answered the question {question!r}; nobody seems to be near")
        who, said = heard
        if who != "operator":
            self._tell(f"{who} says: {said}")
        nowhere = where and bare(said) not in (*START_NAMES, *OPERATOR_NAMES) and not self.names.place(said)
        return UNTOLD if nowhere or unknowing(said) else said

    @skill(uses="voice", short="cf", means="asked(person, {question}) then agreed(person)")
    async def confirm(self, question: str) -> bool:
        """Ask whoever is near a question that is answered with yes or no; whether it was yes."""
        return agrees(await self.ask(question))

    async def there(self, kind: str, where: Place) -> dict[str, Thing]:
        """The objects or people of a description that are seen there, by id."""
        people = self._is_people(kind) or self.names.person(kind)
        return await (self._people_there(kind, where) if people else self._there(kind, where))

    async def _there(self, kind: str, where: Place) -> dict[str, Thing]:
        """The objects of a kind that are seen there, by id."""
        wanted = must_want(kind, self.names)
        seen: dict[str, Thing] = {}
        for spot in self.names.within(where.name) if where.is_room else [where]:
            seen.update({t.id: t for t in wanted.pick(await self.search.view_of(spot, wanted))})
        return seen

    async def _say(self, text: str) -> None:
        self._tell(text)
        await self._robot.say(text)

    async def _think(self, question: str) -> str:
        """What the model knows to say; empty for nothing."""
        if self._model is None:
            return ""
        try:
            reply = await self._model(f"Answer this question in one short sentence: {question}", Scene())
        except ModelError:
            return ""
        known = plain(reply, 200)
        return known if known not in ("True", "False", "None") and re.search("[a-z]", known) else ""

    def _is_people(self, text: str) -> bool:
        return is_person(text) and not self.names.thing(text)

    async def _people_there(self, kind: str, where: Place) -> dict[str, Thing]:
        """Those who fit a description and are seen there, by id."""
        wanted = wanted_person(kind, self.names, None)
        room = where if where.is_room else self.names.places[where.room]
        seen: dict[str, Thing] = {}
        await self.search.go(where)
        for spot in [None, *along(room, 0.25, 0.75)] if where.is_room else [None]:
            if spot and self._robot.way_m(*spot, near_m=0.8) is not None:
                await self._robot.drive_to(*spot, None, near_m=0.8, what=f"through the {room.name}")
            _, view = await self.search.everywhere(None)
            near = [p for p in wanted.pick(view) if p.pose and room.holds(p.pose) and where.beside(p.pose)]
            seen.update({p.id: p for p in near})
        return seen

    async def _face(self, description: str) -> Thing:
        """Find a person and stand before them; the operator is looked for at home."""
        last, wanted = self._person, wanted_person(description, self.names, self._person)
        await self._robot.tuck()
        if wanted.name == "operator" and self._robot.state().pose.distance_m(self._start) > 1.5:
            await self._go(START)
        known = last is not None and wanted.pick([last])
        seen = wanted.pick(await self.search.glance(0.0, TILT_ROUND_RAD)) if known else []
        found = seen[0] if seen else await self.search.find_person(wanted, self.search.room())
        self._person = await self.search.near_person(found)
        return self._person

    async def _here(self, wanted: Wanted | None = None) -> list[Thing]:
        """The things on the place that the robot stands at, else all that is in view around."""
        place = self.search.at_place()
        if place and (place.placement or place.bin):
            return await self.search.view_of(place, wanted)
        _, seen = await self.search.around(TABLE, TILT_TABLE_RAD)
        return [t for t in seen if t.label != "person"]

    def _attribute_of(self, key: str, thing: str, view: Sequence[Thing]) -> str:
        found = must_want(thing, self.names).pick(view)
        if not found:
            raise SkillFailed(f"there is no {thing} here; {_what(view)}")
        if key not in found[0].attributes:
            raise SkillFailed(f"cannot tell the {key} of the {found[0].label}")
        return found[0].attributes[key]

    async def _to_grasp(self, text: str) -> Thing:
        """The thing that is meant: the one found last, one remembered near by, or one to be seen from here."""
        if bare(text) in ANY_THING and self._thing is not None:
            return self._thing
        wanted = must_want(text, self.names)
        if self._thing is not None and (wanted.pick([self._thing]) or bare(text) == bare(self._thing.label)):
            return self._thing
        if found := wanted.pick(await self._here()):
            return found[0]
        raise SkillFailed(f"do not see the {wanted.name} from here; look_for_obj first")

    def _must_hold(self) -> str:
        if not self._robot.holding:
            lost = f"; the {self._held} fell out of it on the way" if self._held else "; grasp something first"
            raise SkillFailed(f"the hand is empty{lost}")
        return self._held or "thing"

    def _free_spot(self, where: Place, view: Sequence[Thing], held: str) -> tuple[float, float]:
        """A free point on a placement, in its frame, as near as can be to where the robot stands."""
        here = where.local(self._robot.state().pose)
        free = free_spots(where, view, held, self.names.kinds)
        if not free:
            raise SkillFailed(f"there is no free spot on the {where.name} for the {held}")
        return min(free, key=lambda s: math.dist(s, here))

    async def _put(self, where: Place, spot: tuple[float, float], held: str) -> None:
        assert where.at is not None
        goal = where.at.moved(*spot)
        await self.search.near_thing(Thing("", where.name, pose=Pose(goal.x_m, goal.y_m, where.size_m[2])))
        try:
            await self._robot.release_at(goal.x_m, goal.y_m, where.size_m[2])
        except SkillFailed as failed:
            raise SkillFailed(f"could not put the {held} on the {where.name}: {failed}") from failed

    async def _put_on_floor(self, where: Place) -> None:
        if where.name == START:
            await self._go(START)
        else:
            await self.search.go(where)
        here = self._robot.state().pose
        for turn_deg in (0, 90, -90, 60, -60, 120, -120, 180):
            goal = here.moved(turn_rad=math.radians(turn_deg)).moved(0.5)
            if self._robot.free(goal.x_m, goal.y_m):
                await self._robot.turn_to(goal.yaw_rad)
                await self._robot.release_at(goal.x_m, goal.y_m, 0.0)
                return
        raise SkillFailed(f"there is no free floor near the {where.name}")

    async def _until_taken(self) -> bool:
        loop = asyncio.get_running_loop()
        until_s = loop.time() + TAKE_S
        while self._robot.holding and loop.time() < until_s:
            await asyncio.sleep(0.2)
        return not self._robot.holding


def _what(view: Sequence[Thing]) -> str:
    return f"saw {listed([t.label for t in view])}"
