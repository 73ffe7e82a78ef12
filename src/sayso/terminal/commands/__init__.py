"""The commands, a family a file: what each takes, and which module does it, imported when the command is."""
