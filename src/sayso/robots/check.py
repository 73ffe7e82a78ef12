"""A check of an adapter: whether it fulfils its contract, and what is missing, in words for its author.

`check` only looks and can be asked of a robot that is switched off; `exercise` connects and halts it, but asks no skill
of it, so nothing should move.
"""

import asyncio
import inspect
import math

from sayso.errors import RobotError, SaysoError
from sayso.limits import Limits
from sayso.plugins.kits import kits, missing
from sayso.roles import Robot, RobotState
from sayso.skill import SkillSet, skills_of

HALT_WITHIN_S = 5.0


def check(robot: Robot) -> list[str]:
    """What is missing or wrong, one sentence each; empty when all is well."""
    named = [] if robot.name != Robot.name else ["give the class a name of its own: name = 'rover'"]
    return [*named, *_limits(robot), *_kind(robot), *_skills(robot), *_state(robot)]


async def exercise(robot: Robot) -> list[str]:
    """Connect, ask for the state, halt twice, rest, disconnect; what went wrong, or nothing."""
    problems: list[str] = []
    try:
        await robot.open()
        problems += _state(robot)
        for _ in range(2):
            await asyncio.wait_for(robot.halt(), HALT_WITHIN_S)
        await robot.rest()
        if not robot.state().resting:
            problems.append("after rest() the state still says that it is not resting")
        await robot.close()
    except TimeoutError:
        problems.append(f"halt() took longer than {HALT_WITHIN_S:g} s")
    except RobotError as error:
        problems.append(f"the robot does not answer: {error}")
    return problems


def _limits(robot: Robot) -> list[str]:
    limits = robot.limits
    if limits == Limits():
        return ["set limits: without any, nothing is refused"]
    zone = limits.zone
    ends = {"x_min_m": zone.x_min_m, "x_max_m": zone.x_max_m, "y_min_m": zone.y_min_m, "y_max_m": zone.y_max_m}
    unbounded = [name for name, end_m in ends.items() if math.isinf(end_m)]
    return [f"the zone is open at {', '.join(unbounded)}"] if len(unbounded) == 4 else []


def _kind(robot: Robot) -> list[str]:
    if not robot.kind:
        return []
    if robot.kind not in kits():
        return [f"the kind {robot.kind!r} is not registered; there are {', '.join(kits())}"]
    lacks = missing(robot, kits()[robot.kind].adapter)
    return [f"a {robot.kind} offers {name}; this one does not" for name in lacks]


def _skills(robot: Robot) -> list[str]:
    """Signatures that cannot be read, numbers without unit or range, motions whose end cannot be told beforehand."""
    try:
        skills = SkillSet(skills_of(robot))
    except SaysoError as error:
        return [str(error)]
    problems = []
    for skill in skills.values():
        for param in skill.params:
            if param.kind in ("number", "integer") and param.range is None:
                problems.append(f"{skill.name}: give {param.name} a Range")
            if param.kind == "number" and not param.unit:
                problems.append(f"{skill.name}: end {param.name} with a unit that is known, such as {param.name}_cm")
            if param.kind == "any":
                problems.append(f"{skill.name}: annotate {param.name} with a type")
        if "base" in skill.uses and any(p.unit in ("cm", "m") for p in skill.params) and skill.path is None:
            problems.append(
                f"{skill.name}: say where it leads with path=, so that limits can be asked before it starts"
            )
    if not robot.kind and not skills:
        problems.append("the class has no @skill method: nothing can be asked of it")
    return problems


def _state(robot: Robot) -> list[str]:
    if inspect.iscoroutinefunction(robot.state):
        return ["state() must not be async: it tells what is known now"]
    state: object = robot.state()
    if not isinstance(state, RobotState):
        return [f"state() must return a RobotState, not {type(state).__name__}"]
    p = state.pose
    if not all(map(math.isfinite, (p.x_m, p.y_m, p.z_m, p.yaw_rad, state.charge, state.speed_mps))):
        return ["state() holds a number that is not finite"]
    if not 0.0 <= state.charge <= 1.0:
        return [f"charge is a fraction of full, 0 to 1, not {state.charge:g}"]
    return []
