"""Formats of dates and times in each language, if Django's formats differ."""
