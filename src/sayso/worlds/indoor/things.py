"""The loose things of a flat: where each is, who holds it, and what it stands on.

They are free bodies, also between a robot's fingers: friction holds them there, and what is let go or slips out falls
and comes to rest by itself. What a person holds is put where that hand is.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import mujoco
import numpy as np

from sayso.scene import Pose
from sayso.worlds.indoor.scene import Flat, Furniture
from sayso.worlds.scenery import about_z

SEEN_M, LEVEL = 0.05, 0.7
"""How far off an eye in the hand takes a thing for the one that is meant; how far up what is level may point."""

STACK_M = 0.012
"""What stands on another thing has this little between; a flat thing beside it is lower."""


class Loose:
    """One thing, as perception may see it. `at` is where the middle of its underside is at first, `on` what that is."""

    def __init__(self, id_: str, kind: Mapping[str, Any], at: Pose, on: str) -> None:
        self.id, self.label, self.kind, self.at, self.on = id_, str(kind["name"]), kind, at, on
        x, y, z = kind["size_m"]
        self.size_m = float(x), float(y), float(z)
        self.holder = ""

    def attach(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """To its body in a model, which is called by its id."""
        self._data, self.body_id = data, int(model.body(self.id).id)
        joint = model.joint(self.id)
        self.q, self.v = int(joint.qposadr[0]), int(joint.dofadr[0])

    @property
    def attributes(self) -> Mapping[str, str]:
        return {"color": self.kind["paint"]}

    @property
    def pose(self) -> Pose:
        """The middle of the underside."""
        x, y, z = self._data.xpos[self.body_id].tolist()
        turn = self._data.xmat[self.body_id]
        return Pose(x, y, z, math.atan2(float(turn[3]), float(turn[0])))

    @property
    def middle(self) -> Pose:
        """The middle of the thing, upright or not."""
        pose, half_m = self.pose, self.size_m[2] / 2
        x, y, z = self._data.xmat[self.body_id][2::3].tolist()
        return Pose(pose.x_m + x * half_m, pose.y_m + y * half_m, pose.z_m + z * half_m, pose.yaw_rad)

    @property
    def foot(self) -> Pose:
        """Its lowest point, under its middle, upright or not."""
        steep = int(np.abs(self._data.xmat[self.body_id][6:]).argmax())
        high_m = self.width_m if steep != 2 and self.kind["shape"] == "cylinder" else self.size_m[steep]
        return self.middle.moved(up_m=-high_m / 2)

    @property
    def upright(self) -> bool:
        return float(self._data.xmat[self.body_id][8]) > 0.9

    @property
    def width_m(self) -> float:
        """The side that fingers close on."""
        return min(self.size_m[:2])

    @property
    def sides(self) -> Sequence[tuple[float, float]]:
        """The directions of its level sides in the world, in radians, and how wide it is along each; none of what is
        round and upright."""
        turn = self._data.xmat[self.body_id].reshape(3, 3)
        ways = [(math.atan2(*turn[1::-1, i]), self.size_m[i]) for i in range(3) if abs(turn[2, i]) < LEVEL]
        if self.kind["shape"] != "cylinder":
            return ways
        return [ways[-1], (ways[-1][0] + math.pi / 2, self.width_m)] if abs(turn[2, 2]) < LEVEL else []

    def gap_m(self, point: Iterable[float]) -> float:
        """From a point in the world to the thing's outline box, 0 inside."""
        turn = self._data.xmat[self.body_id].reshape(3, 3)
        local = turn.T @ (np.array(list(point)) - self._data.xpos[self.body_id])
        length, width, height = self.size_m
        off = np.abs(local - np.array([0.0, 0.0, height / 2])) - np.array([length, width, height]) / 2
        return float(np.linalg.norm(np.maximum(off, 0.0)))

    def put(self, pose: Pose) -> None:
        """Set it down there at rest, upright."""
        self._data.qpos[self.q : self.q + 7] = (pose.x_m, pose.y_m, pose.z_m, *about_z(pose.yaw_rad))
        self._data.qvel[self.v : self.v + 6] = 0.0, 0.0, 1e-4, 0.0, 0.0, 0.0  # or MuJoCo would leave it asleep


class Things:
    """All loose things of a home."""

    def __init__(self, things: Sequence[Loose], flat: Flat, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.all = {thing.id: thing for thing in things}
        self._flat, self._model, self._data, self._each = flat, model, data, tuple(things)
        self._geom_body = model.geom_bodyid
        for thing in things:
            thing.attach(model, data)
        self._bodies = [thing.body_id for thing in self._each]
        sizes_m = np.array([thing.size_m for thing in self._each]).reshape(-1, 3)
        self._half_m, self._within_m = sizes_m[:, 2] / 2, sizes_m[:, :2].max(axis=1, initial=0.0) / 2

    def moment(self) -> Hashable:
        """The same as long as nothing moves, and nobody takes anything or lets go of it."""
        placed = self._data.xpos[self._bodies].tobytes(), self._data.xmat[self._bodies].tobytes()
        return *placed, tuple(thing.holder for thing in self._each)

    def held_by(self, holder: str) -> list[Loose]:
        return [thing for thing in self.all.values() if thing.holder == holder]

    def feel(self, holder: str, pads: Sequence[int]) -> None:
        """What is really between two pads: what both touch is held, until neither does. For judges."""
        pairs = self._data.contact.geom.tolist() if self._data.ncon else []
        touched = [{int(self._geom_body[geom]) for pair in pairs if pad in pair for geom in pair} for pad in pads]
        pressed = Counter(chain.from_iterable(touched))
        for thing in self._each:
            presses = pressed.get(thing.body_id, 0)
            if (thing.holder == holder and not presses) or (not thing.holder and presses == len(pads)):
                thing.holder = holder if presses else ""

    def seen_at(self, point: Sequence[float]) -> Loose | None:
        """What an eye in the hand sees at a point: the thing that is nearest to it."""
        near = [(t.gap_m(point), t.id, t) for t in self._each if not t.holder]
        return min(near)[2] if near and min(near)[0] < SEEN_M else None

    def hand_over(self, thing: Loose, holder: str, hand: Pose) -> None:
        """From whoever holds it into a person's hand, where it meets nothing: what people hold is not physics."""
        mine = self._geom_body == thing.body_id
        self._model.geom_contype[mine] = self._model.geom_conaffinity[mine] = 0
        thing.put(hand)
        thing.holder = holder

    def carry_along(self, hands: Mapping[str, Pose]) -> None:
        """What people hold stays in their hands."""
        for thing in self.all.values():
            if thing.holder in hands:
                thing.put(hands[thing.holder])

    def on(self, thing: Loose) -> str:
        """What a thing is on: a place, another thing's id, `floor`; empty while somebody holds it or it falls."""
        if thing.holder:
            return ""
        pose = thing.foot
        if under := self._under(thing):
            return min(under, key=lambda t: abs(pose.z_m - t.pose.z_m - t.size_m[2])).id
        if piece := self.below(pose):
            return piece.name
        return "floor" if pose.z_m < 0.03 else ""

    def _under(self, thing: Loose) -> list[Loose]:
        """The free things that it stands on; of all at once, since judges ask this of everything at every event."""
        middles = self._data.xpos[self._bodies] + self._data.xmat[self._bodies][:, 2::3] * self._half_m[:, None]
        mine = self._each.index(thing)
        off_m = np.hypot(*(middles[:, :2] - middles[mine, :2]).T)
        gap_m = middles[mine, 2] - self._half_m[mine] - (middles[:, 2] + self._half_m)
        under = (off_m < self._within_m) & (gap_m > -STACK_M / 2) & (gap_m < STACK_M)
        return [t for t in (self._each[n] for n in np.flatnonzero(under)) if t is not thing and not t.holder]

    def place_of(self, thing: Loose) -> str:
        """The place that a thing is at, whatever it stands on there."""
        over = [piece.name for piece in self._flat.furniture if piece.below(thing.pose)]
        return over[-1] if over and not thing.holder else ""

    def below(self, pose: Pose) -> Furniture | None:
        """The furniture that something with its underside there stands on."""
        for piece in self._flat.furniture:
            if not piece.below(pose):
                continue
            bin_ = piece.name == "trash bin" and pose.z_m < piece.size_m[2]
            if bin_ or abs(pose.z_m - piece.size_m[2]) < 0.05:
                return piece
        return None
