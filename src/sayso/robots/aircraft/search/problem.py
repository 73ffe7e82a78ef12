"""The search for one object as a small POMDP that AEMS2 can look ahead in.

Ten thousand cells are too many to search over, and most of them do not matter to a choice between a dozen sweeps. So
the belief on the map is lumped into places: sets of cells that the same sweeps cover, and everywhere else. What counts
is how much probability lies in each, visible from the air or not. A look multiplies the visible share of a place by
1 − POD, which is all a look does; where POD is the same in all cells of a place, the lumped problem answers exactly
like the one on cells.

A state is an altitude, a class (a place, visible or hidden) and a phase: searching, a sighting pending that is false,
one that is true, confirmed. The end absorbs. Altitude and phase are always known; class and truth are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from sayso.search.model import POMDP, Floats, Indices, Triples

NOTHING, SIGHTING, CONFIRMED = range(3)
OBSERVATIONS = ("nothing", "sighting", "confirmed")

UPPER_ROUNDS = 40
DISCOUNT = 0.97

SWEEPS, LATER = 16, (0, 1, 2, 4, 8)
"""So many sweeps has a policy that bounds from below, and from which of them on it counts as another one."""

FIND, HOME, MINUTE = 100.0, 30.0, 3.0
"""Rewards for a confirmed find and for being home with it, and the price of a minute of flight: a battery holds some
twenty minutes of search, which finds with a chance of some 3 % a minute, so much of a find is lost elsewhere."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """One object in P places and K sweeps from H altitudes, as the look-ahead needs it.

    `seen`, `hidden`: shape (P,), the probability in each place, the last one being elsewhere; together they sum to one.
    `pod`: shape (H, K, P), detection by one sweep; `false_alarm`, `sweep_s`: shape (H, K). `confirm` is the chance
    that a true sighting is recognised. `idle_s` are actions that only take time. `pending` is the probability that an
    open sighting is true, `pending_place` where it is, -1 without one. `areas` are what the sweeps are of,
    `altitude` the number of the present height.
    """

    seen: Floats
    hidden: Floats
    pod: Floats
    false_alarm: Floats
    sweep_s: Floats
    confirm: float
    confirm_s: float
    climb_s: float
    home_s: float
    idle_s: tuple[float, ...]
    areas: Sequence[str]
    altitude: int
    pending: float = 0.0
    pending_place: int = -1


class Layout:
    """Which number a state or an action has."""

    def __init__(self, outlook: Outlook) -> None:
        self.h: int
        self.k: int
        self.places: int
        self.h, self.k, self.places = outlook.pod.shape
        self.classes = 2 * self.places
        self.per_altitude = 2 * self.classes + self.places + 1
        self.end = self.h * self.per_altitude
        self.n_states = self.end + 1
        self.confirm = self.k + self.h
        self.home = self.confirm + 1
        self.idle = self.home + 1
        self.n_actions = self.idle + len(outlook.idle_s)

    def searching(self, altitude: int) -> Indices:
        """Class by class: visible in each place, then hidden in each."""
        return self._block(altitude, 0, self.classes)

    def false(self, altitude: int) -> Indices:
        """A false sighting is pending; classes as in `searching`."""
        return self._block(altitude, self.classes, self.classes)

    def true(self, altitude: int) -> Indices:
        """A true sighting is pending in each place."""
        return self._block(altitude, 2 * self.classes, self.places)

    def confirmed(self, altitude: int) -> int:
        return altitude * self.per_altitude + self.per_altitude - 1

    def climb(self, altitude: int) -> int:
        """The action of going to that altitude."""
        return self.k + altitude

    def _block(self, altitude: int, first: int, size: int) -> Indices:
        begin = altitude * self.per_altitude + first
        return np.arange(begin, begin + size, dtype=np.int64)


def build(outlook: Outlook) -> POMDP:
    """The POMDP of an outlook, its belief as the start. Actions: each sweep, to each altitude, confirm, home, idle."""
    lay = Layout(outlook)
    every = np.arange(lay.n_states)
    climbs = [
        np.where(every == lay.end, lay.end, every % lay.per_altitude + altitude * lay.per_altitude)
        for altitude in range(lay.h)
    ]
    idle = [every] * len(outlook.idle_s)
    return POMDP(
        transition=[
            *(_sweep(outlook, lay, sweep) for sweep in range(lay.k)),
            *((every, to, 1.0) for to in climbs),
            _confirm(outlook, lay),
            *((every, to, 1.0) for to in (np.full_like(every, lay.end), *idle)),
        ],
        observation=_observation(lay),
        reward=_reward(outlook, lay),
        discount=DISCOUNT,
        start=start(outlook),
        actions=[
            *(f"sweep {area}" for area in outlook.areas),
            *(f"climb {n}" for n in range(lay.h)),
            "confirm",
            "home",
            *(f"idle {s:g}" for s in outlook.idle_s),
        ],
        observations=OBSERVATIONS,
    )


def start(outlook: Outlook) -> Floats:
    """The outlook's belief over states, shape (S,)."""
    lay = Layout(outlook)
    belief = np.zeros(lay.n_states)
    mass = np.concatenate([outlook.seen, outlook.hidden])
    mass = mass / mass.sum()
    if outlook.pending_place < 0:
        belief[lay.searching(outlook.altitude)] = mass
        return belief
    belief[lay.false(outlook.altitude)] = (1 - outlook.pending) * mass
    belief[lay.true(outlook.altitude)[outlook.pending_place]] = outlook.pending
    return belief


Block: TypeAlias = tuple[Indices, Indices, Floats | float]
"""States, those that they become, and the chances of that."""


def _joined(lay: Layout, blocks: Sequence[Block]) -> Triples:
    """One action's transitions. Who is confirmed stays so, and the end is the end."""
    last = np.array([*(lay.confirmed(h) for h in range(lay.h)), lay.end])
    parts = [np.broadcast_arrays(*block) for block in (*blocks, (last, last, 1.0))]
    came, to, chance = (np.concatenate([part[n] for part in parts]) for n in range(3))
    some = chance > 0
    return came[some], to[some], chance[some]


def _sweep(outlook: Outlook, lay: Layout, sweep: int) -> Triples:
    """Look. A pending sighting that is left alone for it is dropped."""
    blocks: list[Block] = []
    for h in range(lay.h):
        pod = np.concatenate([outlook.pod[h, sweep], np.zeros(lay.places)])
        alarm = outlook.false_alarm[h, sweep]
        searching, false, true = lay.searching(h), lay.false(h), lay.true(h)
        for came in (searching, false, true):
            missed = 1 - pod[: len(came)]
            blocks.append((came, searching[: len(came)], missed * (1 - alarm)))
            blocks.append((came, false[: len(came)], missed * alarm))
            blocks.append((came[: lay.places], true, pod[: lay.places]))
    return _joined(lay, blocks)


def _confirm(outlook: Outlook, lay: Layout) -> Triples:
    """A true sighting is recognised or lost again, a false one is denied; without one nothing happens."""
    blocks: list[Block] = []
    for h in range(lay.h):
        searching, false, true = lay.searching(h), lay.false(h), lay.true(h)
        blocks.append((searching, searching, 1.0))
        blocks.append((false, searching, 1.0))
        blocks.append((true, np.full_like(true, lay.confirmed(h)), outlook.confirm))
        blocks.append((true, searching[: lay.places], 1 - outlook.confirm))
    return _joined(lay, blocks)


def _observation(lay: Layout) -> Floats:
    """Every phase shows itself."""
    table = np.zeros((lay.n_states, len(OBSERVATIONS)))
    table[:, NOTHING] = 1.0
    for h in range(lay.h):
        for some in (lay.false(h), lay.true(h)):
            table[some] = np.eye(3)[SIGHTING]
        table[lay.confirmed(h)] = np.eye(3)[CONFIRMED]
    return np.broadcast_to(table, (lay.n_actions, *table.shape)).copy()


def _reward(outlook: Outlook, lay: Layout) -> Floats:
    per_s = MINUTE / 60
    reward = np.zeros((lay.n_actions, lay.n_states))
    for h in range(lay.h):
        alive = slice(h * lay.per_altitude, (h + 1) * lay.per_altitude)
        reward[: lay.k, alive] = -per_s * outlook.sweep_s[h][:, None]
        for other in range(lay.h):
            reward[lay.climb(other), alive] = -per_s * outlook.climb_s * max(1, abs(other - h))
        reward[lay.confirm, alive] = -per_s * outlook.confirm_s
        reward[lay.confirm, lay.true(h)] += FIND * outlook.confirm
        reward[lay.home, alive] = -per_s * outlook.home_s
        reward[lay.home, lay.confirmed(h)] += HOME
        for n, idle_s in enumerate(outlook.idle_s):
            reward[lay.idle + n, alive] = -per_s * idle_s
    return reward


def upper(problem: POMDP, outlook: Outlook) -> Floats:
    """An upper bound as one α-vector, shape (1, S): what someone could get who knows the state.

    It begins at what is still to be earned at all, which no policy exceeds, and each round keeps it a bound.
    """
    lay = Layout(outlook)
    best = np.full(lay.n_states, FIND + HOME)
    best[[lay.confirmed(h) for h in range(lay.h)]] = HOME
    best[lay.end] = 0.0
    for _ in range(UPPER_ROUNDS):
        ahead = [problem.transitions.pull(action, best) for action in range(problem.n_actions)]
        best = np.minimum(best, np.max(problem.reward + problem.discount * np.array(ahead), axis=0))
    return np.asarray(best[None, :])


def lower(problem: POMDP, outlook: Outlook) -> Floats:
    """Lower bounds as α-vectors, shape (k, S): fly home now; or sweep areas in a good order, confirm what is sighted,
    and fly home in the end. Each is what that policy really earns; the ones that begin later in the order are of use
    when the search has come so far."""
    lay = Layout(outlook)
    home = problem.reward[lay.home].copy()
    rows, alpha = [home], home
    for step, sweep in reversed(list(enumerate(greedy(outlook)))):
        alpha = _then(problem, lay, sweep, alpha, home)
        if step in LATER:
            rows.append(alpha)
    return np.array(rows)


def _then(problem: POMDP, lay: Layout, sweep: int, after: Floats, home: Floats) -> Floats:
    """What it earns to do `sweep` in a state without a sighting, to confirm in one with, and to go on with `after`."""
    swept = problem.reward[sweep] + problem.discount * problem.transitions.pull(sweep, after)
    checked = problem.reward[lay.confirm] + problem.discount * problem.transitions.pull(lay.confirm, after)
    alpha = swept.copy()
    for h in range(lay.h):
        pending = np.concatenate([lay.false(h), lay.true(h)])
        alpha[pending] = checked[pending]
        alpha[lay.confirmed(h)] = home[lay.confirmed(h)]
    alpha[lay.end] = 0.0
    return np.asarray(alpha)


def greedy(outlook: Outlook) -> list[int]:
    """Sweeps in the order of the probability of detection that a second brings, each look cutting the next."""
    left = outlook.seen.copy()
    pod, sweep_s = outlook.pod[outlook.altitude], outlook.sweep_s[outlook.altitude]
    order: list[int] = []
    for _ in range(SWEEPS if len(pod) else 0):
        best = int(np.argmax(pod @ left / sweep_s))
        order.append(best)
        left = left * (1 - pod[best])
    return order
