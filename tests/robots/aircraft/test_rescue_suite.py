"""The rescue suite: sentences are read as meant, the world judges, doubles do their work and wrong ones fail."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from sayso.bench import load
from sayso.bench.suite import Trial, summary
from sayso.errors import UsageError
from sayso.events import Warned
from sayso.goals.text import show
from sayso.robots.aircraft.mission import read_mission
from sayso.robots.aircraft.operator_wish import Grounds
from sayso.robots.aircraft.search.lost import categories, prior
from sayso.robots.aircraft.search.pay import Effort
from sayso.robots.aircraft.search.terrain import KINDS
from sayso.robots.aircraft.search.wish import SearchWish, Sought, goal
from sayso.robots.aircraft.suite.double import RescueDouble, meanings, meant, ranking, weights
from sayso.robots.aircraft.suite.episode import (
    PLANNERS,
    SUITE,
    RescueMission,
    country,
    mission,
    missions,
    play,
    prepared,
    run_episode,
    score,
    strays,
)
from sayso.robots.aircraft.suite.play import Pilot, fly, precision
from sayso.robots.aircraft.world.country import Rescue
from sayso.robots.aircraft.world.draw import Land
from sayso.robots.aircraft.world.scene import read_scene
from sayso.roles import Chunk, Prompt

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))
from decisions import decision_times

QUICK = {"effort": Effort(focus=4, expansions=8)}


def trial(task: str) -> Trial:
    return Trial("rescue", task, 0, 0, "scored", "reference")


@pytest.mark.parametrize("row", missions(), ids=lambda m: m.id)
def test_every_sentence_is_read_as_it_is_meant(row) -> None:  # type: ignore[no-untyped-def]
    terrain = read_scene(row.scene).terrain
    grounds = Grounds((*terrain.named, *terrain.squares), KINDS, categories())
    wish = read_mission(meanings()[row.says], row.says, grounds)
    assert wish.only == bool(row.wish.areas) and replace(wish, only=False, must_find=True) == row.wish
    for subject in row.subjects(terrain):
        assert prior(subject, terrain).sum() == pytest.approx(1.0), "somewhere on the map it can be"


def test_strays_say_the_same_over_a_truth_that_is_not_the_searchers_law() -> None:
    assert {stray.law for stray in strays()} == {"beside", "flat"} and {one.law for one in missions()} == {""}
    for stray in strays():
        assert stray.says == mission(stray.id.removesuffix(f"-{stray.law}")).says
    off = mission("highway-beside")
    terrain = read_scene(off.scene).terrain
    own = prior(off.subjects(terrain)[0], terrain)

    def likely(id_: str) -> float:
        places = [country(mission(id_), seed).people.present[0].place for seed in range(40)]
        return sum(float(own[terrain.cell(*place)]) for place in places)

    assert likely("highway-beside") < 0.4 * likely("highway"), "hardly one is where the searcher would look"
    flat = mission("night-dog-flat")
    (dog,) = flat.subjects(read_scene(flat.scene).terrain)
    assert dog.seen_at is not None
    away = [math.dist(country(flat, seed).people.present[0].place, dog.seen_at) for seed in range(40)]
    assert max(away) <= 500 + 20 and sum(m > 250 for m in away) >= 15, "near and far alike"


def test_there_are_enough_missions_on_every_scene() -> None:
    assert len(missions()) >= 20
    assert {m.scene for m in missions()} == {"valley", "moor", "night"}
    assert len({m.id for m in missions()}) == len(missions())


@pytest.mark.parametrize(("task", "seed"), [("west-unconscious", 0), ("park", 1)])
def test_a_mission_ends_at_home_within_its_actions(task: str, seed: int) -> None:
    played = play(mission(task), seed, **QUICK)
    assert played.truth.at_home and not played.truth.crashed
    assert 2 <= len(played.flown.acts) <= 16
    assert all(choice.calls <= 3 for choice in played.flown.planner.choices)
    assert all(act.done for act in played.flown.acts)
    result = score(played, trial(task))
    assert result.success == played.success
    assert 0 < result.figures["precision"] <= 1 and 0 < result.figures["pos"] <= 1


def test_two_who_are_lost_are_both_to_be_found_and_each_confirmation_is_of_another() -> None:
    two = Sought("person", "red", mobility="still", count=2)
    row = RescueMission("two", "valley", "", SearchWish((two,), ("west field", "south field")))
    world = Rescue(row.scene, 4, subjects=row.subjects(read_scene(row.scene).terrain))
    assert len({one.id for one in world.people.present}) == 2
    pilot = Pilot(world, prepared(world, row, TwoInRed(), "scored", **QUICK))
    fly([pilot], "Search the west field and the south field for two people in red, lying still.", show(goal(row.wish)))
    found = [one.confirmed_s is not None for one in world.truth().present.values()]
    assert sum(h.found for h in pilot.planner.now.hunted) == sum(found) == 2  # type: ignore[union-attr]
    assert pilot.verdict(goal(row.wish)).truth is True
    alone = replace(row.wish, sought=(replace(two, count=3),))
    assert pilot.verdict(goal(alone)).truth is False, "and no third one was there"


def test_the_same_trial_gives_the_same_mission() -> None:
    acts = [[(a.kind, a.args, a.at_s) for a in play(mission("park"), 3, **QUICK).flown.acts] for _ in range(2)]
    assert acts[0] == acts[1]


class TwoInRed(RescueDouble):
    """A double that reads one wish in every sentence."""

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        two = {"label": "person", "colour": "red", "mobility": "still", "count": 2}
        yield Chunk(json.dumps({"find": [two], "in": ["west field", "south field"]}))


class Idle(RescueDouble):
    """A wrong double: hovers, whatever is due."""

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        choices = prompt.question.splitlines()
        return [0.0 if c.startswith(("hover", "take off")) else -9.0 for c in choices]


class Hasty(RescueDouble):
    """A wrong double: goes home at once."""

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        return [0.0 if c.startswith(("fly home", "take off")) else -9.0 for c in prompt.question.splitlines()]


@pytest.mark.parametrize("wrong", [Idle(), Hasty()])
def test_a_wrong_double_fails_and_is_home_all_the_same(wrong: RescueDouble) -> None:
    played = play(mission("park"), 1, model=wrong, **QUICK)
    assert not played.success
    assert played.truth.at_home
    share = precision(played.wish, played.success, played.flown)
    assert share is not None and share <= 0.6


def test_a_model_that_only_ranks_flies_the_same_mission() -> None:
    ranks = play(mission("park"), 1, model=RescueDouble(scores=False), **QUICK)
    scores = play(mission("park"), 1, model=RescueDouble(), **QUICK)
    assert [a.kind for a in ranks.flown.acts] == [a.kind for a in scores.flown.acts]
    assert any("ranked" in e.text for e in ranks.flown.outcome.events if isinstance(e, Warned))


def test_many_calls_cost_time_in_the_air() -> None:
    whole = play(mission("park"), 1, "saycan", steps_max=4, **QUICK)
    narrow = play(mission("park"), 1, "scored", steps_max=4, **QUICK)
    assert whole.flown.planner.choices[2].calls > 10
    assert whole.flown.planner.waited_s > 5 * narrow.flown.planner.waited_s


def test_a_pilot_who_knows_the_place_flies_there_and_wins_what_can_be_won() -> None:
    flown = [play(mission(task), 3, "oracle") for task in ("park", "lake", "brook")]
    assert all(one.truth.at_home for one in flown)
    seen = [one for one in flown if all(who.open_to_sky for who in one.sought)]
    assert seen and all(one.success and len(one.flown.acts) <= 10 for one in seen)


@pytest.mark.parametrize("planner", ["aems2", "parallel", "square", "sector", "saycan-saycanpay-spared"])
def test_every_other_rule_flies_too(planner: str) -> None:
    played = play(mission("park"), 1, planner, steps_max=5, **QUICK)
    assert played.truth.at_home
    assert played.flown.acts[0].kind == "take_off" and played.flown.acts[-1].kind == "return_home"


def test_an_unknown_planner_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="sector"):
        play(mission("park"), 0, "stream")


def test_it_is_a_suite_with_a_summary_in_json() -> None:
    suite = load("rescue")
    assert set(SUITE.published) < set(PLANNERS)
    one = run_episode(Trial("rescue", "park", 1, 1, "sector", "reference"))
    result = json.loads(json.dumps(summary(suite, [one], planner="sector")))
    assert {"precision", "decision_s", "processed", "calls", "pos", "away"} <= set(result["total"])
    assert result["total"]["away"] == 0 and [g["id"] for g in result["groups"]] == ["believed"]
    assert suite.published["saycan"]["success"] == "47.5 %"


def test_the_double_reads_state_and_choices_and_nothing_else() -> None:
    text = (
        "Goal:\n| search\nState:\n| in the air at 60 m\n| battery 80%, 9 actions left\n| person: not found yet\n"
        "| areas within reach of the battery: 8\n| sightings not checked: person 64% likely\n"
        "Choices:\nA) search an area\nB) fly to a sighting and let the operator confirm\nC) hover\nAnswer:"
    )
    liked = weights(text)
    assert max(liked, key=lambda letter: liked[letter]) == "B"
    calm = weights(text.replace("person 64% likely", "none"))
    assert max(calm, key=lambda letter: calm[letter]) == "A"


def test_the_belief_is_a_picture_that_cools_where_it_was_searched() -> None:
    played = play(mission("west-unconscious"), 0, steps_max=4, **QUICK)
    where = played.domain.hunted[0].where
    picture = Land(where.terrain).paint(where.belief.probability)
    assert picture.dtype == np.uint8 and picture.shape[2] == 3
    assert len({tuple(p) for p in picture.reshape(-1, 3)}) > 20


def test_a_decision_weighs_few_actions_however_many_there_are() -> None:
    few, many = (choice for _, _, choice in decision_times("scored", (25, 125), repeats=1))
    assert few.calls == many.calls == 1
    assert few.processed == many.processed <= 15
    ((_, _, whole),) = decision_times("saycan", (25,), repeats=1)
    assert whole.calls == whole.processed > 15


def test_the_judge_asks_what_the_sentence_means_and_not_what_was_understood() -> None:
    wish = mission("west-unconscious").wish
    assert show(goal(wish)) == "want confirmed(person.blue) then picture(person.blue); home; landed"

    class Forgetful(RescueDouble):
        """A wrong double: hears nothing of an image."""

        async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
            yield Chunk(meant(prompt.messages[-1][1], meanings()).replace('"image", ', ""))

    right, wrong = (play(mission("west-unconscious"), 201, model=m) for m in (RescueDouble(), Forgetful()))
    assert right.success and right.truth.at_home
    assert wrong.domain.all_found and wrong.truth.at_home
    assert not wrong.success and "not pictured" in score(wrong, trial("west-unconscious")).reason
    assert [part.clause for part in wrong.flown.verdict(goal(wish)).missing] == [
        "confirmed(person.blue) then picture(person.blue)"
    ]


class NoSearch(RescueDouble):
    """A wrong double: its answers name nothing that can be searched for."""

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        yield Chunk("Sorry, as a model I cannot fly.")


def test_an_answer_that_cannot_be_read_costs_one_mission() -> None:
    played = play(mission("park"), 1, model=NoSearch(), **QUICK)
    result = score(played, trial("park"))
    assert not result.success and result.outcome == "refused" and "cannot be read" in result.reason
    assert played.flown.acts == []


class Ranks(BaseHTTPRequestHandler):
    """An endpoint without log-probabilities, spoken by the suite's double."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        system, user = (m["content"] for m in asked["messages"])
        text = meant(user, meanings()) if "JSON object" in system else ranking(user)
        choice = {"index": 0, "finish_reason": "stop", "logprobs": None}
        if asked.get("stream"):
            body = f"data: {json.dumps({'choices': [{**choice, 'delta': {'content': text}}]})}\n\ndata: [DONE]\n\n"
        else:
            body = json.dumps({"choices": [{**choice, "message": {"role": "assistant", "content": "A"}}]})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if asked.get("stream") else "application/json")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


def test_a_remote_model_without_scores_flies_the_suite_by_ranking() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Ranks) as server:
        Thread(target=server.serve_forever).start()
        try:
            spec = f"http://127.0.0.1:{server.server_port}/v1#double"
            result = run_episode(Trial("rescue", "west-unconscious", 0, 201, "scored", spec))
        finally:
            server.shutdown()
    assert result.error == "" and result.success and result.model_calls > 3
    assert result.r_time_s is not None and result.r_time_s > 0, "what the network takes is charged"


def test_the_embedded_model_is_told_which_kind_of_robot_it_is_asked_for() -> None:
    result = run_episode(Trial("rescue", "car", 0, 201, "scored", "pocket"))
    assert "not taught" not in result.reason and result.model_calls > 0


def test_u9_a_success_that_the_aircraft_saw_counts_as_verified_and_a_failure_never() -> None:
    row, one = mission("open-fields"), trial("open-fields")
    scores = [score(play(row, seed, effort=Effort(expansions=1)), one) for seed in (1, 3)]
    scores.append(score(play(row, 1, steps_max=2), one))
    assert all(s.verified == s.success for s in scores) and {s.success for s in scores} == {True, False}
