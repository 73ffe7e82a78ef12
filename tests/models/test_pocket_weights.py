"""The shipped networks themselves: size, sameness, scores. How good they are is for `training/evaluate.py` to say."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import numpy as np
import pytest

from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.language import check
from sayso.mission.defaults import make_planner, settled, taught
from sayso.models import make
from sayso.models.pocket import Pocket, net
from sayso.models.pocket.answer import asked
from sayso.models.pocket.net import FOLDER, Net
from sayso.models.scripted import Scripted
from sayso.plugins.kits import kits
from sayso.roles import Brief, Observation, Prompt
from sayso.scene import Box, Scene, Thing
from sayso.skills import skills_for
from sayso.worlds import make as make_world

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="the weights are not trained yet")


WORLD = make_world("office")
SKILLS = skills_for(WORLD.robot, WORLD.perception)
SCENE = Scene((Thing("1", "chair", Box(0.4, 0.5, 0.1, 0.2), 2.0), Thing("2", "apple", Box(0.7, 0.5, 0.1, 0.1), 3.0)))


def plan(wish: str) -> Prompt:
    return Prompt("plan", (), brief=Brief(wish, SKILLS, Observation(SCENE), kind="drone"))


def household(wish: str) -> Prompt:
    """What the model is asked about a wish in the home."""
    heard, world = Scripted(["->False"]), make_world("home")

    async def main() -> None:
        async with Agent(world=world, model=heard, planner=make_planner("stream", heard, world.robot)) as agent:
            await agent.do(wish)

    SimClock().run(main())
    return heard.prompts[0]


def answer(model: Pocket, prompt: Prompt) -> str:
    async def main() -> str:
        return "".join([chunk.text async for chunk in model.stream(prompt)])

    return SimClock().run(main())


def test_what_is_shipped_is_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 45_000_000
    assert net.read_card()["parameters"] <= 40_000_000


def test_the_run_time_is_loaded_when_it_is_needed() -> None:
    """Neither the package nor a model that has not answered yet pays for it."""
    code = "import sys, sayso.models as m; m.make('pocket'); sys.exit('onnxruntime' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("wish", ["go to the chair", "xyzzy", "", "fly " * 80])
def test_the_same_input_gives_the_same_text(wish: str) -> None:
    """Whole again by networks that are loaded anew, and admissible."""
    text = answer(Pocket(), plan(wish))
    assert text == answer(Pocket(net=Net()), plan(wish))
    assert not check(text.partition("\n")[0], SKILLS)


def test_threads_change_nothing() -> None:
    """Neither how many one network has, nor how many ask it at once."""
    wishes = ["go to the chair", "colourless green ideas"]
    one, shared = Pocket(net=Net(threads=1)), Net(threads=3)
    alone = [answer(one, plan(wish)) for wish in wishes]
    assert [answer(Pocket(net=shared), plan(wish)) for wish in wishes] == alone
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda wish: answer(Pocket(net=shared), plan(wish)), wishes)) == alone


def test_an_answer_that_is_cut_off_leaves_nothing_behind() -> None:
    """Whoever closes the stream before the end hears the whole the next time."""
    model = Pocket(net=Net())
    prompt = household("go to the kitchen")
    whole = answer(model, prompt)

    async def cut(pieces: int) -> list[str]:
        stream = model.stream(prompt)
        heard = [(await anext(stream)).text for _ in range(pieces)]
        await stream.aclose()
        return heard

    assert asyncio.run(cut(1)) == [whole]
    assert asyncio.run(cut(0)) == []
    assert answer(model, prompt) == whole


def test_confidence_tells_plain_words_from_strange_ones() -> None:
    model = Pocket()
    answer(model, plan("go to the chair"))
    plain = model.confidence
    written = answer(model, plan("chair the if maybe of nineteen go"))
    strange = model.confidence
    assert plain and strange
    assert strange.outside > plain.outside
    assert written.endswith("->False") or strange.sure < plain.sure <= 1


def test_the_card_alone_tells_whom_it_was_taught() -> None:
    """The embedded model is taken where its weights list the lessons, and nowhere else."""
    lessons = net.read_card()["taught"]
    assert set(taught()) == {kit.kind for kit in kits().values() if kit.form and kit.form.lessons in lessons}
    assert settled("", "", "drone") == ("pocket", "reflex+stream")
    assert settled("", "", "toaster") == ("", "reflex")


def test_no_connection_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*args: Any) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert answer(cast(Pocket, make("pocket")), plan("go to the chair"))


def test_writing_at_once_and_one_by_one_agree() -> None:
    """What is kept of earlier tokens stands for them; eight bits leave a little noise."""
    loaded = net.load()
    this = asked(loaded, plan("go to the chair"))
    known = loaded.read(this.ids)
    row = [this.begin, *loaded.tokenizer.write("mf(100);g('chair')")]
    whole, _ = loaded.write(known, [row], loaded.empty_cache())
    kept = loaded.empty_cache()
    for n, token in enumerate(row):
        scores, kept = loaded.write(known, [[token]], kept)
        assert np.corrcoef(scores[0, 0], whole[0, n])[0, 1] > 0.99


def test_a_longer_row_in_the_batch_changes_nothing() -> None:
    model = Pocket()
    alone, _, _ = SimClock().run(model.score(plan("go"), ["g('chair')", "mf(100)", "l('no')"]))
    beside, _ = SimClock().run(model.score(plan("go"), ["g('chair')", "l('a much longer thing than that to say')"]))
    assert alone == pytest.approx(beside, abs=0.3)


def test_a_score_is_what_the_stream_was_sure_of() -> None:
    """The log-probability of the answer, its end left out, is that of its tokens."""
    model = Pocket()
    assert answer(model, plan("go to the chair")).endswith("want at(chair)") and model.confidence
    score, *others = SimClock().run(
        model.score(plan("go to the chair"), ["at(chair)", "at(apple)", "home", "refuse handle"])
    )
    assert score == pytest.approx(np.log(model.confidence.sure), abs=0.3)
    assert score > max(others)


def test_what_was_read_is_kept() -> None:
    loaded = net.load()
    ids = asked(loaded, plan("go to the chair")).ids
    assert loaded.read(ids) is loaded.read(ids)


def test_meanings_lie_near_each_other() -> None:
    """Lengths are 1; a word lies nearer to its like than to another."""
    drink, water, chair = Pocket().embed(["something to drink", "a bottle of water", "a wooden chair"])
    assert np.linalg.norm(drink) == pytest.approx(1.0, abs=1e-4)
    assert drink @ water > drink @ chair
