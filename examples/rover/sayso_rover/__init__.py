"""A rover with a gripper, in a yard with three blocks: an example of a robot that sayso does not know."""
