"""Explanations of a round: evidence, bounds, floats, and alternatives.

No module here pairs a round.
"""
