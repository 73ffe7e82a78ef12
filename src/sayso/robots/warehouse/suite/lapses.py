"""How a model that chooses steps goes wrong: it talks nonsense, or says that all is done."""

from __future__ import annotations

import random

from sayso.parts import Prompt

NONSENSE = (
    "As a language model I cannot touch things.", "", "fly_to(moon)", '{"next_action": "dance(tango)"}',
    '{"step_by_step_reasoning": "the apple is', "pick_up()", "place(apple, gently, now)", "banana banana banana",
)  # fmt: skip
EARLY = '{"step_by_step_reasoning": "all is done", "next_action": "done"}'


def lapse(answer: str, prompt: Prompt, chance: random.Random) -> str:
    """By words that name no step, by a step that does not exist, or half of the time by `done`.

    To say that all is done is no answer to the task itself.
    """
    first = not any(role == "assistant" for role, _ in prompt.messages)
    return chance.choice(NONSENSE) if first or chance.random() < 0.5 else EARLY
