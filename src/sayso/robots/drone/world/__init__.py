"""The office and the quadrotor in it, flown by physics."""
