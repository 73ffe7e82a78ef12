"""The flat that service robots work in."""

from pathlib import Path

FLAT = Path(__file__).parent
"""Where its scenes, its catalogue of furniture and its table of names lie."""
