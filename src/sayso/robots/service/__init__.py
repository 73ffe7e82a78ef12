"""Service robots in a household."""
