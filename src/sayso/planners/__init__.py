"""From a brief to plans, steps or tasks: a planner a file, each a session that is given observations."""
