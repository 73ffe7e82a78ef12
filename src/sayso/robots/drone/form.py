"""The short form in which the embedded model is asked about a wish to the drone: what it says, as a goal.

    <plan>fly 40 cm up and go to the rubber duck<do>moved(up, 40 cm) then at('rubber duck')<end>

Code writes the plan from that, and mends it when it fails.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from sayso.errors import NotUnderstood, PlanSyntaxError, Unclear
from sayso.goal import ANYTHING, IT, YOU, Amount, Clause, If, Pred, Relation, Then, Which
from sayso.goals.clauses import arguments, changed, mapped, whiches
from sayso.goals.text import parse, show
from sayso.grounding.lexicon import words
from sayso.grounding.mentions import Name
from sayso.grounding.pattern import pattern
from sayso.grounding.phrases import coloured, described, same_as, unnamed
from sayso.grounding.tokens import clean, tokens
from sayso.grounding.utterance import speaks_of_view, table
from sayso.language.printer import joined
from sayso.models.pocket.reading import PlannedForm, Sayable, with_units
from sayso.planners.reflex import plain_goal
from sayso.planners.reflex.words import vocabulary
from sayso.robots.drone.goal_plan import log, plan_of
from sayso.robots.drone.repair import mended
from sayso.roles import Brief, Prompt
from sayso.scene import Scene
from sayso.tables import toml
from sayso.understanding.courtesy import JOINTS
from sayso.understanding.forms import brief_of
from sayso.understanding.gaps import leaving_out, question, unread
from sayso.understanding.operators import operators
from sayso.understanding.questions import only_asked
from sayso.understanding.things import apart, which
from sayso.wish import Request

REPLIES = toml(__package__, "replies.toml")

SAYABLE = Sayable(
    mark="plan",
    goals=("at(which)", "facing(which)", "found(which)", "picture(which?)", "sees(which)", "named(which)",
           "visited(which)", "home", "landed", "airborne", "stayed", "moved(way, distance?)", "turned(side, angle?)",
           "waited(time)", "said(text)", "answered(question, which?, which?)"),
    tests=("sees(which)", "found(which)", "turned(side, angle)"),
    refusals=tuple(REPLIES["refuse"]),
    missing=tuple(REPLIES["ask"]),
    questions=("how far", "how many", "how many all round", "is it here", "is it in view", "what colour",
               "what does it say", "what is held", "what is here", "what is next to", "what is on", "where",
               "which are more"),
    clauses=("if", "until", "times", "each", "within"),
    unsaid=("person", "thing", "place", *REPLIES["hints"]),
)  # fmt: skip
"""What something is called that a wish only lets be guessed, and what else there is."""


class DroneForm(PlannedForm):
    lessons, threshold, says = "drone reading", SAYABLE.mark, SAYABLE

    def planned(self, prompt: Prompt, written: str) -> str:
        brief = brief_of(prompt)
        return mended(brief) if brief.history else planned(written, brief.core, brief.scene, brief.request)

    def known(self, prompt: Prompt) -> str:
        brief = brief_of(prompt)
        return self.declined(prompt, says) if not brief.history and (says := unable(brief.core)) else ""

    def part(self, brief: Brief, text: str) -> Clause | None:
        return plain_goal(brief, text)

    def ignored(self, prompt: Prompt, written: str, reread: Callable[[Prompt], str]) -> str:
        """Besides, what a thing is said not to be is no part of a name."""
        brief = brief_of(prompt)
        try:
            goal = self.goal(prompt, written)
        except PlanSyntaxError:
            return ""
        names = " ".join(f" {which.kind} " for which in whiches(goal))
        nots = [one for one in operators(brief.core) if one.kind == "negation" and f" {one.text} " in names]
        return leaving_out(brief.core, nots) or super().ignored(prompt, written, reread)


def unable(wish: str) -> str:
    """What is said to a wish for something that a drone cannot do; empty for all others."""
    said, ways = tokens(clean(wish)), toml("sayso.grounding", "deeds.toml")["unable"]
    says: dict[str, str] = REPLIES["unable"]
    begins = [0, *(n for n, word in enumerate(said, 1) if word.kind == "mark" or word.text in JOINTS)]
    if any(pattern(way).at(said, at) for way in ways["handle"] for at in begins):
        return str(REPLIES["refuse"]["handle"])
    return next((says[key] for key in says if any(pattern(way).search(said) for way in ways[key])), "")


def planned(reading: str, wish: str, scene: Scene, request: Request | None = None) -> str:
    """The plan that a reading asks for, and behind it its goal. Raises `PlanSyntaxError`, `NotUnderstood`."""
    kind, _, why = reading.partition(" ")
    if kind in ("refuse", "ask"):
        return joined(log.lost(REPLIES[kind][why].format(wish=wish.strip(" .!?").replace("'", "’"))))
    goal = only_asked(spoken_of(parse(with_units(reading, wish))), request)
    goal = goal if speaks_of_view(wish) else _sought(goal)
    everywhere = any(described(which.kind) for which in whiches(goal))  # eyes look for it
    names = () if everywhere else {*scene.names, *vocabulary().nouns}
    texts = [a.kind if isinstance(a, Which) else a for a in arguments(goal) if isinstance(a, Which | str)]
    told = {word for text in texts for word in words(text)[-1:]}
    asking = [said for said in re.split(r"(?<=[.!?]) ", wish) if told & {*words(said)}]  # the rest is its story
    if parted := unread(" ".join(asking or [wish]), goal, [Name.of(name, "kind", name) for name in names]):
        raise NotUnderstood(question(parted))
    return f"{plan_of(goal, wish, scene)}\n{show(grounded(goal, scene))}"


def reached(goal: Clause, brief: Brief) -> tuple[str, Clause]:
    """A plan that reaches a goal, and the goal by the names that perception has. Raises `NotUnderstood`."""
    goal = _seen_from(goal)
    return plan_of(goal, brief.core, brief.scene), grounded(goal, brief.scene)


def spoken_of(goal: Clause) -> Clause:
    """With names for what is only pointed back to: the blue ones, after the red balloons, are blue balloons. Whatever
    is on something is asked for and not picked, since it may be several things."""
    match goal:
        case Pred("named", (Which(kind, (), relation=Relation("on", to), rank=""),)) if kind == ANYTHING:
            return spoken_of(Pred("answered", ("what is on", to)))
        case Pred("said", (str(text),)) if text.startswith("to "):
            return Pred("said", (text.removeprefix("to "),))  # "tell him to step aside"
    last = ""

    def thing(meant: Which) -> Which:
        nonlocal last
        which = _told_apart(meant)
        if last and words(which.kind)[-1:] == tuple(table()["phrases"]["again"]):
            return replace(which, kind=" ".join([*which.kind.split()[:-1], last]))
        if which.kind not in (IT, ANYTHING) and not described(which.kind):
            last = coloured(which.kind)[1]
        return which

    return _seen_from(_tested(mapped(goal, thing)))


def _tested(goal: Clause) -> Clause:
    """Who is pointed back to in a branch is the one that was tested for: if someone is in green, to them."""
    match goal:
        case If(Pred("sees" | "found", (Which() as tested,)) as test, yes, no):
            bare = Which(tested.kind)
            return If(test, mapped(yes, lambda which: tested if which == bare else which), no)
    return changed(goal, _tested)


def _seen_from(goal: Clause) -> Clause:
    """What was said to be behind the robot is in front of it once it has turned round."""
    match goal:
        case Then((Pred("turned", ("back",) | ("left" | "right", Amount(180))) as turn, *rest)):
            return Then((turn, *(mapped(part, _ahead) for part in rest)))
    return changed(goal, _seen_from)


def _ahead(which: Which) -> Which:
    match which.relation:
        case Relation("behind", Which(kind)) if kind == YOU:
            return replace(which, relation=Relation("before", which.relation.to))
    return which


def _sought(goal: Clause) -> Clause:
    """What a way hangs on is looked for, where nobody spoke of what is in view (U7)."""
    match goal:
        case If(Pred("sees", about), yes, no):
            return If(Pred("found", about), _sought(yes), _sought(no) if no else None)
    return changed(goal, _sought)


def _told_apart(named: Which) -> Which:
    """A thing by its name and what tells it from others, where a reading has all that for a name: "bottle on the desk"
    is a bottle. What is of another colour anyway is excepted from nothing."""
    if len(named.kind.split()) > 1 and not unnamed(named.kind):
        with suppress(Unclear):
            said = which(f"the {named.kind}", vocabulary().nouns)
            more = said and said.count == 1 and (said.relation or said.traits or said.rank)
            if said and more and not (named.relation and said.relation):
                rank, traits = said.rank or named.rank, (*named.traits, *said.traits)
                near = said.relation or named.relation
                named = replace(named, kind=said.kind, rank=rank, traits=traits, relation=near)
    return replace(named, but=tuple(one for one in named.but if not apart(named, one)))


def grounded(goal: Clause, scene: Scene) -> Clause:
    """With the names that perception has for the same, and a colour in front of a name as a trait."""
    labels = {t.label for t in scene}

    def thing(which: Which) -> Which:
        if described(which.kind):
            return which
        colour, rest = coloured(which.kind)
        if same := same_as(which.kind, labels):
            return replace(which, kind=same)
        traits = (*which.traits, colour) if colour else which.traits
        return replace(which, kind=same_as(rest, labels) or rest, traits=traits)

    return mapped(goal, thing)
