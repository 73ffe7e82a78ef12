"""Understanding: from a sentence to what is wanted, by one door, `requested`, for every face and every planner.

What is only polite in it (`courtesy`), what kind of sentence it is (`acts`), what was taken back (`corrections`), which
amount cannot be told (`amounts`), how it is to be done (`manners`): code reads these before any model does, so that
they hold whoever plans. A question about the robot is answered from what it knows of itself (`self_questions`,
`facts`). What a planner then understood is held against the sentence (`gaps`), said back and judged (`meaning`). The
rules are U1 to U10 of docs/understanding.md.
"""

from sayso.understanding.acts import act_of, only_named, set_apart, untagged
from sayso.understanding.amounts import unclear
from sayso.understanding.corrections import corrected, in_doubt
from sayso.understanding.courtesy import bluntly
from sayso.understanding.manners import manners
from sayso.understanding.order import as_done
from sayso.wish import Act, Request

HOW_ONLY = "I understand how, but not what I should do: please say both in one sentence."


def requested(sentence: str, *, bounds: bool = True) -> Request:
    """What code reads of a wish in one sentence; without `bounds` its manners stay in it, for who reads them itself."""
    core = as_done(bluntly(untagged(sentence)))
    act = act_of(core)
    if act in (Act.SELF, Act.TALK):
        return Request(sentence, act, core)
    first, core, behind = set_apart(core)
    core = corrected(core)
    core, how = manners(core) if bounds else (core, ())
    if how and not core:
        return Request(sentence, act, core, how, HOW_ONLY, first, behind)
    asks = in_doubt(core) or unclear(core, how) or only_named(core) if act is Act.COMMAND else ""
    return Request(sentence, act, core, how, asks, first, behind)


__all__ = ["requested"]
