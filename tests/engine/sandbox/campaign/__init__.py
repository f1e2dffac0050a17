"""Attacks on the sandbox, run by a worker: `python -m tests.engine.sandbox.campaign`."""
