"""The session in which a planner works: it looks, runs plans and pursues tasks, and all of that is recorded."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace

from sayso import events as ev
from sayso.errors import NotUnderstood, SaysoError, Unclear
from sayso.executive import Executive
from sayso.goal import Amount, Clause, Part, Pred
from sayso.goals.clauses import preds
from sayso.goals.planned import meant, planned
from sayso.goals.spoken import unmet
from sayso.grounding.inflection import sentence
from sayso.language import Plan
from sayso.limits import FREE, Limits
from sayso.memory.metrics import Metrics
from sayso.mission.mission_perception import MissionPerception
from sayso.planners.plan_run import Approve, Declined, Did, Foresee, PlanRun
from sayso.planners.reflex import exact, urgent
from sayso.plugins.kits import final_for, looking, words_for
from sayso.roles import Attempt, Brief, Observation
from sayso.scene import Scene
from sayso.task import AT_REST, LIMIT, UNREADY, UNSENSED, Failed, Outcome, Ran, Task
from sayso.understanding import facts, requested
from sayso.understanding.bounds import Bounding
from sayso.understanding.irreversible import IrreversibleDeeds
from sayso.understanding.meaning import Understanding
from sayso.understanding.order import hanging
from sayso.understanding.self_model import SelfModel, minutes
from sayso.wish import Act, Request, Wish

PLANS_MAX = 1000
"""A planner that has had so many plans run in one mission does not know when to stop."""

MENDS_MAX = 3
"""How often a planner that says that it is done hears what is missing; then it is what it is."""


LOOKS = "I look round first."
"""Said before anything moves for a question."""


class Spent(SaysoError):
    """Raised for a planner that goes on and on."""


@dataclass
class MissionSession:
    """A `Session` of one mission. `given` is what a planner is told from first to last, `wish` what the person wants by
    now, `asked_back` all that was said of it where something was asked back, `foresee` the limit a plan would break,
    `known` what the robot knows of itself with what is seen, `holding` what the hand has."""

    wish: Callable[[], str]
    executive: Executive
    eyes: MissionPerception
    given: Brief
    metrics: Metrics
    emit: Callable[[ev.Event], None]
    foresee: Foresee
    understanding: Understanding
    bounding: Bounding
    asked_back: Callable[[], Wish | None]
    known: Callable[[Observation], SelfModel]
    holding: Callable[[], str] = lambda: ""
    approve: Approve | None = None
    began_s: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    """When the running plan began."""
    _attempts: list[Attempt] = field(default_factory=list)
    _seen: Scene = field(default_factory=Scene)
    _untold: bool = False
    _pursues: bool = False
    _mends: int = 0
    _run: PlanRun | None = None
    _did: dict[str, Sequence[Did]] = field(default_factory=dict)
    """By the wish, what was done of a plan whose text was cut: a repair never repeats what has run."""
    _request: Request = field(default=Request(""), init=False)
    _heeded: Request | None = field(default=None, init=False)
    _said: Limits = field(default=FREE, init=False)
    bounds: Limits = field(default=FREE, init=False)
    """What the present wish allows, where that is less than the limits do."""
    _ends_s: float = field(default=math.inf, init=False)
    _looks_told: str = field(default="", init=False)
    _finals: IrreversibleDeeds = field(init=False)
    _claimed: Clause | None = field(default=None, init=False)
    """The goal that the planner gave with the running plan."""

    def __post_init__(self) -> None:
        final = final_for(self.given.kind, self.given.knowledge)
        self._finals = IrreversibleDeeds(final, self.wish, self.asked_back, self.holding)

    @property
    def request(self) -> Request:
        """What code reads of the present wish."""
        if self._request.text != (text := self.wish()):
            self._request = Request(text, core=text) if urgent(text) else self._requested(text)
        return self._request

    def _requested(self, text: str) -> Request:
        """With how it is to be done, unless the planner reads that by itself; of a plain command code always does."""
        request = requested(text)
        if words_for(self.given.kind).bounds or not request.manners:
            return request
        brief = replace(self.given, instruction=text, request=request, skills=self.executive.skills)
        return request if exact(brief) else requested(text, bounds=False)

    def goes_on(self, answer: str) -> bool:
        """Whether something is left to do of a wish of which the question before it got this answer."""
        rest = hanging(self.request.core, answer)
        self._request = self._heeded = replace(self.request, core=rest)
        return bool(rest)

    def heed(self) -> Request:
        """What code reads of the present wish. How that is to be done holds from now on (U5); where it only asks,
        nothing may run but what looks (U1)."""
        request = self.request
        if request is not self._heeded:
            self._heeded, self._said = request, self.bounding.of(request)
            self._ends_s = asyncio.get_running_loop().time() + self._said.mission_max_s
            self.tighten(FREE)
            asks = request.act is not Act.COMMAND
            self.executive.only(looking(self.given.kind, self.executive.skills) if asks else None)
        return request

    @property
    def how(self) -> tuple[str, ...]:
        """How the present wish will be done, a sentence each."""
        return self.bounding.told(self.request)

    @property
    def kept(self) -> tuple[str, ...]:
        """How the present wish was done, the same."""
        return self.bounding.kept(self.request)

    @property
    def within_s(self) -> float:
        """How much time the present wish gives."""
        return self._said.mission_max_s

    @property
    def left_s(self) -> float:
        """How much of the time is left that the present wish gives."""
        return self._ends_s - asyncio.get_running_loop().time()

    async def look(self) -> Brief:
        """Look; a plan that did not end well is followed by another one from here. Raises `Unclear` where it cannot be
        done as it is wished."""
        self.heed()
        if self._untold:
            self._untold = False
            self.emit(ev.Replanned(round=self.metrics.replans + 1, reason=self._attempts[-1].ended))
        seen = await self.eyes.look_for(self.wish(), self.metrics.ran)
        self._seen = seen.scene
        if unheld := self.bounding.unheld(self.request):
            raise Unclear(unheld)
        return replace(
            self.given,
            limits=self.limits,
            how=self.how,
            instruction=self.wish(),
            skills=self.executive.skills,
            seen=seen,
            history=tuple(self._attempts),
            failure=self._attempts[-1].ended if self._attempts else "",
            wish=self.asked_back(),
            request=self.request,
            itself=facts.brief(self.known(seen)),
        )

    async def run(self, text: AsyncIterator[str], *, step: bool = False, terse: bool = False) -> Attempt:
        """See `roles.Session`. Raises `Spent` where that never ends."""
        if len(self._attempts) >= PLANS_MAX:
            raise Spent(f"{PLANS_MAX} plans did not do it")
        self.began_s = asyncio.get_running_loop().time()

        def weigh(plan: Plan) -> None:
            works_towards = planned(plan, self.executive.skills, self._seen).want
            self._admit([*preds(self._claimed), *preds(works_towards)])
            self.understanding.before_moving(plan, self._seen, terse=terse, again=bool(self._attempts))

        run = PlanRun(
            self.executive.skills,
            self._do,
            self.emit,
            self.foresee,
            None if step else weigh,
            terse=terse,
            before=self._did.pop(self.wish(), ()),
        )
        self._run, self._claimed = run, None
        try:
            ended = await run.run(text, self.approve)
        except asyncio.CancelledError:
            self.emit(ev.PlanEnded(how="cut", reason="it is not wanted any more"))
            raise
        finally:
            self._run = None
        self._did = {self.wish(): run.did}
        self.emit(ev.PlanEnded(how=ended.how, value=ended.value, reason=ended.reason))
        if futile := next((ran for ran in self.metrics.ran if ran.code in (UNREADY, UNSENSED)), None):
            raise Declined(futile.reason)
        match ended.outcome:
            case Failed(reason, code) if code == LIMIT:  # foreseen, so that nothing ran
                self.metrics.ran.append(Ran("plan", outcome="refused", reason=sentence(reason), code=code))
        plan = Attempt(run.text, tuple(self.metrics.ran), ended.reason, ended.how, ended.value, self.metrics.said)
        if (plan.how == "returned" if step else plan.whole) and plan.value is not False:
            plan = self._held(plan)
        self._attempts.append(plan)
        self.metrics.ran.clear()
        self._untold = not plan.whole
        return plan

    async def _do(self, task: Task, statement: int) -> Outcome:
        """One call of a plan. Raises `NotUnderstood` where it cannot be undone and is not wished for (U6)."""
        self._wished_for(task)
        self._announce(task)
        return await self.executive.do(task, statement)

    def _admit(self, deeds: Sequence[Pred]) -> None:
        """Deeds that have not begun. Raises `NotUnderstood` where one cannot be undone and is not wished for (U6), or
        takes longer than the mission may."""
        self._finals.check(deeds)
        waits_s = [a.value for deed in deeds if deed.name == "waited" for a in deed.args if isinstance(a, Amount)]
        if (longest_s := max(waits_s, default=0.0)) > self.limits.mission_max_s:
            most = minutes(self.limits.mission_max_s)
            raise NotUnderstood(f"I cannot wait {minutes(longest_s)}: I end each task within {most}.")

    def _wished_for(self, task: Task) -> None:
        skill = self.executive.skills.get(task.type)
        self._finals.check(preds(meant(skill, task.data or (), self._seen) if skill else None))

    def _announce(self, task: Task) -> None:
        """Where a question makes the robot move, that is said first (U1)."""
        skill = self.executive.skills.get(task.type)
        if self.request.act is not Act.WORLD or self._looks_told == self.request.text or skill is None:
            return
        if LOOKS not in self.metrics.ever_said and ({*skill.uses} - AT_REST or skill.provided):
            self._looks_told = self.request.text
            if not skill.means.startswith("answered"):  # who answers says by itself whether it looks
                self.emit(ev.Understood(goal="", told=LOOKS))

    def _held(self, plan: Attempt) -> Attempt:
        """A plan that claims to have met the wish, held against what was observed."""
        if self._mends >= MENDS_MAX or not (missing := self.missing()):
            return plan
        self._mends += 1
        return replace(plan, how="unmet", missing=missing, ended=unmet(missing))

    def understood(self, goal: Clause, *, whole: bool = False, heeds: Sequence[str] = ()) -> None:
        """See `roles.Session`."""
        self._claimed = goal
        if self._run is None:
            self._admit([*preds(goal)])
        self.understanding.given(goal, self._seen, whole=whole, heeds=heeds)

    def missing(self) -> tuple[Part, ...]:
        """See `roles.Session`."""
        return self.understanding.missing()

    def pursue(self, tasks: Sequence[Task]) -> None:
        """See `roles.Session`. Raises `Declined` where a person wants to approve what it does."""
        if tasks and self.approve:
            raise Declined("this planner keeps choosing tasks and writes no plan to approve; choose another planner")
        for task in tasks:
            self._wished_for(task)
        if tasks or self._pursues:
            self._pursues = bool(tasks)
            for task in tasks:
                self._announce(task)
            self.executive.pursue(tasks)

    def tighten(self, wish: Limits) -> None:
        """See `roles.Session`. What code reads of the wish holds beside that."""
        self.bounds = self._said.within(wish)
        self.executive.tighten(self.bounds)

    @property
    def limits(self) -> Limits:
        """Those of this moment, with what the wish takes away."""
        return self.given.limits.within(self.bounds)

    def note(self, text: str) -> None:
        """See `roles.Session`."""
        self.emit(ev.Warned(text=text))
