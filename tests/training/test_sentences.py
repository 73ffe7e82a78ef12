"""The hand-written sentences: enough, possible in their scenes, unlike each other and unlike the lessons."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from typing import Any

import nearness
import pytest
import training_path  # noqa: F401

from double import double
from doubt import NONSENSE
from evaluate import Flown, fly, summary, table
from judged import JUDGES, Sentence, judge, sentences
from lessons import lessons
from lessons.guard import DRONE, likeness, normal, trigrams
from sayso.errors import UsageError
from sayso.worlds import make, scenes

ALL = sentences()
OUTSIDE = ("refuse", "back")
BY_ID = {s.id: s for s in ALL}
LABELS = ("at", "was_at", "pictured", "named")
IDS = ("at_id", "facing")


def test_there_are_enough_of_every_kind() -> None:
    groups = Counter(s.group for s in ALL)
    assert len(ALL) >= 300
    assert groups["refuse"] >= 60
    assert len(ALL) - groups["refuse"] - groups["back"] >= 200
    assert len({s.by for s in ALL}) >= 10
    assert len({s.id for s in ALL}) == len(ALL)


def test_what_is_outside_the_language_must_be_refused() -> None:
    for s in ALL:
        assert (s.spec == {"refused": True}) == (s.group in OUTSIDE), s.id


def test_nonsense_must_be_refused_and_is_in_no_lesson() -> None:
    """Word for word, that is: that a thing is named in a sentence makes no wish of it."""
    nonsense = sentences(NONSENSE)
    assert len(nonsense) >= 60
    assert {s.scene for s in nonsense} == {s.scene for s in ALL}
    for s in nonsense:
        assert s.spec == {"refused": True}, s.id
        assert DRONE.forbids(s.say), s.id


def named_in(spec: Any) -> list[tuple[str, str]]:
    """Every label and thing that a judge speaks of, with the key that does."""
    if isinstance(spec, list):
        return [pair for part in spec for pair in named_in(part)]
    if not isinstance(spec, Mapping):
        return []
    found = []
    for key, value in spec.items():
        if key in LABELS or key in IDS:
            found.append((key, value if isinstance(value, str) else value.get("label") or value.get("thing")))
        elif key in ("any", "every", "not"):
            found += named_in(value)
    return found


def test_scenes_exist_and_hold_what_is_judged() -> None:
    things = {scene: make("office", scene=scene).truth().things for scene in scenes("office")}
    for s in ALL:
        assert s.scene in things, s.id
        here = things[s.scene]
        for key, name in named_in(s.spec):
            assert name in (here if key in IDS else {t.label for t in here.values()}), (s.id, name)


def test_every_judge_can_be_made() -> None:
    for s in ALL:
        judge(s.spec)
    with pytest.raises(UsageError, match="no judge 'att'"):
        judge({"att": "chair"})
    assert {"at", "pictured", "refused", "any", "not"} <= set(JUDGES)


def test_no_two_are_alike() -> None:
    for one, other in itertools.combinations(ALL, 2):
        assert normal(one.say) != normal(other.say) or not normal(one.say), (one.id, other.id)
        assert likeness(one.say, other.say) < 0.75 or not normal(one.say), (one.say, other.say)


def test_none_is_a_sentence_of_the_benchmark() -> None:
    for s in ALL:
        assert max(likeness(s.say, own) for own in DRONE.suite) < 0.7, s.say


def test_no_lesson_says_nearly_the_same() -> None:
    said = {one.sentence for one in lessons(450, seed=21, held_out=0.0, domains=("drone",)) if one.kind != "probe"}
    long = [s for s in ALL if len(normal(s.say).split()) > 2]
    like = nearness.likeness([trigrams(s.say) for s in long], [trigrams.__wrapped__(text) for text in said])
    worst = int(like.max(axis=1).argmax())
    assert like.max() < 0.85, long[worst].say


# Flown in the office by a double that reads the judge, so that scenes and judges are shown to be right


@pytest.mark.parametrize(
    "id_", ["go-08", "find-14", "picture-11", "move-03", "move-06", "seq-09", "ask-01", "back-01", "refuse-02"]
)
def test_what_is_asked_can_be_done(id_: str) -> None:
    assert fly(BY_ID[id_], "double", "").came == "right"


def wrongly(spec: dict[str, Any], fly_for: str) -> str:
    """What comes of doing what one sentence asks where another judge watches."""
    s = BY_ID[fly_for]
    assert double(s.spec) is not None
    other = Sentence(s.id, s.group, s.scene, s.by, s.say, spec)
    return other.judge.__name__ and _flown_with(s, other).came


def _flown_with(doing: Sentence, judged: Sentence) -> Flown:
    import evaluate

    kept = evaluate.double
    evaluate.double = lambda spec: kept(doing.spec)
    try:
        return fly(judged, "double", "")
    finally:
        evaluate.double = kept


def test_judges_are_awake() -> None:
    assert wrongly({"at": "sofa"}, "go-08") == "did something else"
    assert wrongly({"turned": 90}, "move-06") == "did something else"
    assert wrongly({"refused": True}, "move-06") == "did something else"
    assert wrongly({"went": {"left_cm": -100}}, "move-03") == "did something else"
    assert wrongly({"said": ["hello"]}, "refuse-02") == "refused"


def test_the_reflex_planner_refuses_what_it_cannot_read() -> None:
    assert fly(BY_ID["refuse-02"], "reflex", "").came == "right"
    assert fly(BY_ID["want-22"], "reflex", "").came == "refused"


def test_the_table_counts() -> None:
    some = [
        Flown("go-01", "go", "tour", "a", "right", "achieved", "", (), None, None),
        Flown("go-02", "go", "tour", "b", "refused", "refused", "", (), None, None),
        Flown("refuse-01", "refuse", "tour", "c", "right", "refused", "", (), None, None),
    ]
    rows = {row["group"]: row for row in summary(some)}
    assert rows["go"]["success"] == rows["in the language"]["success"] == 0.5
    assert rows["refuse"]["success"] == 1.0
    assert rows["all"]["n"] == 3
    assert "50.0%" in table(list(rows.values()))
