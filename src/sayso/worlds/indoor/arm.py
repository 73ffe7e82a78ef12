"""A six-axis arm on a lift, with a gripper: where its hand can get to, and how it gets there.

Yaw at the shoulder, pitch at shoulder, elbow and wrist, and two rolls that stay at rest: for this build the joint
angles of a point and an approach direction have a closed form, so nothing is iterated. Position servos move the joints
along straight lines in joint space; the arm's weight is carried for it, as a real arm's controller does. The links meet
what is fixed. What it is made of stands in `arm.xml`.

A thing is held by the friction of two pads that press it with a limited force, and by nothing else: what is too heavy,
too smooth or badly held slips out. That something is held the arm concludes from how far its fingers get to close.
"""

import itertools
import math
from dataclasses import dataclass

import mujoco

from sayso.worlds.scenery import described

JOINTS = ("arm yaw", "arm shoulder", "arm elbow", "arm roll", "arm wrist", "arm hand")
LIFT = "arm lift"
FINGERS = ("arm finger left", "arm finger right")
ARRIVED_RAD, ARRIVED_M = 0.03, 0.01

OPEN_MAX_M, FINGERS_MPS, WET = 0.24, 0.4, 0.001
SHUT_M, EMPTY_M, FELT_M = -0.08, 0.005, 0.03
"""Where closing fingers are sent: so far past each other that they press with all their force. At so small a gap they
have nothing between them, and with something there they stay so far behind."""

Point = tuple[float, float, float]
Hand = tuple[float, float]
"""How far a hand points down and is rolled, in radians."""

LEVEL: Hand = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ArmShape:
    """Measures of an arm. `shoulder` is where it is mounted on the base, at the lift's lowest; `lift_m` is its travel.

    `hand_m` reaches from the wrist to the point between the fingers. The reach of the arm is the sum of the lengths.
    """

    shoulder: Point = (0.08, 0.0, 0.42)
    lift_m: float = 0.75
    upper_m: float = 0.30
    fore_m: float = 0.27
    hand_m: float = 0.15
    speed_radps: float = 2.0
    lift_mps: float = 0.35
    carry: Point = (0.16, 0.0, 0.16)  # of the fingers, from the shoulder

    @property
    def reach_m(self) -> float:
        return self.upper_m + self.fore_m + self.hand_m


@dataclass(frozen=True, slots=True)
class Stance:
    """A place of every joint: the lift in metres, then the six angles in radians."""

    lift_m: float
    angles: tuple[float, ...]


def add_arm(base: mujoco.MjsBody, shape: ArmShape) -> None:
    """Put the arm onto a base."""
    arm = described(__file__, "arm")
    lift, hand = arm.body("lift"), arm.body("hand")
    lift.pos, arm.joint("lift").range = list(shape.shoulder), [0, max(shape.lift_m, 1e-3)]
    for link in (arm.body("shoulder"), arm.body("elbow"), arm.body("roll")):
        length = shape.upper_m if link.name == "shoulder" else shape.fore_m / 2
        link.geoms[0].fromto = [0, 0, 0, length, 0, 0]
        link.bodies[0].pos = link.bodies[0].ipos = [length, 0, 0]
    hand.geoms[0].pos, hand.sites[0].pos = [shape.hand_m - 0.09, 0, 0], [shape.hand_m, 0, 0]
    for finger in hand.bodies:
        finger.pos = finger.ipos = [shape.hand_m, 0, 0]
    base.add_frame().attach_body(lift, "arm ", "")


def solve(shape: ArmShape, point: Point, hand: Hand, lift_m: float | None = None) -> Stance | None:
    """The stance that brings the fingers to `point` (in the base's frame), the hand turned so.

    The lift is chosen so that the elbow keeps a good bend, unless it is given. None where the arm does not get there.
    """
    x, y, z = (point[i] - shape.shoulder[i] for i in range(3))
    (pitch_rad, roll_rad), yaw, far = hand, math.atan2(y, x), math.hypot(x, y)
    if abs(yaw) > math.radians(150):
        return None
    wrist_r, wrist_z = far - shape.hand_m * math.cos(pitch_rad), z + shape.hand_m * math.sin(pitch_rad)
    lifts = (lift_m,) if lift_m is not None else _lifts(shape, wrist_z)
    for lift in lifts:
        if angles := _bend(shape, wrist_r, wrist_z - lift, pitch_rad):
            return Stance(lift, (yaw, *angles, roll_rad))
    return None


def _lifts(shape: ArmShape, wrist_z: float) -> tuple[float, ...]:
    """Lift heights worth trying: the shoulder a little above the wrist first."""
    wishes = (wrist_z + 0.10, wrist_z + 0.02, wrist_z + 0.20, wrist_z + 0.30, wrist_z - 0.1)
    return tuple(max(0.0, min(shape.lift_m, wish)) for wish in wishes)


def _bend(shape: ArmShape, r: float, z: float, pitch_rad: float) -> tuple[float, ...] | None:
    """Shoulder, elbow, roll and wrist for a wrist at (r, z) from the shoulder, elbow up."""
    a, b, d = shape.upper_m, shape.fore_m, math.hypot(r, z)
    if not abs(a - b) + 0.02 < d < a + b - 0.005:
        return None
    alpha = math.atan2(z, r) + math.acos((a * a + d * d - b * b) / (2 * a * d))
    beta = math.atan2(z - a * math.sin(alpha), r - a * math.cos(alpha))
    angles = (-alpha, alpha - beta, 0.0, beta + pitch_rad)
    return None if any(abs(angle) > math.radians(165) for angle in angles) else angles


class Arm:
    """The arm of a model. `go` sets a goal; `tick` moves the servos towards it at the arm's speed."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, shape: ArmShape) -> None:
        self.shape = shape
        self._model, self._data = model, data
        self._grip = int(model.site("arm grip").id)
        self.hand_body = int(model.body(JOINTS[-1]).id)
        names = (LIFT, *JOINTS)
        self._servos = [int(model.actuator(name).id) for name in names]
        self._q = [int(model.joint(name).qposadr[0]) for name in names]
        self._fingers = [int(model.actuator(name).id) for name in FINGERS]
        self.goal = carried = self.carry_at(0.0)
        self._wide_m = self._sent_m = 0.0
        self.pads = [int(model.body_geomadr[model.body(name).id]) for name in FINGERS]
        self._gap = [int(model.joint(name).qposadr[0]) for name in FINGERS]
        self._set = [carried.lift_m, *carried.angles]
        for address, value in zip(self._q, self._set, strict=True):
            data.qpos[address] = value

    def carry_at(self, lift_m: float, hand: Hand = LEVEL) -> Stance:
        """The tucked stance with the lift at a height, the hand turned so."""
        shape = self.shape
        x, y, z = (s + c for s, c in zip(shape.shoulder, shape.carry, strict=True))
        stance = solve(shape, (x, y, z), hand, 0.0)
        assert stance is not None, "the arm's measures let it fold"
        return Stance(max(0.0, min(shape.lift_m, lift_m)), stance.angles)

    def go(self, stance: Stance) -> None:
        self.goal = stance

    def hold(self) -> None:
        """Stay as it is now."""
        now = [float(self._data.qpos[q]) for q in self._q]
        self._set = now
        self.goal = Stance(now[0], tuple(now[1:]))

    @property
    def arrived(self) -> bool:
        """Whether every joint really is at its goal."""
        want = (self.goal.lift_m, *self.goal.angles)
        off = [abs(float(self._data.qpos[q]) - w) for q, w in zip(self._q, want, strict=True)]
        return off[0] < ARRIVED_M and max(off[1:]) < ARRIVED_RAD

    @property
    def still(self) -> bool:
        want = (self.goal.lift_m, *self.goal.angles)
        return all(abs(s - w) < 1e-6 for s, w in zip(self._set, want, strict=True))

    @property
    def fingers(self) -> Point:
        """The point between the fingers, in the world."""
        x, y, z = self._data.site_xpos[self._grip].tolist()
        return x, y, z

    def tick(self, dt_s: float) -> None:
        """Move all joints together, so that they arrive together; the fingers follow their opening."""
        want = (self.goal.lift_m, *self.goal.angles)
        paces = (self.shape.lift_mps, *itertools.repeat(self.shape.speed_radps, 6))
        longest_s = max(abs(w - s) / pace for w, s, pace in zip(want, self._set, paces, strict=True))
        share = min(1.0, dt_s / longest_s) if longest_s > 0 else 1.0
        for i, servo in enumerate(self._servos):
            self._set[i] += (want[i] - self._set[i]) * share
            self._data.ctrl[servo] = self._set[i]
        most_m = FINGERS_MPS * dt_s
        self._sent_m += max(-most_m, min(most_m, self._wide_m - self._sent_m))
        for servo in self._fingers:
            self._data.ctrl[servo] = self._sent_m / 2

    def open(self, gap_m: float) -> None:
        """Bring the fingers so far apart."""
        self._wide_m = min(OPEN_MAX_M, gap_m)

    def close(self) -> None:
        """Press them together, with what is between them, until they are told to open."""
        self._wide_m = SHUT_M

    def soap(self, wet: bool) -> None:
        """Make its fingers wet, or dry again: whatever they press then slips."""
        self._model.geom_friction[self.pads, 0] = WET if wet else 1.0
        self._model.geom_priority[self.pads] = 2 if wet else 0

    @property
    def shut(self) -> bool:
        """Whether the fingers are told to close on what is between them."""
        return self._wide_m == SHUT_M

    @property
    def gap_m(self) -> float:
        """How far the fingers are apart, by their own encoders."""
        return float(sum(self._data.qpos[q] for q in self._gap))

    @property
    def holds(self) -> bool:
        """Whether something keeps the fingers from closing, as they feel it."""
        return self.shut and self.gap_m > max(EMPTY_M, self._sent_m + FELT_M)
