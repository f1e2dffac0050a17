"""Addresses of the lobby."""

from django.urls import path

from tournaments.views.lobby import invitations, lobby, seeks

urlpatterns = [
    path("play/", lobby.lobby, name="lobby"),
    path("play/challenge/", lobby.challenge, name="challenge"),
    path("play/challenge/<int:pk>/accept/", lobby.accept, name="challenge-accept"),
    path("play/challenge/<int:pk>/decline/", lobby.decline, name="challenge-decline"),
    path("play/watch/", lobby.watch, name="watch"),
    path("play/watch/live/", lobby.watch_live, name="watch-live"),
    path("play/quick/", seeks.waiting, name="quick"),
    path("play/quick/live/", seeks.waiting_live, name="quick-live"),
    path("play/quick/sit-down/", seeks.sit_down, name="quick-sit"),
    path("play/quick/leave/", seeks.stand_up, name="quick-leave"),
    path("play/invite/", invitations.invite, name="invite"),
    path("play/with/<slug:token>/", invitations.invitation, name="invitation"),
    path("play/with/<slug:token>/sit-down/", invitations.sit_down, name="invitation-sit"),
    path("play/with/<slug:token>/withdraw/", invitations.withdraw, name="invitation-withdraw"),
]
