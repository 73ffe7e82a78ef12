"""Search aircraft."""
