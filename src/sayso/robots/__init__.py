"""Kinds of robots, a folder each; adapters for real ones, a file each; and `check`, what every adapter has to meet."""
