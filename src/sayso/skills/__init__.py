"""Skills that robots of several kinds share, and the set of skills of any robot."""

from sayso.language import Composed
from sayso.plugins.kits import Capabilities, MissionServices, kits
from sayso.roles import Perception, Robot
from sayso.scene import Scene
from sayso.skill import Skill, SkillSet, skills_of
from sayso.skills.naming import Meanings, Named
from sayso.skills.recalling import Recollection
from sayso.skills.sight import Sight
from sayso.skills.talk import Talk
from sayso.tables import toml


def capabilities(given: MissionServices, kind: str) -> Capabilities:
    """The capabilities of a robot in one mission; one of no registered kind has those that all have."""
    kit = kits().get(kind)
    return kit.capabilities(given) if kit else Capabilities(SkillSet(shared(given)))


def skills_for(robot: Robot, perception: Perception | None = None) -> SkillSet:
    """What can be asked of a robot, with a model at hand, and with eyes where a perception is given. Only to be read:
    nobody is there whom its skills could tell or show anything."""

    async def ask(question: str, scene: Scene) -> str:
        return ""

    given = MissionServices(
        robot=robot,
        eyes=perception or _Blind(),
        tell=lambda text: None,
        shown=lambda picture, labels: None,
        since_s=lambda: 0.0,
        perception=perception,
        ask=ask,
    )
    return capabilities(given, robot.kind).skills


class _Blind:
    """A perception that sees nothing."""

    async def look(self) -> Scene:
        return Scene()


def shared(given: MissionServices) -> list[Skill]:
    """The skills of a robot of no kind: its own, talking, asking its memory, and looking where it has eyes."""
    eyes = Named(given.eyes, Meanings(given.embed))
    sight = skills_of(Sight(given.robot, eyes, given.shown)) if given.perception is not None else []
    return [*skills_of(given.robot), *common(given), *sight]


def common(given: MissionServices) -> list[Skill]:
    """The skills of any robot: talking, and asking its memory where it has one."""
    talk = skills_of(Talk(given.tell, given.ask, given.eyes, given.since_s))
    return [*talk, *(skills_of(Recollection(given.robot, given.recalling)) if given.recalling else ())]


def composed(package: str | None, file: str) -> list[Composed]:
    """The composed skills in a data file of a package."""
    return [Composed(**entry | {"params": tuple(entry["params"])}) for entry in toml(package, file).get("skill", [])]
