"""Frame or world in, scene out."""
