"""Runs a plan's text to its end, as an executive would, with nothing but the loop: for the tests of the skills."""

from __future__ import annotations

from typing import Any

from sayso.errors import ReplanWanted, SkillFailed
from sayso.language import Ended, Interpreter, parse
from sayso.language.run import Call
from sayso.skill import SkillSet
from sayso.task import Done, Failed, Outcome


async def fly_plan(text: str, skills: SkillSet) -> Ended:
    """How the plan ended. A failed skill is a failed outcome, which ends the plan."""
    steps = Interpreter(parse(text), skills).run()
    heard: Any = None
    while True:
        try:
            step = steps.send(heard)
        except StopIteration as end:
            ended: Ended = end.value
            return ended
        assert isinstance(step, Call)
        heard = await _perform(step)


async def _perform(call: Call) -> Outcome:
    assert call.skill.body is not None
    try:
        return Done(await call.skill.body(*call.args))
    except SkillFailed as error:
        return Failed(str(error))
    except ReplanWanted as error:
        return Done(replan=str(error))
