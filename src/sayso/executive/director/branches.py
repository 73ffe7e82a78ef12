"""The changes of the task tree: accepting packs, running, pushing, re-trying, removing.

Every change leaves its consequences as jobs (`Schedule.work`): a pack is settled before anyone looks at what its
acceptance means for others, so no half-accepted pack is ever seen, and neither a deep tree nor a circle of priorities
can exhaust the stack.
"""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter

from sayso.executive.director.arbitration import Question, blocked, challenge, strongest_first, weaker
from sayso.executive.director.schedule import Later, Schedule
from sayso.executive.director.terms import Because, Notice, Settings
from sayso.executive.director.tree import UNTRIED, Group, Member, Node, Reason, Run, Solution, State, Status
from sayso.task import Failed, Outcome, RunReason, Task

SETTLE_LAPS = 8
"""So many generations of runs a dying branch waits for its successor to claim what it held."""

RUNNABLE, PUSHABLE, BLOCKED, NEW_TASK = Status.RUNNABLE, Status.PUSHABLE, Status.BLOCKED, RunReason.NEW_TASK
"""Asking an enumeration for its member takes longer than calling a function."""


class Branches(Schedule):
    """The part of the arbiter that queues runs and applies rules C, F, G and H."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._pushed: dict[Group, None] = {}
        self._serial = 0
        self._scheduled = 0
        self._losers: list[Node] = []

    def schedule(
        self, member: Member, node: Node | None, reason: RunReason, child: tuple[Task, Outcome] | None = None
    ) -> None:
        """Queue a run with its arguments bound (D12). Without a message that it requires there is none (D13)."""
        snapshot = latest = None
        if member.asks:
            provider = member.provider
            if any(name not in self.messages for name in provider.triggers):
                self._jobs.append(partial(self.claim, member.group))
                return
            latest = {n: self.messages.get(n) for n in (*provider.triggers, *provider.hears)}
            snapshot = {t: self.uses(member.group, t) for t in (*provider.uses, *provider.needs)}
        self.queue.append(Run(member, node, reason, snapshot, latest, child))
        group = member.group
        if group.runs_in != self.epoch:
            group.runs_in, group.runs = self.epoch, 0
        group.runs += 1
        if group.runs > self._reruns_max:
            self._restless(group)

    def _restless(self, group: Group) -> None:
        """A group that is called over and over without one quiet moment fails (D63)."""
        if group.runs > 2 * len(group.subtasks) + self._reruns_max and group.owner is not None:
            text = f"{group.type} was called {group.runs - 1} times without coming to rest"
            self._jobs.append(partial(self.fail_node, group.owner, Failed(text)))

    def start_or_stop(self, members: list[Member], node: Node, reason: RunReason) -> None:
        for member in members:
            if member.enabled:
                self.schedule(member, node, reason)

    def accept(self, group: Group, new: list[Node]) -> None:
        """Make `new` the children of `group` (D18 to D25)."""
        gone: list[Node] = []
        if group.subtasks:
            group.trying = True
            still_ours = self._succeed(group, new, gone)
            group.trying = False
            if not still_ours:
                return
        if len(new) > 1:  # required first, then higher priority; equals as they were emitted (D9)
            new.sort(key=attrgetter("priority"), reverse=True)
            if optional := [n for n in new if n.optional]:
                new = [n for n in new if not n.optional] + optional
        self._try(group, new, gone)

    def _succeed(self, group: Group, new: list[Node], gone: list[Node]) -> bool:
        """Compare the old children with the new (D19, D21). False where the group lost its own task over it."""
        fresh = {n.type: n for n in new}
        lowered = []
        for old in group.subtasks:
            heir = fresh.get(old.type)
            if heir is None:
                gone.append(old)
                continue
            if heir is old:
                continue
            if self._pushed:
                self._pass_on_pushes(old, heir)
            if (heir.optional or heir.priority < old.priority) and weaker(heir, old):
                old.priority, old.optional = heir.priority, heir.optional
                lowered.append(old)
        owner = group.owner
        for old in lowered:
            self._invite(old)
        for old in gone:
            old.dying = True
        return group.owner is owner

    def _pass_on_pushes(self, old: Node, heir: Node) -> None:
        for pushed in self._pushed:
            if pushed.pusher is old:
                pushed.pusher = heir
                heir.armed, old.armed = old.armed, 0

    def _invite(self, lowered: Node) -> None:
        """A branch became weaker: whoever waits for anything that it owns may be strong enough by now (D19)."""
        groups = [lowered.group] if lowered.runs else []
        while groups:
            group = groups.pop()
            if group is None or (owner := group.owner) is None:
                continue
            self._review(group)
            for need in group.reserved:
                self._offer(need)
            if group.owner is owner:
                groups.extend(c.group for c in reversed(group.subtasks) if c.runs)
        for pushed in [p for p in self._pushed if p.pusher is lowered]:
            self._review(pushed)

    def _try(self, group: Group, new: list[Node], gone: list[Node]) -> None:
        """Required children together, then each optional one, then farewell to the rest (D20 to D24)."""
        old = group.subtasks
        if group.watching:
            self.unwatch(group)
        before = self._scheduled
        required = [n for n in new if not n.optional] if new and new[-1].optional else new
        used: set[Group] = set()
        level = self._together(group, required, RUNNABLE, used) if required else RUNNABLE
        if level is not RUNNABLE:
            for child in old:
                self._lose(child)
        if len(required) < len(new):
            self._optional(group, new, new[len(required) :], level, used)
        group.subtasks = new
        for child in gone:
            self.remove(child, heirs=self._scheduled > before)
        self._flush_losers()

    def _optional(
        self, group: Group, new: list[Node], optional: Sequence[Node], level: Status, used: set[Group]
    ) -> None:
        old = group.subtasks
        for node in optional:
            if level is BLOCKED:
                node.reason = UNTRIED
            elif self._together(group, [node], level, used) is not RUNNABLE and node.group is not None:
                standing = node.group.owner
                if standing is not None and (standing is node or (standing in old and standing not in new)):
                    self._lose(standing)

    def _together(self, group: Group, nodes: Sequence[Node], level: Status, used: set[Group]) -> Status:
        """Run all of `nodes`, or push for all of them, or none (D36 to D38)."""
        answers, waits = self._ask(group, nodes, used)
        if waits is not None or level is not RUNNABLE:
            return self._not_now(list(zip(nodes, answers, strict=True)), waits)
        for node, answer in zip(nodes, answers, strict=True):
            target, member = node.group, answer.member
            assert target is not None and member is not None
            if target.owner is not node or target.active is not member:
                self._run_on(target, node, member, answer.needs)
            elif answer.needs != target.reserved:
                self._reserve(target, answer.needs)
                self._jobs.append(partial(self.claim, target))
        return RUNNABLE

    def _ask(self, group: Group, nodes: Sequence[Node], used: set[Group]) -> tuple[list[Solution], Node | None]:
        """Evaluate each of a group's tasks and let it watch whatever the answer depends on; the first that waits."""
        deepest = self.settings.depth_max
        too_deep = group.owner is not None and sum(1 for _ in group.owner.ancestors()) >= deepest
        question, groups = Question(nodes[0], self.registry.helpers), self.registry.groups
        answers, waits = [], None
        for node in nodes:
            question.asker = node
            node.group = asked = groups.get(node.type) or self.registry.group(node.type)
            answer = question.group(asked, node, used)
            if too_deep:
                answer = blocked(Because.TOO_DEEP, node.type, says=str(deepest))
            if answer.status is RUNNABLE:
                used.add(asked)
                if answer.needs:
                    used.update(answer.needs)
            else:
                waits = waits or node
            node.reason = answer.reason
            answers.append(answer)
        for watched, node in question.watching:
            watched.watchers[node] = None
        group.watching += question.watching
        return answers, waits

    def _not_now(self, answers: list[tuple[Node, Solution]], waits: Node | None) -> Status:
        """Some cannot run: the others wait with them, and helpers are pushed where that leads on."""
        for node, answer in answers:
            if answer.status is RUNNABLE:
                node.reason = Reason(Because.SIBLING, node.type, waits) if waits else UNTRIED
        pushable = [(n, a) for n, a in answers if a.status is PUSHABLE]
        if not pushable:
            return BLOCKED
        self._push(pushable)
        return PUSHABLE

    def _run_on(self, group: Group, node: Node, member: Member, needs: tuple[Group, ...]) -> None:
        """Give the type to the task and call its provider (D37, D39)."""
        before = group.owner
        reason = NEW_TASK
        if before is node:
            reason = RunReason.PUSHED if group.pushed is member else reason
        elif before is not None and before.requester is not node.requester:
            self._displace(before, node)
        handed_over = before is None or before.requester is not node.requester
        group.owner = node
        if not group.done:
            group.outcome = None
        if group.bodies and (handed_over or group.active is not member):
            self.cancel_bodies(group)
        if handed_over:
            self._new_family(group, node)
        elif before is not None and (before.optional or before.priority < node.priority) and weaker(before, node):
            group.raised = True
        idle = group.active is None
        if idle and group.starts:
            self.start_or_stop(group.starts, node, RunReason.STARTED)
        group.active = member
        node.armed = 0
        if needs or group.reserved:
            self._reserve(group, needs)
        if group.holders:
            self._evict_holders(group, node)
        self.schedule(member, node, reason)
        self._scheduled += 1
        if node.suspended:
            node.suspended = False
            self.notices.append(Notice("resumed", node.as_task()))
        if idle and len(group.watchers) > 1:
            self.queue.append(partial(self.wake, group))  # a group that blocked tasks watch has a task again (D61)

    def _new_family(self, group: Group, node: Node) -> None:
        """The branch below is as strong as its new owner; and a pack that took the type may not have been the first

        in line for it, since packs are tried whole.
        """
        if group.subtasks or group.reserved:
            self._jobs.append(partial(self._invite, node))
        if group.active is not None and len(group.watchers) > 1:
            self._jobs.append(partial(self._offer, group))

    def encourage(self, raised: Group) -> None:
        """A branch became stronger: whatever waits in it may win by now (D27)."""
        groups: list[Group | None] = [raised]
        while groups:
            group = groups.pop()
            if group is not None and group.owner is not None:
                if not all(c.runs for c in group.subtasks):
                    self._retry(group)
                groups.extend(c.group for c in reversed(group.subtasks) if c.runs)

    def _displace(self, loser: Node, winner: Node) -> None:
        self._suspend(loser, Reason(Because.OWNED, winner.type, winner))
        self._losers.append(loser)

    def _suspend(self, node: Node, reason: Reason) -> None:
        """Tell whoever waits for the task that it stands still, unless its own parent has left it out."""
        node.reason = reason
        if not node.dying and not node.suspended:
            node.suspended = True
            self.notices.append(Notice("suspended", node.as_task(), text=str(reason)))

    def _evict_holders(self, group: Group, winner: Node) -> None:
        """Whoever needs a type that now belongs to somebody stronger has to think again."""
        branch = {n.group for n in winner.ancestors()}
        self._losers.extend(h.owner for h in group.holders if h.owner is not None and h not in branch)

    def _flush_losers(self) -> None:
        if self._losers:
            losers, self._losers = strongest_first(self._losers), []
            self._jobs.extend(partial(self._retry, n.requester) for n in losers)

    def _reserve(self, group: Group, needs: tuple[Group, ...]) -> None:
        """Hold what the running provider needs, so that nobody weaker slips in before it asks (D62)."""
        before, group.reserved = group.reserved, needs
        for need in needs:
            need.holders[group] = None
        for lapsed in before:
            if lapsed not in needs:
                lapsed.holders.pop(group, None)
                if lapsed.watchers:
                    self._jobs.append(partial(self._review, lapsed))

    def claim(self, group: Group) -> None:
        """Take what the running provider needs from weaker tasks that still own or hold it (D62)."""
        owner = group.owner
        if owner is None:
            return
        for need in group.reserved:
            held = need.owner
            if held is not None and all(n.group is not group for n in held.ancestors()):
                self._losers.append(held)
            self._evict_others(need, group, owner)
        self._flush_losers()

    def _evict_others(self, need: Group, group: Group, owner: Node) -> None:
        for holder in need.holders:
            if holder is group or holder.owner is None:
                continue
            branch = {n.group for n in holder.owner.ancestors()}
            if group not in branch and holder not in {n.group for n in owner.ancestors()}:
                self._losers.append(holder.owner)

    def _push(self, pushable: list[tuple[Node, Solution]]) -> None:
        """Redirect the helpers; those that must change are re-tried, strongest first (D38)."""
        taken: set[Group] = set()
        changed: list[Node] = []
        for node, answer in pushable:
            for target, members in answer.pushes.items():
                if target in taken or not challenge(target.pusher, node):
                    continue
                taken.add(target)
                target.pusher, target.pushed = node, members[0]
                self._pushed[target] = None
                if target.active is not target.pushed and target.owner is not None:
                    changed.append(target.owner)
            if not node.armed:
                self._serial += 1
                node.armed = self._serial
                over = partial(self.patience_over, node, self._serial)
                self.queue.append(Later(self.settings.push_patience_s, over))
        self._jobs.extend(partial(self._retry, n.requester) for n in strongest_first(changed))

    def unpush(self, group: Group) -> None:
        group.pusher = group.pushed = None
        self._pushed.pop(group, None)

    def patience_over(self, node: Node, serial: int) -> None:
        """The helper never caused its state: another helper, or the task fails (D63)."""
        pushed = [g for g in self._pushed if g.pusher is node]
        if node.armed != serial or not pushed:
            return
        node.armed = 0
        node.given_up += tuple(g.pushed for g in pushed if g.pushed)
        text = f"{', '.join(f'{g.pushed} ({g.type})' for g in pushed)} did not cause what {node} requires in time"
        self._release_pushes(node)
        self._retry(node.requester)
        if not node.runs and not any(g.pusher is node for g in self._pushed):
            self.fail_node(node, Failed(text))

    def _review(self, group: Group) -> None:
        """Something about this type changed: let its watchers try, then its own children (D41)."""
        owner = group.owner
        self._offer(group)
        if owner is not None and group.owner is owner:
            self._retry(group)

    def _offer(self, group: Group) -> None:
        """Watchers try in order of strength until one of them has the type."""
        for node in strongest_first(group.watchers):
            if node not in group.watchers or not challenge(group.owner, node):
                continue
            self._retry(node.requester)
            if group.owner is node:
                return

    def wake(self, watched: Group | State) -> None:
        """Somebody may be able to help by now: blocked tasks try, running ones stay as they are (D61)."""
        for node in strongest_first(n for n in watched.watchers if not n.runs):
            if node in watched.watchers and not node.runs:
                self._retry(node.requester)

    def _retry(self, group: Group) -> None:
        """Accept the stored children once more, as if the provider had just returned them (D41, D42)."""
        if group.trying or self._tired or not (group.subtasks or group.watching):
            return
        if group.is_root or (group.owner is not None and group.active is not None):
            self._try(group, group.subtasks, [])

    def unwatch(self, group: Group) -> None:
        for watched, node in group.watching:
            watched.watchers.pop(node, None)
        group.watching = []

    def remove(self, node: Node, heirs: bool = False) -> None:
        """Take a task out of the tree. `heirs`: a sibling was started that may want what the branch holds."""
        node.dying = True
        self._release_pushes(node)
        self._lose(node, heirs)

    def _lose(self, node: Node, heirs: bool = False) -> None:
        """End the execution of a task; until its group is vacated anyone beats what is left of its branch (D43)."""
        group = node.group
        if group is None or group.owner is not node:
            return
        if not node.dying:
            self._suspend(node, node.reason or UNTRIED)
        group.owner, group.done, group.outcome = None, False, None
        self._jobs.append(partial(self._vacate, group, node, heirs))
        if group.reserved:
            self._reserve(group, ())

    def _vacate(self, group: Group, node: Node, heirs: bool) -> None:
        """A type without owner: a waiting task takes it over, or the group stops, parent before children (D43, D44)."""
        if group.owner is None:
            self._offer(group)
        if group.owner is not None or group.active is None:
            return
        self.start_or_stop(group.stops, node, RunReason.STOPPED)
        self.cancel_bodies(group)
        group.active = None
        if group.pusher is not None:
            self._end_push(group, group.pusher, wanted=not node.dying)
        children, group.subtasks, group.wait = group.subtasks, [], None
        self.unwatch(group)
        for child in children:
            child.dying = True
        if heirs and children:
            self.queue.append(partial(self._settle, children, SETTLE_LAPS))
        else:
            self._orphans(children)

    def _end_push(self, group: Group, pusher: Node, wanted: bool) -> None:
        """The pushed group has stopped: others may want it unpushed. If it is still wanted itself, the push was in its

        way and is not repeated.
        """
        if wanted and group.pushed is not None:
            pusher.given_up += (group.pushed,)
        self._jobs.append(partial(self._after_push, group))
        self._jobs.append(partial(self._retry, pusher.requester))
        self.unpush(group)

    def _orphans(self, children: list[Node]) -> None:
        for child in children:
            self.remove(child)

    def _settle(self, children: list[Node], laps: int) -> None:
        """The children of a branch that was given up for a sibling go, when the heirs have had their say: no runs are
        queued any more that they asked for."""
        if laps > 0 and any(isinstance(c, Run) for c in self.queue):
            self.queue.append(partial(self._settle, children, laps - 1))
        else:
            self._orphans(children)

    def _release_pushes(self, node: Node) -> None:
        """Pushes hold until the pusher goes; then each group looks around again (D45, D46)."""
        if not self._pushed:
            return
        freed = [g for g in self._pushed if g.pusher is node]
        for group in freed:
            self.unpush(group)
        owners = strongest_first(g.owner for g in freed if g.owner is not None)
        self._jobs.extend(partial(self._after_push, n.group) for n in owners if n.group)

    def _after_push(self, group: Group) -> None:
        if group.pusher is None:
            self._review(group)

    def fail_node(self, node: Node, outcome: Failed) -> None:
        """Take a task out of the tree as failed; its parent hears of it (D63)."""
        group, parent = node.group, node.requester
        self.notices.append(Notice("ended", node.as_task(), outcome, outcome.reason))
        known = node in parent.subtasks
        parent.subtasks = [c for c in parent.subtasks if c is not node]
        for watched, watcher in parent.watching:
            if watcher is node:
                watched.watchers.pop(node, None)
        parent.watching = [(w, n) for w, n in parent.watching if n is not node]
        self.remove(node)
        if group is not None:
            group.outcome = outcome
        if known and not parent.is_root and parent.active is not None and parent.owner is not None:
            self.schedule(parent.active, parent.owner, RunReason.SUBTASK_DONE, (node.as_task(), outcome))
