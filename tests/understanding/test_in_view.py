"""What is said of what is in view is picked from that, and nobody looks round for it (U7)."""

from __future__ import annotations

import pytest

from sayso.goal import Pred
from sayso.goals.seen import Seen
from sayso.goals.text import parse
from sayso.robots.drone.goal_plan import plan_of
from sayso.scene import Box, Pose, Scene, Thing

VIEW = Scene(
    (
        Thing("barrel-1", "barrel", Box(0.3, 0.5, 0.1, 0.2), 3.0, Pose(3.0, 0.5, 0.5)),
        Thing("crate-1", "crate", Box(0.6, 0.5, 0.4, 0.6), 3.0, Pose(3.0, -0.5, 0.5)),
    ),
    Pose(z_m=1.0),
)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("answered('is it so', barrel, thing beside crate)", "Yes, one barrel of 2 is beside the crate."),
        ("answered('is it so', barrel, thing beside well)", ""),
        ("answered('is it so', barrel, thing under crate)", "No, none of the 2 barrels is under the crate."),
    ],
)
def test_u7_of_several_any_one_may_be_so_and_what_it_is_beside_has_to_be_seen(asked: str, answer: str) -> None:
    low = Thing("barrel-2", "barrel", Box(0.1, 0.5, 0.1, 0.2), 6.0, Pose(5.0, 4.0, 0.5))
    question = parse(f"want {asked}")
    assert isinstance(question, Pred)
    assert Seen(Scene((*VIEW, low), VIEW.observer)).answer(question) == answer


def test_u7_what_is_to_a_side_of_a_thing_is_what_is_near_it() -> None:
    far = Thing("shed-1", "shed", Box(0.1, 0.5, 0.2, 0.3), 9.0, Pose(8.0, 4.0, 0.5))
    asked = parse("want answered('what is all round', thing left_of crate)")
    assert isinstance(asked, Pred)
    assert Seen(Scene((*VIEW, far), VIEW.observer)).answer(asked) == "I see a barrel left of the crate."


@pytest.mark.parametrize(
    ("wish", "round"),
    [("go to the largest thing in view", False), ("the largest thing you see, go there", False),
     ("go to the largest thing", True)],
)  # fmt: skip
def test_u7_a_superlative_of_what_is_in_view_is_picked_at_once(wish: str, round: bool) -> None:
    plan = plan_of(parse("want at(largest thing)"), wish, VIEW)
    assert ("lr" in plan) is round and ("crate" in plan) is not round


def test_u7_what_is_beside_the_nearest_is_beside_no_other() -> None:
    posts = [Thing(f"post-{n}", "post", Box(0.2, 0.5, 0.1, 0.2), x, Pose(x, 0.0, 0.5)) for n, x in ((1, 2.0), (2, 9.0))]
    far = Thing("barrel-2", "barrel", Box(0.1, 0.5, 0.1, 0.2), 9.0, Pose(9.0, 0.4, 0.5))
    asked = parse("want answered('how many', barrel beside nearest post)")
    assert isinstance(asked, Pred)
    assert "no barrel" in Seen(Scene((*posts, far), VIEW.observer)).answer(asked)


@pytest.mark.parametrize(
    ("goal", "asks"),
    [
        ("at(crate) then answered('what is on', crate)", "'nearest crate'"),
        ("at(crate) then answered('how many all round', barrel on crate)", "'barrel on nearest crate'"),
        ("at(barrel) then answered('what is on', crate)", "'crate'"),
        ("at(crate) then moved(back, 1 m) then answered('what is on', crate)", "'crate'"),
    ],
)
def test_u3_what_is_asked_of_it_is_asked_of_the_one_that_it_went_to(goal: str, asks: str) -> None:
    assert f",{asks})" in plan_of(parse(f"want {goal}"), "", VIEW).replace(", ", ",")
