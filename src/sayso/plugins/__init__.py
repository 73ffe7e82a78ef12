"""Plugins: kinds of robots, machines and files of other people, registered by entry point or named by path."""
