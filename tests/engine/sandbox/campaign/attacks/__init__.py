"""Attempts of a hostile program.

A package of the bot's own tree: its modules import each other alone.
"""
