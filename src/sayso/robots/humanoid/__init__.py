"""The humanoid that plays football."""
