"""Goals as data: written, read, said back, and judged by what was observed. Pure."""
