"""The service suite: spoken household commands, drawn at random, done and judged."""
