"""What a model is asked about a search as a whole: what it is for, as JSON, by names of places that exist."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from sayso.parts import Brief, Prompt
from sayso.prompts.quote import quote, wished
from sayso.prompts.templates import fill

MISSION_TOKENS = 400
TEMPLATE = resources.files(__package__).joinpath("mission.txt").read_text("utf-8").strip()


def mission_prompt(brief: Brief, places: Sequence[str], kinds: Sequence[str], categories: Sequence[str]) -> Prompt:
    """What the operator asks for, as JSON (purpose `mission`).

    `brief.failure` says what was wrong before, `brief.notes` holds the running search in one line, where there is one.
    """
    system = fill(TEMPLATE, places=", ".join(places), kinds=", ".join(kinds), categories=", ".join(categories))
    mend = f"To mend:\n{quote(brief.failure)}\n" if brief.failure else ""
    running = f"Running search:\n{quote(brief.notes[0])}\n" if brief.notes else ""
    user = f"{mend}{running}{wished('Operator', brief)}\nJSON:"
    return Prompt(
        "mission",
        (("system", system), ("user", user)),
        brief=brief,
        question="\n".join(places),
        max_tokens=MISSION_TOKENS,
    )
