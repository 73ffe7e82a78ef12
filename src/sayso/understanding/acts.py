"""What kind of sentence a wish is: a command, a question about the robot, a question about the world, or talk (U1)."""

from __future__ import annotations

from sayso.wish import Act


def act_of(sentence: str) -> Act:
    """By how it is put, not by what it speaks of; what is neither a question nor talk is a command."""
    return Act.COMMAND
