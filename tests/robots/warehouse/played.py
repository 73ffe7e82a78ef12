"""What the judge says of states of the warehouse: where each thing is, by id, one state after the other."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.bench.judge import TruthRecorder
from sayso.events import MissionEnded
from sayso.robots.warehouse.suite.goal import State, Task, Verdict, told_of, verdict
from sayso.robots.warehouse.world import STORE
from sayso.scene import Pose
from sayso.world import ROBOT, Real
from sayso.worlds.indoor.place import IndoorTruth
from sayso.worlds.indoor.scene import stock_kinds

KINDS = stock_kinds(STORE)


def oracle_states(wanted: Task, first: State, moves: int | None = None) -> list[dict[str, str]]:
    """The states that the oracle goes through in its first `moves` moves; all without a number."""
    states = [dict(first)]
    for id_, place in wanted.oracle[:moves]:
        states.append({**states[-1], id_: place})
    return states


def judged(
    wanted: Task, states: Sequence[State], *, robot_at: str = "", holding: str = "", outcome: str = "achieved"
) -> Verdict:
    """Where the robot is, and what it holds, in the end."""
    truths = [_truth(n, state) for n, state in enumerate(states)]
    truths.append(_truth(len(states), states[-1], robot_at, holding))
    told = iter(truths)
    witness = TruthRecorder(lambda: told_of(next(told), states[0]))
    for _ in states[1:]:
        witness.note()
    witness.see(MissionEnded(outcome=outcome, reason=""))
    return verdict(wanted, witness, states[0], states[-1])


def _truth(time_s: float, state: State, robot_at: str = "", holding: str = "") -> IndoorTruth:
    things = {
        id_: Real(
            label=KINDS[id_]["name"],
            pose=Pose(),
            size_m=tuple(KINDS[id_]["size_m"]),
            category=KINDS[id_]["category"],
            attributes={"color": KINDS[id_]["paint"]},
            on=place or "floor",
            place=place,
            holder=ROBOT if id_ == holding else "",
        )
        for id_, place in state.items()
    }
    return IndoorTruth(time_s=time_s, things=things, place=robot_at)
