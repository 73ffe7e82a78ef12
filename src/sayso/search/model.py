"""A finite POMDP as arrays, and Bayes' rule over its states.

A problem is five tables and a discount. `T[a, s, s']` is the chance that action `a` turns state `s` into `s'`;
`O[a, s', o]` the chance of seeing `o` when `a` has led to `s'`; `R[a, s]` the mean reward of `a` in `s`; `start` the
first belief. Transitions are kept as one compressed sparse table, because most of what could follow what does not, and
everything else here walks only over what can. Observations and rewards are small enough to stay dense.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sayso.errors import UsageError

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]
Triples: TypeAlias = tuple[ArrayLike, ArrayLike, ArrayLike]
"""One action's transitions in coordinates: from states, to states, probabilities. Repeated pairs add up."""

SUM_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Transitions:
    """Sparse `T`: row `a·S + s` holds its successors in `to[ptr[row]:ptr[row + 1]]`, with `chance` beside them."""

    n_actions: int
    n_states: int
    ptr: Indices
    to: Indices
    chance: Floats
    came: Indices = field(repr=False)

    def _part(self, action: int) -> slice:
        first = action * self.n_states
        return slice(int(self.ptr[first]), int(self.ptr[first + self.n_states]))

    def push(self, action: int, belief: Floats) -> Floats:
        """`b·T_a`: the belief after the action, shape (S,)."""
        part = self._part(action)
        weights = self.chance[part] * belief[self.came[part]]
        return np.asarray(np.bincount(self.to[part], weights=weights, minlength=self.n_states), dtype=np.float64)

    def pull(self, action: int, values: Floats) -> Floats:
        """`T_a·V`: the mean of `values`, shape (S, …), one step on, seen from each state."""
        part = self._part(action)
        first = action * self.n_states
        starts = self.ptr[first : first + self.n_states] - part.start
        chance = self.chance[part].reshape(-1, *(1,) * (values.ndim - 1))
        return np.asarray(np.add.reduceat(chance * values[self.to[part]], starts, axis=0))

    def follow(self, action: int, state: int) -> tuple[Indices, Floats]:
        """The successors of one state, and their chances."""
        row = action * self.n_states + state
        part = slice(int(self.ptr[row]), int(self.ptr[row + 1]))
        return self.to[part], self.chance[part]


class POMDP:
    """A finite partially observable Markov decision process.

    `transition` has for each action an array (S, S), or a tuple of arrays: from, to, probability. `observation` is
    (A, S, O), indexed by the state arrived in. `reward` is (A, S). `start` is (S,), uniform when left
    out. Names are for people; they default to numbers.
    Raises `UsageError`, naming the row, when the tables are no probabilities or do not fit each other.
    """

    def __init__(
        self,
        transition: Sequence[ArrayLike | Triples] | Floats,
        observation: ArrayLike,
        reward: ArrayLike,
        discount: float,
        *,
        start: ArrayLike | None = None,
        states: Sequence[str] = (),
        actions: Sequence[str] = (),
        observations: Sequence[str] = (),
    ) -> None:
        self.observation: Floats = np.ascontiguousarray(observation, dtype=np.float64)
        if self.observation.ndim != 3:
            raise UsageError(
                f"observation has shape {self.observation.shape}; expected (actions, states, observations)"
            )
        self.n_actions, self.n_states, self.n_observations = self.observation.shape
        self.actions = _names("actions", actions, self.n_actions)
        self.states = _names("states", states, self.n_states)
        self.observations = _names("observations", observations, self.n_observations)
        if not 0 < discount < 1:
            raise UsageError(f"discount is {discount}; expected a number between 0 and 1, both excluded")
        self.discount = float(discount)
        self.transitions = self._sparse(transition)
        self._check_rows("transition", np.add.reduceat(self.transitions.chance, self.transitions.ptr[:-1]))
        self._check_rows("observation", self.observation.sum(axis=2).ravel())
        self.reward = self._rewards(reward)
        self.start = self._start(start)

    def __repr__(self) -> str:
        size = f"{self.n_states} states, {self.n_actions} actions, {self.n_observations} observations"
        return f"<POMDP {size}, discount {self.discount}>"

    def sample(self, state: int, action: int, rng: np.random.Generator) -> tuple[int, int, float]:
        """Do `action` in `state`: the state after it, what is seen, and the mean reward."""
        to, chance = self.transitions.follow(action, state)
        after = int(rng.choice(to, p=chance / chance.sum())) if len(to) > 1 else int(to[0])
        seen = self.observation[action, after]
        return after, int(rng.choice(self.n_observations, p=seen / seen.sum())), float(self.reward[action, state])

    def _sparse(self, transition: Sequence[ArrayLike | Triples] | Floats) -> Transitions:
        if len(transition) != self.n_actions:
            raise UsageError(f"transition tells of {len(transition)} actions, observation of {self.n_actions}")
        triples = [self._coordinates(n, one) for n, one in enumerate(transition)]
        rows = np.concatenate([a * self.n_states + came for a, (came, _, _) in enumerate(triples)])
        to = np.concatenate([to for _, to, _ in triples])
        chance = np.concatenate([chance for _, _, chance in triples])
        if not np.isfinite(chance).all() or (chance < 0).any():
            raise UsageError("transition: every probability must be a finite number of at least 0")
        pairs, place = np.unique(rows * self.n_states + to, return_inverse=True)
        summed = np.asarray(np.bincount(place, weights=chance), dtype=np.float64)
        pairs, summed = pairs[summed > 0], summed[summed > 0]
        row = pairs // self.n_states
        counts = np.bincount(row, minlength=self.n_actions * self.n_states)
        if (counts == 0).any():
            raise UsageError(f"transition: {self._row(int(np.argmin(counts)))} leads nowhere; expected a sum of 1")
        ptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return Transitions(self.n_actions, self.n_states, ptr, pairs % self.n_states, summed, row % self.n_states)

    def _coordinates(self, action: int, given: ArrayLike | Triples) -> tuple[Indices, Indices, Floats]:
        name, size = self.actions[action], self.n_states
        if not isinstance(given, tuple):
            dense = np.asarray(given, dtype=np.float64)
            if dense.shape != (size, size):
                raise UsageError(f"transition of action {name} has shape {dense.shape}; expected {(size, size)}")
            came, to = np.nonzero(dense)
            return came, to, dense[came, to]
        came, to = (np.asarray(part, dtype=np.int64) for part in given[:2])
        chance = np.broadcast_to(np.asarray(given[2], dtype=np.float64), came.shape)
        if came.ndim != 1 or came.shape != to.shape:
            raise UsageError(f"transition of action {name}: from and to must be lists of one length")
        if len(came) and (min(came.min(), to.min()) < 0 or max(came.max(), to.max()) >= size):
            raise UsageError(f"transition of action {name}: states are 0 to {size - 1}")
        return came, to, chance

    def _rewards(self, reward: ArrayLike) -> Floats:
        table = np.asarray(reward, dtype=np.float64)
        if not np.isfinite(table).all():
            raise UsageError("reward: every entry must be a finite number")
        if table.shape != (self.n_actions, self.n_states):
            expected = f"(actions, states) = ({self.n_actions}, {self.n_states})"
            raise UsageError(f"reward has shape {table.shape}; expected {expected}")
        return np.ascontiguousarray(table)

    def _start(self, start: ArrayLike | None) -> Floats:
        if start is None:
            return np.full(self.n_states, 1 / self.n_states)
        belief = np.asarray(start, dtype=np.float64)
        if belief.shape != (self.n_states,):
            raise UsageError(
                f"start has shape {belief.shape}; expected one probability for each of {self.n_states} states"
            )
        if not (belief >= 0).all() or abs(belief.sum() - 1) > SUM_TOLERANCE:
            raise UsageError(f"start must be probabilities that sum to 1, not {belief.sum():.6g}")
        return np.asarray(belief / belief.sum())

    def _check_rows(self, table: str, sums: Floats) -> None:
        if table == "observation" and not (self.observation >= 0).all():
            raise UsageError("observation: every probability must be a finite number of at least 0")
        wrong = np.flatnonzero(~(np.abs(sums - 1) <= SUM_TOLERANCE))
        if len(wrong):
            raise UsageError(f"{table}: {self._row(int(wrong[0]))} sums to {sums[wrong[0]]:.6g}; expected 1")

    def _row(self, row: int) -> str:
        return f"action {self.actions[row // self.n_states]}, state {self.states[row % self.n_states]}"


IMPOSSIBLE = 1e-12
"""An observation less likely than this is held to be impossible: dividing by it would only amplify rounding."""


def observe(problem: POMDP, belief: Floats, action: int) -> Floats:
    """P(o | b, a) for every observation, shape (O,)."""
    return np.asarray(problem.transitions.push(action, belief) @ problem.observation[action])


def update(problem: POMDP, belief: Floats, action: int, observation: int) -> Floats:
    """The belief after doing `action` and seeing `observation`, shape (S,); exact.

    Raises `UsageError` when this belief holds that observation to be impossible.
    """
    joint = problem.transitions.push(action, belief) * problem.observation[action, :, observation]
    chance = joint.sum()
    if chance <= IMPOSSIBLE:
        did, saw = problem.actions[action], problem.observations[observation]
        raise UsageError(f"observation {saw} cannot follow action {did} from this belief: its probability is 0")
    return np.asarray(joint / chance)


def _names(what: str, names: Sequence[str], count: int) -> tuple[str, ...]:
    if names and len(names) != count:
        raise UsageError(f"{len(names)} names for {count} {what}")
    return tuple(names) or tuple(str(n) for n in range(count))
