"""Offers for the viewer of a game: those the viewer may make, has received, and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

import games
from tournaments.models import Game, Offer, Player, statements
from tournaments.queries.records.game_plies import PlyRow
from tournaments.services.games import game_end, offers, takebacks
from tournaments.text import descriptions


@dataclass(frozen=True, slots=True)
class OfferPanel:
    """The offers on the page of a game, for one viewer.

    Attributes:
        opponent: the other player, or None for spectators, who see only `next_game`.
        open_offer: the offer that the viewer may accept.
        own_offer: the offer of the viewer that has no answer yet.
        closed_offer: the offer that was declined or carried out last, at the present ply.
        ending: the viewer's possible offer to end the game: `end`, `draw` or empty.
        agreement: the result of an agreed `end`, in words.
        gift_ms: the time the viewer may give the opponent, 0 if gifts are not allowed.
        next_game: the rematch that was agreed on.
    """

    opponent: Player | None = None
    open_offer: Offer | None = None
    own_offer: Offer | None = None
    closed_offer: Offer | None = None
    ending: str = ""
    agreement: str = ""
    gift_ms: int = 0
    may_take_back: bool = False
    may_abort: bool = False
    may_rematch: bool = False
    next_game: int | None = None

    @property
    def is_of_viewer(self) -> bool:
        """Return whether the viewer made the closed offer."""
        return self.closed_offer is not None and self.opponent != self.closed_offer.game.player_on(
            self.closed_offer.side
        )


def table(game: Game, side: str | None, plies: Sequence[PlyRow]) -> OfferPanel:
    """The offers of `game` for the viewer on `side` (None for spectators) after `plies`."""
    offers_of_game = _offers_of.all(game=game.pk)
    next_game = next((offer.next_game_id for offer in offers_of_game if offer.next_game_id), None)
    if side is None or game.match_id is not None:
        return OfferPanel(next_game=next_game)
    opponent = game.player_on(game_end.other_side(side))
    standing = next((offer for offer in offers_of_game if offer.answer is None), None)
    last_offer = offers_of_game[-1] if offers_of_game else None
    closed_offer = last_offer if last_offer and _is_news(last_offer, game) else None
    if closed_offer is not None:
        closed_offer.game = game
    is_casual = game.pairing_id is None
    is_over = game.result is not None
    words = descriptions.words_of_agreement(games.load(game.ruleset))
    return OfferPanel(
        opponent=opponent,
        open_offer=standing if standing is not None and standing.side != side else None,
        own_offer=standing if standing is not None and standing.side == side else None,
        closed_offer=closed_offer,
        ending="" if is_over else offers.ending_kind(game.ruleset) or "",
        agreement=_(words.offered) if words.offered else "",
        gift_ms=_gift_ms(game, side) if is_casual and not is_over and not opponent.is_boxed else 0,
        may_take_back=takebacks.may_ask(game, side, plies),
        may_abort=is_casual
        and not is_over
        and all(ply.side != side for ply in plies[game.opening_plies :]),
        may_rematch=is_casual
        and is_over
        and next_game is None
        and not _has_offered_rematch(offers_of_game, side),
        next_game=next_game,
    )


@statements.query
def _offers_of(game: int) -> QuerySet[Offer]:
    return Offer.objects.filter(game=game).order_by("pk")


def _is_news(offer: Offer, game: Game) -> bool:
    """Return whether no ply followed since the offer was declined or carried out."""
    if offer.kind == Offer.Kind.TAKEBACK and offer.answer == Offer.Answer.ACCEPTED:
        plies = game.plies.filter(attempt=game.attempt, made_at__gte=offer.answered_at)
        return not plies.exists()
    is_told = offer.answer == Offer.Answer.DECLINED or offer.kind == Offer.Kind.TIME
    return is_told and offer.ply == game.ply and offer.attempt == game.attempt


def _gift_ms(game: Game, side: str) -> int:
    return offers.gift_ms(game, game_end.other_side(side))


def _has_offered_rematch(offers_of_game: Sequence[Offer], side: str) -> bool:
    return any(offer.kind == Offer.Kind.REMATCH and offer.side == side for offer in offers_of_game)
