"""Boards over the board that were played with the sides exchanged. The results keep their winners."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

import games as rules
from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Correction, Event, Game, Pairing, RatedResult, Round, User
from tournaments.models.setting_types import Level
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.services.arbiter import results
from tournaments.services.events.acts import ActWarning, act
from tournaments.services.notifications import news
from tournaments.services.rounds import edits


@act(
    "exchange-sides",
    task=Task.RESULTS,
    done=_("The board has its colours exchanged."),
    warning=ActWarning(
        Level.SIMPLE,
        _(
            "⇄ records that a board was played with colours exchanged, for later pairings too. A result keeps its winner."
        ),
    ),
)
def exchange_sides(
    event: Event, actor: User, *, round_number: int, board: int, first: int | None = None
) -> Pairing:
    """Record that a board was played with the sides exchanged, until its round closes.

    Its typed results keep their winners. Afterwards `corrections.correct` does the same.

    A second exchange undoes the first. The act has no effect if `first`, a pairing number, has the
    first side already. Colours of later pairings and of the report follow.

    Raises:
        NotAllowedError: `not-organiser`.
        StaleError: `round-closed`, or `no-such-entry` if `first` does not sit at the board.
        RefusedError: `not-over-the-board`, `no-such-board`, `exchange-teams` in a match of teams.
    """
    if event.is_of_teams:
        raise RefusedError("exchange-teams")
    round_, pairing = results.open_board(event, round_number, board)
    if first is not None and first not in {pairing.first.tpn, pairing.second.tpn}:
        raise StaleError("no-such-entry", str(first))
    if first == pairing.first.tpn:
        return pairing
    _exchange(round_, pairing)
    _note(event, actor, round_, pairing)
    news.announce(news.of_event(event.pk), "result", {"round": round_number, "board": board})
    return pairing


def is_possible(game: Game) -> bool:
    """Return whether the game was played over the board by two entries, so that `correct` may exchange its sides."""
    event = game.pairing.event if game.pairing is not None else None
    return event is not None and event.is_over_the_board and not event.is_of_teams


def correct(event: Event, game: Game, actor: User, reason: str) -> list[Correction]:
    """Record the exchange in a closed round, and return a correction for each game of the board.

    The caller has locked the event and the game, and has checked the reason. In its transaction.

    Raises RefusedError `not-over-the-board`, `exchange-teams`, `exchange-armageddon` for a tie whose
    draw has a winner by the sides, or `exchange-record` if a record says who has won.
    """
    if not event.is_over_the_board:
        raise RefusedError("not-over-the-board", event.slug)
    if event.is_of_teams:
        raise RefusedError("exchange-teams")
    pairing = game.pairing
    assert pairing is not None, "a game of an event has a pairing"
    rows = pairing.games.select_for_update(of=("self",), no_key=True).with_players()
    corrections = [_correction(each, actor, reason) for each in rows.order_by("number")]
    Correction.objects.bulk_create(corrections)
    for each in corrections:
        _exchange_game(each)
    # The row of a round is large.
    round_ = event.rounds.defer("problem", "evidence", "report").get(pk=pairing.round_id)
    _exchange(round_, pairing)
    _note(event, actor, round_, pairing, reason=reason, game=game.pk)
    return corrections


def _exchange(round_: Round, pairing: Pairing) -> None:
    """Exchange the sides of the pairing, with its typed results."""
    edits.sit(round_, pairing, pairing.second)
    pairing.entered_result = _reversed(pairing.entered_result)
    pairing.entered_second_result = _reversed(pairing.entered_second_result)
    pairing.save(update_fields=["entered_result", "entered_second_result"])
    for later in pairing.later_games.all():
        later.entered_result = _reversed(later.entered_result)
        later.save(update_fields=["entered_result"])
    for report in pairing.player_reports.all():
        report.result = _reversed(report.result)
        report.save(update_fields=["result"])
    edit = {"kind": "exchange", "board": pairing.board}
    is_second = edit in round_.edits
    others = [each for each in round_.edits if each != edit]
    round_.edits = others if is_second else [*others, edit]
    round_.save(update_fields=["edits"])


def _note(
    event: Event, actor: User, round_: Round, pairing: Pairing, *, reason: str = "", **detail: int
) -> None:
    both = (pairing.first.player, pairing.second.player)
    exchange_sides.note(
        event,
        actor,
        reason=reason,
        round=round_.number,
        board=pairing.board,
        players=[player.pk for player in both],
        is_own_game=staff.plays_in(actor, both),
        **detail,
    )


def _correction(game: Game, actor: User, reason: str) -> Correction:
    if game.armageddon_percent is not None:
        raise RefusedError("exchange-armageddon")
    assert game.result is not None, "a game over the board begins with its result"
    after = _reversed(game.result)
    if game.ply:
        outcome = rules.load(game.ruleset).parse(game.position).outcome()
        if outcome is not None and outcome != rules.Outcome.DRAW:
            raise RefusedError("exchange-record")
    return Correction(
        game=game,
        seq=game.corrections.count() + 1,
        before=game.result,
        after=after,
        is_exchange=True,
        reason=reason,
        actor=actor,
        made_at=database_time.now(),
    )


def _exchange_game(correction: Correction) -> None:
    game = correction.game
    game.first, game.second, game.result = game.second, game.first, correction.after
    game.save(update_fields=["first", "second", "result"])
    for rated in RatedResult.objects.filter(game=game):
        rated.result = _reversed(rated.result)
        rated.save(update_fields=["result"])


def _reversed(result: str) -> str:
    """Return the result with the same winner and the sides exchanged."""
    return _REVERSED.get(result, result)


_REVERSED: Mapping[str, str] = {
    Game.Result.FIRST.value: Game.Result.SECOND.value,
    Game.Result.SECOND.value: Game.Result.FIRST.value,
    **{before.value: after.value for before, after in Game.EXCHANGED.items()},
    Game.Result.DRAW_LOSS.value: Game.Result.LOSS_DRAW.value,
    Game.Result.LOSS_DRAW.value: Game.Result.DRAW_LOSS.value,
    Game.Result.SHORT_FIRST.value: Game.Result.SHORT_SECOND.value,
    Game.Result.SHORT_SECOND.value: Game.Result.SHORT_FIRST.value,
}
