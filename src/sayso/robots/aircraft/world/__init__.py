"""Open country and an aircraft over it."""
