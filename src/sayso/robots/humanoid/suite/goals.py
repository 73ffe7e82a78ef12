"""The nine goals of the humanoid paper's Table 1, in the language of goals.

Published figures: Table 2, ten runs each in simulation. The robot stands on the centre line facing its own goal, the
ball lies on the centre circle behind it; only for goal 4 the two are further apart, so that the robot is still on its
way when the request changes. Goals 8 and 9 cannot be reached: there it is right to end honestly, with nothing done in
their place.
"""

from dataclasses import KW_ONLY, dataclass

from sayso.bench.suite import BenchTask, Variant

AT_BALL = "{ { at(ball, 0.33 m); upright } then waited(2 s) }; at(ball, 0.33 m); toward(ball, 40 deg); upright"
"""It has come to a stand there, and is turned to it at the end: 0.4 m from the ball's middle."""


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
    published: tuple[str, str] = ("", "")
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


GOALS = (
    Goal("1", "Find the ball", "{ sees(ball) then waited(3 s) }; sees(ball); upright", 40.0, ("9/10", "1.0")),
    Goal("2", "Approach the ball", AT_BALL, 60.0, ("10/10", "1.0")),
    Goal("3", "Approach the ball", AT_BALL, 90.0, ("10/10", "1.0"), push=True),
    Goal(
        "4", "Approach the ball", AT_BALL, 40.0, ("10/10", "1.0"),
        then="Stand still and wave", then_s=19.0, then_wants="within(5.2 s) { waited(3 s) }; waved(2); upright",
        before="visited(ball, 5.33 m); not visited(ball, 0.33 m)", apart_m=5.9,
    ),
    Goal("5", "Approach and kick the ball", "kicked; gone(ball)", 60.0, ("10/10", "1.0")),
    Goal("6", "Play soccer", "placed(ball, 'opponent goal')", 150.0, ("2/10", "1.0")),
    Goal("7", "Playing soccer", "placed(ball, 'opponent goal')", 150.0, ("9/10", "1.0")),
    Goal("8", "Pick up the ball", "holding(ball)", 60.0, ("–", "1.0"), instead="not touched(ball)"),
    Goal(
        "9", "Jump", "moved(up, 0.2 m)", 60.0, ("–", "0.53"),
        instead="stayed; never not toward('own goal', 20 deg); not waved",
    ),
)  # fmt: skip

TASKS = tuple(
    BenchTask(
        g.id, g.sentence, (Variant("", g.judged),),
        {"success": g.published[0], "executability": g.published[1]}, g.feasible,
    )
    for g in GOALS
)  # fmt: skip


def goal(id_: str) -> Goal:
    return next(g for g in GOALS if g.id == id_)
