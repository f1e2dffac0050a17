"""Addresses of the lobby."""

from django.urls import path

from tournaments.views import limits
from tournaments.views.lobby import invitations, lobby, seeks

urlpatterns = [
    path("play/", lobby.lobby, name="lobby"),
    path("play/levels/", lobby.levels, name="levels"),
    path("play/open/", lobby.open_games, name="open-games"),
    *limits.forms(
        limits.GAMES,
        path("play/challenge/", lobby.challenge, name="challenge"),
        path("play/challenge/<int:pk>/accept/", lobby.accept, name="challenge-accept"),
        path("play/challenge/<int:pk>/decline/", lobby.decline, name="challenge-decline"),
        path("play/seeks/create/", seeks.create, name="seek-create"),
        path("play/seeks/cancel/", seeks.cancel, name="seek-cancel"),
        path("play/invite/", invitations.invite, name="invite"),
        path("play/with/<slug:token>/join/", invitations.join, name="invitation-join"),
        path("play/with/<slug:token>/withdraw/", invitations.withdraw, name="invitation-withdraw"),
    ),
    path("play/challenge/<int:pk>/", lobby.message, name="challenge-message"),
    path("play/watch/", lobby.watch, name="watch"),
    path("play/watch/live/", lobby.watch_live, name="watch-live"),
    path("play/seeks/", seeks.waiting, name="seek"),
    path("play/seeks/live/", seeks.waiting_live, name="seek-live"),
    path("play/with/<slug:token>/", invitations.invitation, name="invitation"),
]
