"""The kit of humanoids."""

from collections.abc import Sequence

from sayso.errors import NotUnderstood
from sayso.goal import Clause, Pred, Relation, Which
from sayso.goals.seen import IN_VIEW
from sayso.goals.text import named, quoted
from sayso.grounding.inflection import definite, none_of, plural
from sayso.language import compose
from sayso.language.printer import joined, when
from sayso.planners.goal_plan import UNANSWERED, Says
from sayso.plugins.kits import Capabilities, Kit, MissionServices, fitting
from sayso.robots.humanoid import soccer
from sayso.robots.humanoid.ball import Ball
from sayso.robots.humanoid.form import TasksForm
from sayso.robots.humanoid.strides import Strides
from sayso.roles import Brief
from sayso.skill import SkillSet, skills_of
from sayso.skills import composed, shared
from sayso.skills.around import LookRound
from sayso.skills.naming import Meanings, Named
from sayso.tables.guidance import read_guidance
from sayso.tables.words import Words
from sayso.worlds import Entry

ALL_ROUND = (
    "what is all round",
    "which is nearest",
    "which is furthest",
    "which one",
    "which side",
    "which are more",
    "how far apart",
    "is either here",
)
"""Questions that a look all round answers."""

log = Says("l")


def answered(goal: Clause, brief: Brief) -> tuple[str, Clause]:
    """The plan for a question, and the question. Raises `NotUnderstood` for one that looking does not decide."""
    match goal:
        case Pred("answered", (str(question), Which() as which)) if which == Which(which.kind):
            return joined(_told(question, which.kind)), goal
        case Pred("answered", ("is it so", Which("ball"), Which(relation=Relation("in", Which("goal"))))):
            return when(
                "ig==True", [log("Yes, it is in the opponents' goal.")], [log("No, not in the opponents' goal.")]
            ), goal
        case Pred("answered", (str(question), *about)):
            return joined(_seen(question, [one for one in about if isinstance(one, Which)])), goal
    raise NotUnderstood(UNANSWERED)


def _seen(question: str, about: Sequence[Which]) -> list[str]:
    """What is in view tells it, or a look all round. Raises `NotUnderstood` for what neither does."""
    if question not in (*IN_VIEW, *ALL_ROUND):
        raise NotUnderstood(UNANSWERED)
    asks = f"_1=wo({quoted(question)},{quoted(', '.join(map(named, about)))})"
    lost = when("_1==False", log.lost("I cannot tell that from here."))
    return [*([] if question in IN_VIEW else ["lr"]), asks, lost, "l(_1)"]


def _told(question: str, kind: str) -> list[str]:
    name, there = quoted(kind), f"l(wi({quoted(kind)}))"
    match question:
        case "where" | "how far":
            return [there]
        case "is it in view":
            yes, no = log(f"Yes, I see {definite(kind)}."), log(f"No, I do not see {definite(kind)} from here.")
            return [when(f"iv({name})", [yes], [no])]
        case "is it here":
            return [when(f"s({name})", [log("Yes."), there], [log(f"No, I looked all round and see {none_of(kind)}.")])]
        case "how many all round":
            many = log("There are ", "_1", f" {plural(kind)}.")
            return ["lr", f"_1=hm({name})", when("_1==1", [log(f"There is one {kind}.")], [many])]
    return _seen(question, [Which(kind)])


def _capabilities(given: MissionServices) -> Capabilities:
    robot, ball = fitting(given.robot, soccer.Humanoid), fitting(given.perception, soccer.BallSense)
    eyes = Named(given.eyes, Meanings(given.embed))
    strides = Strides(robot, eyes, ball, given.trail, given.tell)
    around = LookRound(strides.turn, eyes, strides.look_ahead)
    own = SkillSet(
        [*soccer.SKILLS, *skills_of(strides), *skills_of(around), *shared(given)], read_guidance(__package__)
    )
    return Capabilities(
        compose(own, composed(__package__, "plans.toml")),
        tuple(soccer.soccer_providers(robot, ball, aim=soccer.OPPONENT_GOAL)),
        (soccer.RECOVERY,),
        lambda say, send: soccer.watch_robot(robot, say, send),
    )


LOOKING = frozenset(("LookAround", "LookAtBall", "TurnOnSpot", "StandStill", "turn_cw", "turn_ccw", "scan", "orienting",
                     "in_goal", "where_is", "look_round", "delay"))  # fmt: skip

KIT = Kit(
    kind="humanoid",
    adapter=soccer.Humanoid,
    capabilities=_capabilities,
    planner="rolling",
    form=TasksForm(),
    taught_planner="reflex+rolling",
    plans=answered,
    wishes=("find the ball", "approach the ball", "where is the ball?"),
    commands=("walk forward 1 metre and turn left", "go to the ball", "wave twice and turn right"),
    words=Words.read(__package__),
    beliefs=(Ball,),
    looking=LOOKING,
)


PITCH = Entry.of("sayso.robots.humanoid.world.pitch:Soccer", "a field with a humanoid and a ball")
