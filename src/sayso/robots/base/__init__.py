"""A base on wheels: it drives straight and turns on the spot."""
