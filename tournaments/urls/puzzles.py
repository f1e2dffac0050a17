"""Addresses of puzzles."""

from django.urls import path

from tournaments.views import limits, puzzles

urlpatterns = [
    path("puzzles/", puzzles.index, name="puzzles"),
    path("puzzles/<int:pk>/", puzzles.page, name="puzzle"),
    *limits.forms(
        limits.PUZZLES, path("puzzles/<int:pk>/try/", puzzles.attempt, name="puzzle-try")
    ),
    path("puzzles/<slug:family>/next/", puzzles.following, name="puzzle-next"),
]
