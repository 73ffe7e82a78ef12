"""The prompt of the planner `scored`: which step is sensible.

Every choice has a letter, so that one prompt weighs all of them by the log-probabilities of the letters. A model that
gives none is asked for the letters in order instead.
"""

import string
from collections.abc import Sequence

from sayso.prompts.quote import fill, quote, quote_each, text, wished
from sayso.roles import Brief, Prompt

LETTERS = string.ascii_uppercase + string.ascii_lowercase
"""One for each choice; more choices than that are no choice for a model."""

ATTEMPTS_SHOWN = 16

ONE = "Answer with one letter and nothing else."
RANKED = "Answer with the letters of all sensible choices, the best first, separated by blanks, and nothing else."


def score_prompt(brief: Brief, choices: Sequence[str], ranked: bool = False) -> Prompt:
    """The prompt for which of `choices`, in words, is the sensible next step (purpose `score`, or `rank`).

    `brief.history` holds the steps so far, each with what came of it in `ended`; `notes` the state in words.
    """
    listed = "\n".join(f"{letter}) {_line(choice)}" for letter, choice in zip(LETTERS, choices, strict=False))
    system = fill(text("score.txt"), form=RANKED if ranked else ONE)
    user = "\n".join([*_situation(brief), f"Choices:\n{listed}", "Answer:"])
    return Prompt(
        "rank" if ranked else "score",
        (("system", system), ("user", user)),
        brief=brief,
        question="\n".join(choices),
        grammar="" if ranked else f"root ::= [{LETTERS[: len(choices)]}]",
        max_tokens=3 * len(choices) if ranked else 1,
    )


def _situation(brief: Brief) -> list[str]:
    steps = tuple(f"{a.plan}: {a.ended}" if a.ended else a.plan for a in brief.history[-ATTEMPTS_SHOWN:])
    return [
        wished("Goal", brief),
        f"Done so far:\n{quote_each(steps) if steps else '| nothing'}",
        f"State:\n{quote_each(brief.notes) if brief.notes else '| unknown'}",
    ]


def _line(choice: str) -> str:
    return quote(choice, 200).removeprefix("| ").partition("\n")[0]
