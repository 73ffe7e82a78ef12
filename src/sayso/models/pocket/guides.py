"""What may be written: a model inside a guide cannot leave the language of its task, whatever its weights say.

A guide takes text as long as it can still become an answer, and refuses what cannot. `whole` tells how much of it may
be handed out already, because nothing that follows can make it wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from sayso.errors import PlanError
from sayso.language import PlanStream
from sayso.language.guide import plan_prefix
from sayso.models.pocket.form import task_name, task_words
from sayso.models.pocket.search_form import clean
from sayso.robots.aircraft.search.terrain import KINDS
from sayso.skill import SkillSet

LETTERS = "".join(map(chr, range(32, 127)))
ANSWER_CHARS = 200


class Guide(Protocol):
    """An answer in the making."""

    text: str

    def take(self, more: str) -> bool:
        """Go on with `more` if some answer goes on so; else nothing changes."""

    def viable(self, more: str) -> bool:
        """Whether some answer could go on with `more`."""

    def letters(self) -> frozenset[str]:
        """What the next letter can be."""

    @property
    def may_end(self) -> bool:
        """Whether the text is an answer as it is."""

    @property
    def whole(self) -> int:
        """How much of the text stands for itself, whatever comes."""


class Spelled:
    """A guide whose text is all that it remembers: what may follow is decided by `viable` alone."""

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


class PlanGuide:
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


class TasksGuide(Spelled):
    """`kick ball 2;walk to ball 1`: tasks that exist, each once, with a priority from 1 to 9. Or done, or cannot."""

    def __init__(self, tasks: Sequence[str]) -> None:
        super().__init__()
        self._names = [words for words in map(task_words, tasks) if task_name(words) in tasks]

    def viable(self, more: str) -> bool:
        text = self.text + more
        *entries, last = text.split(";")
        if not entries and any(word.startswith(text) for word in ("done", "cannot")):
            return True
        free = list(self._names)
        for entry in entries:
            if not _ENTRY.fullmatch(entry) or entry[:-2] not in free:
                return False
            free.remove(entry[:-2])
        return any(f"{name} ".startswith(last) or (_ENTRY.fullmatch(last) and last[:-2] == name) for name in free)

    @property
    def may_end(self) -> bool:
        return self.text in ("done", "cannot") or _ENTRY.fullmatch(self.text.rpartition(";")[2]) is not None

    @property
    def whole(self) -> int:
        return self.text.rfind(";") if not self.may_end else len(self.text)


_ENTRY = re.compile(r"[a-z0-9 ]+ [1-9]")


class FreeGuide(Spelled):
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


class MissionGuide(FreeGuide):
    """A search in one line in which every place is one of the map: a name half copied is no name.

    A word that names have in common stands for all of them; toward may also be a kind of ground.
    """

    def __init__(self, places: Sequence[str], most: int) -> None:
        super().__init__(most)
        names = frozenset(map(clean, places))
        words = frozenset(word.removesuffix("s") for name in names for word in name.split() if len(word) > 2)
        self._areas, self._places, self._goals = names | words, names, names | frozenset(KINDS)

    def viable(self, more: str) -> bool:
        return super().viable(more) and self._fits(self.text + more, whole=False)

    @property
    def may_end(self) -> bool:
        return bool(self.text) and self._fits(self.text, whole=True)

    def _fits(self, text: str, whole: bool) -> bool:
        """Whether all names in it are names, the last one as far as it has come."""
        parts = text.split("|")
        return all(self._part(part, whole or n < len(parts) - 1) for n, part in enumerate(parts))

    def _part(self, part: str, whole: bool) -> bool:
        word, _, rest = part.partition(" ")
        items = rest.split(";")
        ends = [*(True for _ in items[1:]), whole]
        if word in ("in", "not"):
            return all(_named(item, self._areas, end) for item, end in zip(items, ends, strict=True))
        if word != "find":
            return True
        return all(self._fact(item, end) for item, end in zip(items[1:], ends[1:], strict=True))

    def _fact(self, item: str, whole: bool) -> bool:
        fact, _, value = item.partition(" ")
        if fact == "seen":
            return _named(value, self._places, whole)
        return _named(value, self._goals, whole) if fact == "toward" else True


def _named(value: str, names: frozenset[str], whole: bool) -> bool:
    return value in names if whole else any(name.startswith(value) for name in names)
