"""Addresses for other sites: pictures of shared pages, frames by oEmbed, the map of the site."""

from django.urls import path

from tournaments.views import oembed, pictures, sitemaps

urlpatterns = [
    path("preview/game/<int:pk>.png", pictures.preview, {"kind": "game"}, name="game-preview"),
    path(
        "preview/event/<slug:slug>.png", pictures.preview, {"kind": "event"}, name="event-preview"
    ),
    path(
        "preview/player/<int:pk>.png", pictures.preview, {"kind": "player"}, name="player-preview"
    ),
    path(
        "preview/puzzle/<int:pk>.png", pictures.preview, {"kind": "puzzle"}, name="puzzle-preview"
    ),
    path(
        "preview/analysis/<slug:key>.png", pictures.preview, {"kind": "study"}, name="study-preview"
    ),
    path("game/<int:pk>/replay.gif", pictures.replay_gif, name="game-replay-gif"),
    path("oembed", oembed.oembed, name="oembed"),
    path("sitemap.xml", sitemaps.index, name="sitemap"),
    path("sitemap-<slug:section>.xml", sitemaps.section, name="sitemap-section"),
]
