"""Furnished rooms: what worlds share in which a robot drives on wheels, reaches with an arm, and meets people."""
