"""Who reads with regular expressions, and what: never a sentence of ours. Parts exchange data; prose is for people.

A file that joins stands in the list with its reason. What still reads our own sentences stands apart, and only shrinks.
"""

from __future__ import annotations

import re
from pathlib import Path

import sayso

SOURCE = Path(sayso.__file__).parent

REASONS = {
    "tokens of a written language": "goals/text language/lexer models/corrupted "
    "models/tokens models/pocket/reading models/pocket/words "
    "models/pocket/text models/pocket/tokenizer planners/reflex/spoken planners/plan_answer prompts/quote skills/talk",
    "what a foreign model answers": "language/values planners/rolling_answer planners/scored planners/stepwise "
    "planners/stepwise_answer plugins/steps tables/thoughts",
    "what a package asks for": "terminal/doctor",
    "what a person says, or is called": "grounding/addressed grounding/answers grounding/clock "
    "grounding/inflection grounding/lexicon "
    "grounding/matching grounding/names grounding/pattern grounding/people grounding/tokens grounding/utterance "
    "memory/agent_memory planners/reflex/urgent understanding/abilities understanding/corrections understanding/facts "
    "understanding/self_questions "
    "worlds/indoor/voice",
    "numbers of a record, compared roughly": "memory/comparison",
}

OURS = {"models/pocket/any_robot": "the first clause of what a step is told as, in the form that the weights learnt"}
"""Still reads a sentence of ours, and why."""


def test_every_file_that_uses_them_has_its_reason() -> None:
    listed = {name for names in REASONS.values() for name in names.split()} | set(OURS)
    used = {
        file.relative_to(SOURCE).with_suffix("").as_posix()
        for file in SOURCE.rglob("*.py")
        if "robots" not in file.relative_to(SOURCE).parts
        and re.search(r"^(import re|from re import .*)$", file.read_text("utf-8"), re.MULTILINE)
    }
    assert used == listed
