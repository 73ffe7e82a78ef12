"""What decides which task runs now: the Director, its limits and its stop."""
