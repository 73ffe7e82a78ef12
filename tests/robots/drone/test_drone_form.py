"""What the drone's short form makes of a reading: a name that was said is in it, or asked about (U3)."""

from __future__ import annotations

import pytest

from sayso.errors import NotUnderstood
from sayso.robots.drone.form import planned
from sayso.scene import Scene


def test_u3_a_name_that_the_reading_leaves_out_is_asked_about() -> None:
    with pytest.raises(NotUnderstood, match="“bench” is left out"):
        planned("found(mug)", "find the mug under the bench", Scene())
    assert planned("found(mug)", "My lamp broke. Find the mug!", Scene()), "a story names what is not asked for"
    assert planned("at('something to read')", "fly to something to read by the lamp", Scene()), "eyes look everywhere"
