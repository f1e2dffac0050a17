"""Addresses of events."""

from django.urls import path

from tournaments.views.events import organise, pages, rounds

urlpatterns = [
    path("events/", pages.index, name="events"),
    path("events/new/", organise.new, name="event-new"),
    path("events/<slug:slug>/", pages.overview, name="event"),
    path("events/<slug:slug>/live/", pages.live, name="event-live"),
    path("events/<slug:slug>/pairings/", rounds.pairings, name="event-pairings"),
    path("events/<slug:slug>/pairings/<int:number>/", rounds.pairings, name="event-round"),
    path(
        "events/<slug:slug>/pairings/<int:number>/problem/",
        rounds.problem,
        name="round-problem",
    ),
    path("events/<slug:slug>/pairings/<int:number>/again/", rounds.again, name="round-verify"),
    path(
        "events/<slug:slug>/pairings/<int:number>/boards/<int:board>/",
        rounds.board,
        name="event-board",
    ),
    path(
        "events/<slug:slug>/pairings/<int:number>/byes/<int:tpn>/", rounds.bye, name="event-bye-why"
    ),
    path("events/<slug:slug>/standings/", pages.standings, name="event-standings"),
    path("events/<slug:slug>/strengths/", pages.strength, name="event-strengths"),
    path("events/<slug:slug>/draw/", pages.draw, name="event-draw"),
    path("events/<slug:slug>/crosstable/", pages.crosstable, name="event-crosstable"),
    path("events/<slug:slug>/enter/", pages.enter, name="event-enter"),
    path("events/<slug:slug>/withdraw/", pages.withdraw, name="event-withdraw"),
    path("events/<slug:slug>/bye/", pages.request_bye, name="event-bye"),
    path("events/<slug:slug>/organise/", organise.act, name="event-act"),
    path("events/<slug:slug>/forbid/", organise.forbid, name="event-forbid"),
    path("events/<slug:slug>/allow/<int:pk>/", organise.allow, name="event-allow"),
]
