"""Wiring of the project: settings, addresses, servers. Nobody imports this package."""
