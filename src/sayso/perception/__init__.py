"""From a camera's frame, or a world, to a scene: detectors, colours, tracks."""
