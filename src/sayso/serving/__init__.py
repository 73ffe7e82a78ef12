"""Who may reach a server of this program, and the robots of several programs."""
