"""The pitch and the humanoid on it."""
