"""Results over the board that players report themselves. A result that both accounts report is entered."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils.crypto import salted_hmac

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import (
    Entry,
    Event,
    Game,
    Pairing,
    ResultReport,
    Round,
    TeamBoard,
    TieGame,
    User,
)
from tournaments.services import audit
from tournaments.services.arbiter import results
from tournaments.services.notifications import news

# Forfeits are the arbiter's.
REPORTED = (Game.Result.FIRST, Game.Result.DRAW, Game.Result.SECOND)
_SALT = "tournaments.result-reports.browser"


def report_by_account(
    *, event_id: int, account: User, round_number: int, board: int, game: int, result: str
) -> bool:
    """Report the result of a game of the board as the account's own player. See `report`.

    Raises RefusedError `board-report-side` too if the account has no seat in the game.
    """
    boards = Pairing.objects.filter(event=event_id, round__number=round_number, board=board)
    event = Event.objects.get(pk=event_id)
    pairing = boards.exclude(round__state=Round.State.DRAFT).with_lines(event).first()
    if pairing is None:
        raise RefusedError("no-such-board", str(board))
    line = next((each for each in pairing.lines(event) if each.number == game), None)
    sides = [] if line is None else [each for each in (line.first, line.second) if each]
    own = next((each for each in sides if each.player.user_id == account.pk), None)
    if own is None:
        raise RefusedError("board-report-side", str(account.pk))
    return report(
        pairing_id=pairing.pk,
        game=game,
        entry_id=own.pk,
        result=result,
        browser="",
        account=account,
    )


def report(
    *,
    pairing_id: int,
    game: int,
    entry_id: int,
    result: str,
    browser: str,
    account: User | None = None,
) -> bool:
    """Report the result of a game as one of its players. Return whether it is entered now.

    The caller has found the board by its secret address. For a player with an account only that
    account reports. `browser` is a secret of the visitor's browser, for other players. A result that
    both accounts report is entered, any other waits for the arbiter: one person can have two phones. A
    player's second report replaces the first one. A report that repeats the entered result has no effect.

    Raises:
        StaleError: `round-closed`, or `board-report-entered` if another result is entered.
        RefusedError: `board-report-off`, `no-such-result`, `no-such-board`, `board-report-side` for
            a player of another board, `board-report-account` without the account of the player, or
            `board-report-phone` if the browser has reported for the opponent.
    """
    if result not in REPORTED:
        raise RefusedError("no-such-result", result[:20])
    with transaction.atomic():
        event_id = Pairing.objects.values_list("event", flat=True).get(pk=pairing_id)
        event = Event.locked(event_id)
        if not event.has_player_reports:
            raise RefusedError("board-report-off", event.slug)
        place = Pairing.objects.select_related("round").get(pk=pairing_id)
        round_, pairing = results.open_board(event, place.round.number, place.board)
        row, column = results.place_of(event, pairing, game)
        sides = _sides(row)
        entry = next((each for each in sides if each.pk == entry_id), None)
        if entry is None:
            raise RefusedError("board-report-side", str(entry_id))
        signature = _signature(entry, account, browser)
        before = getattr(row, column)
        if before:
            if before != result:
                raise StaleError("board-report-entered", before)
            return True
        other = (
            pairing.player_reports.filter(game=game, entry__in=sides).exclude(entry=entry).first()
        )
        if other is not None and other.browser == signature.browser:
            raise RefusedError("board-report-phone", str(entry_id))
        ResultReport.objects.update_or_create(
            pairing=pairing,
            game=game,
            entry=entry,
            defaults={
                "result": result,
                "reported_at": database_time.now(),
                **asdict(signature),
            },
        )
        is_agreed = other is not None and other.result == result
        is_entered = is_agreed and signature.is_signed_in and bool(other and other.is_signed_in)
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


@dataclass(frozen=True, slots=True)
class _Signature:
    """The columns of a report that say where it comes from."""

    browser: str
    is_signed_in: bool


def _signature(entry: Entry, account: User | None, browser: str) -> _Signature:
    """Return the origin of a report for this player. Raises RefusedError `board-report-account`."""
    owner = entry.player.user_id
    if owner is not None and (account is None or account.pk != owner):
        raise RefusedError("board-report-account", entry.player.name)
    secret = browser if owner is None else f"account {owner}"
    digest = salted_hmac(_SALT, secret, algorithm="sha256").hexdigest()
    return _Signature(digest, is_signed_in=owner is not None)


def _sides(row: Pairing | TeamBoard | TieGame) -> list[Entry]:
    both = row.pairing if isinstance(row, TieGame) else row
    return [each for each in (both.first, both.second) if each is not None]
