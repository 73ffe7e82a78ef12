"""The commands of the command line, a family a file; the module that does one is imported when it is called."""
