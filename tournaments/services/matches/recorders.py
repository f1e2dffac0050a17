"""The recorder of a match of bots: plies, results, and transcripts for authors."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction

from engine.errors import MatchAbortedError
from engine.match import Ending, Fault, GameReport, PlyEvent
from engine.programs import fuel_game
from games import Side
from tournaments import database_time
from tournaments.models import Evaluation, Game, Transcript
from tournaments.models.sprt import MAX_TRANSCRIPT
from tournaments.queries.clocks import game_clocks
from tournaments.queries.records import evaluations
from tournaments.services.bots import sandbox_status, suspension
from tournaments.services.games import game_creation, game_end, play
from tournaments.services.matches.leases import Lease

# Plies are recorded together when they come faster than this.
_FLUSH = timedelta(milliseconds=250)


class Recorder:
    """Writes a match down while it is played.

    Every write renews the lease. A lost lease stops the match.
    """

    def __init__(self, lease: Lease, match_games: Sequence[Game]) -> None:
        self._lease = lease
        self._games = match_games
        self._waiting: list[PlyEvent] = []
        self._written_at = database_time.now()
        player_ids = {pk for game in match_games for pk in (game.first_id, game.second_id)}
        self._of_authors = game_creation.sandboxed_among(player_ids)

    def game_started(self, game: int) -> None:
        """Note who counts the fuel."""
        current = self._games[game]
        if current.fuel is not None:
            with transaction.atomic():
                self._lease.renew()
                Game.objects.filter(pk=current.pk).update(fuel_meter=fuel_game.meter())

    def ply_played(self, event: PlyEvent) -> None:
        """Store the ply in memory, and write if the last write was some time ago.

        The last plies are written with the game's end.
        """
        self._waiting.append(event)
        if not event.is_last and database_time.now() - self._written_at >= _FLUSH:
            self._write()

    def waiting(self) -> None:
        """Write the waiting plies and renew the lease."""
        self._write()

    def game_ended(self, report: GameReport) -> None:
        """Write the rest, the transcripts, and the result when it did not follow from the rules."""
        if report.ending is Ending.VOID or report.outcome is None:
            if report.fault is Fault.ISOLATION:
                sandbox_status.invalidate_self_test()
            if report.fault is Fault.STARVED:
                self._lease.put_off(report.detail)
            else:
                self._lease.release(report.detail)
            raise MatchAbortedError(f"void: {report.detail}")
        game = self._games[report.index]
        with transaction.atomic():
            self._write()
            self._keep_transcripts(game, report)
            if report.ending is not Ending.RULES:
                game_end.finish_game(
                    game,
                    result=report.outcome.value,
                    ending=report.ending.value,
                    detail=report.detail,
                )
            suspension.suspend_if_unreliable(game)

    def _write(self) -> None:
        with transaction.atomic(savepoint=False):
            self._lease.renew()
            for index, game in enumerate(self._games):
                self._write_game(game, [e for e in self._waiting if e.game == index])
            self._waiting.clear()
            self._written_at = database_time.now()

    def _write_game(self, game: Game, events: Sequence[PlyEvent]) -> None:
        step, thoughts, plies = None, [], play.Plies(game)
        for event in events:
            # Played again by the rules here: the referee's word alone is never recorded.
            step = play.step_of(game, event.ply.move)
            plies.add(
                step,
                side=event.ply.side.value,
                turn=game_clocks.Turn(event.ply.charged_ms if game.fuel is None else 0),
                wall_ms=event.ply.wall_ms,
                cpu_ms=event.ply.cpu_ms,
            )
            thoughts.append(evaluations.of_last_ply(game, event.ply.info))
        plies.write()
        Evaluation.objects.bulk_create(filter(None, thoughts))
        if step is not None:
            play.conclude_ply(game, step)

    def _keep_transcripts(self, game: Game, report: GameReport) -> None:
        """Store the messages of authors' bots. Built-in bots have no transcripts."""
        sides = zip(Side, report.transcripts, strict=True)
        Transcript.objects.bulk_create(
            Transcript(
                game=game, side=side.value, attempt=game.attempt, text=_truncate(transcript.text())
            )
            for side, transcript in sides
            if game.player_on(side.value).pk in self._of_authors
        )


def _truncate(text: str) -> str:
    """Return `text`, or the largest number of its whole lines that fits in a row."""
    if len(text) <= MAX_TRANSCRIPT:
        return text
    return text[: text.rindex("\n", 0, MAX_TRANSCRIPT) + 1]
