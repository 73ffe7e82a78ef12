"""Adapters for real robots, each one file."""
