"""Addresses of players."""

from django.urls import path

from tournaments.views import limits
from tournaments.views.players import pages, reports

urlpatterns = [
    path("players/", pages.players, name="players"),
    path("players/<int:pk>/", pages.player, name="player"),
    *limits.forms(
        limits.REPORTS,
        path("players/<int:pk>/report/", reports.report, name="player-report"),
    ),
    *limits.forms(
        limits.CHANGES,
        path("moderation/players/<int:pk>/", reports.resolve, name="player-report-resolve"),
    ),
    path("players/<int:pk>/against/<int:other>/", pages.head_to_head, name="head-to-head"),
]
