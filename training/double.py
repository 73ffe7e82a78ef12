"""A test double that reads a sentence's judge instead of the sentence, and flies a plan that should satisfy it.

It understands nothing. A score with it says that scenes and judges of the sentences are right: what can be asked there
can be done there. Judges that name one of several things are left out (`plan` is None).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sayso.models.scripted import Scripted
from sayso.robots.drone.goal_plan import log
from sayso.roles import Prompt

DETOURS = ("", "ml(100)", "mr(200)", "mu(60)", "ml(100)")
LATER = ("back", "landed", "airborne", "waited")
"""What comes last, whatever the order of the keys."""


def plan(spec: Mapping[str, Any]) -> list[str] | None:
    """Statements that should satisfy a judge, or None."""
    statements: list[str] = []
    for key in sorted(spec, key=lambda k: k in LATER):
        part = _part(key, spec[key])
        if part is None:
            return None
        statements += part
    return statements


def _part(key: str, value: Any) -> list[str] | None:
    given = value if isinstance(value, Mapping) else {}
    match key:
        case "at" | "was_at":
            label = given.get("label", value)
            return [_seek(label), f"g('{label}')"]
        case "pictured":
            label = given.get("label", value)
            return [_seek(label), f"{'g' if given else 'o'}('{label}')", "tp"]
        case "named":
            return [_seek(value), log(value)]
        case "said":
            return [log(value[0])]
        case "refused":
            return [f"{log('no')};->False"]
        case "any":
            return plan(value[0])
        case "every":
            parts = [plan(spec) for spec in value]
            return None if None in parts else [s for part in parts for s in part or []]
        case "not":
            return []
        case "went":
            return _moves(value)
        case "turned":
            return [f"{'tu' if value > 0 else 'tc'}({abs(value):g})"]
        case "spun":
            return [f"{value // 45}{{tc(45)}}"]
        case "back":
            return ["rh"]
        case "landed" | "airborne":
            return ["to", "d(3)", *(["la"] if key == "landed" else [])]
        case "waited":
            return ["to", f"d({value:g})"]
        case "was_up":
            return ["to"]
        case "pictures":
            return [f"{value}{{tp}}"]
    return None


def _seek(label: str) -> str:
    return f"?!s('{label}'){{{log('not here')};->False}}"


def _moves(by: Mapping[str, float]) -> list[str]:
    ways = {"forward_cm": ("mf", "mb"), "left_cm": ("ml", "mr"), "right_cm": ("mr", "ml"), "up_cm": ("mu", "md")}
    above = {**by, "up_cm": by["up_cm"] - 100} if by.get("up_cm", 0) >= 100 else by  # a landed drone climbs first
    moves = [f"{ways[name][cm < 0]}({abs(cm):g})" for name, cm in above.items() if cm]
    return moves if above is by else ["to", *moves]


def double(spec: Mapping[str, Any]) -> Scripted | None:
    """The model for one sentence, or None. Where the way is blocked it goes round, left and right."""
    statements = plan(spec)
    if statements is None:
        return None

    def answer(prompt: Prompt) -> str:
        rounds = len(prompt.brief.history) if prompt.brief else 0
        lift = "to" if any(s.startswith("?!") for s in statements) else ""
        return ";".join(s for s in (lift, DETOURS[min(rounds, 4)], *statements) if s)

    return Scripted(answer, name="double")
