"""Takebacks by consent.

The game continues at another attempt, with a copy of the plies before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

import games
from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Evaluation, Game, Offer, Player, Ply
from tournaments.queries.clocks import game_clocks
from tournaments.queries.records import evaluations
from tournaments.queries.records.game_plies import PlyRow
from tournaments.services.clocks import outages
from tournaments.services.games import game_end, offers, play
from tournaments.services.notifications import news

# The columns that are copied into the next attempt. The key of a request stays with its ply.
_PLY_COLUMNS = [
    "number",
    "side",
    "move",
    "spent_ms",
    "remaining_ms",
    "wall_ms",
    "cpu_ms",
    "made_at",
]


def may_ask(game: Game, side: str, plies: Sequence[PlyRow]) -> bool:
    """Return whether `side` may ask for its last ply back.

    Not in an event, and in a rated game not of a bot.
    """
    if game.result is not None or game.pairing_id is not None or game.match_id is not None:
        return False
    if game.is_rated and game.player_on(game_end.other_side(side)).is_boxed:
        return False
    return any(ply.side == side and ply.number > game.opening_plies for ply in plies)


def offer_takeback(*, game_id: int, player: Player, is_answer: bool = False) -> Game:
    """Ask to take back one's own last ply and the plies after it, or grant it to the other side.

    A bot grants it immediately. With `is_answer` the other side's request is granted, and no new
    request is made.

    Raises:
        NotAllowedError: `not-your-game`.
        StaleError: `game-over`, or `offer-gone` without a request to answer.
        RefusedError: `takeback-event`, `takeback-bot` in a rated game, `takeback-none` without a
            ply by `player`, `offer-open` while another offer is open, `offer-again` too soon after
            the last.
    """
    outages.notice(database_time.now())
    with transaction.atomic():
        game = play.lock_ongoing(game_id)
        side = play.require_seat(game, player)
        if game.fuel is not None:
            raise RefusedError("no-offers", str(game_id))
        if offers.has_flagged(game):
            return game
        open_offer = game.offers.open().first()
        if (
            open_offer is not None
            and open_offer.kind == Offer.Kind.TAKEBACK
            and open_offer.side != side
        ):
            _grant(game, open_offer)
            return game
        if is_answer:
            raise StaleError("offer-gone")
        _require_own_ply(game, side)
        if open_offer is not None and open_offer.kind == Offer.Kind.TAKEBACK:
            return game
        offer = offers.add(game, Offer.Kind.TAKEBACK, side)
        if game.player_on(game_end.other_side(side)).is_boxed:
            _grant(game, offer)
        return game


def _require_own_ply(game: Game, side: str) -> None:
    if game.pairing_id is not None:
        raise RefusedError("takeback-event")
    if game.is_rated and game.player_on(game_end.other_side(side)).is_boxed:
        raise RefusedError("takeback-bot")
    if not play.plies_of(game, side).exists():
        raise RefusedError("takeback-none")


def _grant(game: Game, offer: Offer) -> None:
    """Go on from before the last ply of the side that asked. The clocks stay as they are now."""
    game_end.close_offers(game, Offer.Answer.ACCEPTED)
    now = database_time.now()
    plies = list(game.plies.filter(attempt=game.attempt).order_by("number"))
    last = max(ply.number for ply in plies if ply.side == offer.side)
    plies_before = plies[: last - 1]
    _stop(game, now)
    game.attempt += 1
    game.ply = len(plies_before)
    position = games.starting_position(games.load(game.ruleset), game.setup)
    for ply in plies_before:
        position = position.play(ply.move)
    game.position = position.text()
    game.side_to_move = position.side_to_move.value
    game.agreement_offered_by = None
    game.reply_lease_until = None
    game.reply_attempts = 0
    play.pass_turn(game, now)
    game.save(update_fields=Game.STATE_COLUMNS)
    Ply.objects.bulk_create(
        Ply(game=game, attempt=game.attempt, **{name: getattr(ply, name) for name in _PLY_COLUMNS})
        for ply in plies_before
    )
    copies = evaluations.copies(game, attempt=game.attempt - 1, upto=game.ply)
    Evaluation.objects.bulk_create(copies)
    news.announce(news.of_game(game.pk), "restart", {"attempt": game.attempt, "ply": game.ply})
    play.tell_next(game)


def _stop(game: Game, now: datetime) -> None:
    """Charge the turn that ends without a ply: used time is not given back."""
    side = game.side_to_move
    before_ms = game_clocks.remaining_ms(game, side)
    charges = game_clocks.charge_stop(game, now, because=game_clocks.Reason.TAKEBACK)
    game_clocks.write_down(game, side, charges, now, before_ms=before_ms, ply=game.ply + 1)
