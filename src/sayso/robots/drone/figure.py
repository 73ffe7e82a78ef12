"""What a drone is drawn as: dark, with bright rotors in front, so that it is found and its heading seen."""

from __future__ import annotations

import math

from sayso.drawing import NO_TURN, Figure, Solid, turned

DARK, FRONT, BACK = "#1c222c", "#e2582a", "#4a90b8"
ARM_M, ROTOR_M = 0.13, 0.20

_ARMS = tuple(
    Solid("box", (2.9 * ARM_M, 0.03, 0.025), (0.0, 0.0, 0.0), turned(way), DARK) for way in (math.pi / 4, -math.pi / 4)
)
_ROTORS = tuple(
    Solid("cylinder", (ROTOR_M, ROTOR_M, 0.014), (x, y, 0.035), NO_TURN, FRONT if x > 0 else BACK, 0.85)
    for x in (ARM_M, -ARM_M)
    for y in (ARM_M, -ARM_M)
)
FIGURE = Figure(
    (
        Solid("box", (0.20, 0.11, 0.07), (0.0, 0.0, 0.0), NO_TURN, DARK),
        *_ARMS,
        *_ROTORS,
        Solid("sphere", (0.06, 0.06, 0.06), (0.11, 0.0, 0.0), NO_TURN, FRONT),
    ),
    share=0.055,
)
