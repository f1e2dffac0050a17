from django.contrib.auth.views import LogoutView
from django.urls import path

from tournaments.views import (
    accounts,
    bots,
    calculators,
    downloads,
    events,
    home,
    lab,
    leaderboards,
    lobby,
    moderation,
    organise,
    play,
    players,
    rounds,
    rules,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("live/", home.live, name="home-live"),
    # accounts
    path("sign-up/", accounts.sign_up, name="sign-up"),
    path("sign-in/", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    # the games and their rules
    path("games/", rules.index, name="games"),
    path("games/<slug:family>/", rules.rules, name="rules"),
    # events
    path("events/", events.index, name="events"),
    path("events/new/", organise.new, name="event-new"),
    path("events/<slug:slug>/", events.overview, name="event"),
    path("events/<slug:slug>/live/", events.live, name="event-live"),
    path("events/<slug:slug>/pairings/", rounds.pairings, name="event-pairings"),
    path("events/<slug:slug>/pairings/<int:number>/", rounds.pairings, name="event-round"),
    path(
        "events/<slug:slug>/pairings/<int:number>/problem/",
        rounds.problem,
        name="event-round-problem",
    ),
    path("events/<slug:slug>/pairings/<int:number>/again/", rounds.again, name="event-again"),
    path(
        "events/<slug:slug>/pairings/<int:number>/boards/<int:board>/",
        rounds.board,
        name="event-board",
    ),
    path(
        "events/<slug:slug>/pairings/<int:number>/byes/<int:tpn>/", rounds.bye, name="event-bye-why"
    ),
    path("events/<slug:slug>/standings/", events.standings, name="event-standings"),
    path("events/<slug:slug>/strengths/", events.strength, name="event-strengths"),
    path("events/<slug:slug>/draw/", events.draw, name="event-draw"),
    path("events/<slug:slug>/crosstable/", events.crosstable, name="event-crosstable"),
    path("events/<slug:slug>/report.trf", events.report, name="event-report"),
    path("events/<slug:slug>/enter/", events.enter, name="event-enter"),
    path("events/<slug:slug>/withdraw/", events.withdraw, name="event-withdraw"),
    path("events/<slug:slug>/bye/", events.request_bye, name="event-bye"),
    path("events/<slug:slug>/organise/", organise.act, name="event-act"),
    path("events/<slug:slug>/forbid/", organise.forbid, name="event-forbid"),
    path("events/<slug:slug>/allow/<int:pk>/", organise.allow, name="event-allow"),
    # games being played
    path("play/", lobby.lobby, name="lobby"),
    path("play/challenge/", lobby.challenge, name="challenge"),
    path("play/challenge/<int:pk>/accept/", lobby.accept, name="challenge-accept"),
    path("play/challenge/<int:pk>/decline/", lobby.decline, name="challenge-decline"),
    path("game/<int:pk>/", play.game, name="game"),
    path("game/<int:pk>/live/", play.live, name="game-live"),
    path("game/<int:pk>/move/", play.move, name="game-move"),
    path("game/<int:pk>/resign/", play.resign, name="game-resign"),
    path("game/<int:pk>/agree/", play.agree, name="game-agree"),
    path("game/<int:pk>/decline/", play.decline, name="game-decline"),
    path("game/<int:pk>/correct/", play.correct, name="game-correct"),
    path("game/<int:pk>/record/", play.record, name="game-record"),
    path("game/<int:pk>/fuel-record/", play.fuel_record, name="game-fuel-record"),
    # players
    path("players/<int:pk>/", players.player, name="player"),
    path("players/<int:pk>/against/<int:other>/", players.head_to_head, name="head-to-head"),
    # bots and their authors
    path("bots/", bots.index, name="bots"),
    path("bots/mine/", bots.mine, name="bots-mine"),
    path("bots/new/", bots.new, name="bot-new"),
    path("bots/lines/<int:pk>/", bots.line, name="bot-line"),
    path("bots/lines/<int:pk>/upload/", bots.upload, name="bot-upload"),
    path("bots/versions/<int:pk>/", bots.version, name="bot-version"),
    path("bots/versions/<int:pk>/program/", bots.download, name="bot-download"),
    path(
        "bots/versions/<int:pk>/transcripts/<int:game_pk>/", bots.transcript, name="bot-transcript"
    ),
    path("bots/versions/<int:pk>/enter/", bots.enter, name="bot-enter"),
    path("bots/versions/<int:pk>/leave/", bots.leave, name="bot-leave"),
    path("bots/versions/<int:pk>/activate/", bots.activate, name="bot-activate"),
    path("bots/versions/<int:pk>/retire/", bots.retire, name="bot-retire"),
    path("bots/versions/<int:pk>/recheck/", bots.recheck, name="bot-recheck"),
    path("bots/<int:pk>/annul/", moderation.annul, name="bot-annul"),
    # the laboratory
    path("lab/", lab.index, name="lab"),
    path("lab/new/", lab.new, name="trial-new"),
    path("lab/<int:pk>/", lab.trial, name="trial"),
    path("lab/<int:pk>/live/", lab.live, name="trial-live"),
    path("lab/<int:pk>/stop/", lab.stop, name="trial-stop"),
    path("download/", downloads.index, name="downloads"),
    path("download/games.jsonl", downloads.games, name="download-games"),
    path("download/transcripts/<int:pk>.jsonl", downloads.transcripts, name="download-transcripts"),
    # ratings
    path("leaderboard/", leaderboards.leaderboard, name="leaderboard"),
    path("leaderboard/<slug:pool>/", leaderboards.leaderboard, name="leaderboard-pool"),
    path("leaderboard/<slug:pool>/strengths/", leaderboards.strength, name="leaderboard-strengths"),
    path(
        "leaderboard/<slug:pool>/calibration/",
        leaderboards.calibration,
        name="leaderboard-calibration",
    ),
    path("ratings/calculator/", calculators.calculator, name="rating-calculator"),
]
