"""What a robot that flew from pose to pose has seen, made for tests of goals: two mugs and Anna."""

from __future__ import annotations

from collections.abc import Mapping

from sayso.goal import Truth
from sayso.goals.evidence import Deed, Evidence, Moment
from sayso.goals.judge import judge
from sayso.goals.text import parse
from sayso.scene import Pose, Thing

MUG = Thing("mug-1", "mug", pose=Pose(3.0, 0.0, 0.8), attributes={"color": "red", "on": "table"})

CUP = Thing("mug-2", "mug", pose=Pose(0.0, 4.0, 0.8), attributes={"color": "blue", "on": "shelf"})

ANNA = Thing("anna", "person", pose=Pose(5.0, 1.0, 0.0), attributes={"shirt": "yellow vest"})

KNOWN = {t.id: t for t in (MUG, CUP, ANNA)}


def flown(*poses: Pose, things: Mapping[str, Thing] | None = None, deeds: tuple[Deed, ...] = (), closed: bool = False,
          surveyed: bool = False, views: tuple[str, ...] = (), holding: str | None = None) -> Evidence:  # fmt: skip
    """A second between two poses, at each of which it rests half a second; `views` are in view at the end."""
    seen = KNOWN if things is None else things
    rests = [(n + half, p) for n, p in enumerate(poses) for half in (0.0, 0.5)][:-1]
    moments = [Moment(t, p, seen, frozenset(views if t == len(poses) - 1 else ()), holding) for t, p in rests]
    return Evidence(moments, deeds, closed, 0.0 if surveyed else None)


HOME = Pose()

AT_MUG = Pose(2.5)

AT_CUP = Pose(0.0, 3.4)


def truth(text: str, evidence: Evidence) -> Truth:
    return judge(parse(text), evidence).truth
