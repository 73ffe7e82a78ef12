"""The reflex planner: direct commands in English, read by a small grammar, no model.

It is the embedded planner where no model is at hand, and its `urgent` is the safety net in front of every other one.
It acts on a sentence only when it has understood all of it; else it says where it stumbled and nothing moves. What it
reads is in `docs/reflex.md`; the words are data, in `vocabulary.toml`.

`first` puts it in front of a planner with a model.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

from sayso.errors import NotUnderstood
from sayso.goal import Clause, If, Then
from sayso.goals.clauses import clauses, preds
from sayso.grounding.tokens import Token, clean, tokens
from sayso.language.printer import FAILED
from sayso.planners.reflex import signatures
from sayso.planners.reflex.grammar import Grammar
from sayso.planners.reflex.reader import Reader, Stumbled
from sayso.planners.reflex.steps import Call, Steps, Wait, wanted
from sayso.planners.reflex.steps import written as as_plan
from sayso.planners.reflex.urgent import Urgent, urgent
from sayso.planners.reflex.words import Vocabulary, vocabulary
from sayso.planners.reflex.writer import Writer
from sayso.planners.text_planner import written
from sayso.plugins.kits import kits
from sayso.roles import Attempt, Brief, End, Session
from sayso.understanding.picks import in_parts, picked
from sayso.understanding.questions import asked

LONGEST_CHARS = 2000
LONGEST_WORDS = 300

AIRBORNE_M = 0.2
"""An observer lower than this is taken to stand on the ground."""

Read: TypeAlias = tuple[Sequence[str], Clause | None]
"""The statements of a plan, and what they are for; None where no predicate tells it."""


class Reflex:
    """A `Planner` that needs no model. It does what it is told and has no second idea where that fails.

    `advice` ends what it says of a sentence in which it stumbled.
    """

    name = "reflex"
    steers = False

    def __init__(self, advice: str = "") -> None:
        self._advice = advice

    async def act(self, session: Session) -> End:
        """See `roles.Planner`. Raises `NotUnderstood` when any part of the sentence is not understood."""
        try:
            command = Command.read(await session.look())
        except Stumbled as error:
            raise NotUnderstood(f"{str(error).rstrip('.')}{self._advice}.") from error
        return End.of(await command.run(session))


@dataclass(frozen=True, slots=True)
class Command:
    """A sentence that was read to its last word: the statements of its plan, all found admissible, and its goal, None
    where no predicate tells it."""

    plan: Sequence[str]
    goal: Clause | None

    @classmethod
    def read(cls, brief: Brief, mend: bool = True) -> Self:
        """Raises `NotUnderstood`, without `mend` for slips too, and `Unclear` where one thing has to be asked."""
        if planned := _planned(brief):
            return cls(*planned)
        try:
            steps = steps_of(brief, mend)
        except NotUnderstood:
            if parts := _mixed(brief):
                return cls(*parts)
            raise
        writer = _writer(brief)
        return cls(as_plan(steps, writer), wanted(steps, writer))

    async def run(self, session: Session) -> Attempt:
        """Say what was understood, all of it, and do it."""
        if self.goal is not None:
            session.understood(self.goal, whole=True)
        return await session.run(written(self.plan))


def exact(brief: Brief) -> Sequence[str]:
    """The statements of a sentence that reads as plain commands to its last word, no slip mended; none where it does
    not."""
    with suppress(NotUnderstood):
        return Command.read(brief, mend=False).plan
    return ()


def _writer(brief: Brief) -> Writer:
    vocab, aloft = vocabulary(), brief.scene.observer.z_m >= AIRBORNE_M
    motions = signatures.motions(brief.skills, vocab)
    return Writer(brief.skills, motions, brief.scene, vocab.defaults["search_step_deg"], aloft)


def _planned(brief: Brief) -> Read | None:
    """The plan of a question, or of a command about things that have to be picked, and what it means, where the kind of
    robot has a plan for it."""
    kit, names = kits().get(brief.kind), brief.scene.names
    if kit is None or kit.plans is None or len(brief.core) > LONGEST_CHARS or urgent(brief.instruction):
        return None
    question = asked(brief.core, names)
    if (goal := question or picked(brief.core, names, lambda text: plain_goal(brief, text))) is None:
        return None
    try:
        plan, goal = kit.plans(goal, brief)
    except NotUnderstood:
        if question:
            raise
        return None  # what it picks may be named in the way of a plain command
    return [plan], goal


def _mixed(brief: Brief) -> Read | None:
    """The plan and goal of a sentence of plain commands and questions, one behind the other; None where a part of it is
    neither."""

    def picked_(text: str) -> Read | None:
        with suppress(NotUnderstood):
            return _planned(alone(brief, text))
        return None

    def plain(text: str) -> Read | None:
        with suppress(NotUnderstood):
            steps, writer = steps_of(alone(brief, text), mend=False), _writer(brief)
            return as_plan(steps, writer), wanted(steps, writer)
        return None

    parts: list[Read] = (
        [] if urgent(brief.instruction) else in_parts(brief.core, picked_, [plain], lambda read: read[1])
    )
    goals = [goal for _, goal in parts if goal is not None]
    decided = any(isinstance(one, If) for goal in goals[:-1] for one in clauses(goal))
    ends = (one.replace(FAILED, "") for plan, _ in parts[:-1] for one in plan)  # what has failed needs no more done
    if not parts or len(goals) < len(parts) or decided or any("->" in one for one in ends):
        return None
    kit = kits().get(brief.kind)
    with suppress(NotUnderstood):
        if kit and kit.plans:
            plan, goal = kit.plans(Then(tuple(goals)), brief)
            return [plan], goal
    return [statement for plan, _ in parts for statement in plan], Then(tuple(goals))


def plain_goal(brief: Brief, text: str) -> Clause | None:
    """What a part of a sentence means by itself: a question, or a plain command."""
    question = asked(text, brief.scene.names)
    return question if question is not None else _commanded(brief, text)


def _commanded(brief: Brief, text: str) -> Clause | None:
    """What a part of a sentence means as a plain command; None for what is none."""
    with suppress(NotUnderstood):
        return wanted(steps_of(alone(brief, text), mend=False), _writer(brief))
    return None


def alone(brief: Brief, text: str) -> Brief:
    """As if only a part of the sentence had been said."""
    return replace(brief, instruction=text, request=None)


def by_amount(brief: Brief, text: str) -> Clause | None:
    """What a part of a sentence means as one of the plain commands that this kind of robot is told to do, if it is."""
    goal = _commanded(brief, text)
    return goal if goal and all(pred.name in brief.words.only for pred in preds(goal)) else None


def steps_of(brief: Brief, mend: bool = True) -> Steps:
    """The sentence as it is; where that makes no sense, with its slips of the finger mended and said aloud.

    An urgent word is read here too, for a mission that begins with it. Raises `NotUnderstood`.
    """
    vocab = vocabulary()
    if word := urgent(brief.instruction):
        return (Call("land", want="landed"),) if word == "land" else (Wait(0.0),)
    sentence = clean(brief.core)
    if len(sentence) > LONGEST_CHARS:
        raise NotUnderstood(f"That is too long for me: I read at most {LONGEST_CHARS} characters at once.")
    words = tokens(sentence)
    if len(words) > LONGEST_WORDS:
        raise NotUnderstood(f"That is too long for me: I read at most {LONGEST_WORDS} words at once.")
    own, own_words = signatures.rules(brief.skills, brief.words), signatures.own_words(brief.skills, brief.words)
    tests = signatures.tests(brief.skills)
    turns = signatures.motions(brief.skills, vocab).keys() & {*signatures.SIDES}
    able = {*brief.skills, *(("turn",) if turns else ())}
    examples = signatures.examples(brief.skills, [thing.label for thing in brief.scene])

    def steps(words: Sequence[Token]) -> Steps:
        return Grammar(Reader(words, sentence, brief, examples, own_words, able), own, tests).steps()

    try:
        return steps(words)
    except NotUnderstood as stumbled:
        slips = own_words if len(words) > 1 else ()
        mended = [_mended(word, vocab, slips) for word in words] if mend else words
        if mended == words:
            raise
        with suppress(NotUnderstood):
            pairs = [(old.text, new.text) for old, new in zip(words, mended, strict=True) if old != new]
            told = (Call("log", (f'I read "{old}" as "{new}".',), "said") for old, new in pairs)
            return (*told, *steps(mended))
        raise stumbled


def _mended(word: Token, vocab: Vocabulary, own: Collection[str]) -> Token:
    meant = vocab.mended(word.text, own) if word.kind == "word" else None
    return replace(word, text=meant) if meant else word


__all__ = ["Command", "Reflex", "Urgent", "urgent"]
