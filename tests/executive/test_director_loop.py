"""Bodies that await: children meanwhile, late packs, time, errors (D17, D54, D59, D60, D63)."""

from __future__ import annotations

import asyncio

import pytest
from director_stage import Diary, Director, Notice, Run, Settings, When, Word, first, play

from sayso.task import Done, Failed, Provider, Task


def test_d59_children_keep_running_while_the_parent_awaits() -> None:
    diary = Diary()

    async def main() -> None:
        async with Director() as d:

            @d.provide("LLM", hears=["again"])
            async def model(run: Run) -> None:
                diary.note(f"asked ({run.reason.name})")
                await asyncio.sleep(2)
                diary.note("answered")
                run.emit("Walk" if first(run) else "Kick", priority=2)

            for type in ("Walk", "Kick"):
                d.provide(type)(lambda run: diary.note(run.type))
                d.provide(type, word=Word.STOP)(lambda run: diary.note(f"stop {run.type}"))
            d.emit("LLM")
            await d.quiet()
            d.send("again")
            await asyncio.sleep(1)
            assert d.tree()[0]["awaits"]
            assert d.tree()[0]["children"][0]["state"] == "runs"
            await d.quiet()

    play(main())
    assert diary == [
        "0 asked (NEW_TASK)", "2 answered", "2 Walk",
        "2 asked (OTHER_TRIGGER)", "4 answered", "4 Kick", "4 stop Walk",
    ]  # fmt: skip


def test_d60_the_displaced_task_resumes_with_its_old_data() -> None:
    diary = Diary()
    heard: list[Notice] = []

    async def main() -> None:
        async with Director(notice=heard.append) as d:

            @d.provide("drive", needs=["base"])
            async def drive(run: Run) -> None:
                diary.note(f"drive {run.data}")
                await asyncio.sleep(4)
                run.done("there")

            @d.provide("getup", needs=["base"])
            async def getup(run: Run) -> None:
                diary.note("get up")
                await asyncio.sleep(2)
                run.done()

            d.provide("base")(lambda run: None)
            d.emit("drive", "home", priority=1)
            await asyncio.sleep(1)
            d.emit("getup", priority=9)
            await d.quiet()

    play(main())
    assert diary == ["0 drive home", "1 get up", "3 drive home"]
    assert [(n.what, str(n.task)) for n in heard] == [
        ("suspended", "drive"), ("ended", "getup"), ("resumed", "drive"), ("ended", "drive"),
    ]  # fmt: skip
    assert heard[-1].outcome == Done("there")


def test_start_body_stop_follow_each_other_though_all_await() -> None:
    diary = Diary()

    async def main() -> None:
        async with Director() as d:
            for word, name in ((Word.START, "start"), (Word.PROVIDE, "run"), (Word.STOP, "stop")):

                async def body(run: Run, name: str = name) -> None:
                    await asyncio.sleep(1)
                    diary.note(name)

                d.provide("S", word=word)(body)
            d.emit("S")
            await d.quiet()
            d.take_back("S")
            await d.quiet()

    play(main())
    assert diary == ["1 start", "2 run", "3 stop"]


def test_runs_that_pile_up_behind_a_slow_body_become_one() -> None:
    calls: list[int] = []

    async def main() -> None:
        async with Director() as d:

            @d.provide("S", triggers=["tick"])
            async def slow(run: Run) -> None:
                calls.append(run.message("tick"))
                await asyncio.sleep(5)

            d.send("tick", 0)
            d.emit("S")
            await asyncio.sleep(0.1)
            for i in range(1, 50):
                d.send("tick", i)
                await asyncio.sleep(0.01)
            await d.quiet()

    play(main())
    assert calls == [0, 49]


def test_d63_an_async_body_that_raises_is_an_outcome(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[Notice] = []

    async def main() -> None:
        async with Director(notice=heard.append) as d:

            @d.provide("S")
            async def bad(run: Run) -> None:
                await asyncio.sleep(1)
                raise ValueError("no such chair")

            d.emit("S")
            await d.quiet()

    play(main())
    assert [n.what for n in heard] == ["ended"]
    assert heard[0].outcome == Failed("S raised ValueError: no such chair")
    assert "Traceback" in caplog.text, "where nobody waits for it, it is found all the same"


def test_what_breaks_inside_the_director_reaches_whoever_waits() -> None:
    def listener(notice: Notice) -> None:
        raise LookupError("the listener is broken")

    async def main() -> None:
        async with Director(notice=listener) as d:
            d.provide("S")(Run.done)
            d.emit("S")
            await d.quiet()

    with pytest.raises(LookupError):
        play(main())


def test_two_endless_talkers_do_not_starve_the_event_loop() -> None:
    """Bodies that call each other for ever: whoever sleeps in the same loop still wakes up."""

    async def main() -> None:
        async with Director(Settings(reruns_max=10**9)) as d:
            count = 0

            @d.provide("A", triggers=["ping"])
            def a(run: Run) -> None:
                nonlocal count
                count += 1
                if count < 3000:
                    d.send("ping")

            d.send("ping")
            d.emit("A")
            turns = 0
            while count < 3000:
                await asyncio.sleep(0)
                turns += 1
            assert turns >= 3000 // 200

    play(main())


def test_a_model_that_fails_keeps_the_last_plan() -> None:
    diary = Diary()

    async def main() -> None:
        async with Director() as d:
            answers: list[Task | None] = [Task("Walk"), None]

            @d.provide("LLM")
            async def model(run: Run) -> None:
                await asyncio.sleep(1)
                if (choice := answers.pop(0)) is None:
                    run.keep()
                else:
                    run.emit(choice)
                if answers:
                    run.wait(2)

            d.provide("Walk")(lambda run: diary.note("walk"))
            d.provide("Walk", word=Word.STOP)(lambda run: diary.note("stop"))
            d.emit("LLM")
            await asyncio.sleep(10)
            assert d.tree()[0]["children"][0]["state"] == "runs"

    play(main())
    assert diary == ["1 walk"]


def test_safety_runs_within_one_pass_of_its_trigger_under_load() -> None:
    """However busy the tree, a trigger's run stands behind what was queued before it, and nothing after."""

    async def main() -> None:
        order: list[str] = []
        async with Director() as d:
            leaves = [f"leaf{i}" for i in range(300)]

            @d.provide("Busy", hears=["tick"])
            def busy(run: Run) -> None:
                for leaf in leaves:
                    run.emit(leaf)

            for leaf in leaves:
                d.provide(leaf)(lambda run: order.append("leaf"))

            @d.provide("Safety", hears=["fall"])
            def safety(run: Run) -> None:
                order.append("safety")

            d.emit("Safety", priority=100)
            d.emit("Busy")
            await d.quiet()
            order.clear()
            d.send("tick")
            await asyncio.sleep(0)
            d.send("fall")
            d.send("tick")
            await d.quiet()
        assert order.index("safety") <= 300
        assert len(order) == 601

    play(main())


def test_when_is_asked_with_the_last_value_even_if_the_provider_came_later() -> None:
    calls: list[str] = []

    async def main() -> None:
        async with Director() as d:
            d.tell("standing", 1)
            await d.quiet()
            d.add(Provider("Kick", lambda run: calls.append("kick"), when=(When("standing", bool),)))
            d.emit("Kick")
            await d.quiet()

    play(main())
    assert calls == ["kick"]
