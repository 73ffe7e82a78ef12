"""Servers: who may reach one of this program, and the fleet of robots of several programs."""
