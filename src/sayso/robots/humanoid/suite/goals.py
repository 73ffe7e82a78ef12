"""The nine goals of the humanoid paper's Table 1, in the language of goals (`goals.toml`).

The robot stands on the centre line facing its own goal, the
ball lies on the centre circle behind it; only for goal 4 the two are further apart, so that the robot is still on its
way when the request changes. Goals 8 and 9 cannot be reached: there it is right to end honestly, with nothing done in
their place.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

from sayso.tables import toml


@dataclass(frozen=True, slots=True)
class Goal:
    """One row of the table: what is said, what that means, and what the bench does meanwhile.

    `push` fells the robot on its way. `then` is said `then_s` after the start and means `then_wants`, which is judged
    from there on; `before` has to hold until then. Of what cannot be done, `instead` is what has to be so. `apart_m`,
    where it is set, is how far the ball lies behind the robot. `limit_s` ends the episode.
    """

    id: str
    sentence: str
    wants: str
    limit_s: float
    published: Mapping[str, str]
    _: KW_ONLY
    instead: str = ""
    push: bool = False
    then: str = ""
    then_s: float = 20.0
    then_wants: str = ""
    before: str = ""
    apart_m: float = 0.0

    @property
    def feasible(self) -> bool:
        """Over when it is met; the others are over when the agent ends by itself."""
        return not self.instead

    @property
    def judged(self) -> str:
        """What has to be so at the end."""
        return self.instead or self.then_wants or (f"fell then {{ {self.wants} }}" if self.push else self.wants)


GOALS = tuple(Goal(**entry) for entry in toml(__package__, "goals.toml")["goal"])


def goal(id_: str) -> Goal:
    return next(g for g in GOALS if g.id == id_)
