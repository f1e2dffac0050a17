"""Corrections for the rating report alone, once later rounds were paired by the first result."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Game, RatedResult, Round, User
from tournaments.queries import formats
from tournaments.services.arbiter.results import ENTERED
from tournaments.services.events.acts import game_act
from tournaments.services.notifications import news


def can_rate_as(game: Game) -> bool:
    """Return whether the game is over and in a closed round of an event with a rating report of single games."""
    pairing = game.pairing
    if pairing is None or not pairing.event.is_over_the_board or game.result is None:
        return False
    format_ = formats.of(pairing.event)
    is_reported = not (format_.is_of_teams or format_.has_draw or format_.is_continuous)
    # The row of a round is large.
    closed = Round.objects.filter(pk=pairing.round_id, state=Round.State.CLOSED)
    return is_reported and closed.exists()


@game_act("rate-as", done=_("The rating report was changed. The standings stay."))
def rate_as(event: Event, game: Game, actor: User, *, result: str, reason: str) -> Game:
    """Give a game another result in the rating report. Standings, pairings and tie-breaks stay.

    The result of the standings withdraws it.

    Raises:
        NotAllowedError: `not-organiser`, or `own-game` for a player of the game on line.
        RefusedError: `result-bad` (unknown, or the present one of the report), `reason-bad`,
            `act-no-event`, `rated-result` for a game that is not over, in an open round, on line,
            of teams or of a knock-out.
    """
    if not can_rate_as(game):
        raise RefusedError("rated-result")
    before = _present(game)
    if result not in ENTERED or result == before:
        raise RefusedError("result-bad", result)
    _store(game, result)
    rate_as.note(event, actor, reason=reason, game=game.pk, before=before, after=result)
    news.announce(news.of_game(game.pk), "correction", {"result": game.result})
    return game


def restore(game: Game, *, before: str, after: str) -> None:
    """Undo a change. Raise StaleError `undo-late` if the result of the report has changed since."""
    if _present(game) != after:
        raise StaleError("undo-late")
    _store(game, before)


def _present(game: Game) -> str:
    row = RatedResult.objects.filter(game=game).first()
    return row.result if row else game.result or ""


def _store(game: Game, result: str) -> None:
    if result == game.result:
        RatedResult.objects.filter(game=game).delete()
    else:
        RatedResult.objects.update_or_create(game=game, defaults={"result": result})
