"""Addresses of the games and their rules."""

from django.urls import path

from tournaments.views.rules import pages

urlpatterns = [
    path("games/", pages.index, name="games"),
    path("games/<slug:family>/", pages.rules, name="rules"),
    path("games/<slug:family>/figures/<slug:name>/", pages.figure, name="figure"),
]
