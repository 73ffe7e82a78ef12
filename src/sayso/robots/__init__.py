"""Adapters for real robots, each one file, and the contract that every adapter has to meet."""

from sayso.robots.check import check, exercise

__all__ = ["check", "exercise"]
