"""Perception: from a camera's frame, or a world, to a scene, by detectors, colours and tracks."""
