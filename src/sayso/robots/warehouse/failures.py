"""The failure codes of the warehouse robot's skills, and what each is about.

Those of a base, an arm and a table of names are told by the rooms that they live in.
"""

WRONG_THING = "wrong thing"
"""What the hand took instead."""

LOST = "lost way"
NOT_SEEN = "not seen"
"""What was looked for."""

OUT_OF_REACH = "out of reach"
"""The side from which it is not, and of what: far, fruit table."""

FULL, SPOT_TAKEN = "full", "spot taken"
HAND_FULL, HAND_EMPTY = "hand full", "hand empty"
ARM_BLOCKED = "arm blocked"
