"""A courier: moves named things to places step by step, and knows what to do about each kind of failure.

It has no understanding. What it is to move it is given: by the oracle's list (a test double), or by tables of names
(the baseline `rules`). It speaks the protocol of the planner `stepwise`, so that it stands where a model would stand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sayso.models.scripted import Scripted
from sayso.parts import Prompt

_FELL = re.compile(r"has fallen near x (-?[\d.]+), y (-?[\d.]+)")
_SIDE = re.compile(r"go_to\('([^']+)'\)")
_WRONG = re.compile(r"the hand took the (.+?) instead of")
_SEEN = re.compile(r"seen from here (.+)")
_ON = re.compile(r"on the ([\w ]+): ([^;\n]+)")

TRIES_MAX = 3


@dataclass(frozen=True, slots=True)
class Errand:
    """A thing in words, the places to look for it, and where it goes. An errand without a thing is a way to go."""

    thing: str
    look: tuple[str, ...]
    to: str
    more: bool = False
    """One more of the same, if there is one."""


@dataclass(slots=True)
class Courier:
    """One mission. `remembers` is whether it uses what it has seen on the way."""

    errands: Sequence[Errand]
    remembers: bool = True
    _todo: list[str] = field(default_factory=list)
    _seen: dict[str, set[str]] = field(default_factory=dict)
    _tried: set[str] = field(default_factory=set)
    _number: int = -1
    _fails: int = 0

    def listed(self) -> list[str]:
        """The whole list as it is meant at first."""
        return [step for e in self.errands for step in self._steps(e, self._best(e))] + ["done"]

    def next(self, feedback: str) -> str:
        """The next step after a feedback; empty at first."""
        self._learn(feedback)
        failed = re.search(r"\b(\w+): (?:failed|refused|preempted)\b([^\n]*)", feedback)
        if failed:
            self._mend(failed[1], failed[2])
        elif self._number >= 0 and self._todo and "Feedback" in feedback:
            self._todo.pop(0)
            self._fails = 0
        while not self._todo:
            self._number += 1
            if self._number >= len(self.errands):
                return "done"
            errand = self.errands[self._number]
            self._tried = {self._best(errand)}
            self._todo = self._steps(errand, self._best(errand))
        return self._todo[0]

    def _steps(self, errand: Errand, place: str) -> list[str]:
        if not errand.thing:
            return [f"go_to({errand.to})"]
        fetch = [f"go_to({place})", f"pick_up({errand.thing})"]
        return [*fetch, f"go_to({errand.to})", f"place({errand.thing})"]

    def _best(self, errand: Errand) -> str:
        """Where the thing was seen, else where it should be."""
        label = errand.thing
        seen = [p for p, labels in self._seen.items() if any(_named(label, known) for known in labels)]
        usable = [p for p in seen if p in errand.look and p != errand.to]
        first = [p for p in errand.look[:1] if p not in self._seen or p in seen]
        return (first or usable or list(errand.look[:1]) or [""])[0]

    def _learn(self, feedback: str) -> None:
        if not self.remembers:
            return
        for line in _SEEN.findall(feedback):
            for place, labels in _ON.findall(line):
                self._seen[place] = {_label(part) for part in labels.split(", ")}

    def _mend(self, skill: str, reason: str) -> None:
        """What to do about a failure, put before what is left to do."""
        errand, self._fails = self.errands[self._number], self._fails + 1
        wrong = _WRONG.search(reason)
        if fell := _FELL.search(reason):
            self._todo = [f"go_to({fell[1]}, {fell[2]})", f"pick_up({errand.thing})", *self._steps(errand, "")[2:]]
        elif wrong:
            self._todo = [f"place({wrong[1]})", *self._todo]
        elif side := _SIDE.search(reason):
            self._todo = [f"go_to({side[1]})", *self._todo]
        elif "far side" in reason and skill == "place":
            self._todo = [f"go_to(far side of {errand.to})", *self._todo]
        elif skill == "pick_up" and ("is seen here" in reason or self._fails >= TRIES_MAX):
            self._look_elsewhere(errand)
        elif self._fails > 2 * TRIES_MAX:
            self._todo = [f"give_up({reason.strip()[:80]})"]

    def _look_elsewhere(self, errand: Errand) -> None:
        left = [p for p in errand.look if p not in self._tried]
        seen = [p for p in left if any(_named(errand.thing, known) for known in self._seen.get(p, ()))]
        if not left and errand.more:
            self._todo = []
            return
        if not left:
            self._todo = [f"give_up(there is no {errand.thing} at any of {len(self._tried)} places)"]
            return
        place = (seen or left)[0]
        self._tried.add(place)
        self._fails = 0
        self._todo = self._steps(errand, place)


def _label(part: str) -> str:
    """`apple (green)` as `green apple`."""
    found = re.fullmatch(r"\s*(.+?) \((.+?)\)\s*", part)
    return f"{found[2]} {found[1]}" if found else part.strip()


def _named(thing: str, known: str) -> bool:
    return set(thing.split()) <= set(known.split())


def speaking(courier: Callable[[str], Courier], name: str) -> Scripted:
    """A courier in a model's place. `courier` makes one for the instruction that it reads in the first prompt."""
    now: list[Courier] = []

    def answer(prompt: Prompt) -> str:
        last = prompt.messages[-1][1]
        if any(text.startswith(("Feedback:", "The step is over")) for role, text in prompt.messages if role == "user"):
            step = now[-1].next("" if last.startswith("Not accepted") else last)
            return json.dumps({"step_by_step_reasoning": "by rule", "next_action": step})
        task = next(text for role, text in prompt.messages if role == "user")
        wish = re.sub(r"^\| ?", "", task.partition("Task:\n")[2].partition("\nAnswer:")[0], flags=re.MULTILINE)
        now[:] = [courier(wish)]
        plan, step = now[-1].listed(), now[-1].next("")
        return json.dumps({"reasoning": "by rule", "action_list": plan, "first_action": step})

    return Scripted(answer, name=name, chunk=200)
