"""Speech in furnished rooms: who hears whom, what people do about it, and what they say themselves.

A voice carries a few metres and not through walls or closed doors. Everything said is kept with who heard it, so that a
judge can ask who was told what. People's lines are scripted: the answers and questions of each.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sayso.scene import Pose
from sayso.world import ROBOT
from sayso.worlds.indoor.people import People, Person

HEARD_M = 3.5
REPLY_S, REACT_S = 0.8, 0.3
"""Between what a person hears and the answer, or what the person does."""

WORDS_A_S = 3.0
"""How fast the robot speaks."""

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Said:
    """Something that was said: by whom (`ROBOT` or a name), when, and who heard it."""

    at_s: float
    by: str
    text: str
    heard_by: tuple[str, ...]


class Voices:
    """All that is said. `does` carries out what a person is asked to do: (person, what, sentence)."""

    def __init__(
        self,
        people: People,
        meanings: Sequence[dict[str, Any]],
        *,
        now_s: Callable[[], float],
        robot: Callable[[], Pose],
        walled: Callable[[Point, Point], bool],
        does: Callable[[Person, str, str], None],
    ) -> None:
        self.said: list[Said] = []
        self._people, self._meanings = people, meanings
        self._now_s, self._robot, self._walled, self._does = now_s, robot, walled, does
        self._due: list[tuple[float, Callable[[], None]]] = []
        self._asked: dict[str, int] = {}

    def robot_says(self, text: str) -> None:
        """The robot speaks. People who hear it may answer or do what it asks, a moment later."""
        near = self._near(self._ear())
        self.said.append(Said(self._now_s(), ROBOT, text, tuple(p.name for p in near)))
        for person in self._addressed(text, near):
            self._react(person, text)

    def say(self, person: Person, text: str) -> None:
        """A person speaks."""
        heard = [p.name for p in self._near(person.mouth, person)]
        heard += [ROBOT] if self._reaches(person.mouth, self._ear()) else []
        self.said.append(Said(self._now_s(), person.name, text, tuple(heard)))

    def tick(self) -> None:
        """Say and do what is due."""
        if not self._due:
            return
        now_s = self._now_s()
        due = [entry for entry in self._due if entry[0] <= now_s]
        self._due = [entry for entry in self._due if entry[0] > now_s]
        for _, act in due:
            act()

    def _ear(self) -> Point:
        """Where the robot speaks and hears."""
        pose = self._robot()
        return pose.x_m, pose.y_m, 1.0

    def _near(self, mouth: Point, speaks: Person | None = None) -> list[Person]:
        """Whoever hears a voice."""
        return [p for p in self._people.all.values() if p is not speaks and self._reaches(mouth, p.mouth)]

    def _reaches(self, mouth: Point, ear: Point) -> bool:
        return math.dist(mouth[:2], ear[:2]) <= HEARD_M and not self._walled(mouth, ear)

    def _addressed(self, text: str, near: Sequence[Person]) -> list[Person]:
        words = set(tokens(text))
        named = [p for p in near if _called(p.name, text)]
        if named:
            return named
        if words & {"everyone", "everybody", "all", "guests"}:
            return list(near)
        pose = self._robot()

        def off(person: Person) -> float:
            there = Pose(*person.pose.xy)
            return pose.distance_m(there) + 0.8 * abs(pose.bearing_rad(there)) - (0.5 if person.following else 0.0)

        return [min(near, key=off)] if near else []

    def _react(self, person: Person, text: str) -> None:
        """What a person says or does about a sentence, once it is over."""
        over_s = self._now_s() + len(text.split()) / WORDS_A_S
        meaning = meaning_of(text, self._meanings)
        if (answer := self._answer(person, text)) and meaning != "question wanted":
            self._due.append((over_s + REPLY_S, partial(self.say, person, answer)))
        elif meaning == "question wanted" and person.asks:
            turn = self._asked.get(person.name, 0)
            self._asked[person.name] = turn + 1
            question = person.asks[turn % len(person.asks)]
            self._due.append((over_s + REPLY_S, partial(self.say, person, question)))
        elif meaning:
            self._due.append((over_s + REACT_S, partial(self._does, person, meaning, text)))
        elif text.rstrip().endswith("?"):
            self._due.append((over_s + REPLY_S, partial(self.say, person, "I do not know.")))

    def _answer(self, person: Person, text: str) -> str:
        """What a person says to a question, their own lines first."""
        words = tokens(text)
        for when, line in person.answers:
            if all(w in words or (" " in w and w in " ".join(words)) for w in when):
                return line
        if "?" in text or "tell" in words:
            if "name" in words:
                return f"My name is {person.name}." if person.name != "operator" else "I am the operator."
        return ""


def _called(name: str, text: str) -> bool:
    """Whether a sentence is said to somebody; a question about somebody ("Where is Mary?") is not, unless it calls."""
    if name.lower() not in tokens(text):
        return False
    calls = re.search(rf"^(?:\w+ )?{name}\b *[,!]|^{name}\b|, *{name}\b", text, re.IGNORECASE)
    return "?" not in text or calls is not None


def meaning_of(text: str, meanings: Sequence[dict[str, Any]]) -> str:
    """What a sentence wants of who hears it, or nothing."""
    words = [*tokens(text), *("?" for _ in range("?" in text))]
    return next((row["means"] for row in meanings if any(all(w in words for w in need) for need in row["any"])), "")


def tokens(text: str) -> list[str]:
    """The words of a sentence in lower case."""
    return re.findall(r"[a-z0-9']+", text.lower().replace("i'll", "i will").replace("i'm", "i am"))
