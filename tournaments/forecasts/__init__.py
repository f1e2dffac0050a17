"""Forecasts: whole events simulated with the real pairing systems.

Pure: no Django, no clock, every seed an argument.

`course` and `planning` are the questions, `simulation` plays them, and `answers` are the results.
`results` and `strengths` are the model. docs/organise/forecasts.md has it in words.
"""

from tournaments.forecasts.answers import Chance, EventForecast, Mean, PlanForecast, Range, Share
from tournaments.forecasts.course import (
    Absence,
    BadCourseError,
    Course,
    OpenRound,
    Prior,
    Prohibition,
    TeamMatches,
)
from tournaments.forecasts.effort import EVENTS, events_for, most_players
from tournaments.forecasts.planning import Plan, Timing, course_of
from tournaments.forecasts.results import ResultModel

__all__ = [
    "EVENTS",
    "Absence",
    "BadCourseError",
    "Chance",
    "Course",
    "EventForecast",
    "Mean",
    "OpenRound",
    "Plan",
    "PlanForecast",
    "Prior",
    "Prohibition",
    "Range",
    "ResultModel",
    "Share",
    "TeamMatches",
    "Timing",
    "course_of",
    "events_for",
    "most_players",
]
