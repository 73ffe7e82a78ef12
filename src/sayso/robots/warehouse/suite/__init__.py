"""The instructions of the warehouse paper, their judge, and who is compared with a model: a double and a baseline."""
