"""The view model of a mission: one frozen value that terminal and console show, and how each event changes it.

`updated` is pure: the terminal, the live page, the second operator's page and a scrubbed timeline fold the same events
through it, so they cannot disagree. Text of people, models and the world is cleaned of control characters here, once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sayso import events as ev
from sayso.grounding.answers import choices, sentence
from sayso.grounding.lexicon import aliases
from sayso.memory.event_text import TABLE, call, clean_lines, event_text
from sayso.scene import Pose, Scene, Thing, scene_from
from sayso.skill import say
from sayso.wish import is_question

TRAIL = 1200
"""Points of the way that are kept."""

LONG = 2000
"""Characters of anybody's words that are shown."""

REACH_M = 0.6

ITEMS = 300
"""Entries of one conversation turn that are kept; a robot that talks without end fills no browser."""

ROWS = 400
ARRIVING = 600
THINKS = "thinks: "


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the plan: `state` is ready, running, done, dropped or failed; `note` says what came of it. Its
    `number` is 0 once its plan is over, and below 0 where a planner pursues a task without one."""

    number: int
    text: str
    depth: int = 0
    state: str = "ready"
    note: str = ""
    times: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the conversation.

    `kind` is wish, means, plan, says, asks, picture, refused, limit, replan, note, warning, stop, answer or verdict. A
    plan has `rows`, a picture a `file`, a question the `choices` that can be clicked. A `calm` verdict is an answer or
    a stop, or not verified.
    """

    kind: str
    text: str = ""
    rows: tuple[Statement, ...] = ()
    file: str = ""
    good: bool = True
    choices: tuple[str, ...] = ()
    calm: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """Latency and cost so far. Times are None until there is something to measure."""

    r_time_s: float | None = None
    first_text_s: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0
    replans: int = 0


@dataclass(frozen=True, slots=True)
class MissionView:
    """A mission as it is shown at one moment. `moving` names the skills that move the robot, for the response time.

    `scene` is what was seen in the latest look, `beliefs` what was seen at all, each thing at its mission's time.
    `held` is the id of the thing in the hand, `carried` where things were put down that have not been seen since;
    `wanted` names what running tasks reach for.
    """

    moving: frozenset[str] = frozenset()
    at_s: float = 0.0
    wish: str = ""
    setup: Mapping[str, Any] = field(default_factory=dict)
    items: tuple[Item, ...] = ()
    arriving: str = ""
    awaited: str = ""
    approval: str = ""
    pose: Pose | None = None
    trail: tuple[tuple[float, float, float], ...] = ()
    charge: float = 1.0
    scene: Scene | None = None
    looked_s: float | None = None
    beliefs: Mapping[str, Thing] = field(default_factory=dict)
    wanted: Mapping[int, str] = field(default_factory=dict)
    held: str = ""
    carried: Mapping[str, Pose] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    figures: Figures = Figures()
    ended: ev.MissionEnded | None = None
    owner: Mapping[int, int] = field(default_factory=dict)
    call: int = 0
    asked_s: float = 0.0

    @property
    def plan(self) -> tuple[Statement, ...]:
        """The statements of the present plan."""
        at = _growing(self)
        return () if at is None else self.items[at].rows


def updated(shown: MissionView, event: ev.Event) -> MissionView:
    """The view after `event`."""
    shown = replace(shown, at_s=max(shown.at_s, event.at_s))
    match event:
        case ev.MissionStarted():
            shown = replace(shown, wish=words(sentence(event.wish)), setup=event.setup)
            return _add(shown, Item("wish", words(event.wish.latest)))
        case ev.Instructed(instruction=wish):
            return _add(replace(shown, wish=words(wish)), Item("wish", words(wish)))
        case ev.MissionEnded():
            return _end(shown, event)
        case ev.Prompted() | ev.ChunkArrived() | ev.AnswerEnded() | ev.AnswerFailed():
            return _model(shown, event)
        case ev.StatementReady():
            return _statement(shown, event)
        case ev.Replanned():
            return _replanned(shown, event)
        case ev.ApprovalAsked(plan=plan):
            return replace(shown, approval=words(plan, 20_000))
        case ev.TaskStarted():
            return _started(shown, event)
        case ev.TaskEnded():
            return _ended(shown, event)
        case ev.Moved():
            return _moved(shown, event)
        case ev.Observed():
            return _observed(shown, event)
        case ev.Said():
            return _say(shown, event)
    return _aside(shown, event)


def words(text: object, limit: int = LONG) -> str:
    """Somebody's text, safe to show: no control or format characters, which could turn the writing round."""
    text = clean_lines(str(text))
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _add(shown: MissionView, item: Item) -> MissionView:
    return replace(shown, items=(*shown.items[-(ITEMS - 1) :], item))


def _end(shown: MissionView, end: ev.MissionEnded) -> MissionView:
    good = end.outcome == "achieved"
    items = tuple(_settled(item) for item in shown.items)
    if end.asked:
        question = Item("asks", words(end.asked), choices=choices(end.asked))
        items = items if items and items[-1].text == question.text else (*items, question)
    told = "it waits for your answer" if end.asked else words(verdict(end))
    if end.declined and items and items[-1].kind == "says" and items[-1].text == words(end.reason):
        told = "not done, for that reason"
    figures = replace(shown.figures, r_time_s=end.r_time_s, replans=end.replans)
    shown = replace(shown, items=items, ended=end, figures=figures, arriving="", awaited="", approval="")
    calm = bool(end.declined or end.asked or end.doubtful or end.outcome == "stopped")
    return _add(shown, Item("note" if end.asked else "verdict", told, good=good or bool(end.asked), calm=calm))


def verdict(end: ev.MissionEnded) -> str:
    """How it ended, in a sentence. That something cannot be done is told by its reason."""
    return f"not done: {end.reason}" if end.declined else end.verdict


def _settled(item: Item, state: str = "done") -> Item:
    """What still runs when a plan or mission ends is a loop or branch: tasks have ended by then."""
    if item.kind != "plan" or not any(row.state == "running" for row in item.rows):
        return item
    return replace(item, rows=tuple(replace(r, state=state) if r.state == "running" else r for r in item.rows))


def _model(shown: MissionView, event: ev.Prompted | ev.ChunkArrived | ev.AnswerEnded | ev.AnswerFailed) -> MissionView:
    figures = shown.figures
    match event:
        case ev.Prompted():
            shown = replace(
                shown,
                awaited=words(f"asks {(event_text(event) or ('', ''))[1]}", 200),
                asked_s=event.at_s,
                figures=replace(figures, calls=figures.calls + 1),
            )
            return shown if event.purpose == "probe" else replace(shown, call=event.call, arriving="")
        case ev.ChunkArrived(text=""):
            *_, before = shown.awaited.rpartition(THINKS) if shown.awaited.startswith(THINKS) else ("",)
            return replace(shown, awaited=words(f"{THINKS}{(before + event.thought)[-ARRIVING:]}"))
        case ev.ChunkArrived():
            if event.call != shown.call:
                return replace(shown, awaited="")
            if figures.first_text_s is None:
                figures = replace(figures, first_text_s=event.at_s - shown.asked_s)
            arriving = words(f"{shown.arriving}{event.text}"[-ARRIVING:])
            return replace(shown, awaited="", arriving=arriving, figures=figures)
        case ev.AnswerEnded():
            spent = replace(
                figures, tokens_in=figures.tokens_in + event.tokens_in, tokens_out=figures.tokens_out + event.tokens_out
            )
            return replace(shown, awaited="", figures=spent, arriving=_left(shown, event.call))
    return _aside(replace(shown, awaited="", arriving=_left(shown, event.call)), event)


def _left(shown: MissionView, call: int) -> str:
    return "" if call == shown.call else shown.arriving


def _statement(shown: MissionView, event: ev.StatementReady) -> MissionView:
    if event.behind == ":{":
        shown = _add_row(shown, Statement(0, ":", event.depth - 1))
    sign = ":" if event.behind == ":" else ""
    return _add_row(shown, Statement(event.statement, f"{sign}{words(event.text, 300)}", event.depth))


def _replanned(shown: MissionView, event: ev.Replanned) -> MissionView:
    known = shown.items and shown.items[-1].kind == "refused"
    item = Item("replan", words(f"new plan {event.round}{'' if known else f': {event.reason}'}"))
    return _add(replace(shown, figures=replace(shown.figures, replans=event.round)), item)


def _over(shown: MissionView, how: str) -> MissionView:
    """A plan has ended: the statements of the next one are counted from 1 again. One that wishes for a new plan asks
    for no task; it is done with the plan."""
    at = _growing(shown)
    if at is None:
        return shown
    anew = ("replan", "rp") if how == "replan" else ()
    item = _settled(shown.items[at], "dropped" if how in ("failed", "cut") else "done")
    rows = (replace(r, state="done") if r.text in anew else r for r in item.rows)
    return _with_item(shown, at, replace(item, rows=tuple(replace(r, number=min(r.number, 0)) for r in rows)))


def _add_row(shown: MissionView, row: Statement) -> MissionView:
    """To the plan that is growing; the first statement after anything but a plan's own doings begins one."""
    at = _growing(shown)
    if at is None:
        return _add(shown, Item("plan", "", (row,)))
    plan = shown.items[at]
    if len(plan.rows) >= ROWS:
        return shown
    return _with_item(shown, at, replace(plan, rows=(*plan.rows, row)))


def _growing(shown: MissionView) -> int | None:
    for at in range(len(shown.items) - 1, -1, -1):
        if shown.items[at].kind == "plan":
            return at
        if shown.items[at].kind in ("replan", "wish"):
            return None
    return None


def _with_item(shown: MissionView, at: int, item: Item) -> MissionView:
    return replace(shown, items=(*shown.items[:at], item, *shown.items[at + 1 :]))


def _started(shown: MissionView, event: ev.TaskStarted) -> MissionView:
    figures = shown.figures
    if figures.r_time_s is None and event.skill in shown.moving:
        figures = replace(figures, r_time_s=event.at_s)
    owner = {**shown.owner, event.task: event.statement}
    shown = replace(shown, owner=owner, figures=figures)
    if event.skill in aliases().grasps and event.args:
        shown = replace(shown, wanted={**shown.wanted, event.task: str(event.args[0])})
    at = _growing(shown)
    if at is None or not event.statement:
        if event.statement == 0:
            text = words(call(event) if event.args else event.skill, 300)
            return _add_row(shown, Statement(-event.task, text, 0, "running", "", 1))
        return shown
    plan = shown.items[at]
    rows = _entered(plan.rows, event.statement)
    rows = _changed(rows, event.statement, state="running", note="", again=1)
    return _with_item(shown, at, replace(plan, rows=rows))


def _ended(shown: MissionView, event: ev.TaskEnded) -> MissionView:
    number = shown.owner.get(event.task, 0) or -event.task
    owner = {task: statement for task, statement in shown.owner.items() if task != event.task}
    shown = _handled(replace(shown, owner=owner), event)
    at = _growing(shown)
    if at is None:
        return shown
    plan = shown.items[at]
    state = {"done": "done", "preempted": "dropped"}.get(event.outcome, "failed")
    value = "" if event.value is None else f"= {say(event.value)}"
    by = "by " if state == "dropped" and event.detail else ""
    rows = _changed(plan.rows, number, state=state, note=words(f"{by}{event.detail or value}", 300))
    return _with_item(shown, at, replace(plan, rows=rows))


def _handled(shown: MissionView, event: ev.TaskEnded) -> MissionView:
    """What the hand holds after a task, as far as names tell."""
    words_ = shown.wanted.get(event.task, "")
    shown = replace(shown, wanted={task: thing for task, thing in shown.wanted.items() if task != event.task})
    if event.outcome != "done":
        return shown
    if words_:
        like = [b for b in shown.beliefs.values() if words_ in (b.id, b.label) or b.label in words_]
        latest = max(like, key=lambda b: (words_ in (b.id, b.label), b.seen_s), default=None)
        return replace(shown, held=latest.id if latest else "")
    if event.skill in aliases().releases and shown.held and shown.pose:
        down = shown.pose.moved(forward_m=REACH_M)
        return replace(shown, held="", carried={**shown.carried, shown.held: down})
    return shown


def _changed(
    rows: tuple[Statement, ...], number: int, *, state: str, note: str, again: int = 0
) -> tuple[Statement, ...]:
    return tuple(replace(r, state=state, note=note, times=r.times + again) if r.number == number else r for r in rows)


def _entered(rows: tuple[Statement, ...], number: int) -> tuple[Statement, ...]:
    """A loop or branch that asks for no task itself runs while something inside it does."""
    found = next((at for at, row in enumerate(rows) if row.number == number), None)
    if found is None:
        return rows
    inside, changed = rows[found].depth, list(rows)
    for at in range(found - 1, -1, -1):
        row = changed[at]
        if row.times:
            inside = min(inside, row.depth)
        elif row.depth < inside:
            inside, changed[at] = row.depth, replace(row, state="running")
        elif row.state == "running":
            changed[at] = replace(row, state="done")
    return tuple(changed)


def _moved(shown: MissionView, event: ev.Moved) -> MissionView:
    pose = Pose(event.x_m, event.y_m, event.z_m, event.yaw_rad)
    point = (round(pose.x_m, 3), round(pose.y_m, 3), round(pose.z_m, 3))
    trail = shown.trail
    if not trail or sum((a - b) ** 2 for a, b in zip(point, trail[-1], strict=True)) > 0.03**2:
        trail = (*trail[-(TRAIL - 1) :], point)
    return replace(shown, pose=pose, trail=trail, charge=event.charge)


def _observed(shown: MissionView, event: ev.Observed) -> MissionView:
    looked = scene_from(event.scene)
    scene = replace(looked, things=tuple(_told_of(thing, event.at_s) for thing in looked))
    notes = tuple(words(n, 200) for n in event.notes) or shown.notes
    seen = {thing.id: thing for thing in scene}
    carried = {id_: pose for id_, pose in shown.carried.items() if id_ not in seen}
    beliefs = {**shown.beliefs, **seen}
    return replace(shown, scene=scene, looked_s=event.at_s, beliefs=beliefs, carried=carried, notes=notes)


def _told_of(thing: Thing, at_s: float) -> Thing:
    """With words that are safe to show, and when it was seen in the mission's time."""
    attributes = {words(k, 40): words(v, 40) for k, v in thing.attributes.items()}
    return replace(thing, label=words(thing.label, 80), attributes=attributes, seen_s=at_s)


def _say(shown: MissionView, event: ev.Said) -> MissionView:
    text = words(event.text)
    if shown.figures.r_time_s is None:
        shown = replace(shown, figures=replace(shown.figures, r_time_s=event.at_s))
    if is_question(text):
        return _add(shown, Item("asks", text, choices=choices(text)))
    return _add(shown, Item("says", text))


def _aside(shown: MissionView, event: ev.Event) -> MissionView:
    if isinstance(event, ev.PlanEnded):
        return _over(shown, event.how)
    mark, text = event_text(event) or ("", "")
    if mark not in TABLE["entries"]:
        return shown
    if isinstance(event, ev.StopAsked | ev.ApprovalGiven):
        shown = replace(shown, approval="")
    kind, says = TABLE["entries"][mark]
    file, good = "", mark not in ("limit", "refused", "model")
    match event:
        case ev.ApprovalGiven(approved=good) | ev.Stopped(confirmed=good):
            pass
        case ev.PictureTaken():
            file, text = event.file, text.removeprefix(event.file).rpartition(" of ")[2]
    return _add(shown, Item(kind, words(says.format(text)), file=file, good=good))
