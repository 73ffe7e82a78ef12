"""What is wanted, as data: written, read, said back, and held against what was observed. Pure."""
