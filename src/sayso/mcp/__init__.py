"""Robots in the hands of other programs, over MCP: what those may ask, and what stays a person's."""
