"""The comparison of two runs of one mission, a record and its replay.

Several actors work side by side in a mission: a model talks, a plan is read, tasks run. What two of them do at one
instant has no order, so each actor's events are compared with its own.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from sayso import events as ev
from sayso.memory.record import OF_TASKS, UNCOMPARED

MADE_BY: Mapping[str, tuple[type[ev.Event], ...]] = {
    "": (*UNCOMPARED, ev.MissionStarted),
    "plan": (ev.StatementReady, ev.PlanRefused),
    "tasks": OF_TASKS,
    "skills and guards": (ev.Said, ev.PictureTaken, ev.Judged, ev.LimitHeld),
}
"""Who makes which events; the mission all others."""

Events: TypeAlias = Sequence[ev.Event]
TIMES = ("at_s", "r_time_s", "c_time_s")
DECIMAL = re.compile(r"-?\d+\.\d+")
ROUGHLY = 0.1
NEAR = 60
"""Characters that are shown around the place where two texts part."""


def difference(then: Events, now: Events, *, within_s: float = 1e-3) -> str | None:
    """The first event of `now` that is not as in `then`, in words, or None.

    Poses, warnings and the calendar are not compared. Where `then` has no end (its process died), `now` may go on from
    there.
    """
    open_end = not any(isinstance(e, ev.MissionEnded) for e in then)
    before, after = _by_actor(then), _by_actor(now)
    faults = (_fault(before.get(a, []), after.get(a, []), within_s, open_end) for a in {**before, **after})
    return min((f for f in faults if f), default=(0.0, None))[1]


def short(event: ev.Event) -> str:
    """An event on one line, for a message."""
    line = f"{type(event).__name__} {ev.to_json(event)}"
    return line if len(line) <= 240 else f"{line[:240]}…"


def _by_actor(events: Iterable[ev.Event]) -> dict[str, list[ev.Event]]:
    sorted_: dict[str, list[ev.Event]] = {}
    for event in events:
        if actor := _actor(event):
            sorted_.setdefault(actor, []).append(event)
    return sorted_


def _actor(event: ev.Event) -> str:
    """Who made it; empty for what is not compared."""
    if isinstance(event, ev.Prompted | ev.ChunkArrived | ev.AnswerEnded | ev.AnswerFailed):
        return f"model call {event.call}"
    if isinstance(event, ev.Observed) and event.task:
        return "looks of skills"
    return next((actor for actor, made in MADE_BY.items() if isinstance(event, made)), "mission")


def _fault(then: Events, now: Events, within_s: float, open_end: bool) -> tuple[float, str] | None:
    """When two runs of one actor part, and how."""
    for a, b in zip(then, now, strict=False):
        if type(a) is not type(b):
            return a.at_s, f"at {a.at_s:.2f} s the record has {short(a)}, the replay {short(b)}"
        if unlike := _unlike(_facts(a), _facts(b)):
            return a.at_s, f"{type(a).__name__} at {a.at_s:.2f} s, {unlike}"
        if abs(a.at_s - b.at_s) > within_s:
            return a.at_s, f"{type(a).__name__} came at {a.at_s:.3f} s, in the replay at {b.at_s:.3f} s"
    if len(then) == len(now) or (open_end and len(then) < len(now)):
        return None
    longer, what = (then, "record") if len(then) > len(now) else (now, "replay")
    more = longer[min(len(then), len(now))]
    return more.at_s, f"only the {what} goes on, at {more.at_s:.2f} s with {short(more)}"


def _unlike(then: Mapping[str, object], now: Mapping[str, object]) -> str:
    """The first field that differs, from where it differs; empty where none does."""
    name = next((n for n in then if not _alike(then[n], now.get(n))), "")
    if not name:
        return ""
    a, b = (json.dumps(facts[name], ensure_ascii=False) for facts in (then, now))
    parted = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(0, parted - NEAR)
    return f"{name}: {a[start : start + 2 * NEAR]} in the record, {b[start : start + 2 * NEAR]} in the replay"


def _alike(then: object, now: object) -> bool:
    """Equal, or texts that differ in decimals only: they tell measured poses, which were played a moment apart."""
    if then == now or not (isinstance(then, str) and isinstance(now, str)):
        return then == now
    if DECIMAL.sub("", then) != DECIMAL.sub("", now):
        return False
    pairs = zip(DECIMAL.findall(then), DECIMAL.findall(now), strict=True)
    return all(abs(float(a) - float(b)) <= ROUGHLY for a, b in pairs)


def _facts(event: ev.Event) -> dict[str, object]:
    """What must be the same: not the times, which have a tolerance, and of a prompt its own words. The lines that it
    quotes were compared where they were said."""
    facts: dict[str, object] = json.loads(ev.to_json(event))
    facts = {k: round(v, 3) if isinstance(v, float) else v for k, v in facts.items() if k not in TIMES}
    if isinstance(event, ev.Prompted):
        own = ((role, [line for line in text.split("\n") if not line.startswith("|")]) for role, text in event.messages)
        facts["messages"] = [(role, "\n".join(lines)) for role, lines in own]
    return facts
