"""An event's archive as data. `docs/reference/event-archive.md` describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from tournaments.house_rules import USUAL_RULES, HouseRules
from tournaments.pairing.renumbering import Renumbering


class ArchiveError(Exception):
    """An archive that cannot be verified. `place` names the place of the flaw."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ArchivedEvent:
    """The settings of the event that results follow from. Points are half points."""

    name: str
    slug: str
    url: str
    format: str
    ruleset: str
    state: str
    seed: int
    seed_commitment: str
    cycles: int
    groups: int
    promotion_places: int
    qualifiers: int
    seasons: int
    rounds_total: int
    games_per_pairing: int
    win_halves: int
    draw_halves: int
    loss_halves: int
    bye_halves: int
    tie_breaks: str
    created_at: datetime
    started_at: datetime | None
    house_rules: HouseRules = USUAL_RULES
    boards: int = 4
    match_points: str = "2-1-0"
    match_bye: str = "draw"
    alternates_boards: bool = True
    lots_seed: str = ""
    has_third_place: bool = False
    exchanges_rounds: bool = True
    tie_orders: tuple[tuple[int, ...], ...] = ()
    first_day: date | None = None
    tie_break_rating: str = "start"


@dataclass(frozen=True, slots=True)
class ArchivedRating:
    """A rating that holds from a round on, and its list."""

    from_round: int
    centielo: int
    source: str


@dataclass(frozen=True, slots=True)
class ArchivedEntry:
    """A player by pairing number."""

    tpn: int
    name: str
    is_bot: bool
    state: str
    joined_round: int
    left_round: int | None
    seed_centielo: int | None
    federation: str
    club: str
    fide_id: str
    category: str
    title: str = ""
    sex: str = ""
    national_centielo: int | None = None
    national_id: str = ""
    birth_year: int | None = None
    is_expelled: bool = False
    later_ratings: tuple[ArchivedRating, ...] = ()
    rating_source: str = ""
    official_list: str = ""
    official_centielo: int | None = None


@dataclass(frozen=True, slots=True)
class ArchivedMember:
    """A member of a team: its number among all members, the pairing number of its team, its place in the team's list."""

    number: int
    team: int
    board_order: int
    name: str
    is_bot: bool
    state: str
    seed_centielo: int | None
    federation: str
    fide_id: str
    category: str
    title: str = ""
    sex: str = ""
    national_centielo: int | None = None
    national_id: str = ""
    later_ratings: tuple[ArchivedRating, ...] = ()


@dataclass(frozen=True, slots=True)
class ArchivedTeamBoard:
    """A board of a match of teams. The sides are numbers of members, null for an empty board."""

    number: int
    first: int | None
    second: int | None


@dataclass(frozen=True, slots=True)
class ArchivedBoard:
    """Two pairing numbers at a board. `first` has the first ply, of two teams at odd boards.

    `goes_through` is the player whom the arbiter advanced from a level tie of a knock-out. `boards` are
    those of a match of teams. A game that `is_postponed` counted as a draw until it was over.
    `tie_games` is the number of games of a tie of a knock-out without extra games, which come in pairs
    if `has_extra_pairs`.
    """

    board: int
    first: int
    second: int
    goes_through: int | None = None
    is_postponed: bool = False
    boards: tuple[ArchivedTeamBoard, ...] = ()
    tie_games: int | None = None
    has_extra_pairs: bool = False


@dataclass(frozen=True, slots=True)
class ArchivedBye:
    """A player without a board: the kind as `Seat.Kind` has it, and who would have been the opponent."""

    tpn: int
    kind: str
    absent: int | None


@dataclass(frozen=True, slots=True)
class ArchivedNumber:
    """A player's pairing number in the input of a round, and the present number, if they differ."""

    then: int
    now: int


@dataclass(frozen=True, slots=True)
class ArchivedRound:
    """A closed round, paired by `engine` from `report`, or else from `problem`.

    `is_edited` marks boards that are not the engine's: changed by hand, or paired elsewhere. Numbers
    outside the input are the present ones: `renumbered` has those that differ.
    """

    number: int
    engine: str
    report: str
    problem: Mapping[str, Any]
    is_edited: bool
    setup: str
    setup_seed: str
    drafted_at: datetime
    boards: tuple[ArchivedBoard, ...]
    byes: tuple[ArchivedBye, ...]
    renumbered: tuple[ArchivedNumber, ...] = ()

    @property
    def numbers(self) -> Renumbering:
        """The present pairing numbers by those of the input."""
        return Renumbering({each.then: each.now for each in self.renumbered})


@dataclass(frozen=True, slots=True)
class ArchivedCorrection:
    """A result that the arbiter has corrected, or with `is_exchange` the sides of its game.

    `before` is by the sides before it, and `after` by those since.
    """

    before: str
    after: str
    reason: str
    made_at: datetime
    is_exchange: bool = False


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """A game with its plies. `first` is the pairing number of the side with the first ply, or of a member of a team the number.

    `rated_as` is the result in the rating report, if it is another one. In the armageddon game of a tie
    the second side has `armageddon_percent` of the first side's time, and wins with a draw.
    """

    id: int
    round: int
    board: int
    number: int
    first: int
    second: int
    setup: str
    result: str
    ending: str
    opening_plies: int
    ended_at: datetime
    plies: tuple[str, ...]
    corrections: tuple[ArchivedCorrection, ...]
    rated_as: str = ""
    armageddon_percent: int | None = None


@dataclass(frozen=True, slots=True)
class ArchivedDeduction:
    """Half points that the arbiter deducted from a round of a player, until they were given back."""

    tpn: int
    round: int
    halves: int
    reason: str
    given_at: datetime
    lifted_at: datetime | None


@dataclass(frozen=True, slots=True)
class ArchivedStanding:
    """A row of the final table. `tie_breaks` are in the order of the event's."""

    rank: int
    tpn: int
    points_halves: int
    tie_breaks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArchivedLedgerRow:
    """A row of the rating ledger, with the ids that its digest covers, and the previous digest.

    `is_standing`: whether it counts. Its reversal may belong to another event.
    """

    id: int
    pool: str
    pool_id: int
    player_id: int
    tpn: int
    game_id: int
    side: str
    seq: int
    kind: str
    is_standing: bool
    revision: int
    reverses_id: int | None
    correction_id: int | None
    period: date | None
    before_centielo: int
    delta_centielo: int
    after_centielo: int
    opponent_centielo: int
    k_factor: int
    expected_millionths: int
    score_halves: int
    formula: str
    inputs: Mapping[str, Any]
    previous_digest: str
    digest: str


@dataclass(frozen=True, slots=True)
class ArchivedPrize:
    """A prize of the fund, in the fund's order. Money is in minor units."""

    kind: str
    rating_from: int | None
    rating_below: int | None
    text: str
    amount: int
    words: str


@dataclass(frozen=True, slots=True)
class ArchivedAward:
    """The award of a player in a category. Prizes of a festival name the section by its slug."""

    tpn: int
    kind: str
    rating_from: int | None
    rating_below: int | None
    text: str
    place: int
    amount: int
    words: str
    section: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedPrizes:
    """The prize fund with its rules, and the confirmed awards; no awards before the confirmation.

    `elsewhere` are the players who won a prize of the festival instead.
    """

    currency: str
    sharing: str
    rounding: int
    is_cumulative: bool
    least_points_halves: int
    least_games: int
    fund: tuple[ArchivedPrize, ...]
    confirmed_at: datetime | None
    awards: tuple[ArchivedAward, ...]
    elsewhere: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Archive:
    """Everything of an event that is needed to compute it again, after its closed rounds."""

    schema: str
    event: ArchivedEvent
    entries: tuple[ArchivedEntry, ...]
    rounds: tuple[ArchivedRound, ...]
    games: tuple[ArchivedGame, ...]
    standings: tuple[ArchivedStanding, ...]
    ledger: tuple[ArchivedLedgerRow, ...]
    prizes: ArchivedPrizes | None
    members: tuple[ArchivedMember, ...] = ()
    deductions: tuple[ArchivedDeduction, ...] = ()
