"""Results over the board that players report themselves. A result that both report is entered."""

from __future__ import annotations

from django.db import transaction
from django.utils.crypto import salted_hmac

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Game, Pairing, ResultReport, TieGame
from tournaments.services import audit
from tournaments.services.arbiter import results
from tournaments.services.notifications import news

# Forfeits are the arbiter's.
REPORTED = (Game.Result.FIRST, Game.Result.DRAW, Game.Result.SECOND)
_SALT = "tournaments.result-reports.browser"


def report(*, pairing_id: int, game: int, entry_id: int, result: str, browser: str) -> bool:
    """Report the result of a game as one of its players. Return whether it is entered now.

    The caller has found the board by its secret address, and needs no account. `browser` is a secret
    of the visitor's browser. A player's second report replaces the first one. A report that repeats
    the entered result has no effect.

    Raises:
        StaleError: `round-closed`, or `board-report-entered` if another result is entered.
        RefusedError: `board-report-off`, `no-such-result`, `no-such-board`, `board-report-side` for
            a player of another board, or `board-report-phone` if the browser has reported for the
            opponent.
    """
    if result not in REPORTED:
        raise RefusedError("no-such-result", result[:20])
    with transaction.atomic():
        event_id = Pairing.objects.values_list("event", flat=True).get(pk=pairing_id)
        event = Event.objects.select_for_update(no_key=True).get(pk=event_id)
        if not event.has_player_reports:
            raise RefusedError("board-report-off", event.slug)
        place = Pairing.objects.select_related("round").get(pk=pairing_id)
        round_, pairing = results.open_board(event, place.round.number, place.board)
        row, column = results.place_of(event, pairing, game)
        sides = (
            {pairing.first_id, pairing.second_id}
            if isinstance(row, TieGame)
            else {row.first_id, row.second_id}
        )
        if entry_id not in sides:
            raise RefusedError("board-report-side", str(entry_id))
        before = getattr(row, column)
        if before:
            if before != result:
                raise StaleError("board-report-entered", before)
            return True
        digest = salted_hmac(_SALT, browser, algorithm="sha256").hexdigest()
        reports = pairing.player_reports.filter(game=game, entry__in=sides)
        other = reports.exclude(entry=entry_id).first()
        if other is not None and other.browser == digest:
            raise RefusedError("board-report-phone", str(entry_id))
        ResultReport.objects.update_or_create(
            pairing=pairing,
            game=game,
            entry_id=entry_id,
            defaults={"result": result, "browser": digest, "reported_at": database_time.now()},
        )
        is_entered = other is not None and other.result == result
        if is_entered:
            results.save_result(event, round_, pairing, game, result)
            audit.note(
                "result-reported",
                event=event,
                round=round_.number,
                board=results.board_name(event, pairing, game),
                after=result,
            )
        news.announce(
            news.of_event(event.pk), "reported", {"round": round_.number, "board": pairing.board}
        )
        return is_entered
