"""The sentences that people said to the humanoid: enough, unlike each other, and judged by judges that can be content
and can be discontent."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import training_path  # noqa: F401

import play
from double_soccer import double
from evaluate import Flown, confusions, executability, fly_or_play, summary, table
from judged_soccer import JUDGES, Play, Sample, Sentence, judge, limit, part, sentences
from sayso.errors import UsageError
from sayso.models.scripted import Scripted
from sayso.robots.humanoid.suite.double import tasks
from sayso.robots.humanoid.suite.goals import GOALS
from sayso.robots.humanoid.world.referee import KickRecord, Ledger
from sayso.scene import Pose

ALL = sentences()
BY_ID = {s.id: s for s in ALL}


def words(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def trigrams(text: str) -> frozenset[str]:
    padded = f"  {words(text)}  "
    return frozenset(padded[i : i + 3] for i in range(len(padded) - 2))


def test_there_are_enough_of_every_kind() -> None:
    groups = Counter(s.group for s in ALL)
    assert len(ALL) >= 320
    assert groups["refuse"] >= 70
    assert {"find", "approach", "kick", "play", "still", "wave", "look", "turn", "watch", "change", "order"} <= {
        *groups
    }
    assert len({s.by for s in ALL}) >= 20
    assert len({s.id for s in ALL}) == len(ALL)
    assert all(s.id.startswith(s.group) for s in ALL)


def test_no_two_are_alike() -> None:
    said = [(text := f"{s.say} {s.then}", trigrams(text)) for s in ALL]
    for (one, a), (other, b) in itertools.combinations(said, 2):
        assert one != other
        assert 2 * len(a & b) < 0.8 * (len(a) + len(b)) or len(words(one)) < 8, (one, other)


def test_none_is_a_sentence_of_the_benchmark() -> None:
    known = {words(text) for goal in GOALS for text in (goal.sentence, goal.then) if text}
    spoken = [(s.id, words(s.say)) for s in ALL if not s.then]
    assert {words_ for _, words_ in spoken} & known <= {"jump"}


def test_what_must_be_refused_is_judged_so() -> None:
    for s in ALL:
        assert (s.spec == {"refused": True}) == (not s.feasible), s.id
        assert s.feasible or s.group in ("refuse", "change"), s.id
        assert s.feasible == (s.group != "refuse") or s.then, s.id


def test_every_judge_can_be_made_and_has_time() -> None:
    for s in ALL:
        judge(s.spec), judge(s.before)
        assert 8 <= s.goal.limit_s <= 160, s.id
        assert (s.then_s > 0) == bool(s.then), s.id
    assert limit({"in_order": [{"waved": 1}, {"kicked": True}]}) > limit({"kicked": True}) > limit({"waved": 1})
    assert {"found", "refused", "in_order", "any", "not"} <= set(JUDGES)


@pytest.mark.parametrize(
    ("spec", "says"),
    [({"fuond": True}, "no judge 'fuond'"), ({"in_order": [{"waved": 1}, {"kicks": 0}]}, "kicks cannot follow")],
)
def test_a_judge_that_is_none_is_named(spec: Mapping[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        judge(spec)


# Judges on books written by hand


def books(seconds: int, at: Callable[[float], Mapping[str, Any]], **more: Any) -> Play:
    """Ten samples a second of a robot at (0, 0), the ball one metre ahead; `at` says what else there was."""
    game = Play(**more)
    for n in range(10 * seconds + 1):
        now = {"robot": Pose(), "speed_mps": 0.0, "fallen": False, "ball_in_view": False, "waves": 0, "pan": 0.0}
        now |= at(n / 10)
        game.pans_rad.append(now.pop("pan"))
        game.samples.append(Sample(at_s=n / 10, ball=Pose(1.0), **now))
    return game


def test_order_counts() -> None:
    waved_then_looked = books(6, lambda t: {"waves": int(t > 1), "pan": max(0.0, min(t - 3, 2.0))})
    assert judge({"in_order": [{"waved": 1}, {"looked": 60}]})(waved_then_looked)
    assert not judge({"in_order": [{"looked": 60}, {"waved": 1}]})(waved_then_looked)
    assert judge({"waved": 1, "looked": 60, "turned": 0})(waved_then_looked)


def test_turning_counts_in_one_direction() -> None:
    round_ = books(8, lambda t: {"robot": Pose(yaw_rad=0.5 * t - 1)})
    to_and_fro = books(8, lambda t: {"robot": Pose(yaw_rad=abs(t % 2 - 1))})
    assert judge({"turned": 180})(round_)
    assert not judge({"turned": 300})(round_)
    assert not judge({"turned": 60})(to_and_fro)


def test_standing_still_has_to_be_meant() -> None:
    nothing = books(6, lambda t: {})
    assert not judge({"stays": 4})(nothing)
    nothing.begun_s.append(0.5)
    assert judge({"stays": 4})(nothing)
    assert not judge({"stays": 4})(books(6, lambda t: {"robot": Pose(0.1 * t)}, begun_s=[0.5]))


def test_a_refusal_moves_nothing_not_even_the_head() -> None:
    refused = judge({"refused": True})
    assert refused(books(5, lambda t: {}, claimed=False))
    assert not refused(books(5, lambda t: {}, claimed=True))
    assert not refused(books(5, lambda t: {}))
    for did in ({"pan": 0.4}, {"waves": 1}, {"robot": Pose(0.3)}, {"robot": Pose(yaw_rad=0.4)}):
        assert not refused(books(5, lambda t, did=did: did if t > 2 else {}, claimed=False)), did  # type: ignore[misc]


def test_a_part_of_a_play_holds_what_happened_in_it() -> None:
    whole = books(
        6, lambda t: {}, books=Ledger(kicks=[KickRecord(2.0, "left"), KickRecord(5.0, "left")]), begun_s=[0.5, 4.0]
    )
    later = part(whole, since_s=3.0)
    assert (later.samples[0].at_s, len(later.pans_rad)) == (3.0, 31)
    assert ([k.at_s for k in later.books.kicks], later.begun_s) == ([5.0], [4.0])


# Played on the pitch by a double that reads the judge, so that judges are shown to be right


@pytest.mark.parametrize(
    "id_",
    ["find-01", "approach-13", "kick-01", "play-10", "still-07", "wave-04", "look-02", "watch-01", "combo-06",
     "order-14", "change-04", "change-11", "change-24", "push-02", "refuse-01"],
)  # fmt: skip
def test_what_is_asked_can_be_done(id_: str) -> None:
    result = fly_or_play(BY_ID[id_], "double", "", seed=1)
    assert result.came == "right", result
    assert result.executable == result.answers > 0


WRONG = {
    "cannot": "Cannot",
    "waves": tasks("Wave"),
    "looks": tasks("LookAround"),
    "turns": tasks("TurnOnSpot"),
    "plays": tasks("KickBall", "WalkToBall", "LookAround"),
    "stands": tasks("StandStill"),
    "babbles": "I would love to!",
}


@pytest.mark.parametrize(
    ("id_", "wrong"),
    [("find-01", "looks"), ("approach-13", "looks"), ("kick-01", "cannot"), ("still-07", "cannot"),
     ("still-07", "waves"), ("still-07", "babbles"), ("wave-04", "stands"), ("look-02", "turns"), ("turn-01", "looks"),
     ("watch-01", "looks"), ("stillwave-04", "stands"), ("order-14", "waves"), ("change-04", "looks"),
     ("change-24", "turns"), ("refuse-01", "waves"), ("refuse-01", "looks"), ("refuse-25", "plays")],
)  # fmt: skip
def test_judges_are_awake(id_: str, wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "double", lambda sentence: Scripted(lambda prompt: WRONG[wrong], name="wrong double"))
    assert fly_or_play(BY_ID[id_], "double", "").came != "right"


def test_a_double_for_another_sentence_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "double", lambda sentence: double(BY_ID["kick-01"]))
    result = fly_or_play(BY_ID["approach-13"], "double", "")
    assert result.came == "did something else"
    assert "kicked" in result.did


def test_what_is_not_executable_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "double", lambda sentence: Scripted(lambda prompt: "Task: Jump Priority: 1"))
    result = fly_or_play(BY_ID["refuse-01"], "double", "")
    assert result.answers >= 3
    assert result.executable == 0


def test_a_wish_after_the_first_one_is_met_is_a_new_wish() -> None:
    later = Sentence("x-1", "x", "", "wave", {"turned": 60}, then="turn", then_s=12.0, before={"waved": 1})
    played = play.play(later, "double", "")
    assert played.right
    assert played.game.changed_s is not None


def test_the_table_counts() -> None:
    def flown(id_: str, group: str, came: str, answers: int, executable: int, did: tuple[str, ...]) -> Flown:
        return Flown(id_, group, "soccer", "", came, "", "", (), None, None, 0, answers, executable, did)

    some = [
        flown("kick-01", "kick", "right", 3, 3, ("kicked",)),
        flown("kick-02", "kick", "fell", 1, 0, ("waved", "stood")),
        flown("refuse-01", "refuse", "right", 0, 0, ()),
    ]
    rows = {row["group"]: row for row in summary(some)}
    assert rows["kick"]["success"] == rows["in the language"]["success"] == 0.5
    assert executability(some) == 0.75
    assert executability([]) is None
    assert confusions(some) == [("kick", "waved + stood", 1)]
    assert "fell" in table(list(rows.values()))
    assert "touched" not in table(list(rows.values()))
