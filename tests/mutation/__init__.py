"""Mutation testing: small faults are put into a module one at a time, and its tests have to notice each.

`python -m tests.mutation PATH... [--sample N] [--seed S] [--jobs J]`
"""
