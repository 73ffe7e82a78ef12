"""Drones: flight, sight, and what is composed of both."""
