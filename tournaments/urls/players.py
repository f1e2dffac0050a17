"""Addresses of players."""

from django.urls import path

from tournaments.views import limits
from tournaments.views.players import follows, insights, messages, pages, reports

urlpatterns = [
    path("players/", pages.players, name="players"),
    path("players/<int:pk>/", pages.player, name="player"),
    path("players/<int:pk>/statistics/", insights.insights, name="player-statistics"),
    path("players/<int:pk>/ledger.csv", insights.ledger_csv, name="player-ledger"),
    path("messages/", messages.conversations, name="conversations"),
    path("messages/<int:pk>/", messages.conversation, name="conversation"),
    path("messages/<int:pk>/live/", messages.live, name="conversation-live"),
    *limits.forms(
        limits.OFFERS,
        path("messages/<int:pk>/write/", messages.write, name="message-write"),
    ),
    *limits.forms(
        limits.CHANGES,
        path("messages/writers/", messages.choose, name="message-writers"),
        path("messages/<int:pk>/delete/", messages.delete, name="conversation-delete"),
    ),
    path("following/", follows.following, name="following"),
    *limits.forms(
        limits.CHANGES,
        path("players/<int:pk>/follow/", follows.follow, name="player-follow"),
    ),
    *limits.forms(
        limits.REPORTS,
        path("players/<int:pk>/report/", reports.report, name="player-report"),
    ),
    *limits.forms(
        limits.CHANGES,
        path("moderation/players/<int:pk>/", reports.resolve, name="player-report-resolve"),
        path(
            "moderation/players/<int:pk>/introduction/",
            reports.hide_introduction,
            name="introduction-hide",
        ),
    ),
    path("players/<int:pk>/against/<int:other>/", pages.head_to_head, name="head-to-head"),
]
