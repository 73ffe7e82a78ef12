"""The plan language alone: text arrives in pieces, statements come out as soon as they are complete and admissible."""

from typing import Annotated

from sayso import Range, SkillSet, skill
from sayso.language import PlanStream, check, parse, show
from sayso.skill import skills_of


class Turtle:
    """Nothing moves here: a class with skills is enough to check plans against."""

    @skill(uses="base", short="f")
    async def forward(self, distance_cm: Annotated[float, Range(1, 100)]) -> None:
        """Walk straight ahead."""

    @skill(uses="base", short="l")
    async def left(self, angle_deg: Annotated[float, Range(1, 360)]) -> None:
        """Turn left on the spot."""


skills = SkillSet(skills_of(Turtle()))
print(skills.describe())

stream = PlanStream(skills)
for chunk in ["4{f(", "50)", ";l(9", "0)}"]:
    for ready in stream.feed(chunk):
        print(f"after {chunk!r}: {ready.text}")
stream.end()

print(show(parse("4{forward(50);left(90)}")))
for error in check("forward(500); jump(3)", skills):
    print(error)

# Output:
# f forward(distance_cm: number 1..100)  Walk straight ahead.
# l left(angle_deg: number 1..360)  Turn left on the spot.
# after '4{f(': 4
# after '50)': f(50)
# after '0)}': l(90)
# 4{forward(50);left(90)}
# line 1, column 9: forward: distance_cm must be 1 to 100 cm, not 500 (expected distance_cm: number 1..100)
# line 1, column 15: unknown skill 'jump' (expected one of forward, left)
