"""Addresses of players."""

from django.urls import path

from tournaments.views.players import pages

urlpatterns = [
    path("players/", pages.players, name="players"),
    path("players/<int:pk>/", pages.player, name="player"),
    path("players/<int:pk>/against/<int:other>/", pages.head_to_head, name="head-to-head"),
]
