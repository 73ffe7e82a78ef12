"""Garbage is looked for when nobody waits."""

from __future__ import annotations

import gc

from sayso.console.tidy import ALL, IDLE_S, LATEST_S, YOUNG, Tidy


def test_all_objects_are_looked_through_only_when_nothing_runs_or_very_late() -> None:
    now_s = 0.0
    tidy = Tidy(lambda: now_s)
    tidy.begin()
    try:
        assert not gc.isenabled() and gc.get_freeze_count() > 0
        assert tidy.some(busy=False) == YOUNG
        now_s = IDLE_S + 1
        assert tidy.some(busy=True) == YOUNG, "a stop could be asked for"
        assert tidy.some(busy=False) == ALL
        assert tidy.some(busy=False) == YOUNG
        now_s += LATEST_S + 1
        assert tidy.some(busy=True) == ALL, "memory is bounded in any case"
    finally:
        tidy.end()
    assert gc.isenabled() and gc.get_freeze_count() == 0


def test_what_was_given_up_is_let_go_at_the_next_quiet_moment() -> None:
    tidy = Tidy(lambda: 0.0)
    tidy.soon()
    assert [tidy.some(busy) for busy in (True, True, False, False)] == [YOUNG, YOUNG, ALL, YOUNG]
