"""Spoken household commands: how they are drawn, done and judged."""
