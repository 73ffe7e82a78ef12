"""The robot's model of itself, on which all its answers about itself rest (U2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sayso.limits import Limits
from sayso.roles import Check, Exchange, RobotState
from sayso.scene import Ground, Pose, Scene
from sayso.skill import SkillSet

FAR_M = 50.0


@dataclass(frozen=True, slots=True)
class SelfModel:
    """What a robot knows of itself. `earlier` is what the conversation or the journal tells of the missions before,
    `home` where the robot was first, `checks` what a machine's check list finds, `wish` what it is at, and `what` what
    kind of robot it is, `called` its name."""

    state: RobotState
    limits: Limits
    skills: SkillSet
    earlier: Sequence[Exchange] = ()
    scene: Scene = field(default_factory=Scene)
    home: Pose | None = None
    ground: Ground | None = None
    endurance_s: float = 0.0
    stopped_by: str = ""
    checks: Sequence[Check] = ()
    wish: str = ""
    what: str = ""
    called: str = ""

    @property
    def aloft(self) -> bool:
        return self.skills.flies and not self.state.resting

    @property
    def posture(self) -> str:
        """How it is, in its own words, as far as it has some."""
        told = self.state.summary.split(",")[0]
        return told or ("standing" if self.state.resting else "moving")

    @property
    def left_s(self) -> float:
        """How long it can go on above its reserve; 0 where nobody knows."""
        return max(0.0, self.state.charge - self.limits.battery_reserve) * self.endurance_s


class Unsure(str):
    """What is said where the robot does not know what it was asked."""

    __slots__ = ()


def minutes(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes"


def metres(far_m: float) -> str:
    if far_m < 1:
        return f"{100 * far_m:.0f} cm"
    return f"{far_m:.0f} m" if far_m > FAR_M else f"{far_m:.1f} m".replace(".0 m", " m")
