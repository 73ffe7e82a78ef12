"""What a search aircraft is drawn as, nose along x: an icon, since over a whole country nothing of its size is seen."""

from __future__ import annotations

from sayso.figures import NO_TURN, Figure, Solid

DARK, NOSE = "#1c222c", "#e2582a"

FIGURE = Figure(
    (
        Solid("box", (1.0, 0.14, 0.14), (0.0, 0.0, 0.0), NO_TURN, DARK),
        Solid("box", (0.22, 1.2, 0.05), (0.12, 0.0, 0.0), NO_TURN, DARK),
        Solid("box", (0.14, 0.5, 0.05), (-0.42, 0.0, 0.0), NO_TURN, DARK),
        Solid("sphere", (0.2, 0.14, 0.14), (0.5, 0.0, 0.0), NO_TURN, NOSE),
    ),
    share=0.043,
)
