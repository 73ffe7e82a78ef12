"""The kit of service robots."""

from collections.abc import Mapping, Sequence
from typing import Any

from sayso.grounding.names import read_names
from sayso.grounding.people import is_child
from sayso.language import compose
from sayso.perception.indoor import LastSeen
from sayso.planners import sequence as planning
from sayso.plugins.kits import Capabilities, Kit, MissionServices, fitting
from sayso.robots.service.admit import admit
from sayso.robots.service.form import CommandForm
from sayso.robots.service.goal_plan import REPLIES
from sayso.robots.service.prompt import sequence_prompt
from sayso.robots.service.service import Service
from sayso.roles import Model, Planner, Robot
from sayso.skill import SkillSet, skills_of
from sayso.skills import composed
from sayso.skills.around import LookRound
from sayso.skills.finding import Finding
from sayso.skills.looking import TILT_ROUND_RAD, ServiceRobot
from sayso.skills.moves import BY_AMOUNT, Moves
from sayso.skills.talk import Talk
from sayso.tables.words import Words
from sayso.understanding.forms import is_terse
from sayso.understanding.irreversible import Irreversible
from sayso.worlds import Entry, Errand


def _capabilities(given: MissionServices) -> Capabilities:
    robot = fitting(given.robot, ServiceRobot)
    service = Service(robot, given.eyes, given.tell, given.ask, given.home)
    talk = Talk(given.tell, given.ask, given.eyes, given.since_s)

    moves = Moves(robot)
    around = LookRound(moves.turn, given.eyes, lambda: robot.look(0.0, TILT_ROUND_RAD))
    finding = Finding(service.search, service.names, service.there, given.tell)
    every = [s for kit in (robot, service, talk, finding, moves) for s in skills_of(kit)]
    every += [s for s in skills_of(around) if s.name != "nth"]  # it goes by description
    skills = compose(SkillSet(every), composed(__package__, "plans.toml"))
    return Capabilities(skills, ground=read_names(robot.knowledge).ground)


def _final(table: Mapping[str, Any]) -> Sequence[Irreversible]:
    """What lands in a bin is lost, and what is dangerous in a child's hand hurts."""
    names = read_names(table)

    def is_bin(thing: str, to: str) -> bool:
        place = names.place(to)
        return place is not None and place.bin

    def is_dangerous(thing: str, to: str) -> bool:
        return bool(names.kinds.get(thing, {}).get("dangerous")) and names.place(to) is None

    def kind_of(thing: str) -> str:
        return str(names.kinds.get(thing, {}).get("category", ""))

    return (
        Irreversible(deed="thrown", marks=is_bin, names=names.spoken, kind_of=kind_of),
        Irreversible(
            deed="handed", marks=is_dangerous, names=names.spoken, never=REPLIES["final"]["child"], never_to=is_child
        ),
    )


def _sequence(model: Model, robot: Robot) -> Planner:
    replans = CommandForm.mends if is_terse(model) else planning.REPLANS
    return planning.Sequence(model, sequence_prompt, admit, replans=replans)


LOOKING = frozenset(("move_to", "look_for_obj", "look_for_person", "meet_next", "what_is", "count", "person_info",
                     "object_info", "look_round", "find_out", "speak", "answer", "ask", "confirm"))  # fmt: skip
"""It may drive there and ask; it takes nothing and follows nobody."""


KIT = Kit(
    kind="service",
    adapter=ServiceRobot,
    capabilities=_capabilities,
    planner="sequence",
    form=CommandForm(),
    taught_planner="reflex+sequence",
    wishes=("go to the kitchen and say where you are", "find a cup and bring it to me"),
    planners={"sequence": _sequence},
    words=Words(what="a robot with an arm that helps in a home", only=BY_AMOUNT),
    beliefs=(LastSeen,),
    looking=LOOKING,
    final=_final,
)


FLAT = Entry.of(
    "sayso.robots.service.world.home:Home",
    "a flat with people, things and a service robot",
    "flat",
    Errand("could you drive over to the couch", "visited(couch)", "move_to('couch')", frozenset({"move_to"})),
)
