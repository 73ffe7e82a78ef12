"""One answer of the embedded model, from the prompt to the pieces that may be handed out.

A plan is handed out statement by statement, and what was said cannot be taken back. Since a whole plan is written
faster than a robot takes off, the first piece waits until `ahead` tokens are there, or all: if the model was in doubt
about one of them (its chance below what the card of the weights gives for this kind of prompt), it asks back instead,
and nothing moves. Doubt about a token further on, or no end in sight, ends the plan where it stands, with the
same question.

A model that writes only plans that can be run is sure of itself too easily: "kiss the frog" goes to the frog. So the
meaning of what was read is also held against a line between lessons that asked for something and lessons that were
refused (`training/outside.py`): the further outside the language, the more certain each token must be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sayso.errors import ModelUnavailable
from sayso.models.pocket import form, slips
from sayso.models.pocket.decode import Writing
from sayso.models.pocket.guides import FreeGuide, Guide, MissionGuide, PlanGuide, TasksGuide
from sayso.models.pocket.home_form import ANY_LINE, LINE_CHARS, is_household, placed
from sayso.models.pocket.net import Floats, Net
from sayso.models.pocket.step_form import Names, back, filled, left_out, moment
from sayso.models.pocket.step_guide import StepGuide
from sayso.models.pocket.words import Words
from sayso.parts import Prompt, Usage
from sayso.skill import SkillSet

UNSURE = "I am not sure that I understood. Please say it in other words."
TOO_LONG = "That is too long for me. Please say it in one or two sentences."
SPEAK, LOG = "speak", "log"
NO = "->F"
"""How a plan goes on that is not carried out."""
MISSION_CHARS = 600
FORCED_LEAST = 0.005
"""What the guide makes a model write that thinks it less likely than this is not meant."""

LESSONS = {
    "score": "weighing steps against each other",
    "rank": "ranking steps",
    "mission": "reading what a search is for",
    "warehouse": "a warehouse's steps",
    "home": "household commands",
}
"""Purposes that weights can do only where their card lists them as `taught`, and what each is to a person."""


@dataclass(frozen=True, slots=True)
class Sureness:
    """How sure the model was: the least and the mean chance of a token, and whether it was in doubt.

    `together` is the chance of all that the first piece waited for, `outside` how far outside its language the prompt
    is: so many nats more certain each token has to be.
    """

    least: float
    mean: float
    together: float
    tokens: int
    doubted: bool
    outside: float = 0.0


class Answering:
    """Blocking work for a thread of its own: each `next` of `pieces` takes a few milliseconds. `stop` ends it soon."""

    def __init__(self, net: Net, prompt: Prompt) -> None:
        must_be_taught(net.card, prompt)
        text, ids = asked(net.words, prompt, net.read_max)
        self._known = net.read(ids)
        self._prompt, self._stopped = prompt, False
        self._skills = prompt.brief.skills if prompt.brief else SkillSet()
        household = prompt.brief is not None and _kind(prompt) == "plan" and is_household(prompt.brief)
        kind = "command" if household else _kind(prompt)
        again = prompt.brief is not None and bool(prompt.brief.history)  # what was taken up once is not refused later
        self._outside = 0.0 if again else outside(net.card, kind, self._known.meaning)
        self._least = float(net.card["doubt"].get(kind, 0.0))
        self._voice = voice(self._skills)
        self._ahead = int(net.card["ahead"])
        most = min(net.write_max, prompt.max_tokens)
        self._writing = Writing(net, self._known, begins(net.words, text), guide(prompt), most)
        self._doubted = False
        self._too_long = _kind(prompt) in ("plan", "rolling", "stepwise") and form.too_long(prompt)

    def stop(self) -> None:
        self._stopped = True

    def pieces(self) -> Iterator[str]:
        """The answer in the planner's language, as far as it is certain to stay."""
        if self._too_long:  # half a wish is no wish
            self._doubted = True
            yield _too_long(_kind(self._prompt), self._skills)
            return
        if _kind(self._prompt) == "rolling":
            yield self._tasks()
            return
        if _kind(self._prompt) == "stepwise":
            yield self._step()
            return
        given, guide = 0, self._writing.guide
        while not self._writing.over and not self._stopped:
            self._writing.step()
            if not given and not self._enough():
                continue
            if self._in_doubt():
                break
            if (whole := guide.whole) > given:
                yield guide.text[given:whole]
                given = whole
        if self._stopped:
            return
        self._doubted = self._in_doubt() or not self._writing.ended
        if self._doubted:
            yield self._unsure()
        elif guide.text[given:]:
            yield guide.text[given:]

    def _unsure(self) -> str:
        """What is said instead of what is doubtful; to a question there is no other answer than that it is not so."""
        match _kind(self._prompt):
            case "probe":
                return "False"
            case "mission" | "rank":
                return ""
        return unsure(self._skills)

    def _tasks(self) -> str:
        while not self._writing.over and not self._stopped:
            self._writing.step()
        self._doubted = self._in_doubt() or not self._writing.ended
        return "Cannot" if self._doubted else form.rolling_answer(self._writing.guide.text)

    def _step(self) -> str:
        while not self._writing.over and not self._stopped:
            self._writing.step()
        assert self._prompt.brief is not None
        brief = self._prompt.brief
        forced = bool(left_out(brief)) and min(self._writing.chances, default=0.0) < FORCED_LEAST
        self._doubted = self._in_doubt() or forced or not self._writing.ended
        if self._doubted:
            return f"give_up({UNSURE})"
        return back(filled(self._writing.guide.text, moment(brief)), first=not brief.history)

    def _enough(self) -> bool:
        """Whether so much is written that the first piece can go out."""
        written = self._writing
        ready = len(written.ids) >= self._ahead and written.guide.whole > 0 and len(self._unspoken) >= len(NO)
        return written.over or ready

    @property
    def _unspoken(self) -> str:
        """What stands behind the words that the plan begins with."""
        text = self._writing.guide.text
        return text.partition("');")[2] if self._voice and text.startswith(f"{self._voice}('") else text

    def _in_doubt(self) -> bool:
        """Whether a token is too unlikely. A refusal may come from as far outside as it likes."""
        far = 0.0 if self._unspoken.startswith(NO) else self._outside
        return min(self._writing.chances, default=0.0) < self._least * math.exp(far)

    @property
    def usage(self) -> Usage:
        return Usage(self._known.tokens, len(self._writing.ids), "pocket")

    @property
    def sureness(self) -> Sureness:
        chances = self._writing.chances or [0.0]
        mean = sum(chances) / len(chances)
        together = math.prod(chances[: self._ahead])
        return Sureness(min(chances), mean, together, len(self._writing.ids), self._doubted, self._outside)


def outside(card: Mapping[str, Any], kind: str, meaning: Floats) -> float:
    """How far outside the language of this kind of prompt one is that means `meaning` (384,); below 0 within it."""
    line = card.get("outside", {}).get(kind)
    return float(meaning @ np.array(line[:-1], np.float32)) + line[-1] if line else 0.0


def asked(words: Words, prompt: Prompt, most: int) -> tuple[str, tuple[int, ...]]:
    """What the model reads for a prompt, as text and as tokens; of what is too long the end is left out."""
    if prompt.brief is None:
        raise ModelUnavailable(f"pocket reads a brief, and this prompt ({prompt.purpose}) has none")
    text = slips.mended(form.prompt_input(prompt), words.ids)
    ids = words.read(text)
    return text, tuple(ids if len(ids) <= most else [*ids[: most - 1], ids[-1]])


def must_be_taught(card: Mapping[str, Any], prompt: Prompt) -> None:
    """Raises `ModelUnavailable` for what these weights had no lessons in: they would write something all the same."""
    purpose = "warehouse" if prompt.purpose == "stepwise" else prompt.purpose
    if prompt.brief is not None and _kind(prompt) == "plan" and is_household(prompt.brief):
        purpose = "home"
    if purpose in LESSONS and purpose not in card.get("taught", ()):
        raise ModelUnavailable(f"pocket has had no lessons in {LESSONS[purpose]}; name another --model for that")


def begins(words: Words, text: str) -> int:
    """The token that writing begins with: the last mark of what is read, which tells what kind of text it is."""
    return words.ids[text[text.rindex("<") :]]


def guide(prompt: Prompt) -> Guide:
    skills = prompt.brief.skills if prompt.brief else SkillSet()
    match _kind(prompt):
        case "mission":
            return MissionGuide(prompt.question.splitlines(), MISSION_CHARS)
        case "probe" | "rank":
            return FreeGuide()
        case "rolling":
            return TasksGuide([s.name for s in skills.skills if s.provided])
        case "stepwise" if prompt.brief is not None:
            return StepGuide(Names.read(prompt.brief.knowledge), left_out(prompt.brief))
    if prompt.brief is not None and is_household(prompt.brief):
        if prompt.grammar == ANY_LINE:
            return FreeGuide(LINE_CHARS)
        return PlanGuide(placed(skills, prompt.brief.knowledge))
    return PlanGuide(skills)


def _kind(prompt: Prompt) -> str:
    return prompt.purpose if prompt.purpose in ("probe", "rolling", "mission", "rank", "stepwise") else "plan"


def _too_long(kind: str, skills: SkillSet) -> str:
    """The answer to a wish that is not read to its end."""
    match kind:
        case "rolling":
            return "Cannot"
        case "stepwise":
            return f"give_up({TOO_LONG})"
    return unsure(skills, TOO_LONG)


def unsure(skills: SkillSet, says: str = UNSURE) -> str:
    """A plan that says so, where the robot has a voice, and ends without having moved."""
    by = voice(skills)
    return f"{by}('{says}');->False" if by else "->False"


def voice(skills: SkillSet) -> str:
    """By what the robot speaks, as a plan calls it; empty where it cannot."""
    skill = skills.find(SPEAK) or skills.find(LOG)
    return skill.short if skill and [p.kind for p in skill.params] in (["text"], ["any"]) else ""
