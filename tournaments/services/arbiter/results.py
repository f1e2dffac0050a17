"""Results of games played over the board: entered board by board, and made games when the round closes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from tournaments.errors import RefusedError, StaleError
from tournaments.models import (
    Event,
    Game,
    Pairing,
    Player,
    ResultReport,
    Round,
    TeamBoard,
    TieGame,
    User,
    statements,
)
from tournaments.models.rounds import PairingQuerySet
from tournaments.models.setting_types import Level
from tournaments.queries import formats
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.queries.results import ties
from tournaments.services import audit, enqueue
from tournaments.services.events import acts
from tournaments.services.events.acts import ActWarning, act
from tournaments.services.games import game_creation
from tournaments.services.notifications import news
from tournaments.services.rounds import rounds, tie_play

# Results that can be entered. `not counted` is for corrections.
ENTERED = (
    Game.Result.FIRST,
    Game.Result.SECOND,
    Game.Result.DRAW,
    Game.Result.FIRST_FORFEIT,
    Game.Result.SECOND_FORFEIT,
    Game.Result.DOUBLE_FORFEIT,
    *Game.UNUSUAL,
)
_MOST_BOARDS_NAMED = 12


@dataclass(frozen=True, slots=True)
class EnteredResult:
    """An entered result.

    Attributes:
        game: the number of the game in the pairing, from 1.
        before: the former result, empty without one.
        after: the new result.
        is_overwritten: whether another person had entered `before` since the page was read.
        missing: the number of boards of the round without a result.
    """

    pairing: Pairing
    game: int
    before: str
    after: str
    is_overwritten: bool
    missing: int


def open_round(event: Event) -> Round | None:
    """The round of an event over the board whose results can be entered, or None."""
    if not event.is_over_the_board:
        return None
    round_ = _published_round.one(event=event.pk)
    if round_ is not None:
        round_.event = event
    return round_


@statements.query
def _published_round(event: int) -> QuerySet[Round]:
    rows = Round.objects.filter(event=event, state=Round.State.PUBLISHED).order_by("number")
    return rows.defer("problem", "evidence", "report")[:1]


def missing(round_: Round) -> PairingQuerySet:
    """The boards of the round without a result, of one game at least, in order."""
    pairings = round_.pairings.without_entered_result(round_.event)
    return pairings.filter(games__isnull=True, is_postponed=False).order_by("board")


def missing_count(round_: Round) -> int:
    """Return the number of missing results of the round: two a board in mini-matches."""
    event = round_.event
    rows = missing(round_)
    if event.games_per_pairing == 1 and not (event.is_of_teams or formats.of(event).has_draw):
        return rows.count()
    return sum(
        not line.entered_result
        for pairing in rows.with_lines(event)
        for line in pairing.lines(event)
        # Extra games of a tie are missing to no one.
        if pairing.tie_games is None or line.number <= pairing.tie_games
    )


def enter_result(
    *,
    event_id: int,
    actor: User,
    round_number: int,
    board: int,
    game: int = 1,
    result: str,
    page_result: str | None = None,
    must_match: bool = False,
) -> EnteredResult:
    """Enter the result of one board, or clear it (`result` empty), until the round closes.

    `game` is 2 for the second of a mini-match, whose first player is the second of the board. In a tie
    of a knock-out the line of the next game follows, until the tie is decided.

    The last entry decides. `page_result` is the result on the page, None if unknown. With
    `must_match` no other result is overwritten. The result of a postponed board can be entered
    after its round as well, once: later it is corrected.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `round-closed` if results of this round are corrected and no longer entered, or
            `result-other` if the result differs from that of the page.
        RefusedError: `not-over-the-board`, `no-such-board`, `no-such-result`, or
            `tie-later-results` if a later game of a tie has a result and would not have been played.
    """
    if result and result not in ENTERED:
        raise RefusedError("no-such-result", result[:20])
    with transaction.atomic():
        event = acts.lock(event_id, actor, Task.RESULTS)
        if result in Game.UNUSUAL and formats.of(event).has_draw:
            raise RefusedError("no-such-result", result)  # a tie has a winner
        round_, pairing = open_board(event, round_number, board)
        row, column = place_of(event, pairing, game)
        before = getattr(row, column)
        is_overwritten = page_result is not None and before not in {page_result, result}
        if is_overwritten and must_match:
            raise StaleError("result-other", before)
        if before != result:
            save_result(event, round_, pairing, game, result)
            audit.note(
                "result",
                event=event,
                actor=actor,
                round=round_.number,
                board=board_name(event, pairing, game),
                before=before,
                after=result,
                is_own_game=staff.plays_in(actor, _players(row)),
            )
        return EnteredResult(pairing, game, before, result, is_overwritten, missing_count(round_))


def save_result(event: Event, round_: Round, pairing: Pairing, game: int, result: str) -> None:
    """Save the result of a game of the board. An empty one deletes the reports of its players.

    In the caller's transaction, `event` locked.
    """
    row, column = place_of(event, pairing, game)
    setattr(row, column, result)
    row.save(update_fields=[column])
    if pairing.tie_games is not None:
        tie_play.adjust_lines(event, pairing)
    if not result:
        pairing.player_reports.filter(game=game).delete()
    board = pairing.board
    news.announce(news.of_event(event.pk), "result", {"round": round_.number, "board": board})
    if round_.state == Round.State.CLOSED:
        _close_postponed(event, round_, pairing)


def _close_postponed(event: Event, round_: Round, pairing: Pairing) -> None:
    """Make games of the results of a postponed board, and end the event if it was the last one."""
    boards = round_.pairings.filter(pk=pairing.pk).with_lines(event).prefetch_related("games")
    record(event, round_, boards)
    played = Game.objects.filter(pairing=pairing).exclude(result__in=Game.UNPLAYED)
    if not rounds.is_open(event, boards.get()) and not played.exists():
        round_.pairings.filter(pk=pairing.pk).update(is_met=False)
    rounds.finish_if_complete(event)


@act(
    "postpone",
    task=Task.RESULTS,
    done=_("The game counts as a draw until its result."),
    warning=ActWarning(
        Level.SIMPLE,
        _(
            "The round can end before an adjourned game. Until its result the game counts as a draw."
        ),
    ),
)
def postpone(
    event: Event,
    actor: User,
    *,
    round_number: int,
    board: int,
    is_postponed: bool | None = None,
) -> Pairing:
    """Let the game of a board end after its round, or take that back.

    Until its result the game counts as a draw, for pairings and in the standings (C.04.2 3.1). The
    round can be closed without it. The standings are final once it is over. Without `is_postponed`
    a second act undoes the first.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `round-closed`.
        RefusedError: `no-such-board`, `postpone-over` for a board with all its results, or
            `postpone-tie` in formats whose next round needs the result.
    """
    format_ = formats.of(event)
    if format_.has_draw or format_.is_continuous:
        raise RefusedError("postpone-tie")
    published = event.rounds.filter(number=round_number, state=Round.State.PUBLISHED)
    round_ = published.first()
    if round_ is None:
        raise StaleError("round-closed", str(round_number))
    boards = round_.pairings.filter(board=board).with_lines(event).prefetch_related("games")
    pairing = boards.first()
    if pairing is None:
        raise RefusedError("no-such-board", str(board))
    new = not pairing.is_postponed if is_postponed is None else is_postponed
    if new == pairing.is_postponed:
        return pairing
    if new and not rounds.is_open(event, pairing):
        raise RefusedError("postpone-over", str(board))
    pairing.is_postponed = new
    pairing.save(update_fields=["is_postponed"])
    postpone.note(
        event,
        actor,
        round=round_number,
        board=board,
        players=[pairing.first.player_id, pairing.second.player_id],
        is_postponed=new,
    )
    news.announce(news.of_event(event.pk), "result", {"round": round_number, "board": board})
    enqueue.event(event.pk)
    return pairing


def place_of(
    event: Event, pairing: Pairing, game: int
) -> tuple[Pairing | TeamBoard | TieGame, str]:
    """Return the row and the column of the result of a game of the board.

    Raises RefusedError `no-such-board`, also for an empty board of a team.
    """
    if pairing.tie_games is not None and game != 1:
        later = pairing.later_games.filter(number=game).first()
        if later is None:
            raise RefusedError("no-such-board", f"{pairing.board}.{game}")
        later.pairing = pairing
        return later, "entered_result"
    if not event.is_of_teams:
        if not 1 <= game <= event.games_per_pairing:
            raise RefusedError("no-such-board", f"{pairing.board}.{game}")
        return pairing, "entered_second_result" if game == 2 else "entered_result"
    rows = pairing.boards.select_related("first__player", "second__player")
    row = rows.filter(number=game, first__isnull=False, second__isnull=False).first()
    if row is None:
        raise RefusedError("no-such-board", f"{pairing.board}.{game}")
    return row, "entered_result"


def _players(row: Pairing | TeamBoard | TieGame) -> Sequence[Player]:
    if isinstance(row, TieGame):
        row = row.pairing
    return [entry.player for entry in (row.first, row.second) if entry is not None]


def open_board(event: Event, round_number: int, board: int) -> tuple[Round, Pairing]:
    """The open round over the board, and the board. Raises as `enter_result`."""
    if not event.is_over_the_board:
        raise RefusedError("not-over-the-board", event.slug)
    round_ = open_round(event)
    if round_ is None or round_.number != round_number:
        for postponed in rounds.postponed(event):
            if (postponed.round.number, postponed.board) == (round_number, board):
                return postponed.round, postponed
        raise StaleError("round-closed", str(round_number))
    pairing = _board.one(round_=round_.pk, board=board)
    if pairing is None:
        raise RefusedError("no-such-board", str(board))
    pairing.round = round_
    return round_, pairing


@statements.query
def _board(round_: int, board: int) -> QuerySet[Pairing]:
    rows = Pairing.objects.select_related("first__player", "second__player")
    return rows.filter(round=round_, board=board).order_by()


@act(
    "let-through",
    task=Task.RESULTS,
    done=_("The log has who goes through."),
    action="tie",
)
def let_through(
    event: Event, actor: User, *, round_number: int, board: int, tpn: int, reason: str
) -> Pairing:
    """Say who goes through a level tie of a knock-out. A draft of the next round is thrown away.

    `tpn` 0 lets neither player of a tie advance that neither has played.

    Raises:
        NotAllowedError: `not-organiser`, or `own-game` on line.
        StaleError: `round-paired` once the next round is published, `no-such-entry`.
        RefusedError: `tie-not-level`, `reason-bad`.
    """
    later = event.rounds.filter(number__gt=round_number)
    if later.exclude(state=Round.State.DRAFT).exists():
        raise StaleError("round-paired", str(round_number))
    round_ = event.rounds.filter(number=round_number).exclude(state=Round.State.DRAFT).first()
    level = ties.open_ties(event, round_) if round_ is not None else []
    tie = next((each for each in level if each.board == board), None)
    if tie is None:
        raise RefusedError("tie-not-level", str(board))
    both = (tie.first.player, tie.second.player)
    staff.require_neutral(event, actor, both)
    entry = next((each for each in (tie.first, tie.second) if each.tpn == tpn), None)
    is_lost_by_both = not tpn and ties.is_lost_by_both(event, tie)
    if entry is None and not is_lost_by_both:
        raise StaleError("no-such-entry", str(tpn))
    rounds.drop_draft(event)
    tie.goes_through, tie.is_lost_by_both = entry, is_lost_by_both
    tie.save(update_fields=["goes_through", "is_lost_by_both"])
    let_through.note(
        event,
        actor,
        reason=reason,
        round=round_number,
        board=board,
        **({"player": entry.player_id} if entry else {}),
        is_own_game=staff.plays_in(actor, both),
    )
    news.announce(news.of_event(event.pk), "result", {"round": round_number, "board": board})
    enqueue.event(event.pk)
    return tie


def board_name(event: Event, pairing: Pairing, game: int) -> int | str:
    """Return the board, and of mini-matches and ties the game at it: 3.2 for the second."""
    is_one = event.games_per_pairing == 1 and game == 1 and (pairing.tie_games or 1) == 1
    return pairing.board if is_one else f"{pairing.board}.{game}"


def close_round(*, event_id: int, actor: User, round_number: int) -> Round:
    """Make games of the entered results and close the round.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `round-closed`.
        RefusedError: `not-over-the-board`, `results-missing` with the boards, `ties-open` with those
            of level ties of a knock-out.
    """
    with transaction.atomic():
        event = acts.lock(event_id, actor, Task.RESULTS)
        if not event.is_over_the_board:
            raise RefusedError("not-over-the-board", event.slug)
        round_ = event.rounds.filter(state=Round.State.PUBLISHED, number=round_number).first()
        if round_ is None:
            raise StaleError("round-closed", str(round_number))
        boards = [str(pairing.board_number) for pairing in missing(round_)]
        if boards:
            more = " …" if len(boards) > _MOST_BOARDS_NAMED else ""
            raise RefusedError(
                "results-missing",
                gettext_noop("Boards without a result: %(boards)s"),
                boards=", ".join(boards[:_MOST_BOARDS_NAMED]) + more,
            )
        ties.require_decided(event, round_)
        if round_.started_at is None:
            round_.started_at = round_.published_at
            round_.save(update_fields=["started_at"])
        pairings = round_.pairings.filter(games__isnull=True)
        record(event, round_, pairings.with_lines(event))
        closed_round = rounds.close_round(event)
        assert closed_round is not None, "all boards have their games"
        return closed_round


def record(event: Event, round_: Round, pairings: Iterable[Pairing]) -> list[Game]:
    """Save the games of these pairings with their entered results, notify their players, and return the games.

    In the caller's transaction, `event` locked.
    """
    rows = game_creation.record_over_board(event, round_.setup, pairings)
    ResultReport.objects.filter(pairing__round=round_, pairing__games__isnull=False).delete()
    _tell(rows)
    return rows


def _tell(rows: Iterable[Game]) -> None:
    news.announce_each(
        (topic, "end", news.about(game))
        for game in rows
        for topic in news.of_players((game.first, game.second))
    )
