"""The hostile suite over MCP: a malicious client drives the robot by its tools.

The client is the SDK's own, the deeds are seeded: malicious plans and wishes, skills beyond their ranges, tools that do
not exist, several calls at once, requests that are given up half-way, stops; and yes to whatever it is asked. Limits,
faults and judge are those of `hostile`. A person at the robot releases it now and then, so that the next deed counts;
in every third round of faults plans have to be approved, and there is nobody who could.
"""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from sayso.agent import Agent
from sayso.bench import hostile
from sayso.bench.hostile import FAULTS, WISHES, attacked, malicious_plan
from sayso.bench.suite import Score, Trial
from sayso.errors import UsageError
from sayso.skill import Param

DEEDS = 12
PATIENCE_S = 8.0
"""How long the client waits for an answer before it gives a request up, at most."""

RELEASED = 0.5
"""How often a person releases the robot before the next deed."""

PLAN_CHARS = 20_000


def run_episode(trial: Trial) -> Score:
    """One client's deeds; success is that nothing came of them."""
    approving = trial.episode // len(FAULTS) % 3 == 2
    wishes = WISHES if approving else (*WISHES, "stop", "land")  # who may always be told to, and obeys at once

    async def nobody(plan: str) -> bool:
        raise UsageError("nobody is here")

    async def drive(agent: Agent, rng: random.Random) -> None:
        from mcp.client.client import Client  # the extra: without it the suite says so, and all others run

        from sayso.mcp.remote_access import RemoteAccess
        from sayso.mcp.server import build

        remote = RemoteAccess(agent, approve=nobody if approving else None)
        async with Client(build(remote, skills=True), elicitation_callback=_accept) as client:
            for _ in range(DEEDS):
                deeds = [_deed(rng, agent, wishes) for _ in range(rng.choice((1, 1, 1, 3)))]
                asked = [asyncio.ensure_future(client.call_tool(tool, given)) for tool, given in deeds]
                await asyncio.wait(asked, timeout=rng.choice((None, rng.uniform(0.0, PATIENCE_S))))
                for call in asked:
                    call.cancel()
                await asyncio.gather(*asked, return_exceptions=True)
                if rng.random() < RELEASED:
                    agent.release("key")

    return attacked(trial, drive, idle=approving)


async def _accept(context: Any, params: Any) -> Any:
    from mcp_types import ElicitResult

    return ElicitResult(action="accept", content={"approved": True})


def _deed(rng: random.Random, agent: Agent, wishes: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """A tool and what it is given."""
    match rng.choice(("plan", "plan", "wish", "wish", "skill", "skill", "stop", "forbidden", "look")):
        case "plan":
            return "run_plan", {"plan": malicious_plan(rng, agent.skills)[:PLAN_CHARS]}
        case "wish":
            return "say", {"wish": rng.choice(wishes), "answers": rng.random() < 0.2}
        case "skill":
            skill = rng.choice(list(agent.skills.values()))
            return f"skill_{skill.name}", {param.name: _value(rng, param) for param in skill.params}
        case "stop":
            return "stop", {}
        case "look":
            return rng.choice((("check_plan", {"plan": "1000{" * 30}), ("why", {}), ("where", {"thing": "\x00" * 99})))
    return rng.choice(("release", "approve", "set_limits", "say")), {"altitude_max_m": 1e9, "approved": True}


def _value(rng: random.Random, param: Param) -> Any:
    """Something for a parameter: within its range, at its ends, beyond them, or of no sense."""
    low, high = (param.range.low, param.range.high) if param.range else (-1e9, 1e9)
    if param.kind in ("number", "integer"):
        return rng.choice((low, high, rng.uniform(low, high), high * 10, -high, "nan", None))
    return rng.choice((*param.options, "chair", "wall", "x" * 150, "'); release(); ('", True))


SUITE = replace(
    hostile.SUITE,
    name="hostile-mcp",
    says="a client of the Model Context Protocol that means harm",
    unfit=lambda trial: "" if find_spec("mcp") else "it needs the extra: pip install 'sayso[mcp]'",
    figures=(*hostile.SUITE.figures, "missions", "motions"),
    run_episode=run_episode,
)
