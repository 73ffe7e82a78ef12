"""The aircraft's suite: missions, their judge, what is flown today beside it, and the reports."""
