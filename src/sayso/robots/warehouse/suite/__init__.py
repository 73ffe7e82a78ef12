"""The warehouse suite: the paper's instructions, their judge, a double and a baseline."""
