"""Addresses of the games and their rules."""

from django.urls import path

from tournaments.views import limits
from tournaments.views.rules import course, pages

urlpatterns = [
    path("games/", pages.index, name="games"),
    path("games/<slug:family>/", pages.rules, name="rules"),
    path("games/<slug:family>/figures/<slug:name>/", pages.figure, name="figure"),
    path(
        "games/<slug:family>/figures/<slug:name>.svg",
        pages.animated_figure,
        name="animated-figure",
    ),
    path("learn/", course.index, name="learn"),
    path("learn/<slug:family>/", course.course, name="course"),
    path("learn/<slug:family>/<slug:name>/", course.exercise, name="exercise"),
    *limits.forms(
        limits.CHANGES,
        path("learn/<slug:family>/<slug:name>/done/", course.complete, name="exercise-done"),
    ),
]
