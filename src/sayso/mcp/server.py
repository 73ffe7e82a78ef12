"""The tools and resources of the Model Context Protocol (2026-07-28), over one `RemoteAccess`.

There is no tool that releases a stop, approves a plan or changes a limit, and no question is ever put to the client:
whatever answers there may be a model. Schemas come from signatures, those of a robot's skills too.
"""

import json
from collections.abc import Awaitable
from importlib import resources
from inspect import Parameter, Signature
from typing import Annotated, Any, Literal, TypeVar

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from sayso import __version__
from sayso.errors import SaysoError
from sayso.language.printer import literal
from sayso.mcp.remote_access import NAME_CHARS, PLAN_CHARS, WISH_CHARS, Checked, RemoteAccess, Report
from sayso.skill import Param, Skill

T = TypeVar("T")

LOOKS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
MOVES = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=True)
STOPS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True)

Wish = Annotated[str, Field(min_length=1, max_length=WISH_CHARS, description="In plain words, as to a person.")]
Answers = Annotated[bool, Field(description="Whether this answers the question that the last mission ended with.")]
PlanText = Annotated[str, Field(min_length=1, max_length=PLAN_CHARS, description="MiniSpec, for this robot's skills.")]
Mission = Annotated[str, Field(max_length=NAME_CHARS, description="An id, the beginning of one, or LAST.")]
Name = Annotated[str, Field(min_length=1, max_length=NAME_CHARS, description="What is looked for.")]


def build(remote: RemoteAccess, *, skills: bool = False) -> MCPServer[Any]:
    """The server; with `skills`, each skill of the robot is a tool as well."""
    told = resources.files(__package__).joinpath("instructions.txt").read_text("utf-8").rstrip("\n")
    says = told.replace("{skills}", remote.agent.skills.describe())
    server: MCPServer[Any] = MCPServer(
        "sayso", version=__version__, instructions=says, log_level="WARNING", subscriptions=False
    )
    _add_tools(server, remote)
    _add_resources(server, remote)
    for skill in remote.agent.skills.skills if skills else ():
        server.add_tool(SkillTool(remote, skill), description=skill.description, annotations=MOVES)
    return server


def _add_tools(server: MCPServer[Any], remote: RemoteAccess) -> None:
    async def say(wish: Wish, context: Context, answers: Answers = False) -> Report:
        """Have the robot do what a sentence wishes. Returns what came of it, which may be a question."""
        return await _tried(remote.say(wish, Telling(context), answers=answers))

    async def check_plan(plan: PlanText) -> Checked:
        """Whether a plan may run where the robot stands now; nothing moves."""
        return remote.check_plan(plan)

    async def run_plan(plan: PlanText, context: Context) -> Report:
        """Run a plan in MiniSpec, checked first. Returns what came of it, once that is over."""
        return await _tried(remote.run_plan(plan, Telling(context)))

    async def stop() -> str:
        """Stop the robot at once, whatever is going on. Only a person can release it afterwards."""
        remote.stop()
        return "the robot was told to stop; a person has to release it"

    async def why(mission: Mission = "LAST") -> str:
        """The story of a mission: what was said, planned, done and refused, and how it ended."""
        return await _tried(remote.why(mission))

    async def where(thing: Name) -> str:
        """Where a thing was last seen, as far as the robot remembers."""
        return remote.where(thing) or "nothing of that name is remembered"

    for tool, hints in ((say, MOVES), (check_plan, LOOKS), (run_plan, MOVES), (stop, STOPS), (why, LOOKS),
                        (where, LOOKS)):  # fmt: skip
        server.add_tool(tool, annotations=hints)


def _add_resources(server: MCPServer[Any], remote: RemoteAccess) -> None:
    async def state() -> str:
        """How the robot is: pose in metres and radians, charge, what it holds, who stopped it, and in words."""
        return json.dumps(remote.state(), default=str)

    async def limits() -> str:
        """What the robot never exceeds, in metres, seconds and metres per second; null is no bound."""
        return json.dumps(remote.limits())

    async def scene() -> str:
        """What is believed to be there, with places in the world's frame."""
        return json.dumps(await remote.scene())

    async def journal(id: str) -> str:
        """All that happened in a mission, an event a line."""
        try:
            return await remote.events(id)
        except SaysoError as error:
            raise ResourceError(str(error)) from error

    for read in (state, limits, scene):
        server.resource(f"robot://{read.__name__}", mime_type="application/json")(read)
    server.resource("mission://{id}/journal", mime_type="application/x-ndjson")(journal)


class Telling:
    """Reports a mission's lines as progress of the request that asked for it."""

    def __init__(self, context: Context) -> None:
        self._context, self._told = context, 0

    async def __call__(self, line: str) -> None:
        self._told += 1
        await self._context.report_progress(self._told, message=line)


class SkillTool:
    """One skill as a tool: its parameters with their ranges are the schema, a plan of one call is what is run."""

    def __init__(self, remote: RemoteAccess, skill: Skill) -> None:
        self._remote, self._skill = remote, skill
        types: dict[str, Any] = {"context": Context, **{p.name: _type(p) for p in skill.params}}
        defaults = {p.name: p.default for p in skill.params if p.optional}
        self.__name__ = f"skill_{skill.name}"
        self.__annotations__ = {**types, "return": Report}
        self.__signature__ = Signature(
            [
                Parameter(name, Parameter.KEYWORD_ONLY, annotation=type_, default=defaults.get(name, Parameter.empty))
                for name, type_ in types.items()
            ],
            return_annotation=Report,
        )

    async def __call__(self, *, context: Context, **given: Any) -> Report:
        args = ", ".join(literal(given[p.name]) for p in self._skill.params)
        return await _tried(self._remote.run_plan(f"{self._skill.name}({args});", Telling(context)))


TYPES: dict[str, Any] = {"number": float, "integer": int, "flag": bool, "any": str | float | bool}


def _type(param: Param) -> Any:
    """A parameter's type for a schema, with its range and unit."""
    kind: Any = Literal[param.options] if param.options else TYPES.get(param.kind, str)
    low, high = (param.range.low, param.range.high) if param.range else (None, None)
    bounds: dict[str, Any] = {} if low is None else {"ge": low, "le": high}
    if kind is str:
        bounds["max_length"] = NAME_CHARS
    return Annotated[kind, Field(description=param.unit or param.kind, **bounds)]


async def _tried(asked: Awaitable[T]) -> T:
    """What was asked for; our own errors are for whoever asked, and say what to do."""
    try:
        return await asked
    except SaysoError as error:
        raise ToolError(str(error)) from error
