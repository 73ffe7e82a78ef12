"""What somebody else brings: kinds of robots, machines and files, registered by entry point or named by path."""
