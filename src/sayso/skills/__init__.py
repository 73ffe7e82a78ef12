"""Skills shared by all robots of one kind."""
