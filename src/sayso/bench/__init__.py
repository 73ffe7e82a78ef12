"""Suites, judges, runner and report."""
