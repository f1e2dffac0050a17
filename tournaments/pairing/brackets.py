"""Elimination brackets: ties whose slots are seeds, or winners and losers of other ties, and their results by the records."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tournaments.pairing.problem import BadProblemError, RoundKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.pairing.problem import PairingProblem, RoundRecord


class Bracket(StrEnum):
    """Part of the draw to which a tie belongs."""

    WINNERS = "winners"  # of a single elimination all but the tie for third place
    THIRD = "third"  # the losers of the semi-finals
    LOSERS = "losers"
    FINAL = "final"  # winners' champion against losers' champion
    RESET = "reset"  # once more, when the losers' champion won that


@dataclass(frozen=True, slots=True)
class Source:
    """Source of a slot: a seed from 1, or the winner or the loser of the tie of that index."""

    seed: int | None = None
    tie: int | None = None
    takes_loser: bool = False


@dataclass(frozen=True, slots=True)
class Fixture:
    """A tie of the empty draw: its round of the elimination and its place in that round's bracket, both from 1."""

    bracket: Bracket
    round_number: int
    place: int
    upper: Source
    lower: Source


@dataclass(frozen=True, slots=True)
class Slot:
    """One half of a tie.

    Attributes:
        tpn: the player in it, or None if undecided or permanently empty.
        is_bye: whether it is permanently empty.
        seed: the seed number of `tpn`, None without one.
        source: the origin of its player. `source.tie` is an index into the ties of the draw.
        score_halves: the score of `tpn` in the tie, of a match the points of its games. None before
            that, and without a game.
    """

    tpn: int | None
    is_bye: bool
    seed: int | None
    source: Source
    score_halves: int | None


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie of the draw, decided or not.

    A reset final that is not needed has two byes and no winner.

    Attributes:
        index: its place among all ties of the draw, from 0.
        bracket, place: its bracket, and its place in its round, from 1 at the top.
        round_number: the event's round in which it is played.
        upper, lower: the slots.
        winner, losers: TPNs, as far as decided. A bye has no loser. A double forfeit without the
            arbiter's decision has two, if the draw says so.
        is_higher_seed: whether it was level, or played by neither, and the higher seed went
            through.
    """

    index: int
    bracket: Bracket
    place: int
    round_number: int
    upper: Slot
    lower: Slot
    winner: int | None
    losers: tuple[int, ...]
    is_higher_seed: bool

    @property
    def is_bye(self) -> bool:
        """Return whether there is no game to play, because a slot is permanently empty."""
        return self.upper.is_bye or self.lower.is_bye


@dataclass(frozen=True, slots=True)
class DrawRound:
    """The ties of one bracket in one round of the event, from the top."""

    bracket: Bracket
    round_number: int
    ties: tuple[Tie, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """A whole elimination, played ties and future ones.

    Attributes:
        seeds: TPNs by seed, or None for an empty place.
        ties: by index.
        champion: the TPN, once there is one.
    """

    seeds: tuple[int | None, ...]
    ties: tuple[Tie, ...]
    champion: int | None

    @property
    def rounds(self) -> tuple[DrawRound, ...]:
        """Return the ties by bracket and round, the winners' bracket first."""
        groups: dict[tuple[int, int], list[Tie]] = {}
        order = list(Bracket)
        for tie in self.ties:
            groups.setdefault((order.index(tie.bracket), tie.round_number), []).append(tie)
        return tuple(
            DrawRound(order[place], number, tuple(ties))
            for (place, number), ties in sorted(groups.items())
        )

    def due(self, round_number: int) -> list[Tie]:
        """Return the ties with two players to be played in that round of the event."""
        return [
            tie
            for tie in self.ties
            if tie.round_number == round_number and tie.upper.tpn and tie.lower.tpn
        ]


def bracket_size(players: int) -> int:
    """Return the least power of two that is at least this number.

    Raises BadProblemError for fewer than two.
    """
    if players < 2:
        raise BadProblemError(f"{players} players: a knock-out needs two")
    return 1 << (players - 1).bit_length()


def seeding_order(size: int) -> list[int]:
    """Seeds from the top of the bracket to its bottom: 1 and 2 meet in the last round only, 1 to 4 in the last two, ..."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for place in order for seed in (place, total - place)]
    return order


def winners_fixtures(size: int, round_numbers: Sequence[int]) -> list[Fixture]:
    """Return the winners' bracket of this number of places, its rounds in those rounds of the elimination, first rounds first."""
    order = seeding_order(size)
    sources = [Source(seed=seed) for seed in order]
    fixtures: list[Fixture] = []
    for number in round_numbers:
        ties = [
            Fixture(Bracket.WINNERS, number, place, upper, lower)
            for place, (upper, lower) in enumerate(
                zip(sources[::2], sources[1::2], strict=True), start=1
            )
        ]
        sources = [Source(tie=len(fixtures) + offset) for offset in range(len(ties))]
        fixtures += ties
    return fixtures


def resolve(
    fixtures: Sequence[Fixture],
    seeds: Sequence[int | None],
    problem: PairingProblem,
    *,
    rounds_before: int = 0,
    both_may_lose: bool = False,
) -> Draw:
    """Return the draw after the records of `problem`, its first round being that after `rounds_before` of the event.

    `fixtures` name only earlier ones as sources. The last one decides. `both_may_lose` says whether
    a double forfeit eliminates both.
    """
    records = {c.tpn: c.records for c in (*problem.contestants, *problem.absent)}
    filling = _Filling(
        seeds, records, rounds_before, problem.round_number, both_may_lose=both_may_lose
    )
    for fixture in fixtures:
        filling.add(fixture)
    ties = tuple(filling.ties)
    champion = ties[-1].winner
    if champion is None and fixtures[-1].bracket is Bracket.RESET:
        champion = ties[-2].winner if ties[-1].is_bye else None
    return Draw(tuple(seeds), ties, champion)


class _Filling:
    """Fills slots tie by tie."""

    def __init__(
        self,
        seeds: Sequence[int | None],
        records: Mapping[int, Sequence[RoundRecord]],
        rounds_before: int,
        next_round: int,
        *,
        both_may_lose: bool,
    ) -> None:
        self.ties: list[Tie] = []
        self._seeds = seeds
        self._seed_of = {tpn: n for n, tpn in enumerate(seeds, start=1) if tpn is not None}
        self._records = records
        self._rounds_before = rounds_before
        self._next_round = next_round
        self._both_may_lose = both_may_lose

    def add(self, fixture: Fixture) -> None:
        number = self._rounds_before + fixture.round_number
        needed = fixture.bracket is not Bracket.RESET or self._is_reset_needed()
        upper = self._slot(fixture.upper, number, needed=needed)
        lower = self._slot(fixture.lower, number, needed=needed)
        winner: int | None = None
        losers = tuple[int, ...]()
        is_higher_seed = False
        if upper.is_bye or lower.is_bye:
            winner = upper.tpn or lower.tpn
        elif upper.tpn and lower.tpn and number < self._next_round:
            both = upper.tpn, lower.tpn
            merits = [self._merit(tpn, number) for tpn in both]
            worth = merits[0] - merits[1]
            if worth == 0:
                worth = self._goes_through(both[0], number) - self._goes_through(both[1], number)
            if worth == 0 and self._both_may_lose and merits == [_FORFEITED, _FORFEITED]:
                losers = both
            else:
                is_higher_seed = worth == 0
                seeds = (upper.seed or 0) - (lower.seed or 0)
                upper_wins = worth > 0 or (is_higher_seed and seeds < 0)
                winner, losers = (both[0], both[1:]) if upper_wins else (both[1], both[:1])
        self.ties.append(
            Tie(
                len(self.ties),
                fixture.bracket,
                fixture.place,
                number,
                upper,
                lower,
                winner,
                losers,
                is_higher_seed,
            )
        )

    def _is_reset_needed(self) -> bool:
        """Return whether the losers' champion, in the lower slot, won the final before, or still can."""
        final = self.ties[-1]
        return final.winner is None or final.winner == final.lower.tpn

    def _slot(self, source: Source, number: int, *, needed: bool) -> Slot:
        if not needed:
            return Slot(None, True, None, source, None)
        tpn, is_bye = self._who(source)
        score = None
        if tpn is not None and number < self._next_round:
            score = self._score(self._records[tpn][number - 1], number)
        return Slot(tpn, is_bye, self._seed_of.get(tpn) if tpn else None, source, score)

    def _who(self, source: Source) -> tuple[int | None, bool]:
        if source.seed is not None:
            tpn = self._seeds[source.seed - 1] if source.seed <= len(self._seeds) else None
            return tpn, tpn is None
        assert source.tie is not None, "a source is a seed or a tie"
        tie = self.ties[source.tie]
        if len(tie.losers) > 1:
            return None, True
        if source.takes_loser:
            return next(iter(tie.losers), None), tie.is_bye
        return tie.winner, tie.upper.is_bye and tie.lower.is_bye

    def _score(self, record: RoundRecord, number: int) -> int | None:
        if record.opponent is None:
            return None
        theirs = self._records[record.opponent][number - 1]
        is_match = record.second_halves or theirs.second_halves
        return record.second_halves if is_match else record.score_halves

    def _goes_through(self, tpn: int, number: int) -> bool:
        """Return whether the arbiter has decided a level tie."""
        return self._records[tpn][number - 1].goes_through

    def _merit(self, tpn: int, number: int) -> int:
        """Return the value of the record of that round against the opponent's."""
        record = self._records[tpn][number - 1]
        if record.kind.is_played:
            return record.score_halves
        if record.kind in (RoundKind.FORFEIT_WIN, RoundKind.THROUGH):
            return 1 << 30
        return _FORFEITED


def rounds_of_loss(draw: Draw) -> dict[int, list[int]]:
    """Return, by TPN in seeding order, the rounds of the event in which it lost a tie.

    The champion's losses do not count.
    """
    lost: dict[int, list[int]] = {tpn: [] for tpn in draw.seeds if tpn is not None}
    for tie in draw.ties:
        for tpn in tie.losers:
            lost[tpn].append(tie.round_number)
    if draw.champion is not None:
        lost[draw.champion] = []
    return lost


def places_by_exit(draw: Draw, *, losses: int) -> list[list[int]]:
    """TPNs grouped by place, best first: players still in it, then by the round in which the last of `losses` came.

    A group is in seeding order. The tie for third place separates its two.
    """
    groups: dict[int, list[int]] = {}
    for tpn, rounds in rounds_of_loss(draw).items():
        left_in = sorted(rounds)[losses - 1] if len(rounds) >= losses else _STILL_IN
        groups.setdefault(left_in, []).append(tpn)
    places = [groups[number] for number in sorted(groups, reverse=True)]
    third = next((tie for tie in draw.ties if tie.bracket is Bracket.THIRD), None)
    if third is None or third.winner is None or third.is_bye:
        return places
    both = {third.winner, *third.losers}
    return [
        part
        for group in places
        for part in ([[third.winner], [*third.losers]] if both == set(group) else [group])
    ]


_STILL_IN = 1 << 30
# The merit of a record without a played game or a win by forfeit.
_FORFEITED = -1
