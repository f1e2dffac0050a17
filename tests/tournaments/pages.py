"""Visitors of the pages and their actions, for the tests of pages and of forms."""

from __future__ import annotations

import hashlib
import html
import re

from django.db import transaction
from django.test import Client

import games
from tests.tournaments import authors
from tests.tournaments.conftest import CLOCK as CLOCK
from tests.tournaments.conftest import enter, event_of
from tournaments import database_time
from tournaments.models import Bot, BotLine, Event, Game, Player, Pool, Program, User
from tournaments.models.players import canonical_name
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.accounts import bot_consents
from tournaments.services.games import game_creation, game_end, play
from tournaments.services.matches import matches
from tournaments.services.ratings import pool_assignment
from tournaments.services.rounds import lifecycle

# All forms of the rating calculator filled in.
CALCULATION = (
    "ledger-rating=1500&ledger-opponent=1650.5&ledger-result=2&ledger-k=20"
    "&casual-rating=1500&casual-deviation=200&casual-opponent=1400&casual-opponent_deviation=45&casual-result=2"
    "&fide-rating=2000&fide-k=20&fide-time_class=standard&fide-games=2100+1%0A1950+0.5"
)


def new_game(
    first: Player,
    second: Player,
    ruleset: str = "morelli(size=5)",
    *,
    clock: Clock = CLOCK,
    is_rated: bool = True,
    seed: int = 11,
) -> Game:
    """Return a game that has begun, with a set-up drawn by the seed where the rules draw one."""
    return game_creation.create_game(
        ruleset=ruleset,
        setup=game_creation.draw_setup(ruleset, seed),
        first=first,
        second=second,
        clock=clock,
        is_rated=is_rated,
    )


def pool_of(kind: Pool.Kind, ruleset: str = "morelli(size=5)") -> Pool:
    """Return the pool of such games."""
    return pool_assignment.pool_of(ruleset, CLOCK.initial_ms, CLOCK.increment_ms, kind)


def version_of(owner: User, name: str, number: int, *, source: bytes = b"pass\n") -> Bot:
    """Return a version of an author's bot in the database, ready to play, without a check."""
    now = database_time.now()
    line, is_new = BotLine.objects.get_or_create(
        canonical=canonical_name(name), defaults={"owner": owner, "name": name, "created_at": now}
    )
    if is_new:
        bot_consents.give(line, authors.EVERYTHING)
    program, _ = Program.objects.get_or_create(
        digest=hashlib.sha256(source).hexdigest(),
        defaults={
            "kind": Program.Kind.PYTHON,
            "filename": "main.py",
            "upload": source,
            "size_bytes": len(source),
            "created_at": now,
        },
    )
    full_name = f"{name} {number}"
    player = Player.objects.create(
        kind=Player.Kind.BOT, name=full_name, canonical=canonical_name(full_name), created_at=now
    )
    return Bot.objects.create(
        player=player, line=line, version=number, program=program, owner=owner, created_at=now
    )


def resign_all(event: Event) -> None:
    """Make the second side of every unfinished game of the event resign after a move."""
    for game in Game.objects.ongoing().filter(pairing__event=event).with_players():
        move(game)
        play.resign(game_id=game.pk, player=game.second)


def move(game: Game, **more: object) -> None:
    """Play a legal move of the side to move, and read the game again."""
    game.refresh_from_db()
    play.play_move(
        game_id=game.pk,
        player=game.player_on(game.side_to_move),
        ply=game.ply,
        move=legal(game),
        **more,  # type: ignore[arg-type]  # by keyword
    )
    game.refresh_from_db()


def play_out(game: Game) -> None:
    while game.result is None:
        position = games.load(game.ruleset).parse(game.position)
        move = position.legal_moves()[0]
        play.play_move(
            game_id=game.pk, player=game.player_on(game.side_to_move), ply=game.ply, move=move
        )
        game.refresh_from_db()


def finished_game(
    first: Player, second: Player, result: str, ruleset: str = "morelli(size=5)"
) -> Game:
    """A rated game that ended so."""
    game = new_game(first, second, ruleset)
    with transaction.atomic():
        game_end.finish_game(game, result=result, ending=Game.Ending.RULES)
    return game


def text_of(page: bytes) -> str:
    """Return the visible text of the page: no tags, one blank between words."""
    text = re.sub(r"<[^>]+>", " ", page.decode())
    return " ".join(html.unescape(text).split())


def matches_due(event: Event) -> None:
    due = Game.objects.ongoing().filter(pairing__event=event, match__isnull=False)
    for match_id in list(due.values_list("match_id", flat=True)):
        matches.play_match(match_id)


def running_event(ana: User, ben: User, bots: list[Player]) -> Event:
    """Return Ana's event of three bots and Ben after its first round, with a game in progress."""
    event = event_of(ana, rounds_total=5)
    enter(event, ben.player, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    matches_due(event)
    event.refresh_from_db()
    return event


def member(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def legal(game: Game) -> str:
    return games.load(game.ruleset).parse(game.position).legal_moves()[0]
