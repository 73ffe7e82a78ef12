"""Robots with an arm between racks."""
