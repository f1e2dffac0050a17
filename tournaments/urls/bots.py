"""Addresses of bots, their authors and SPRT tests."""

from django.urls import path

from tournaments.views import limits, open_data
from tournaments.views.bots import (
    annulment,
    consents,
    downloads,
    editor,
    games,
    gauntlets,
    ladders,
    pages,
    regressions,
    remote,
    sprt,
    suites,
    workers,
)

urlpatterns = [
    path("bots/", pages.index, name="bots"),
    path("bots/guide/", pages.guide, name="bot-guide"),
    path("bots/editor/", editor.new, name="bot-editor"),
    path("bots/editor/python/<str:key>/<str:name>", editor.python, name="bot-editor-python"),
    path("bots/ladders/", ladders.ladders, name="bot-ladders"),
    path("bots/mine/", pages.mine, name="bots-mine"),
    path("bots/workers/", workers.index, name="workers"),
    *limits.forms(
        limits.BOTS,
        path("bots/new/", pages.new, name="bot-new"),
        path("bots/workers/mine/", workers.mine, name="workers-mine"),
        path("bots/workers/<int:pk>/stop/", workers.stop, name="worker-stop"),
        path("bots/remote/new/", remote.new, name="bot-remote-new"),
        path("bots/remote/<int:pk>/games/", remote.games, name="bot-remote-games"),
        path("bots/lines/<int:pk>/consent/", consents.consent, name="bot-consent"),
        path("bots/lines/<int:pk>/regression/", regressions.regression, name="bot-regression"),
        path("bots/requests/<int:pk>/", consents.answer, name="bot-request-answer"),
        path("bots/versions/<int:pk>/enter/", pages.enter, name="bot-enter"),
        path("bots/versions/<int:pk>/ladders/", ladders.enter, name="bot-ladder-enter"),
        path("bots/versions/<int:pk>/leave/", pages.leave, name="bot-leave"),
        path("bots/versions/<int:pk>/activate/", pages.activate, name="bot-activate"),
        path("bots/versions/<int:pk>/retire/", pages.retire, name="bot-retire"),
        path("bots/versions/<int:pk>/recheck/", pages.recheck, name="bot-recheck"),
        path("sprt/<int:pk>/stop/", sprt.stop, name="sprt-test-stop"),
        path("suites/<int:pk>/delete/", suites.delete, name="suite-delete"),
        path("gauntlets/<int:pk>/stop/", gauntlets.stop, name="gauntlet-stop"),
    ),
    path("bots/remote/<int:pk>/", remote.remote, name="bot-remote"),
    *limits.forms(
        limits.UPLOADS,
        path("bots/remote/<int:pk>/module/", remote.module, name="bot-remote-module"),
        path("bots/lines/<int:pk>/upload/", pages.upload, name="bot-upload"),
    ),
    path("bots/lines/<int:pk>/", pages.line, name="bot-line"),
    path("bots/versions/<int:pk>/", pages.version, name="bot-version"),
    path("bots/versions/<int:pk>/editor/", editor.version, name="bot-version-editor"),
    path("bots/lines/<int:pk>/compare/", games.compare, name="bot-compare"),
    path("bots/versions/<int:pk>/games/", games.search, name="bot-games"),
    path("bots/versions/<int:pk>/program/", pages.download, name="bot-download"),
    path(
        "bots/versions/<int:pk>/transcripts/<int:game_pk>/", pages.transcript, name="bot-transcript"
    ),
    *limits.forms(
        limits.CORRECTIONS,
        path("bots/<int:pk>/annul/", annulment.annul, name="bot-annul"),
    ),
    path("sprt/", sprt.index, name="sprt"),
    *limits.forms(
        limits.SPRT_TESTS,
        path("sprt/new/", sprt.new, name="sprt-test-new"),
        path("gauntlets/new/", gauntlets.new, name="gauntlet-new"),
        path("gauntlets/tunings/new/", gauntlets.tuning_new, name="tuning-new"),
    ),
    path("sprt/<int:pk>/", sprt.sprt_test, name="sprt-test"),
    path("sprt/<int:pk>/live/", sprt.live, name="sprt-test-live"),
    path("suites/", suites.index, name="suites"),
    *limits.forms(limits.SUITES, path("suites/new/", suites.new, name="suite-new")),
    path("suites/<int:pk>/", suites.suite, name="suite"),
    path("suites/<int:pk>/file/", suites.file, name="suite-file"),
    path("gauntlets/", gauntlets.index, name="gauntlets"),
    path("gauntlets/<int:pk>/", gauntlets.gauntlet, name="gauntlet"),
    path("gauntlets/<int:pk>/live/", gauntlets.live, name="gauntlet-live"),
    path("data/", open_data.index, name="open-data"),
    path("data/SHA256SUMS", open_data.digests, name="open-data-digests"),
    *limits.pages(
        limits.COMPUTATIONS, path("data/<str:name>", open_data.file, name="open-data-file")
    ),
    path("download/", downloads.index, name="downloads"),
    path(
        "download/rayuela_bot.py",
        downloads.program,
        {"name": "rayuela_bot.py"},
        name="download-client",
    ),
    path(
        "download/rayuela_push.py",
        downloads.program,
        {"name": "rayuela_push.py"},
        name="download-push",
    ),
    *limits.pages(
        limits.COMPUTATIONS,
        path("download/games.jsonl", downloads.games, name="download-games"),
        path(
            "download/transcripts/<int:pk>.jsonl",
            downloads.transcripts,
            name="download-transcripts",
        ),
    ),
]
