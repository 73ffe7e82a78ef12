"""The limits asked of a plan before it moves, along where it would lead as far as that is certain.

Only straight talk can be foreseen: calls with literal arguments, and loops of them. At the first condition, value or
skill without a path the future is open, and the executive's own questions, asked as each skill starts, take over.
"""

from collections.abc import Iterator, Sequence

from sayso.errors import PlanError, PlanLimitError
from sayso.language import nodes
from sayso.language.check import check
from sayso.language.nodes import Block, Invocation, Plan
from sayso.language.parser import parse
from sayso.limits import Limits
from sayso.scene import Pose
from sayso.skill import Skill, SkillSet

CALLS_MAX = 500
PASSES_MAX = 5_000
"""Passes of loops that are looked ahead; a plan of nested loops could have any number of them."""


class _OpenError(Exception):
    """From here on it depends."""


def faults(text: str, skills: SkillSet, start: Pose, limits: Limits) -> Sequence[PlanError]:
    """What is wrong with the words of a plan; where nothing is, the first limit that it would surely break."""
    if wrong := check(text, skills):
        return wrong
    harm = foresee(parse(text), skills, start, limits)
    return [harm] if harm else []


def foresee(plan: Plan, skills: SkillSet, start: Pose, limits: Limits) -> PlanLimitError | None:
    """The first statement of `plan` that would break a limit when begun at `start`, as an error with its place."""
    pose, calls = start, 0
    try:
        for call, skill in _calls(plan.body, skills, [PASSES_MAX]):
            calls += 1
            if calls > CALLS_MAX:
                return None
            args = [a.value for a in call.args if isinstance(a, nodes.Literal)]
            if len(args) != len(call.args) or (skill.uses and skill.path is None):
                return None
            if skill.path is None:
                continue
            path = skill.path(pose, *skill.filled(args))
            if refused := limits.path_refusal(path):
                return plan.source.error(PlanLimitError, refused.reason, call.at)
            pose = path[-1] if path else pose
    except _OpenError:
        return None
    return None


def _calls(block: Block, skills: SkillSet, left: list[int]) -> Iterator[tuple[Invocation, Skill]]:
    """The calls in the order in which they would run, for as long as that is certain. `left` counts passes down."""
    for node in block.statements:
        if isinstance(node, nodes.Loop):
            for _ in range(node.count):
                left[0] -= 1
                if left[0] < 0:
                    raise _OpenError
                yield from _calls(node.block, skills, left)
        elif isinstance(node, Invocation):
            skill = skills.find(node.name)
            if skill is None or skill.source:
                raise _OpenError
            yield node, skill
        else:
            raise _OpenError
    if block.open:
        raise _OpenError
