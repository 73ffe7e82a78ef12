"""What holds for every test: no property is held against the wall clock, however busy the machine is."""

from hypothesis import HealthCheck, settings

settings.register_profile("ours", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ours")
