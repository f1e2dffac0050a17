"""A preview of a correction: the correction is made, compared, and rolled back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from tournaments.models import Award, Entry, Event, Game, Pairing, Player, Rating, Round, User
from tournaments.pairing import Contestant, PairingError, PairingProblem, system
from tournaments.pairing.renumbering import with_opponents
from tournaments.queries import formats
from tournaments.queries.events import prizes
from tournaments.queries.results import awards, histories, pairing_input, tables
from tournaments.queries.results.prize_outcomes import EventAwards
from tournaments.queries.results.standings import EventRow
from tournaments.services.arbiter import corrections
from tournaments.services.ratings import recomputations
from tournaments.standings import TieBreak
from tournaments.trf import TrfError

# Later rounds of more players are not paired again for a preview: each takes seconds.
_MOST_PLAYERS = 200


@dataclass(frozen=True, slots=True)
class RowChange:
    """A row of the standings that changes: rank, points in half points and tie-breaks, before and after."""

    entry: Entry
    before: EventRow
    after: EventRow

    @property
    def values(self) -> list[tuple[str, str]]:
        """The value of each tie-break, before and after."""
        return list(zip(self.before.values, self.after.values, strict=False))


@dataclass(frozen=True, slots=True)
class DoubtfulRound:
    """A later round that would have been paired otherwise. Its boards are not changed (C.04.2 4.4).

    `pairings` are the boards whose players would not have met. In `is_unknown` cases, in which it
    could not be paired again, they are all boards.
    """

    number: int
    pairings: Sequence[Pairing]
    is_unknown: bool = False


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A rating before and after, in hundredths of a point."""

    player: Player
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class AwardChange:
    """The prizes of a player by the standings, before and after. `currency` is that of the sums."""

    entry: Entry
    before: Sequence[Award]
    after: Sequence[Award]
    currency: str


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """The consequences of a correction.

    Attributes:
        after: the result of the game after it.
        rows: the rows of the standings that change, by their place after it.
        tie_breaks: those of the standings, in their order.
        doubtful: later rounds that would have been paired otherwise.
        ratings: ratings that change, the largest change first.
        is_pool_large: whether ratings change later, when a worker has computed the pool again.
            `ratings` is empty then.
        recipients: players with an account who are notified.
        discards_draft: whether a draft is discarded.
        awards: players whose prizes would differ, once the event is over.
        is_awarded: whether the prizes were awarded already. These awards are not changed.
    """

    after: str
    rows: Sequence[RowChange]
    tie_breaks: Sequence[TieBreak]
    doubtful: Sequence[DoubtfulRound]
    ratings: Sequence[RatingChange]
    is_pool_large: bool
    recipients: Sequence[Player]
    discards_draft: bool
    awards: Sequence[AwardChange]
    is_awarded: bool


def preview(*, game_id: int, actor: User, result: str, reason: str) -> CorrectionPreview:
    """Return the changes by `corrections.correct` with equal arguments, without storing them.

    Raises the errors of `corrections.correct`.
    """
    with transaction.atomic():
        before = _State(game_id)
        corrections.correct(game_id=game_id, actor=actor, result=result, reason=reason)
        after = _State(game_id)
        game = after.game
        outcome = CorrectionPreview(
            after=game.result or "",
            rows=_changed_rows(before, after),
            tie_breaks=after.tie_breaks,
            doubtful=list(_doubtful(game)),
            ratings=_changed_ratings(before, after),
            is_pool_large=recomputations.current(game.pool_id) is not None,
            recipients=[each for each in (game.first, game.second) if each.user_id is not None],
            discards_draft=before.has_draft and not after.has_draft,
            awards=_changed_awards(before, after),
            is_awarded=after.is_awarded,
        )
        transaction.set_rollback(True)
    return outcome


class _State:
    """The standings and ratings that a game has a part in, as they are now."""

    def __init__(self, game_id: int) -> None:
        self.game = Game.objects.with_players().get(pk=game_id)
        self.rows: Mapping[int, EventRow] = {}
        self.tie_breaks: Sequence[TieBreak] = ()
        self.has_draft = self.is_awarded = False
        self.awards: EventAwards | None = None
        if self.game.pairing is not None:
            event = Event.objects.get(pk=self.game.pairing.event_id)
            table = tables.event_table(event)
            self.tie_breaks = table.tie_breaks
            self.rows = {row.entry.pk: row for row in table.rows}
            if event.state == Event.State.FINISHED:
                self.awards = awards.of_event(event, table)
                self.is_awarded = prizes.standing_awards(event) is not None
            self.has_draft = event.rounds.filter(state=Round.State.DRAFT).exists()
        ratings = Rating.objects.filter(pool=self.game.pool_id or 0)
        self.ratings = dict(ratings.values_list("player", "centielo"))


def _changed_rows(before: _State, after: _State) -> list[RowChange]:
    changes = []
    for pk, row in after.rows.items():
        old = before.rows[pk]
        is_same = (old.rank, old.points_halves, old.wins) == (row.rank, row.points_halves, row.wins)
        if not is_same or list(old.values) != list(row.values):
            changes.append(RowChange(row.entry, old, row))
    return sorted(changes, key=lambda change: change.after.rank)


def _changed_awards(before: _State, after: _State) -> list[AwardChange]:
    if before.awards is None or after.awards is None:
        return []
    old, new = (awards.by_entry(each.awards.rows()) for each in (before, after) if each.awards)
    changes = [
        AwardChange(row.entry, old.get(pk, ()), new.get(pk, ()), after.awards.currency)
        for pk, row in after.rows.items()
        if awards.differ(old.get(pk, ()), new.get(pk, ()))
    ]
    return sorted(changes, key=lambda change: after.rows[change.entry.pk].rank)


def _changed_ratings(before: _State, after: _State) -> list[RatingChange]:
    pks = [pk for pk, centielo in after.ratings.items() if before.ratings.get(pk) != centielo]
    players = Player.objects.in_bulk(pks)
    changes = [
        RatingChange(players[pk], before.ratings.get(pk, after.ratings[pk]), after.ratings[pk])
        for pk in pks
    ]
    return sorted(changes, key=lambda each: -abs(each.after - each.before))


def _doubtful(game: Game) -> Sequence[DoubtfulRound]:
    """The later rounds of a Swiss, paired again with the corrected result in their input."""
    if game.pairing is None:
        return []
    event = Event.objects.get(pk=game.pairing.event_id)
    if not formats.of(event).is_swiss:
        return []
    later = event.rounds.filter(number__gt=game.pairing.round.number)
    rounds = list(later.exclude(state=Round.State.DRAFT).order_by("number"))
    if event.entries.count() > _MOST_PLAYERS:
        return [DoubtfulRound(round_.number, (), is_unknown=True) for round_ in rounds]
    doubtful = (_compare(event, round_) for round_ in rounds)
    return [each for each in doubtful if each is not None]


def _compare(event: Event, round_: Round) -> DoubtfulRound | None:
    """Return the boards of a round that a pairing by the current results lacks, or None without any."""
    pairings = list(
        round_.pairings.select_related("first__player", "second__player").order_by("board")
    )
    try:
        problem = _with_results_of_now(round_, pairing_input.read_back(round_))
        solution = system(event.format).pair(problem)
    except (PairingError, TrfError):
        return DoubtfulRound(round_.number, pairings, is_unknown=True)
    now = round_.numbers.now
    pairs = {frozenset((now(board.first), now(board.second))) for board in solution.boards}
    others = [
        pairing
        for pairing in pairings
        if frozenset((pairing.first.tpn, pairing.second.tpn)) not in pairs
    ]
    return DoubtfulRound(round_.number, others) if others else None


def _with_results_of_now(round_: Round, problem: PairingProblem) -> PairingProblem:
    """Return `problem`, whose numbers are those of its time, with the present history of each contestant."""
    rounds_by_entry, numbers = histories.of_event(round_.event), round_.numbers
    tpns = dict(round_.event.entries.exclude(tpn=None).values_list("tpn", "pk"))

    def renewed(contestants: Sequence[Contestant]) -> tuple[Contestant, ...]:
        own = (rounds_by_entry.get(tpns[numbers.now(each.tpn)], {}) for each in contestants)
        records = (histories.pairing_records(each, problem.round_number - 1) for each in own)
        return tuple(
            each._replace(records=with_opponents(rows, numbers.then))
            for each, rows in zip(contestants, records, strict=True)
        )

    return problem._replace(
        contestants=renewed(problem.contestants),
        absent=renewed(problem.absent),
    ).checked()
