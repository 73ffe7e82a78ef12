"""The kinds of reason why a task runs or waits, and the outcomes of a challenge, in words that a person can read."""

from __future__ import annotations

import enum


class Because(enum.Enum):
    """The kinds of reason. `{type}` is the type that matters, `{by}` who stands in the way."""

    RUNS = "nothing stands in its way"
    PUSHES = "{type} is pushed to cause {detail}"
    NOBODY = "nobody provides {type}"
    OWNED = "{type} belongs to {by}: {ruling}"
    HELD = "{type} is held by {by}, which needs it: {ruling}"
    SHARED = "a stronger sibling uses {type}"
    LOOP = "{type} would need itself"
    UNMET = "{type} requires {detail}, and no running provider may be pushed to cause it"
    SPLIT = "what {type} requires cannot all be caused by the same provider"
    TOO_DEEP = "the tree would grow deeper than {detail} tasks"
    SIBLING = "it runs only together with {by}, which waits"
    UNTRIED = "it is optional, and what is required could not run"


class Ruling(enum.Enum):
    """The outcome of a challenge: does the challenger win, and why."""

    FREE = True, "nobody holds it"
    NOBODY = False, "nobody asks"
    SAME_PARENT = True, "both belong to one parent, which may rearrange its children"
    OWN_DESCENDANT = True, "it was only lent to a descendant"
    OWN_ANCESTOR = False, "a task cannot challenge its own ancestor"
    HOLDER_LEAVES = True, "the holder's branch is being given up"
    ASKER_LEAVES = False, "the asker's branch is being given up"
    HOLDER_OPTIONAL = True, "what is optional yields to what is required"
    ASKER_OPTIONAL = False, "what is optional does not take from what is required"
    STRONGER = True, "its priority is greater"
    NOT_STRONGER = False, "its priority is not greater"

    def __init__(self, wins: bool, text: str) -> None:
        self.wins = wins
        self.text = text
