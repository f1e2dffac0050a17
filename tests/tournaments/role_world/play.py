"""Objects of play: games in every state, bots and their tests, challenges, and the rows of an account."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.core.files.base import ContentFile

from tests.tournaments import (
    absences,
    authors,
    oauth_client,
    pages,
    puzzle_rows,
    remote_players,
    uploads,
    volunteers,
    webhook_server,
)
from tests.tournaments.role_world.builder import SMALL, Builder
from tournaments.models import Bot, Event, Game
from tournaments.queries.open_data import EVENTS
from tournaments.queries.records import analyses
from tournaments.services import gauntlets, open_data, sessions, sprt_tests
from tournaments.services.accounts import introductions, players, throttles, tokens
from tournaments.services.bots import suites
from tournaments.services.events import bot_requests, entries
from tournaments.services.games import chat, game_creation, offers, player_reports, private_messages
from tournaments.services.lobby import challenges, invitations
from tournaments.services.notifications import inbox
from tournaments.services.puzzles import tries
from tournaments.services.records import studies

_CONSENT = {
    "takes_rated": "on",
    "opponents": "everybody",
    "least": "1",
    "most": "60",
    "least_increment": "0",
    "most_increment": "1.5",
    "max_games": 1,
}
_PLAY = {"ruleset": SMALL, "clock": "600+10", "seats": "mine"}


def games(site: Builder) -> None:
    """Create games in every state, one of metered bots, and their chat."""
    player, rival = site.player.player, site.rival.player
    game = pages.new_game(player, rival)
    while game.ply < 2 or game.player_on(game.side_to_move) != player:
        pages.move(game)
    fresh, over, offered = (pages.new_game(player, rival) for _ in range(3))
    pages.play_out(over)
    gone_on = pages.new_game(rival, player)
    while gone_on.ply < 2 or gone_on.player_on(gone_on.side_to_move) != rival:
        pages.move(gone_on)
    while offered.ply < 2:
        pages.move(offered)
    offers.offer_end(game_id=offered.pk, player=rival)
    metered = pages.new_game(
        authors.module(site.player, "Hexer"), authors.module(site.rival, "Comb")
    )
    pages.play_out(metered)
    Game.objects.filter(pk=metered.pk).update(fuel=10**6, fuel_meter="rayuela 1, wasmtime 1")
    line, reported = (
        chat.say(game_id=game.pk, player=rival, text=text) for text in ("Hello", "Slow, eh?")
    )
    private_messages.write(author=player, recipient=rival, text="Another game?")
    report = chat.report(line_id=reported.pk, player=player)
    other_report = player_reports.report(player=player, reported=rival, text="Rude")
    study = studies.keep(
        analyses.analyse(analyses.of_game(over, None)), visitor=throttles.Visitor()
    )
    # No player is the arbiter of their own game, and the organiser plays in the event.
    of_event = Game.objects.filter(pairing__event=site.live).not_of(site.organiser.player)[0]
    pool = over.ledger.get(side="first").pool
    site.places[""] |= {
        "pk": game.pk, "token": "none", "family": "morelli", "name": "capture", "key": study.key,
        "pool": pool.key, "other": rival.pk, "kind": "standings", "board": 1, "uidb64": "x", "seq": 1,
        "tpn": 1, "game_pk": metered.pk, "object_id": "0", "app_label": "tournaments",
        "content_type_id": 0, "url": "x", "id": 0,
    }  # fmt: skip
    introductions.write(player=rival, text="I play slowly.", federation="")
    site.forms["introduction"] = {"text": "I play fast.", "federation": "ESP"}
    puzzle = puzzle_rows.stored()
    tries.give_up(player, puzzle)
    site.forms["puzzle-try"] = {"give_up": "1"}
    site.forms["puzzle-report"] = {"text": "Two moves win"}
    site.forms["puzzle-decide"] = {"reason": "Two moves win"}
    site.forms["exercise-done"] = {"moves": "A7-D7_xE7"}
    site.places |= {
        "puzzle": {"pk": puzzle.pk},
        "puzzle-try": {"pk": puzzle.pk},
        "puzzle-preview": {"pk": puzzle.pk},
        "puzzle-report": {"pk": puzzle.pk},
        "puzzle-decide": {"pk": puzzle.pk},
        "game-abort": {"pk": fresh.pk},
        "game-claim": {"pk": absences.left_game(player, rival).pk},
        "game-decline": {"pk": offered.pk},
        "game-rematch": {"pk": over.pk},
        "game-takeback": {"pk": gone_on.pk},
        "game-arbiter": {"pk": of_event.pk},
        "game-fuel-record": {"pk": metered.pk},
        "game-record": {"pk": over.pk},
        "game-record-json": {"pk": over.pk},
        "game-replay-svg": {"pk": over.pk},
        "game-replay-gif": {"pk": over.pk},
        "sitemap-section": {"section": "pages"},
        "chat-report": {"pk": line.pk},
        "chat-resolve": {"pk": report.pk},
        "player-report-resolve": {"pk": other_report.pk},
        **{
            name: {"pk": rival.pk, "other": player.pk}
            for name in (
                *("player", "player-mute", "player-report", "head-to-head"),
                *("player-statistics", "player-ledger", "player-follow"),
                *("player-preview", "introduction-hide", "conversation", "conversation-live"),
                *("message-write", "conversation-delete"),
            )
        },
        "animated-figure": {"family": "morelli", "name": "capture"},
        "guide": {"name": "bots"},
        "help-page": {"name": "organise/rounds"},
        "help-picture": {"name": "overview.png"},
        "guide-file": {"name": "rayuela_push.py"},
        "event-sheet-of-round": {"kind": "pairings"},
        "event-draw": {"slug": site.event("Cup", format=Event.Format.KNOCKOUT).slug},
    }
    site.forms |= {
        "game-move": {"move": pages.legal(game), "ply": game.ply},
        "game-note": {"text": "Mine"},
        "game-claim": {"result": "win"},
        "game-say": {"text": "Good luck"},
        "game-arbiter": {"act": "decide", "result": "first", "reason": "Phone"},
        "game-correct": {"confirm": "1", "result": "void", "reason": "Typed wrongly"},
        "chat-resolve": {"verdict": "dismissed"},
        "player-report": {"text": "Rude"},
        "message-write": {"text": "Another game?"},
        "message-writers": {"writers": "followed"},
        "analysis-load": {"text": game.position, "ruleset": SMALL},
    }


def bots(site: Builder) -> None:
    """Bots with a game behind them and without one, an SPRT test, an event for bots."""
    bot = uploads.ready(uploads.line(site.player, families=["morelli"]), is_active=True)
    idle = uploads.ready(uploads.line(site.player, "Senna", families=["morelli"]))
    Bot.objects.filter(pk=idle.pk).update(options=["name Depth type spin default 3 min 1 max 9"])
    game = pages.new_game(bot.player, site.rival.player)
    pages.play_out(game)
    house = [players.add_bot(name=f"House {n}", engine="random").bot for n in (1, 2)]
    sprt_test = sprt_tests.start(
        site.player,
        sprt_tests.Plan(house[0], house[1], SMALL, game_creation.Clock(5_000)),
    )
    suite = suites.add_openings(
        owner=site.player, name="Early", ruleset=SMALL, plies=2, count=3, seed=1
    )
    admits = site.event(
        "Bots", is_over_the_board=False, clock=pages.CLOCK, admits=Event.Admits.BOTS
    )
    remote = remote_players.bot(site.player, "Remota")
    versions = ("bot-version", "bot-download", "bot-enter", "bot-ladder-enter", "bot-retire")
    gauntlet = gauntlets.start(
        site.player,
        gauntlets.Plan(idle, house[:1], SMALL, game_creation.Clock(5_000), pairs_each=1),
    )
    asking = site.event(
        "Asking", is_over_the_board=False, clock=pages.CLOCK, admits=Event.Admits.BOTS
    )
    request = bot_requests.request(event_id=asking.pk, player=bot.player, actor=site.organiser)
    worker = volunteers.worker(site.player)
    site.places |= {
        **{name: {"pk": bot.pk} for name in versions},
        "worker-stop": {"pk": worker.pk},
        **{name: {"pk": idle.pk} for name in ("bot-activate", "bot-recheck", "bot-leave")},
        **{name: {"pk": remote.pk} for name in ("bot-remote", "bot-remote-games", "bot-remote-module")},
        "bot-line": {"pk": bot.line_id},
        "bot-consent": {"pk": bot.line_id},
        "bot-regression": {"pk": bot.line_id},
        "bot-request-answer": {"pk": request.pk},
        **{name: {"pk": gauntlet.pk} for name in ("gauntlet", "gauntlet-live", "gauntlet-stop")},
        "bot-compare": {"pk": bot.line_id},
        "bot-games": {"pk": bot.pk},
        "bot-upload": {"pk": bot.line_id},
        "bot-transcript": {"pk": bot.pk, "game_pk": game.pk},
        "bot-annul": {"pk": bot.player_id},
        **{name: {"pk": sprt_test.pk} for name in ("sprt-test", "sprt-test-live", "sprt-test-stop")},
        **{name: {"pk": suite.pk} for name in ("suite", "suite-file", "suite-delete")},
        "download-transcripts": {"pk": bot.player_id},
        "open-data-file": {"name": open_data.build(EVENTS, date(2026, 1, 1))[0].name},
    }  # fmt: skip
    entries.enter(event_id=admits.pk, player=idle.player, actor=site.player)
    site.forms |= {
        "bot-new": _program(name="Third"),
        "bot-upload": _program(),
        "bot-remote-new": {"name": "Fourth", "families": ["morlox"]},
        "bot-remote-games": {"families": ["morlox"]},
        "bot-consent": _CONSENT,
        "bot-regression": {"is_on": "on", "ruleset": SMALL, "clock": "5+0.1", "pairs": "10"},
        "bot-request-answer": {"answer": "no"},
        "gauntlet-new": {
            "candidate": idle.pk,
            "ruleset": SMALL,
            "clock": "5+0.1",
            "pairs_each": "1",
            "opponents": [house[0].pk],
        },
        "tuning-new": {
            "candidate": idle.pk,
            "ruleset": SMALL,
            "clock": "5+0.1",
            "parameters": "Depth, int, 3, 1, 9",
            "iterations": "1",
            "opponents": [house[0].pk],
        },
        "bot-remote-module": {"file": ContentFile(authors.MODULE, "bot.wasm")},
        "bot-enter": {"event": admits.slug},
        "bot-leave": {"event": admits.slug},
        "bot-ladder-enter": {"pool": "morelli-revised-small-blitz-bots"},
        "workers-mine": {"name": "laptop", "processes": "1"},
        "bot-annul": {"reason": "An engine of somebody else"},
        "suite-new": {
            "name": "Late",
            "ruleset": SMALL,
            "plies": "3",
            "count": "4",
            "seed": "1",
        },
        "sprt-test-new": {
            "candidate": house[0].pk,
            "base": house[1].pk,
            "ruleset": SMALL,
            "clock": "5+0.1",
            "model": "logistic",
            "elo0": "0",
            "elo1": "20",
            "max_pairs": "100",
        },
    }


def lobby(site: Builder) -> None:
    """Challenges both ways, and an invitation."""
    for_player, of_player = (
        challenges.challenge(
            challenger=one.player, opponent=other.player, ruleset=SMALL, clock=pages.CLOCK
        )
        for one, other in ((site.rival, site.player), (site.player, site.rival))
    )
    invitation = invitations.invite(host=site.player.player, ruleset=SMALL, clock=pages.CLOCK)
    assert for_player is not None
    assert of_player is not None
    token = {"token": invitation.token}
    site.places |= {
        "challenge-accept": {"pk": for_player.pk},
        "challenge-decline": {"pk": for_player.pk},
        "challenge-message": {"pk": for_player.pk},
        **dict.fromkeys(("invitation", "invitation-join", "invitation-withdraw"), token),
    }
    site.forms |= {"challenge": _PLAY, "invite": _PLAY, "seek-create": _PLAY}


def account(site: Builder) -> None:
    """A second device, a notice, and the forms of an account."""
    pages.member(site.player)  # on another device
    tokens.create(
        user=site.player, password="rayuela-1963", name="a program", scopes=["read"], days=30
    )
    site.places["session-end"] = {"name": sessions.of(site.player, None)[0].name}
    site.places["token-revoke"] = {"pk": tokens.living(site.player)[0].pk}
    application = oauth_client.registered(site.player).application
    oauth_client.Installation(application, pages.member(site.player)).tokens()
    for name in ("application", "application-secret", "application-delete"):
        site.places[name] = {"pk": application.pk}
    delivery = webhook_server.delivered(site.player)
    for name in ("webhook", "webhook-test", "webhook-delete"):
        site.places[name] = {"pk": delivery.webhook_id}
    site.places["webhook-delivery-again"] = {"pk": delivery.webhook_id, "delivery": delivery.pk}
    site.places["authorization-revoke"] = {"pk": site.player.authorizations.get().pk}
    site.places["notice"] = {"seq": inbox.notices(site.player)[0].item.seq}
    site.forms |= {
        "sign-up": {"name": "Nobody", "password": "rayuela-1963"},
        "sign-in": {"username": "Role rival", "password": "rayuela-1963"},
        "vacation-start": {"days": "1"},
        "account-delete": {"password": "rayuela-1963"},
        "account-data": {"password": "rayuela-1963"},
        "token-create": {"name": "a bot", "days": "30", "password": "rayuela-1963"},
        "webhook-create": {"address": "https://hook.example/", "password": "rayuela-1963"},
        "event-webhook": {"address": "https://hook.example/", "password": "rayuela-1963"},
        "webhook": {"kinds": ["turn"], "is_active": "on"},
        "application-create": oauth_client.FORM,
        "application": oauth_client.FORM,
        "settings": {"appearance": "dark"},
        "email-set": {"address": "nobody@example.org"},
    }


def _program(**more: str) -> dict[str, Any]:
    """Return a form with a program, whose file is read again each time."""
    file = ContentFile(uploads.GOOD + b"# new\n", name="main.py")
    return {"file": file, "families": ["morelli"], **more}
