"""The reflex planner: direct commands in English, read by a small grammar, no model.

It is the embedded planner where no model is at hand, and its `urgent` is the safety net in front of every other one.
It acts on a sentence only when it has understood all of it; else it says where it stumbled and nothing moves. What it
reads is in `docs/reflex.md`; the words are data, in `vocabulary.toml`.

`first` puts it in front of a planner with a model.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

from sayso.errors import NotUnderstood
from sayso.goal import IT, Clause, If, Then
from sayso.goals.clauses import clauses, whiches
from sayso.grounding.tokens import Token, clean, tokens
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
from sayso.understanding.picks import joined, joints, picked
from sayso.understanding.questions import asked

LONGEST_CHARS = 2000
LONGEST_WORDS = 300

AIRBORNE_M = 0.2
"""An observer lower than this is taken to stand on the ground."""

Read: TypeAlias = tuple[Sequence[str], Clause]
"""The statements of a plan, and what they are for."""


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
        steps = steps_of(brief, mend)
        writer = _writer(brief)
        return cls(as_plan(steps, writer), wanted(steps, writer))

    async def run(self, session: Session) -> Attempt:
        """Say what was understood, all of it, and do it."""
        if self.goal is not None:
            session.understood(self.goal, whole=True)
        return await session.run(written(self.plan))


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
    if (goal := question or picked(brief.core, names, lambda text: _goal(brief, text))) is None:
        return _then_asked(brief, kit.plans)
    try:
        plan, goal = kit.plans(goal, brief)
    except NotUnderstood:
        if question:
            raise
        return None  # what it picks may be named in the way of a plain command
    return [plan], goal


def _then_asked(brief: Brief, plans: Callable[[Clause, Brief], tuple[str, Clause]]) -> Read | None:
    """Plain commands, and a question behind them that is answered where they lead."""
    for head, tail in joints(brief.core):
        if asked(head, brief.scene.names) or (done := _goal(brief, head)) is None:
            continue
        last = next((f"the {one.kind}" for one in reversed([*whiches(done)])), IT)
        told = " ".join(last if word == IT else word for word in tail.split())
        question = asked(tail, brief.scene.names) or asked(told, brief.scene.names)
        if question is None or any(isinstance(one, If) for one in clauses(done)):
            continue
        try:
            plan, goal = plans(Then((done, question)), brief)
            return [plan], goal
        except NotUnderstood:
            plan, goal = plans(question, brief)
            return [*as_plan(steps_of(alone(brief, head), mend=False), _writer(brief)), plan], Then((done, goal))
    return None


def _goal(brief: Brief, text: str) -> Clause | None:
    """What a part of a sentence means by itself: a question, or a plain command."""
    if (question := asked(text, brief.scene.names)) is not None:
        return question
    try:
        steps = steps_of(alone(brief, text), mend=False)
    except NotUnderstood:
        return None
    return wanted(steps, _writer(brief))


def alone(brief: Brief, text: str) -> Brief:
    """As if only a part of the sentence had been said."""
    return replace(brief, instruction=text, request=None)


def parts_read(brief: Brief) -> Iterator[tuple[str, Clause]]:
    """Each part of a sentence that is a plain command by itself, and what it means."""
    for part in joined(brief.core):
        if (goal := _goal(brief, part)) is not None:
            yield part, goal


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
    told = signatures.examples(brief.skills, [thing.label for thing in brief.scene])

    def steps(words: Sequence[Token]) -> Steps:
        return Grammar(Reader(words, sentence, brief, told, own_words, able), own, tests).steps()

    try:
        return steps(words)
    except NotUnderstood as stumbled:
        slips = own_words if len(words) > 1 else ()
        mended = [_mended(word, vocab, slips) for word in words] if mend else words
        if mended == words:
            raise
        with suppress(NotUnderstood):
            return (*_told(words, mended), *steps(mended))
        raise stumbled


def _told(words: Sequence[Token], mended: Sequence[Token]) -> Steps:
    pairs = zip(words, mended, strict=True)
    return tuple(Call("log", (f'I read "{old.text}" as "{new.text}".',), "said") for old, new in pairs if old != new)


def _mended(word: Token, vocab: Vocabulary, own: Collection[str]) -> Token:
    meant = vocab.mended(word.text, own) if word.kind == "word" else None
    return replace(word, text=meant) if meant else word


__all__ = ["Command", "Reflex", "Urgent", "urgent"]
