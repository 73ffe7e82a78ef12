"""Who waits is woken, and what a provider needs is held for it (D19, D27, D34, D35, D41, D61, D62)."""

from __future__ import annotations

from director_stage import Run, Stage, Task, When, disable, emits, enable, off, root, script, tell, when  # fmt: skip


def test_d61_a_provider_that_is_registered_wakes_a_blocked_task() -> None:
    """(D47)"""
    s = Stage()
    s.play(("wait", root("S", "hello")), (lambda d: s.say("S", lambda r: f"S {r.data}"),))
    assert s.log == ["wait", "S hello"]


def test_d61_a_helper_that_is_registered_wakes_a_blocked_task() -> None:
    s = Stage()
    s.say("S", "S", when=when("C", 1))
    s.say("H", "H waiting")

    def helps(run: Run) -> None:
        s.director.tell("C", 1)

    s.play(
        (root("H"), root("S", p=5)),
        ("helper", lambda d: s.does("H", "H causes", helps, causing={"C": 1})),
    )
    assert s.log == ["H waiting", "helper", "H causes", "S"]


def test_d61_enabling_wakes_a_blocked_task() -> None:
    s = Stage()
    provider = s.say("S", "S")
    assert s.play((disable(provider),), ("ask", root("S")), ("enable", enable(provider))) == ["ask", "enable", "S"]


def test_d62_a_need_is_held_before_it_is_asked_for() -> None:
    """B has not asked for X, and may never do so: nobody weaker gets it meanwhile."""
    s = Stage()
    s.say("B", "B", needs=("X",))
    s.say("X", lambda r: f"X for {r.data}")
    s.does("W", "W", emits(("X", "W")))
    s.play(("B", root("B", p=10)), ("W", root("W", p=1)), ("B gone", off("B")))
    assert s.log == script("B › B › W › W › B gone › X for W")


def test_d62_a_need_is_taken_from_the_weaker_who_owns_it() -> None:
    """A body that moves the base itself never emits `base`; holding it must be enough."""
    s = Stage()
    s.does("W", "W", emits(("base", "W")))
    s.say("base", lambda r: f"base for {r.data}")
    s.say("drive", "drive", needs=("base",))
    s.hooks("base")
    s.play(("W", root("W", p=1)), ("drive", root("drive", p=10)), ("there", off("drive")))
    assert s.log == script(
        "W › W › start base › base for W › drive › drive › stop base › there › start base › base for W"
    )


def test_d27_a_task_never_hangs_on_itself() -> None:
    """A root B gives way while its own grandchild asks for B: the tree must not close to a ring."""
    s = Stage()
    s.does("A", "A", emits("B"))
    s.does("B", "B", emits("C"))
    s.does("C", "C", emits("A"))
    s.play(("A", root("A")), ("B", root("B", p=5)), ("C", root("C", p=9)), ("B off", off("B")), ("C off", off("C")))
    assert s.director.why("A").startswith("A")
    s.play((off("A"),))
    assert s.director.tree() == []


def test_d35_a_promise_is_no_deed() -> None:
    s = Stage()
    s.say("S", "S", when=when("C", 1))
    s.say("H", "H", causing={"C": 1})
    assert s.play((root("H"), root("S", p=5)), ("told", tell("C", 1))) == ["H", "told", "S"]


def test_d34_tell_in_a_condition_that_was_never_told() -> None:
    s = Stage()
    s.say("S", "S", when=(When("C", lambda v: v != 1, "C is not 1"),))
    assert s.play(("ask", root("S")), ("tell", tell("C", 2))) == ["ask", "tell", "S"]


def test_d19_a_branch_that_gets_a_weaker_owner_is_open_to_those_who_wait() -> None:
    """B passes from D (1) to the root B (0): what B's child has now belongs to the stronger E, which waited (D41)."""
    s = Stage()
    s.does("B", "", emits("X"))
    s.does("D", "", emits("B"))
    s.does("E", "", emits(("X", "for E")))
    s.say("X", lambda r: f"X {r.data}")
    s.play((root("B", p=0), root("D", p=1)), (root("E", p=1),), ("D off", off("D")))
    assert s.log[-1] == "X for E"
    assert s.director.why("X").startswith("E (priority 1) > X runs")


def test_d61_a_push_that_cannot_be_obeyed_is_not_repeated() -> None:
    """K and H run together; pushed, H would need what K uses. H is not left asleep, nor pushed back and forth (D63)."""
    s = Stage()
    s.does("P", "", emits("K", "H"))
    s.say("K", "K", needs=("A",))
    s.say("H", "H waiting")
    s.say("H", "H promises", needs=("A",), causing={"C": 1})
    s.say("A", "A")
    s.say("S", "S", when=when("C", 1))
    s.play((root("P", p=1),), ("push", root("S", p=5)))
    assert s.log == ["K", "H waiting", "push", "K", "H waiting"]
    assert s.director.tree()[0]["children"][1]["state"] == "runs"


def test_d27_a_raised_branch_wins_although_its_children_are_kept() -> None:
    """The root A comes again, stronger; its child is the same wish, and its grandchild gets what it waits for."""
    s = Stage()
    child = Task("D")
    s.does("A", "", lambda run: run.emit(child))
    s.does("D", "D", emits(("X", "for A")))
    s.does("E", "", emits(("X", "for E")))
    s.say("X", lambda r: f"X {r.data}")
    s.play((root("E", p=1),), (root("A", p=0),), ("raise", root("A", p=2)))
    assert s.log == ["X for E", "D", "raise", "X for A"]


def test_d41_whoever_is_first_in_line_gets_the_type_of_a_leaving_branch() -> None:
    """A's pack is tried early, because it waits for E; the stronger C is asked nevertheless."""
    s = Stage()
    s.does("E", "", emits(("C", "of E", 3)))
    s.does("A", "", emits(("B", (), 0, True), ("C", "of A", 0, True)))
    s.say("B", "B", needs=("E", "nothing"))
    s.say("C", lambda r: f"C {r.data}")
    s.play((root("E", p=1),), (root("C", "of root"), root("A")), ("E off", off("E")))
    assert s.log[-1] == "C of root"
    assert s.director.why("C").startswith("C runs")
