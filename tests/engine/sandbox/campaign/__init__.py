"""Attacks on the box, run by a worker of their own: `python -m tests.engine.sandbox.campaign`."""
