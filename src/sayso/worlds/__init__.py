"""Simulated places that hand out ordinary robots."""
