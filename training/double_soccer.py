"""A test double that reads a sentence's judge instead of the sentence, and answers with the tasks that satisfy it.

It understands nothing. A score with it says that the judges of the sentences are right: what they ask for can be done
with the seven tasks, in the time that they give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from judged_soccer import Sentence
from sayso.models.scripted import Scripted
from sayso.robots.humanoid.suite.double import SEARCH, Shown, approach, cannot, kick, play, tasks
from sayso.roles import Prompt
from sayso.understanding.forms import brief_of

WAVE_S, GLANCE_S, WATCH_S, TURN_RADPS = 1.2, 5.0, 4.0, 0.4

Rule = Callable[[Shown], str]


def rule(spec: Mapping[str, Any]) -> Rule:
    """What to answer, state by state, so that the judge `spec` will be content."""
    if "in_order" in spec:
        return one_after_the_other([rule(part) for part in spec["in_order"]])
    for key, make in RULES.items():
        if spec.get(key):
            return _beside(make(spec[key]), spec)
    return _beside(None, spec)


def _beside(legs: Rule | None, spec: Mapping[str, Any]) -> Rule:
    """What arm and head do beside the legs, for as long as that takes."""
    lasts_s = {"Wave": 2 + WAVE_S * spec.get("waved", 0), "LookAround": GLANCE_S}
    wanted = [name for key, name in (("waved", "Wave"), ("looked", "LookAround")) if spec.get(key)]
    if not wanted:
        return legs or cannot

    def both(now: Shown) -> str:
        rest = legs(now) if legs else "Done"
        over = all(now.pursued_s.get(name, 0) >= lasts_s[name] for name in wanted)
        if over or rest == "Cannot":
            return rest
        beside = tasks(*wanted)
        return beside if rest == "Done" else f"{rest}\n{beside}"

    return both


def one_after_the_other(rules: list[Rule]) -> Rule:
    """The next rule once one says Done. A double of one episode: it keeps count."""
    left = list(rules)

    def answer(now: Shown) -> str:
        while len(left) > 1 and left[0](now) == "Done":
            del left[0]
            now = Shown(now.ball)
        return left[0](now)

    return answer


def lasting(seconds: float, *names: str) -> Rule:
    """These tasks for so long."""
    return lambda now: "Done" if now.pursued_s.get(names[0], 0) >= seconds else tasks(*names)


def watch(now: Shown) -> str:
    """Until it has really been watched for a while."""
    if not now.ball.visible:
        return SEARCH
    return "Done" if now.pursued_s.get("LookAtBall", 0) >= WATCH_S else tasks("LookAtBall")


def reached(now: Shown) -> str:
    """Like `approach`, and content where it stands there already."""
    return approach(now) if now.walkable else SEARCH


RULES: Mapping[str, Callable[[Any], Rule]] = {
    "any": lambda specs: rule(specs[0]),
    "every": lambda specs: rule({key: value for spec in specs for key, value in spec.items()}),
    "refused": lambda yes: cannot,
    "gave_up": lambda yes: cannot,
    "scored": lambda yes: play,
    "kicked": lambda yes: kick,
    "kicks": lambda count: kick if count == 1 else play,
    "approached": lambda yes: reached,
    "recovered": lambda yes: reached,
    "found": lambda yes: watch,
    "turned": lambda degrees: lasting(degrees / 57.3 / TURN_RADPS + 1, "TurnOnSpot"),
    "stays": lambda seconds: lasting(seconds + 1, "StandStill"),
    "stands": lambda seconds: lasting(seconds + 1, "StandStill"),
}
"""In the order of what takes the legs."""


def double(sentence: Sentence) -> Scripted:
    """The model for one sentence, for one episode."""
    first = rule(sentence.before or (PURSUE if sentence.then else sentence.spec))
    later = rule(sentence.spec)

    def answer(prompt: Prompt) -> str:
        brief = brief_of(prompt)
        changed = bool(sentence.then) and brief.instruction != _bare(sentence.say)
        return (later if changed else first)(Shown.of(brief))

    return Scripted(answer, name="judge-reading double (a test double)")


PURSUE: Mapping[str, Any] = {"approached": True}
"""What it does until the request changes, where no judge says."""


def _bare(text: str) -> str:
    """A request as it stands in a brief."""
    return text.strip().rstrip(".。").rstrip()
