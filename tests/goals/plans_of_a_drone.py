"""The skills of the simulated drone, to read plans with."""

from __future__ import annotations

from sayso.agent import Agent
from sayso.worlds import make

SKILLS = Agent(world=make("office", seed=1)).skills
