"""The store and its robot."""

from pathlib import Path

STORE = Path(__file__).parent
"""Where its scenes, its catalogue of furniture and its table of names lie."""
