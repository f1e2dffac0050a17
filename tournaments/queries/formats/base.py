"""The decisions of a format of events, with the usual ones for formats that do not make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from django.utils.translation import gettext_lazy as _

from tournaments import trf
from tournaments.models import Entry, Event
from tournaments.pairing import SYSTEMS, FormatOptions, PairingProblem, RoundRecord, system
from tournaments.pairing.brackets import Draw
from tournaments.pairing.group_table import GroupRow
from tournaments.standings import DEFAULTS, HouseRules, System

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# The event as its pairing system sees it, built when a format needs it: that reads every round.
Problem = Callable[[], PairingProblem]


class Late(Enum):
    """The time until which an entry may come after the start."""

    NEVER = "never"
    FIRST_HALF = "first-half"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The table of one group, or of one division in one season. `season` is 0 for groups.

    `rows` are rows with `up`, `down`, `qualified` or empty: the meaning of the place, if the table
    were final now.
    """

    number: int
    season: int
    rows: Sequence[tuple[GroupRow, str]]


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A place in a format without common rounds. `is_on_fire` and the rating are as in `EventRow`."""

    entry: Entry
    points_halves: int
    wins: int
    games: int
    is_on_fire: bool = False
    rating_centielo: int | None = None


def house_rules(event: Event) -> HouseRules:
    """Return the parameters of the format that the organiser has chosen."""
    return HouseRules(**{name: getattr(event, name) for name in HouseRules._fields})


class Format:
    """A format of events. Subclasses state the differences from the values here.

    Attributes:
        code: the value of `Event.Format`, and the name of the pairing system.
        about: the course of the format, in half a sentence for players.
        fields: the fields of the form of an event that belong to this format.
        late: the time until which an entry may come after the start.
        is_swiss: whether rounds may be missed on request and players kept apart, and a FIDE report
            is complete.
        is_table: whether all play all by one table, which is known beforehand. C.07 ranks it as a
            round robin, and C.05 annuls the games of players who leave early.
        is_continuous: whether there are no common rounds.
        is_ranked_by_points: whether a place follows from points. Otherwise players who share a
            place are equal.
        bots_only: whether only bots may enter. Their authors are charged for the matches.
        takes_volunteers: whether matches by fuel can be played on the machines of volunteers.
        repeats_byes: whether a player can have the pairing-allocated bye again, once all have had it.
        games_a_pairing: the number of games of a pairing.
        least_duration_s: the least duration of an event, if a time ends it.
        can_accelerate: whether the first rounds may be accelerated.
        has_groups: whether groups or divisions have separate tables.
        has_draw: whether ties make a bracket. Results are final once the next ties follow from
            them.
        draw_name: the title of the bracket.
        no_draw_yet: the words in place of a bracket that is not made yet.
        has_forecast: whether `tournaments.forecasts` simulates it.
        meetings: reasons for which two meet, by the word in the evidence of a board. Similar
            formats share it.
        about_bye: the rule for the player with the bye.
        refusals: reasons for which two do not meet, by the criterion or the reason of a refusal, in
            systems without a regulation.
        rules: the name of the rules whose articles the evidence cites.
        is_out_of_force: whether FIDE has replaced these rules.
        has_matches: whether two play a match of two games, which has two columns in a report file.
        has_line_ups: whether captains choose which members of their team play.
        leading_tie_breaks: what places follow from in the first place, before points.
        usual_tie_breaks: what decides next if the organiser chooses nothing; None as C.07's system has it.
    """

    code: ClassVar[str]
    about: ClassVar[_StrPromise]
    fields: ClassVar[tuple[str, ...]] = ("points", "is_automatic", "pause_s")
    late = Late.NEVER
    is_swiss = False
    is_table = False
    is_continuous = False
    is_ranked_by_points = False
    bots_only = False
    takes_volunteers = False
    repeats_byes = False
    games_a_pairing = 1
    least_duration_s = 0
    can_accelerate = False
    has_groups = False
    has_draw = False
    draw_name: ClassVar[_StrPromise] = _("Bracket")
    no_draw_yet: ClassVar[_StrPromise] = _("The bracket is made when the event starts.")
    has_forecast = False
    meetings: ClassVar[Mapping[str, _StrPromise]] = {}
    about_bye: ClassVar[_StrPromise | None] = None
    refusals: ClassVar[Mapping[str, _StrPromise]] = {}
    rules: ClassVar[_StrPromise | None] = None
    is_out_of_force = False
    has_matches = False
    has_line_ups = True
    leading_tie_breaks: ClassVar[tuple[str, ...]] = ()
    usual_tie_breaks: ClassVar[tuple[str, ...] | None] = None

    @property
    def report_codes(self) -> tuple[str, ...]:
        """Return the types of record 192 of report files that are this format.

        The first is written.
        """
        return SYSTEMS[self.code].report_codes

    @property
    def report_code(self) -> str | None:
        """Return the type for record 192 of a report file; None for no such record."""
        return self.report_codes[0] if self.report_codes else None

    @property
    def has_report_2025(self) -> bool:
        """Return whether older engines know the system by another code."""
        return self.report_code == trf.DUTCH_2026

    @property
    def has_chosen_length(self) -> bool:
        """Return whether the organiser chooses the number of rounds.

        In other formats it follows from the players.
        """
        return "rounds_total" in self.fields

    @property
    def tie_break_system(self) -> System:
        """The system of the event in C.07: pairings known beforehand, or a Swiss."""
        return System.ROUND_ROBIN if self.is_table else System.SWISS

    @property
    def is_of_teams(self) -> bool:
        """Return whether teams meet, at several boards."""
        return Event.Format(self.code).is_of_teams

    @property
    def has_hand_pairing(self) -> bool:
        """Return whether the organiser can change drafts, and pair a round by hand."""
        return self.is_swiss or (self.is_table and not self.is_of_teams)

    @property
    def has_mini_matches(self) -> bool:
        """Return whether two can play two games when they are paired."""
        return self.has_matches or "games_per_pairing" in self.fields

    def report_type(self, event: Event) -> str | None:
        """Return record 192 of the event's report file, or None without one.

        The parameters of the format follow its code as far as they are not the usual ones.
        """
        chosen = house_rules(event)._asdict()
        own = HouseRules(**{name: value for name, value in chosen.items() if name in self.fields})
        return self.report_code and f"{self.report_code} {own.words()}".strip()

    def tie_breaks(self, event: Event) -> Sequence[str]:
        """Return the tie-breaks of the event in their order."""
        return self.ordered_tie_breaks(event.tie_breaks.split(",") if event.tie_breaks else None)

    def ordered_tie_breaks(self, chosen: Sequence[str] | None) -> Sequence[str]:
        """Return the organiser's choice, or the usual tie-breaks, in their order; points come first where they are not named.

        They come last if the format has another leading value and the organiser does not name them.
        """
        chosen = self.usual_tie_breaks if chosen is None else chosen
        if chosen is None:
            chosen = DEFAULTS[self.tie_break_system]
        leading = self.leading_tie_breaks
        order = (*leading, *(each for each in chosen if each not in leading))
        return (*order, "PTS") if leading and "PTS" not in order else order

    def most_meetings(self, event: Event) -> int:
        """Return how often two may play each other in the event; 0 without a limit."""
        return 0

    def rounds_planned(self, event: Event, players: int, options: FormatOptions) -> int:
        """Return the number of rounds for this number of players.

        Raises BadProblemError if the options do not fit that number.
        """
        count = system(self.code).rounds(players, options)
        return event.rounds_total if count is None else count

    def rounds_total_after(self, event: Event, closed_rounds: int, problem: Problem) -> int:
        """Return how many rounds the event has, as it is after `closed_rounds`."""
        return event.rounds_total

    def line_ups(self, event: Event, round_number: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return which members play, by board: their places, from 1, in the team named first and in the other."""
        places = range(1, event.boards + 1)
        return places, places

    def places(self, event: Event, problem: Problem) -> Sequence[Sequence[int]] | None:
        """Return the TPNs that share a place, best first.

        None where points and tie-breaks decide.
        """
        return None

    def group_tables(self, event: Event, problem: PairingProblem) -> Sequence[GroupTable]:
        """Return the tables of a format that `has_groups`: groups, or divisions by season.

        The latest season comes first.
        """
        raise NotImplementedError

    def draw(self, problem: PairingProblem) -> Draw | None:
        """Return the bracket of a format that `has_draw`; None before it is made."""
        raise NotImplementedError

    def pool_rows(
        self, event: Event, records: Mapping[Entry, Sequence[RoundRecord]]
    ) -> Sequence[PoolRow]:
        """Return the table, best first, of a format that `is_continuous`."""
        raise NotImplementedError
