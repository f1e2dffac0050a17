"""Offers between the sides of a game: an end, a draw, more time, and a rematch.

Plies taken back are in `services.takebacks`.
"""

from __future__ import annotations

import secrets

from django.db import transaction

import games
from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Game, Offer, Player
from tournaments.queries.clocks import game_clocks
from tournaments.queries.games import openings, setup_vote
from tournaments.services.accounts import consent_checks, willingness
from tournaments.services.clocks import outages
from tournaments.services.games import game_creation, game_end, play
from tournaments.services.notifications import news

# The number of plies before a side may repeat an offer.
PAUSE_PLIES = 6
# The size of a gift: a quarter of the time at the start, at least this much, and never beyond twice
# the start.
MIN_GIFT_MS = 15_000


def ending_kind(ruleset: str) -> Offer.Kind | None:
    """Return the offer that ends a game of `ruleset`: an end now, a draw, or None."""
    rules = games.load(ruleset)
    if rules.has_agreement:
        return Offer.Kind.END
    return Offer.Kind.DRAW if rules.has_draw_offers else None


def offer_end(*, game_id: int, player: Player, is_answer: bool = False) -> Game:
    """Offer to end the game, or accept the other side's offer.

    The result is a draw, or the result of an agreement by the rules (D-M1).

    With `is_answer` the other side's offer is accepted, and no new offer is made.

    Raises:
        NotAllowedError: `not-your-game`.
        StaleError: `game-over`, or `offer-gone` without an offer to answer.
        RefusedError: `no-offers` in a game by fuel, `no-agreement` in a game without agreements,
            `offer-again` too soon after the last, `offer-open` while a takeback is requested.
    """
    outages.notice(database_time.now())
    with transaction.atomic():
        game = play.lock_ongoing(game_id)
        side = play.require_seat(game, player)
        if game.fuel is not None:
            raise RefusedError("no-offers", str(game_id))
        kind = ending_kind(game.ruleset)
        if kind is None:
            raise RefusedError("no-agreement", game.ruleset)
        if has_flagged(game):
            return game
        if game.agreement_offered_by == game_end.other_side(side):
            _agree(game, kind)
            return game
        if is_answer:
            raise StaleError("offer-gone")
        if game.agreement_offered_by is None:
            _offer_end(game, kind, side)
        return game


def has_flagged(game: Game) -> bool:
    """Return whether the side to move had run out of time, and has lost by it now."""
    now = database_time.now()
    if not game_clocks.is_out_of_time(game, now):
        return False
    game_end.lose_on_time(game, now)
    return True


def _offer_end(game: Game, kind: Offer.Kind, side: str) -> None:
    add(game, kind, side)
    game.agreement_offered_by = side
    game.save(update_fields=["agreement_offered_by"])
    if game.player_on(game_end.other_side(side)).is_boxed:
        play.wake_bot(game)


def _agree(game: Game, kind: Offer.Kind) -> None:
    game_end.close_offers(game, Offer.Answer.ACCEPTED)
    if kind is Offer.Kind.DRAW:
        game_end.finish_game(game, result=Game.Result.DRAW, ending=Game.Ending.DRAW_AGREED)
        return
    step = play.step_of(game, games.AGREE)
    turn = game_clocks.running_turn(game, database_time.now())
    if game.player_on(game.side_to_move).is_boxed:
        turn = game_clocks.Turn(0)  # whose worker has charged nothing
    play.add_ply(game, step, side=game.side_to_move, turn=turn)
    play.conclude_ply(game, step)


def decline(*, game_id: int, player: Player) -> Game:
    """Decline the other side's offer, or withdraw one's own. After the game this is a rematch.

    Raises NotAllowedError `not-your-game`, StaleError `game-over` if it is over without an open
    offer.
    """
    with transaction.atomic():
        game = _lock(game_id)
        side = play.require_seat(game, player)
        open_offer = game.offers.open().first()
        if open_offer is None and game.result is not None:
            raise StaleError("game-over")
        if open_offer is not None:
            is_own = open_offer.side == side
            game_end.close_offers(game, Offer.Answer.WITHDRAWN if is_own else Offer.Answer.DECLINED)
        if game.agreement_offered_by is not None:
            game.agreement_offered_by = None
            game.save(update_fields=["agreement_offered_by"])
        news.announce(news.of_game(game.pk), "offer", {"side": None})
        return game


def gift_ms(game: Game, side: str) -> int:
    """Return the time that `side` can be given now, in milliseconds.

    0 if it has twice the time of the start already.
    """
    bound_ms = min(2 * game.clock_initial_ms, game_clocks.MAX_CLOCK_MS)
    gift = max(MIN_GIFT_MS, game.clock_initial_ms // 4)
    return max(0, min(gift, bound_ms - game_clocks.remaining_ms(game, side)))


def give_time(*, game_id: int, player: Player) -> Game:
    """Give the other side time immediately.

    Raises:
        NotAllowedError: `not-your-game`.
        StaleError: `game-over`.
        RefusedError: `time-event` in an event, whose clocks are equal, `time-bot`, `time-enough`,
            `offer-again`.
    """
    outages.notice(database_time.now())
    with transaction.atomic():
        game = play.lock_ongoing(game_id)
        side = play.require_seat(game, player)
        other = game_end.other_side(side)
        if game.pairing_id is not None:
            raise RefusedError("time-event")
        if game.player_on(other).is_boxed:
            raise RefusedError("time-bot")
        if has_flagged(game):
            return game
        given_ms = gift_ms(game, other)
        if not given_ms:
            raise RefusedError("time-enough")
        add(game, Offer.Kind.TIME, side, given_ms=given_ms)
        game_clocks.give(game, other, given_ms, database_time.now())
        game.save(update_fields=[*Game.CLOCK_COLUMNS, *Game.TURN_COLUMNS])
        return game


def offer_rematch(*, game_id: int, player: Player, is_answer: bool = False) -> Game | None:
    """Offer a rematch with the sides exchanged, or accept the other side's offer.

    Returns the new game once there is one.

    A bot accepts immediately. With `is_answer` the other side's offer is accepted, and no new offer
    is made.

    Raises:
        NotAllowedError: `not-your-game`.
        StaleError: `rematch-begun`, or `offer-gone` without an offer to answer.
        RefusedError: `not-over`, `rematch-event`, `offer-again`, `bot-inactive`, `bot-other-game`.
    """
    with transaction.atomic():
        game = _lock(game_id)
        side = play.require_seat(game, player)
        _require_rematch(game, opponent=game.player_on(game_end.other_side(side)))
        open_offer = game.offers.open().first()
        if open_offer is not None and open_offer.side != side:
            return _begin_rematch(game, open_offer)
        if is_answer:
            raise StaleError("offer-gone")
        if open_offer is not None:
            return None
        offer = add(game, Offer.Kind.REMATCH, side)
        is_bot = game.player_on(game_end.other_side(side)).is_boxed
        return _begin_rematch(game, offer) if is_bot else None


def _require_rematch(game: Game, *, opponent: Player) -> None:
    if game.result is None:
        raise RefusedError("not-over")
    if game.pairing_id is not None or game.match_id is not None:
        raise RefusedError("rematch-event")
    if game.offers.filter(next_game__isnull=False).exists():
        raise StaleError("rematch-begun")
    clock = game_clocks.clock_of(game)
    challenger = game.first if opponent.pk == game.second_id else game.second
    willingness.require_willing(
        opponent, challenger, ruleset=game.ruleset, clock=clock, is_rated=game.is_rated
    )
    consent_checks.require_room((game.first, game.second))


def _begin_rematch(game: Game, offer: Offer) -> Game:
    first, second, clock = game.second, game.first, game_clocks.clock_of(game)
    opening = openings.of_game(game)
    if opening is not None:
        rematch = game_creation.create_game_after(opening, first=first, second=second, clock=clock)
    else:
        rematch = game_creation.create_game(
            ruleset=game.ruleset,
            setup=_setup_of_rematch(game),
            first=first,
            second=second,
            clock=clock,
            is_rated=game.is_rated,
        )
    open_offers = Offer.objects.open().filter(pk=offer.pk)
    answer = {"answer": Offer.Answer.ACCEPTED, "answered_at": database_time.now()}
    if open_offers.update(next_game=rematch, **answer) != 1:
        raise StaleError("offer-gone")
    news.announce(news.of_game(game.pk), "rematch", {"game": rematch.pk})
    game_creation.tell_players([rematch])
    return rematch


def _setup_of_rematch(game: Game) -> str:
    """Return the set-up of a rematch.

    The second game has the set-up of the first with the sides exchanged (D-M16), the third a new
    one. There is no vote on it.
    """
    if Offer.objects.filter(next_game=game).exists():
        return game_creation.draw_setup(game.ruleset, secrets.randbits(48))
    return setup_vote.setup_without_votes(game.ruleset, game.setup)


def add(game: Game, kind: Offer.Kind, side: str, *, given_ms: int | None = None) -> Offer:
    """Return a new offer, announced to the page.

    A gift of time is answered with the offer. In the caller's transaction.

    Raises RefusedError `offer-open` while another offer waits for an answer, `offer-again` too soon
    after the last.
    """
    if given_ms is None and game.offers.open().exists():
        raise RefusedError("offer-open")
    recent = game.offers.filter(
        kind=kind, side=side, attempt=game.attempt, ply__gt=game.ply - PAUSE_PLIES
    )
    if recent.exists():
        raise RefusedError("offer-again", f"once in {PAUSE_PLIES} plies")
    now = database_time.now()
    is_gift = given_ms is not None
    offer = Offer.objects.create(
        game=game,
        kind=kind,
        side=side,
        attempt=game.attempt,
        ply=game.ply,
        given_ms=given_ms,
        answer=Offer.Answer.ACCEPTED if is_gift else None,
        made_at=now,
        answered_at=now if is_gift else None,
    )
    news.announce(news.of_game(game.pk), "offer", {"side": side, "kind": kind.value})
    return offer


def _lock(game_id: int) -> Game:
    return Game.objects.select_for_update(of=("self",), no_key=True).with_players().get(pk=game_id)
