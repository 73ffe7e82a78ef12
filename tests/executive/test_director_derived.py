"""What follows from the rules where a language model chooses the tasks (X1 to X13).

X2, X2b, T29 and X16's kin are as one would wish: a type that is handed over inside one family is not lent to a weaker
stranger for a moment (D62).
"""

from __future__ import annotations

from director_stage import Run, RunReason, Stage, emits, first, off, root, script, send


def test_x1_reemit_with_needs_no_churn() -> None:
    s = Stage()
    s.does("S", "S", emits("N"), needs=("N",))
    s.say("N", "N")
    s.hooks("S", "N")
    assert s.play(("go", root("S")), ("again", root("S"))) == script("go › start S › S › start N › N › again › S › N")


def hand_over(needs: tuple[str, ...], direct: bool = False) -> list[str]:
    """P passes X from its child A to its child B (or to itself) while a weaker W waits for X."""
    s = Stage()

    def parent(run: Run) -> None:
        if run.data == 1:
            run.emit("A")
        elif direct:
            run.emit("X", "P")
        else:
            run.emit("B")

    s.does("P", lambda r: f"P{r.data}", parent)
    for x in ("A", "B"):
        s.does(x, x, emits(("X", x)), needs=needs)
    s.does("W", "W", emits(("X", "W")))
    s.say("X", lambda r: f"X for {r.data}")
    s.hooks(*(("A", "X") if direct else ("A", "B", "X")))
    return s.play(("P1", root("P", 1, p=10)), ("W low", root("W", p=1)), ("P2", root("P", 2, p=10)))


HANDED_OVER = script("P1 › P1 › start A › A › start X › X for A › W low › W › P2 › P2 › start B › B › stop A › X for B")


def test_x2_hand_over_between_own_children() -> None:
    """The published rules lend X to W for one cycle; here B has its say first."""
    assert hand_over(needs=()) == HANDED_OVER


def test_x2b_hand_over_with_needs() -> None:
    assert hand_over(needs=("X",)) == HANDED_OVER


def test_x2c_direct_hand_over() -> None:
    """Removal comes last, so a replacement takes a dying child's type without an owner in between (D24)."""
    assert hand_over(needs=(), direct=True) == script(
        "P1 › P1 › start A › A › start X › X for A › W low › W › P2 › P2 › X for P › stop A"
    )


def test_x4_late_pack_ignored() -> None:
    """A run that was under way when its task went is called, and its pack is ignored (D14)."""
    s = Stage()
    s.does("L", lambda r: f"L run {r.reason.name}", emits(("X", "L")), triggers=("T",))
    s.say("X", lambda r: f"X for {r.data}")
    s.hooks("L", "X")
    s.director.send("T")
    assert s.play(("L", root("L")), ("trigger+remove", send("T"), off("L"))) == script(
        """L › start L › L run NEW_TASK › start X › X for L › trigger+remove › L run OTHER_TRIGGER › stop L ›
        stop X"""
    )


def test_x5_repeated_done_notifies_once() -> None:
    s = Stage()

    def parent(run: Run) -> None:
        run.emit("C") if first(run) else run.keep()

    s.does("P", lambda r: f"P {r.reason.name}", parent)
    s.does("C", "C done", Run.done, triggers=("T",))
    s.director.send("T")
    assert s.play(("go", root("P")), ("trigger", send("T"))) == script(
        "go › P NEW_TASK › C done › P SUBTASK_DONE › trigger › C done"
    )


def two_siblings(needs: tuple[str, ...], optional: bool) -> list[str]:
    s = Stage()
    s.does("L", "L", emits(("A", (), 1, optional), ("B", (), 2, optional)))
    for x in ("A", "B"):
        s.does(x, x, emits(("X", x)), needs=needs)
    s.say("X", lambda r: f"X for {r.data}")
    return s.play(("go", root("L")))


def test_x7_two_required_siblings_same_need() -> None:
    """All or nothing: neither runs (D56)."""
    assert two_siblings(needs=("X",), optional=False) == script("go › L")


def test_x8_two_optional_siblings_same_need() -> None:
    """Optional tasks run one by one, the stronger first (D9, D23)."""
    assert two_siblings(needs=("X",), optional=True) == script("go › L › B › X for B")


def test_x9_two_siblings_without_declared_needs() -> None:
    """Priority decides below the declared needs (D57)."""
    assert two_siblings(needs=(), optional=False) == script("go › L › B › A › X for B")


def test_x10_duplicate_type_in_a_required_pack() -> None:
    s = Stage()
    s.does("L", "L", emits(("A", "one", 1), ("A", "two", 2), "Y"))
    s.say("A", lambda r: f"A {r.data}")
    s.say("Y", "Y")
    assert s.play(("go", root("L"))) == script("go › L")


def test_x11_unknown_type_in_a_required_pack() -> None:
    s = Stage()
    s.does("L", "L", emits("Jump", "Y"))
    s.say("Y", "Y")
    assert s.play(("go", root("L"))) == script("go › L")
    assert "nobody provides Jump" in s.director.why("Jump")
    assert "it runs only together with" in s.director.why("Y")


def test_x12_empty_pack() -> None:
    s = Stage()
    s.does("L", "L", lambda r: emits(*r.data)(r))
    s.say("Y", "Y")
    s.hooks("Y")
    assert s.play(("with Y", root("L", ["Y"])), ("empty", root("L", []))) == script(
        "with Y › L › start Y › Y › empty › L › stop Y"
    )


def test_x13_safety_sibling_takes_over_and_gives_back() -> None:
    """The old child resumes with its old data; the planner is not asked again (D42, D60)."""
    s = Stage()
    s.does("LLM", "LLM", emits(("Walk", (), 2)))
    s.does("Walk", "walk", emits(("Legs", "walk")))

    def safety(run: Run) -> None:
        if run.message("fall"):
            s.log.append("safety takes over")
            run.emit("Legs", "getup")
        else:
            s.log.append("safety idle")

    s.add("Safety", safety, triggers=("fall",))
    s.say("Legs", lambda r: f"legs {r.data}")
    s.director.send("fall", False)
    assert s.play(
        ("safety", root("Safety", p=100)),
        ("llm", root("LLM", p=10)),
        ("fall", send("fall", True)),
        ("up", send("fall", False)),
    ) == script(
        """safety › safety idle › llm › LLM › walk › legs walk › fall › safety takes over › legs getup › up ›
        safety idle › legs walk"""
    )


def test_x13_seen_by_the_planner() -> None:
    """While safety has the legs, the walk's child waits and says for whom (D29, D52)."""
    s = Stage()
    s.does("LLM", "", emits(("Legs", "walk", 2)))
    s.does("Safety", "", emits(("Legs", "getup")))
    s.say("Legs", lambda r: f"legs {r.data}")
    s.play(("llm", root("LLM", p=10)), ("safety", root("Safety", p=100)))
    assert s.director.why("Legs").splitlines() == [
        "Safety (priority 100) > Legs runs on Legs: nothing stands in its way",
        "LLM (priority 10) > Legs (priority 2) waits: Legs belongs to Safety (priority 100) > Legs",
    ]
    assert [n.what for n in s.notices] == ["suspended"]


__all__ = ["RunReason"]
