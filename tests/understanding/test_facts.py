"""A robot that knows itself (U2), and a question that moves nothing, whoever plans (U1)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from sayso import events as ev
from sayso import skill
from sayso.agent import Agent
from sayso.clock import SimClock
from sayso.limits import Limits, Zone
from sayso.memory.agent_memory import AgentMemory
from sayso.memory.journal import Journal
from sayso.models.scripted import Scripted
from sayso.result import Result
from sayso.roles import Check, Exchange, Robot, RobotState
from sayso.scene import Box, Pose, Scene, Thing
from sayso.setup import Setup
from sayso.skill import Skill, SkillSet
from sayso.terminal.replay import replay
from sayso.understanding.facts import brief, facts
from sayso.understanding.self_model import SelfModel
from sayso.understanding.self_questions import THE_REST, UNKNOWN, reply, topic_of
from sayso.worlds import make

HALVED = RobotState(Pose(0.0, 0.0, 1.2), charge=0.5, resting=False, summary="flying at 1.20 m")
SKILLS = SkillSet(
    (
        Skill("take_off", uses=("base",), description="Take off.", provided=True, means="airborne"),
        Skill("take_picture", uses=("camera",), description="Take a picture.", provided=True),
    )
)
KNOWN = SelfModel(
    HALVED,
    Limits(zone=Zone(-3, 3, -4, 4), altitude_max_m=2.0, speed_max_mps=1.0, battery_reserve=0.1),
    SKILLS,
    home=Pose(0.0, 2.0),
    endurance_s=600.0,
)

UNPROVED = "I do not know whether I can do just that: nobody has told me."
LASTS = "My battery is at 50%. That is about 4 minutes of flying, with 10% kept in reserve."


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("How is your battery?", "My battery is at 50%. That is about 4 minutes of flying, with 10% kept in reserve."),
        ("what height are you at?", "I am flying at 1.20 m."),
        ("Where have you got to? Where are you?", "I am flying at 1.20 m, 2 m from where I started."),
        ("how high are you allowed to go?", "I may fly at most 2 m high."),
        ("how fast may you fly?", "I may move at 1 m/s at most."),
        ("are you airborne?", "Yes. I am flying at 1.20 m."),
        ("tell me your altitude", "I am flying at 1.20 m."),
        ("report your altitude and top speed", "I am flying at 1.20 m. I may move at 1 m/s at most."),
        ("are you on the ground?", "No. I am flying at 1.20 m."),
        ("is anything the matter?", "No, nothing that I know of. My battery is at 50%."),
        ("are you set to go?", "Yes, I am ready. My battery is at 50%."),
        ("can you lift boxes?", "No. I have no hands. I can fly and take pictures."),
        ("can you take photographs?", "Yes, I can take pictures."),
        ("are you able to hover for three minutes?", f"Yes. {LASTS}"),
        ("would you be able to fly for half an hour?", f"No. {LASTS}"),
        ("can you fly at 4 m/s?", "No. I may move at 1 m/s at most."),
        ("are you capable of climbing to 1 metre?", "Yes. I may fly at most 2 m high."),
        ("do you know how to carry a cup?", "No. I have no hands. I can fly and take pictures."),
        ("how heavy are you?", UNKNOWN),
        ("who are you quarrelling with?", UNKNOWN),
        ("would you be able to fly under the bridge?", f"I can fly. {UNPROVED}"),
        ("are you able to climb out of the box?", f"I can fly. {UNPROVED}"),
        ("could you hit the bell from there?", UNPROVED),
        ("are you lying down?", "I am flying at 1.20 m."),
        ("can you see us?", "I do not know who is speaking to me, or from where."),
        ("what are you able to do?", "I can fly and take pictures."),
        ("are you airborne or on the floor?", "I am flying at 1.20 m."),
        ("what is the maximum height you can reach?", "I may fly at most 2 m high."),
        ("how near do you get to walls?", "No limit says how far I keep from things; stay clear of me while I move."),
        ("how heavy a box can you lift?", "I cannot carry anything: I have no hands."),
        ("can you fly in the snow?", f"I can fly. {UNPROVED}"),
        ("who am i?", "I do not know who is speaking to me, or from where."),
        ("have you taken a photo?", "No. I have done nothing yet that I know of."),
        (
            "what happens when you lose the signal?",
            "As soon as my body does not answer, I end what I am doing and land.",
        ),
        ("could you help us with the garden?", "I can fly and take pictures."),
        ("what are you carrying?", "I hold nothing: I have no hands."),
        ("what are you up to?", "Nothing. I am flying at 1.20 m and wait for what you want."),
        ("what was the last thing you did?", "I have done nothing yet that I know of."),
        ("hey, who am I speaking with?", "I am a robot and have no name of my own. I can fly and take pictures."),
        ("haha that was so brilliant", "Thank you."),
        ("whoa you are clever", "Thank you."),
        ("thank you so much!", "You are welcome."),
        ("see you!", "Goodbye."),
    ],
)
def test_u2_what_it_says_of_itself_is_a_fact(asked: str, answer: str) -> None:
    assert reply(asked, KNOWN).said == answer


@pytest.mark.parametrize(
    ("asked", "begins"),
    [
        ("are you ready", "Yes, I am ready."),
        ("are you ready to take off for the cellar", "Yes, I am ready."),
        ("can you hear me snore", UNPROVED),
        ("are you ready, whiskers included", UNKNOWN),
        ("where are you hovering", "I am flying at 1.20 m"),
        ("are you hovering", "Yes. I am flying"),
        ("what is your job", "I am a"),
    ],
)
def test_u2_yes_is_only_said_to_a_question_that_was_heard_whole(asked: str, begins: str) -> None:
    assert reply(asked, KNOWN).said.startswith(begins)


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("how warm is your battery getting", ""),
        ("how many kilometres have you flown", ""),
        ("how do you brake", ""),
        ("how far could you get from the base", "reach"),
        ("how far are you from home", "place"),
        ("why are you beeping", ""),
        ("where do you recharge", ""),
        ("when was your battery charged", ""),
        ("do you use any maps", "has"),
        ("does your gripper hurt", ""),
        ("which things are you unable to do", "unable"),
        ("how could one halt you", "halt"),
        ("why can't you start", "kept"),
        ("have you touched down", "last"),
        ("have you landed", "grounded"),
        ("is your charge above 20 percent", "battery"),
        ("are you beside the fridge", "place"),
    ],
)
def test_u2_a_topic_answers_questions_of_its_form_and_words_and_no_others(asked: str, topic: str) -> None:
    assert topic_of(asked) == topic


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("do you own a garden?", UNKNOWN),
        ("have you got wings?", "Yes, I can fly."),
        ("what aren't you able to do?", "I can do nothing but this: fly and take pictures."),
        ("how high are you, and what do you cost?", f"I am flying at 1.20 m. {THE_REST}"),
        ("how heavy is it with you?", UNKNOWN),
    ],
)
def test_u2_what_it_does_not_know_of_itself_it_says_and_has_not_answered(asked: str, said: str) -> None:
    answer = reply(asked, KNOWN)
    assert (answer.said, answer.known) == (said, UNKNOWN not in said and THE_REST not in said)


def test_u2_a_question_without_an_answer_is_not_achieved() -> None:
    (known, unknown) = asked("how are you?", "are you an expensive model?")
    assert known and not unknown and unknown.ended.outcome == "not_achieved" and unknown.said == (UNKNOWN,)


def test_u2_whether_the_battery_suffices_rests_on_the_way_and_the_charge() -> None:
    sofa = Scene((Thing("sofa-1", "sofa", Box(0.5, 0.5, 0.1, 0.1), 2.0),))
    near = replace(KNOWN, scene=sofa)
    assert reply("is your battery enough for a trip to the sofa?", near).said.startswith("Yes. My battery is at 50%")
    assert "the sofa is 2 m away" in reply("have you enough charge for the sofa?", near).said
    empty = replace(near, state=replace(HALVED, charge=0.101))
    assert reply("have you enough charge for the sofa?", empty).said.startswith("No.")
    assert reply("have you enough charge for the sofa?", replace(near, endurance_s=0.0)).said.startswith(
        "I cannot tell."
    )


@pytest.mark.parametrize(
    ("known", "why"),
    [
        (replace(KNOWN, stopped_by="key"), "stopped by key"),
        (replace(KNOWN, state=replace(HALVED, trouble="fallen over")), "fallen over"),
        (replace(KNOWN, state=replace(HALVED, connected=False)), "no link"),
        (replace(KNOWN, state=replace(HALVED, charge=0.05)), "battery is at 5%"),
        (replace(KNOWN, checks=(Check("compass", "astray", "calm"),)), "compass is astray"),
    ],
)
def test_u2_what_is_wrong_is_told_however_it_is_asked(known: SelfModel, why: str) -> None:
    assert (
        reply("is something wrong?", known).said.startswith("Yes: ") and why in reply("is something wrong?", known).said
    )
    assert reply("are you ready?", known).said.startswith("No: ") and why in reply("are you ready?", known).said
    assert why in reply("how are you?", known).said


@given(
    st.builds(RobotState, charge=st.floats(0, 1), resting=st.booleans(), speed_mps=st.floats(0, 30)),
    st.builds(Limits, battery_reserve=st.floats(0, 0.5), altitude_max_m=st.floats(1, 500)),
    st.floats(0, 4000),
)
def test_u2_every_fact_of_any_state_is_a_sentence(state: RobotState, limits: Limits, endurance_s: float) -> None:
    known = replace(KNOWN, state=state, limits=limits, endurance_s=endurance_s)
    for told in (*facts(known).values(), *brief(known)):
        assert told.endswith(".") and told[0].isupper() and not {"nan", "inf", "None"} & {*told.split()}


class Mole(Robot):
    """Somebody's own robot: it digs, and has a nose."""

    name: ClassVar[str] = "mole"
    limits = Limits(speed_max_mps=0.3)

    def __init__(self) -> None:
        self.dug = 0

    def state(self) -> RobotState:
        return RobotState(charge=0.8, summary="underground")

    async def halt(self) -> None:
        """It rests at once."""

    @skill(uses="claws")
    async def dig(self) -> None:
        """Dig a tunnel."""
        self.dug += 1
        await asyncio.sleep(5.0)

    @skill()
    async def smell(self) -> bool:
        """Whether a worm is near."""
        return True


def asked(*wishes: str, robot: Robot | None = None, model: Scripted | None = None) -> list[Result]:
    async def main() -> list[Result]:
        async with Agent(robot or Mole(), model=model) as agent:
            return [await agent.do(wish) for wish in wishes]

    return SimClock().run(main())


def test_u2_a_robot_of_somebody_s_own_answers_and_no_planner_hears_of_it() -> None:
    model = Scripted(["dig()"])
    results = asked("how full is your battery?", "what can you do?", "can you dig?", "hello!", model=model)
    assert [r.said for r in results] == [
        ("My battery is at 80%.",),
        ("I can answer questions and dig a tunnel.",),
        ("Yes, I can dig a tunnel.",),
        ("Hello! Tell me what to do, or ask what I can do.",),
    ]
    assert all(r and r.ended.verified and not r.ended.model_calls for r in results)
    assert not model.prompts


def test_u1_a_question_moves_nothing_whatever_the_model_wants() -> None:
    mole = Mole()
    (result,) = asked("is there a worm?", robot=mole, model=Scripted(["smell();dig()", "log('Yes.')"]))
    refused = next(e for e in result.events if isinstance(e, ev.TaskEnded) and e.skill == "dig")
    assert mole.dug == 0 and refused.outcome == "failed" and refused.detail.startswith("a question moves nothing")


def test_u1_the_command_after_a_question_moves() -> None:
    mole, model = Mole(), Scripted(["?smell(){log('Yes.')}", "dig()"])
    question, command = asked("is there a worm?", "dig a tunnel", robot=mole, model=model)
    assert question and command and mole.dug == 1


def test_u1_it_says_first_that_it_looks_round_for_a_question() -> None:
    async def main() -> list[ev.Event]:
        async with Agent(world=make("office"), model=Scripted(["to;tc(90);l('No.')", "g('chair')"])) as agent:
            return [event async for event in agent.say("is there a rabbit?")]

    events = SimClock().run(main())
    looks = next(n for n, e in enumerate(events) if isinstance(e, ev.Understood) and e.told == "I look round first.")
    moves = next(n for n, e in enumerate(events) if isinstance(e, ev.TaskStarted))
    assert looks < moves


def test_u2_a_mission_goes_on_while_it_answers() -> None:
    async def main() -> tuple[list[ev.Event], Mole]:
        mole, events = Mole(), list[ev.Event]()
        async with Agent(mole, model=Scripted(["dig();dig()"])) as agent:
            async for event in agent.say("dig two tunnels"):
                events.append(event)
                if isinstance(event, ev.TaskStarted) and event.task == 1:
                    agent.change("how is your battery?")
                    agent.change("what are you doing?")
        return events, mole

    events, mole = SimClock().run(main())
    assert [e.text for e in events if isinstance(e, ev.Said)] == [
        "My battery is at 80%.",
        "I am at what you asked for: “dig two tunnels”.",
    ]
    assert mole.dug == 2 and not any(isinstance(e, ev.Instructed) for e in events)


def test_u2_a_word_that_stops_is_obeyed_and_what_is_asked_behind_it_is_answered() -> None:
    async def main() -> list[ev.Event]:
        events = list[ev.Event]()
        async with Agent(Mole(), model=Scripted(["dig();dig()"])) as agent:
            async for event in agent.say("dig two tunnels"):
                events.append(event)
                if isinstance(event, ev.TaskStarted) and event.task == 1:
                    agent.change("stop and tell me your battery level")
        return events

    events = SimClock().run(main())
    stop = next(n for n, e in enumerate(events) if isinstance(e, ev.StopAsked))
    told = next(n for n, e in enumerate(events) if isinstance(e, ev.Said))
    ended = next(e for e in events if isinstance(e, ev.MissionEnded))
    assert stop < told and ended.outcome == "stopped"
    assert [e.text for e in events if isinstance(e, ev.Said)] == ["My battery is at 80%."]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("stop and dig a tunnel", ("I only stop. Please say by itself what I should do then: “dig a tunnel”.",)),
        ("stop right there", ()),
        ("stop and stop", ()),
    ],
)
def test_u3_what_is_ordered_behind_a_word_that_stops_is_told_and_not_done(said: str, told: tuple[str, ...]) -> None:
    mole = Mole()
    (result,) = asked(said, robot=mole, model=Scripted(["dig()"]))
    assert result.said == told and mole.dug == 0


def test_u2_who_is_stopped_says_so() -> None:
    async def main() -> Sequence[Result]:
        async with Agent(Mole()) as agent:
            await agent.do("hello")
            agent.stop("key")
            return await agent.do("is anything wrong?"), await agent.do("dig a tunnel")

    told, moved = SimClock().run(main())
    assert told and told.said == ("Yes: I was stopped by key, and a person has to release me.",)
    assert moved.outcome == "stopped"


def test_u2_what_it_did_last_is_known_from_the_journal_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"

    def said(wish: str, *plans: str, recalls: bool = True) -> Result:
        async def main() -> Result:
            with Journal(file) as kept:
                memory = AgentMemory(kept) if recalls else kept
                async with Agent(Mole(), model=Scripted(list(plans)), memory=memory) as agent:
                    return await agent.do(wish)

        return SimClock().run(main())

    said("dig me a tunnel", "dig()")
    said("thanks")
    assert said("what did you do last?").said == ("You said “dig me a tunnel”. I did it. I ran: dig a tunnel.",)
    assert said("why did you do that?").said[0].startswith("You said “dig me a tunnel”.")
    told = said("did you dig me a tunnel?", recalls=False).said
    assert told == ("No. I have done nothing yet that I know of.",), "without a memory the conversation alone counts"


def test_u2_an_answer_is_replayed() -> None:
    setup = Setup(world="office")

    async def main() -> Result:
        robot, world = setup.make_robot()
        async with setup.make_agent(robot, world) as agent:
            await agent.do("take off")
            return await agent.do("where are you, and how is your battery?")

    result = SimClock().run(main())
    assert replay(result.events, Console(quiet=True)) is None


def test_u2_what_went_before_is_told_as_it_ended() -> None:
    earlier = (Exchange("fetch the hammer", ("dig: done",), (), "not achieved: there is no hammer"),)
    told = reply("what happened?", replace(KNOWN, earlier=earlier)).said
    assert told == "You said “fetch the hammer”. I did not manage it. There is no hammer."


def test_u2_a_zone_that_is_open_on_a_side_is_told_as_it_is() -> None:
    edge = replace(KNOWN, limits=Limits(zone=Zone(x_min_m=0.0, x_max_m=1.5)))
    assert "stay beyond x = 0 m and short of x = 1.5 m" in reply("what are your limits?", edge).said
    assert "stay in a zone of 6 m by 8 m" in reply("what are your limits?", KNOWN).said
