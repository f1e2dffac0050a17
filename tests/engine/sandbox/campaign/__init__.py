"""Attacks on the sandbox, run by a worker of their own: `python -m tests.engine.sandbox.campaign`."""
