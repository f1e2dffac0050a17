"""Addresses of puzzles."""

from django.urls import path

from tournaments.views import limits, puzzles

urlpatterns = [
    path("puzzles/", puzzles.index, name="puzzles"),
    path("puzzles/<int:pk>/", puzzles.page, name="puzzle"),
    *limits.forms(
        limits.PUZZLES, path("puzzles/<int:pk>/try/", puzzles.attempt, name="puzzle-try")
    ),
    *limits.forms(
        limits.REPORTS, path("puzzles/<int:pk>/report/", puzzles.report, name="puzzle-report")
    ),
    *limits.forms(
        limits.CHANGES, path("puzzles/<int:pk>/decide/", puzzles.decide, name="puzzle-decide")
    ),
    path("puzzles/<slug:family>/next/", puzzles.following, name="puzzle-next"),
]
