"""The loop, in the order of the picture."""
