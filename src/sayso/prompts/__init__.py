"""Prompts, rendered from a brief by templates that are data files.

The words lie beside this file: `plan.txt` (role, syntax, frame), `probe.txt`, `picture.txt`, `rolling.txt` for whoever
chooses tasks again and again, `stepwise.txt` for whoever chooses one step after another, and `general.toml` (advice and
examples for any robot). What concerns one kind of robot comes with its skills, from its kit. All that stays the same
for one robot comes first, in the system message, byte for byte, so that an endpoint can keep it in its cache; scene,
history, failure and task follow in the user's message, the task last. Text from the world, from models and from people
is quoted line by line, so none of it can pass for a heading or an instruction.
"""

from sayso.prompts.render import picture_prompt, plan_prompt, probe_prompt
from sayso.prompts.rolling import rolling_prompt
from sayso.prompts.stepwise import stepwise_prompt

__all__ = ["picture_prompt", "plan_prompt", "probe_prompt", "rolling_prompt", "stepwise_prompt"]
