"""Addresses of games being played and their records."""

from django.urls import path

from tournaments.views import limits
from tournaments.views.games import arbiter, archive, chat, clock, embed, page, record, sidebar

urlpatterns = [
    path("archive/", archive.archive, name="archive"),
    path("game/<int:pk>/", page.game, name="game"),
    path("game/<int:pk>/live/", page.live, name="game-live"),
    path("game/<int:pk>/ask/", page.ask, name="game-ask"),
    path("game/<int:pk>/choices/", page.choices, name="game-choices"),
    *limits.unlimited_forms(
        "a move is taken once for each ply, and only from the side to move",
        path("game/<int:pk>/move/", page.move, name="game-move"),
    ),
    *limits.unlimited_forms(
        "ends the game, once",
        path("game/<int:pk>/resign/", page.resign, name="game-resign"),
        path("game/<int:pk>/abort/", page.abort, name="game-abort"),
    ),
    *limits.forms(
        limits.OFFERS,
        path("game/<int:pk>/agree/", page.agree, name="game-agree"),
        path("game/<int:pk>/claim/", page.claim, name="game-claim"),
        path("game/<int:pk>/time/", page.give_time, name="game-time"),
        path("game/<int:pk>/take-back/", page.takeback, name="game-takeback"),
        path("game/<int:pk>/decline/", page.decline, name="game-decline"),
        path("game/<int:pk>/note/", sidebar.note, name="game-note"),
        path("game/<int:pk>/conditionals/drop/", sidebar.drop, name="game-conditionals-drop"),
        path("game/<int:pk>/say/", chat.say, name="game-say"),
    ),
    *limits.forms(limits.GAMES, path("game/<int:pk>/rematch/", page.rematch, name="game-rematch")),
    *limits.forms(
        limits.CORRECTIONS,
        path("game/<int:pk>/correct/", arbiter.correct, name="game-correct"),
    ),
    *limits.forms(
        limits.DESK,
        path("game/<int:pk>/arbiter/", arbiter.act, name="game-arbiter"),
        path("game/<int:pk>/record/add/", arbiter.add_record, name="game-record-add"),
    ),
    path("game/<int:pk>/chat/", chat.live, name="game-chat"),
    *limits.forms(limits.REPORTS, path("chat/<int:pk>/report/", chat.report, name="chat-report")),
    *limits.forms(
        limits.CHANGES,
        path("players/<int:pk>/mute/", chat.mute, name="player-mute"),
        path("moderation/chat/<int:pk>/", chat.resolve_report, name="chat-resolve"),
    ),
    path("moderation/chat/", chat.moderation, name="moderation-chat"),
    path("game/<int:pk>/clock/", clock.clock, name="game-clock"),
    path("game/<int:pk>/record/", record.record, name="game-record"),
    path("game/<int:pk>/record.json", record.record_json, name="game-record-json"),
    path("game/<int:pk>/board.svg", record.board_svg, name="game-board-svg"),
    path("game/<int:pk>/replay.svg", record.replay_svg, name="game-replay-svg"),
    path("embed/game/<int:pk>/", embed.game, name="embed-game"),
    path("embed/game/<int:pk>/live/", embed.live, name="embed-live"),
    path("game/<int:pk>/fuel-record/", page.fuel_record, name="game-fuel-record"),
]
