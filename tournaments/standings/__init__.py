"""Scores, tie-breaks and the crosstable. Pure: standings are computed from what happened, never stored."""

from tournaments.standings.table import Line, RoundResult, Standing, standings

__all__ = ["Line", "RoundResult", "Standing", "standings"]
