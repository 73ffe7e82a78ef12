"""Prompts as data files, rendered from a brief."""
