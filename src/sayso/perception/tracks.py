"""Object tracking: what is seen in one picture and again in the next is one thing.

A track is a thing at rest with a place in the world and the covariance of that. A detection tells the direction well
and the distance badly; seen from several places, the directions cross, and the distance becomes as good as they are.
Two looks from one place err alike, since it is the size that is not known, so that looking twice must not make it
surer: tracks and detections are joined by covariance intersection (Julier and Uhlmann 1997), which counts no error as
independent.
Detections go to tracks of their label nearest first, as far as both errors allow (Mahalanobis), the sure ones before
the others, and only a sure one makes a new track (after ByteTrack, Zhang et al. 2022). Boxes are compared in the world
and not in the image, since the camera turns by half a frame between two looks.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sayso.perception.detector import Detection
from sayso.perception.ranging import Extent, Spot, extent, spot
from sayso.scene import Pose, Thing, View, one_to_one

SURE = 0.5
"""How sure a detection must be to be a thing; less is in doubt."""

GATE = 11.3
"""The square of the distance in standard deviations within which 99 of 100 are, in three dimensions."""

DRIFT_M = 0.03
"""What a thing may move between two looks and be the one at rest."""

MOST = 500
"""So many individuals are kept, the latest ones."""

KNOWN = 0.5
"""A distance whose error is more than this share of it is no distance."""

SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.0, 1.0)
"""What the past may weigh against the present look, even first: the share that makes the least error is taken."""

Array = NDArray[np.float64]


@dataclass(slots=True)
class Track:
    """One tracked thing: where it is (m, world frame), and the covariance of that (m²)."""

    id: str
    label: str
    at: Array
    covariance: Array
    half_m: float
    confidence: float
    colour: str = ""

    def take(self, at: Array, covariance: Array, confidence: float) -> None:
        """Update the track with one more detection."""
        mine, other = np.linalg.inv(self.covariance + np.eye(3) * DRIFT_M**2), np.linalg.inv(covariance)
        joined = [(share, np.linalg.inv(share * mine + (1 - share) * other)) for share in SHARES]
        share, self.covariance = min(joined, key=lambda one: round(float(np.trace(one[1])), 6))
        self.at = self.covariance @ (share * mine @ self.at + (1 - share) * other @ at)
        self.confidence = max(self.confidence, confidence)

    def thing(self, found: Detection, eye: Array, seen_s: float) -> Thing:
        """As it is seen now."""
        ray = self.at - eye
        far_m = float(np.linalg.norm(ray))
        error_m = math.sqrt(float(ray @ self.covariance @ ray)) / max(far_m, 1e-6)
        known = error_m < KNOWN * far_m
        return Thing(
            self.id,
            self.label,
            found.box,
            round(max(0.0, far_m - self.half_m), 3) if known else None,
            Pose(*(round(float(v), 3) for v in self.at)) if known else None,
            {"color": self.colour} if self.colour else {},
            confidence=round(self.confidence, 3),
            seen_s=seen_s,
            error_m=round(error_m, 3) if known else 0.0,
        )


@dataclass
class Tracks:
    """The tracks of one detector. `sizes` has the sizes that it knows better than the table."""

    sizes: dict[str, Extent] = field(default_factory=dict)
    _tracks: list[Track] = field(default_factory=list)
    _born: dict[str, int] = field(default_factory=dict)

    def see(self, found: Sequence[Detection], view: View, seen_s: float) -> tuple[list[Thing], list[Thing]]:
        """Assign one picture's detections to tracks, and return the things that are there, and those that may be."""
        eye = np.array([view.eye.x_m, view.eye.y_m, view.eye.z_m])
        spots = [spot(one.box, self.sizes.get(one.label) or extent(one.label), view) for one in found]
        places = [(eye + np.array(s.ray) * s.far_m, _covariance(s)) for s in spots]
        mine = self._matched(found, places)
        things, doubtful = list[Thing](), list[Thing]()
        for n, one in enumerate(found):
            at, covariance = places[n]
            if track := mine.get(n):
                track.take(at, covariance, one.confidence)
            else:
                track = self._new(one, at, covariance, spots[n].half_m)
            track.colour = one.colour or track.colour
            sure = track.confidence >= SURE
            (things if sure else doubtful).append(track.thing(one, eye, seen_s))
        return things, doubtful

    def _matched(self, found: Sequence[Detection], places: Sequence[tuple[Array, Array]]) -> dict[int, Track]:
        """Each detection's track, by its number: those of sure detections first, nearest pairs first."""
        pairs = sorted(
            (one.confidence < SURE, apart, n, t)
            for n, one in enumerate(found)
            for t, track in enumerate(self._tracks)
            if track.label == one.label and (apart := _apart(track, *places[n])) <= GATE
        )
        return {n: self._tracks[t] for n, t in one_to_one((n, t) for _, _, n, t in pairs).items()}

    def _new(self, one: Detection, at: Array, covariance: Array, half_m: float) -> Track:
        """A track; of what is in doubt none is kept."""
        number = self._born.get(one.label, 0) + 1
        track = Track(f"{one.label}-{number}".replace(" ", "-"), one.label, at, covariance, half_m, one.confidence)
        if one.confidence >= SURE:
            self._born[one.label] = number
            self._tracks.append(track)
            del self._tracks[:-MOST]
        return track


def _apart(track: Track, at: Array, covariance: Array) -> float:
    """The square of Mahalanobis' distance."""
    gap = at - track.at
    return float(gap @ np.linalg.solve(track.covariance + covariance + np.eye(3) * DRIFT_M**2, gap))


def _covariance(seen: Spot) -> Array:
    """Of a place: along the line of sight, level across it, and upright across both."""
    along = np.array(seen.ray)
    across = np.cross([0.0, 0.0, 1.0], along)
    size = float(np.linalg.norm(across))
    across = across / size if size > 1e-6 else np.array([0.0, 1.0, 0.0])
    turn = np.stack([along, across, np.cross(along, across)], axis=1)
    return np.asarray(turn @ np.diag([seen.far_error_m**2, seen.side_error_m**2, seen.rise_error_m**2]) @ turn.T)
