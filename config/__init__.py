"""Wiring of the project: settings, addresses, servers. No package imports it."""
