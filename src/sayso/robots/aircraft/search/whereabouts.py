"""The belief about where one subject is, as a search goes on: prior, drift and every look put together.

A look teaches twice: cells where nothing was noticed become less likely, and a reported sighting makes its surroundings
likelier by as much as a real one is likelier there than a false one. Looks are taken apart at the subject's steps, so a
person may walk out of a strip before, or into it after, the camera has passed.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sayso.robots.aircraft.search import lost
from sayso.robots.aircraft.search.detection import Detection
from sayso.robots.aircraft.search.lost import Subject
from sayso.robots.aircraft.search.sweep import Look, Seen, seen
from sayso.robots.aircraft.search.terrain import Terrain
from sayso.scene import Thing
from sayso.search.grid import GridBelief, Window
from sayso.search.model import Floats


class Whereabouts:
    """The belief about one subject. `belief` is its map; `now_s` the time up to which it has moved. `overlooked` is how
    likely all that was looked at would have come about with the subject where it was said to be."""

    def __init__(self, subject: Subject, terrain: Terrain, model: Detection) -> None:
        self.subject, self.terrain, self.model = subject, terrain, model
        self.moves = lost.motion(subject, terrain)
        self.belief = GridBelief(lost.prior(subject, terrain), model.open_to_sky(terrain))
        self.now_s, self.overlooked = 0.0, 1.0
        self._steps = 0
        self._used: set[str] = set()

    def advance(self, now_s: float) -> None:
        """Let the subject move until then."""
        self.now_s = max(self.now_s, now_s)
        if self.moves.drift is None:
            return
        while (self._steps + 1) * self.moves.step_s <= self.now_s + 1e-9:
            self.belief.move(self.moves.drift)
            self._steps += 1

    def left(self, cells: NDArray[np.bool_]) -> float:
        """The chance that the subject, if it was in these cells when the search began, is there, open to the sky, and
        was overlooked so far."""
        began = float(lost.prior(self.subject, self.terrain)[cells].sum())
        return self.overlooked * float(self.belief.in_view[cells].sum()) / began if began else 0.0

    def pod(self, look: Look, what: Seen | None = None) -> tuple[Window, Floats]:
        """The probability of detection in each cell of a look, whether it has been taken or is only planned."""
        what = what or seen(look, self.terrain, self.model)
        seen_as = look.payload, look.altitude_m, self.subject.size_m, self.subject.colour
        kinds = self.terrain.kinds[what.window]
        if look.asked:
            yes = self.model.confirmations(self.terrain, *seen_as)
            return what.window, what.share * yes[kinds]
        glimpses = self.model.glimpses(self.terrain, *seen_as)
        return what.window, what.share * -np.expm1(-look.coverage * glimpses[kinds])

    def learn(self, look: Look, sightings: Sequence[Thing] = ()) -> None:
        """Take a look and its sightings into account, and let the subject move until its end."""
        alike = [s for s in sightings if s.label == self.subject.label and s.pose is not None]
        what = seen(look, self.terrain, self.model)
        for until_s, part in self._parts(look, what):
            self.advance(until_s - 1e-6)
            window, pod = self.pod(look, part)
            if look.asked:
                self._hear(look, window, pod)
            elif pod.any():
                now = [s for s in alike if s.id not in self._used and (s.seen_s < until_s or until_s == look.at_s)]
                self._weigh(look, window, pod, now)
                self._used.update(s.id for s in now)
        self.advance(look.at_s)

    def _parts(self, look: Look, what: Seen) -> Iterable[tuple[float, Seen]]:
        """The look between one step of the subject and the next: when the part is over, and its cells."""
        whole_s = look.at_s - look.from_s
        steps = self._step_times(look.from_s, look.at_s) if look.how == "sweep" and whole_s > 0 else []
        flown = 0.0
        for until_s in (*steps, look.at_s):
            reached = look.flown_m * (until_s - look.from_s) / whole_s if whole_s > 0 else math.inf
            if until_s == look.at_s:
                reached = math.inf
            now = (what.passed_m > flown) & (what.passed_m <= reached) if flown else what.passed_m <= reached
            yield until_s, Seen(what.window, what.share * now, what.passed_m)
            flown = reached

    def _step_times(self, from_s: float, until_s: float) -> list[float]:
        step_s = self.moves.step_s
        if not math.isfinite(step_s):
            return []
        first, last = math.floor(from_s / step_s) + 1, math.ceil(until_s / step_s)
        return [k * step_s for k in range(first, last)]

    def _weigh(self, look: Look, window: Window, pod: Floats, sightings: Sequence[Thing]) -> None:
        """Multiply what is open to the sky by 1 − pod + pod·Σ real/false, over the sightings of this look."""
        ratio = 1 - pod
        for sighting in sightings:
            ratio = ratio + pod * self._likelier(look, window, sighting)
        self.overlooked *= self.belief.miss(window, 1 - np.minimum(ratio, 1))
        most = float(ratio.max(initial=0.0))
        if most > 1:
            rest = 1 / most
            self.overlooked *= most * self.belief.hit(window, (np.maximum(ratio, 1) * rest - rest) / (1 - rest), rest)

    def _likelier(self, look: Look, window: Window, sighting: Thing) -> Floats:
        """How much likelier a sighting there is when real and caused from each cell than when false."""
        assert sighting.pose is not None
        at = sighting.pose
        spread = self.model.place_sd_m(look.altitude_m) ** 2 + self.terrain.cell_m**2 / 12
        x, y = self.terrain.middle((0, 0))
        rows = np.arange(window[0].start, window[0].stop)[:, None] * self.terrain.cell_m + y - at.y_m
        columns = np.arange(window[1].start, window[1].stop)[None, :] * self.terrain.cell_m + x - at.x_m
        real = np.exp(-(rows**2 + columns**2) / (2 * spread)) / (2 * math.pi * spread)
        kind = self.terrain.kind(self.terrain.cell(*at.xy))
        false = self.model.table["false_alarms"][look.payload][kind] / 1e6
        return np.asarray(real / max(false, 1e-12) * self.model.score_ratio(sighting.confidence))

    def _hear(self, look: Look, window: Window, pod: Floats) -> None:
        if look.said == "yes":
            self.belief.hit(window, pod, self.model.false_yes)
        else:
            self.overlooked *= self.belief.miss(window, pod)
