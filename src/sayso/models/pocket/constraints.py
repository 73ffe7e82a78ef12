"""Constraints of decoding that several forms share. One takes text as long as it can still become an answer."""

from __future__ import annotations

from sayso.errors import PlanError
from sayso.language import PlanStream
from sayso.language.guide import plan_prefix
from sayso.skill import SkillSet

LETTERS = "".join(map(chr, range(32, 127)))
ANSWER_CHARS = 200


class Spelled:
    """One whose text is all that it remembers: what may follow is decided by `viable` alone."""

    def __init__(self) -> None:
        self.text = ""

    def viable(self, more: str) -> bool:
        raise NotImplementedError

    def take(self, more: str) -> bool:
        if not self.viable(more):
            return False
        self.text += more
        return True

    def letters(self) -> frozenset[str]:
        return frozenset(c for c in LETTERS if self.viable(c))


class PlanConstraint:
    """Plans that a robot with `skills` admits. Whole is what is complete statements."""

    def __init__(self, skills: SkillSet) -> None:
        self.text = ""
        self._skills = skills
        self._prefix = plan_prefix(skills)
        self._stream = PlanStream(skills)

    def take(self, more: str) -> bool:
        prefix = self._prefix.after(more)
        if prefix is None or not self._feed(more):
            return False
        self._prefix, self.text = prefix, self.text + more
        return True

    def _feed(self, more: str) -> bool:
        """Hold it against the checker, which knows bounds that are no matter of grammar."""
        try:
            self._stream.feed(more)
        except PlanError:
            self._stream = PlanStream(self._skills)
            self._stream.feed(self.text)
            return False
        return True

    def viable(self, more: str) -> bool:
        return self._prefix.after(more) is not None

    def letters(self) -> frozenset[str]:
        return self._prefix.letters(LETTERS)

    @property
    def may_end(self) -> bool:
        return bool(self.text) and self._prefix.may_end

    @property
    def whole(self) -> int:
        return self._stream.whole


class LineConstraint(Spelled):
    """One line of any text, not too long: a spoken answer."""

    def __init__(self, most: int = ANSWER_CHARS) -> None:
        super().__init__()
        self._most = most

    def viable(self, more: str) -> bool:
        return "\n" not in more and len(self.text) + len(more) <= self._most

    @property
    def may_end(self) -> bool:
        return bool(self.text)

    @property
    def whole(self) -> int:
        return len(self.text)
