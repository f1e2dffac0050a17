"""The part of a report file about teams: members, line-ups, forfeits and byes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tournaments import trf
from tournaments.models import Entry, Event, Seat
from tournaments.queries import formats
from tournaments.queries.results import team_boards
from tournaments.queries.results.round_seats import History, TeamSeat
from tournaments.queries.results.team_boards import MemberGame
from tournaments.round_kinds import Kind

_BYES = (Seat.Kind.HALF_BYE, Seat.Kind.ZERO_BYE, Seat.Kind.FULL_BYE)
_SIGNS = {Kind.FORFEIT_WIN: "+", Kind.FORFEIT_LOSS: "-", Kind.VOID: "-"}


def numbered_members(event: Event, teams: Sequence[Entry]) -> Iterator[tuple[int, Entry]]:
    """Yield the members of the teams by their numbers in report files, which count on from team to team."""
    members: dict[int, list[Entry]] = {team.pk: [] for team in teams}
    for member in event.entries.members().select_related("player"):
        members[member.team_id or 0].append(member)
    yield from enumerate((each for team in teams for each in members[team.pk]), start=1)


class TeamReport:
    """The first `rounds` rounds of an event of teams as records. `teams` are the entries with a TPN, in their order."""

    def __init__(self, event: Event, teams: Sequence[Entry], history: History, rounds: int) -> None:
        self._event, self._teams, self._rounds = event, teams, rounds
        self._history = history
        self._members: dict[int, list[Entry]] = {team.pk: [] for team in teams}
        self._numbers: dict[int, int] = {}
        for number, member in numbered_members(event, teams):
            self._members[member.team_id or 0].append(member)
            self._numbers[member.pk] = number
        self._games = {
            (pk, game.round_number): game
            for pk, games in team_boards.of_members(event, history, rounds).items()
            for game in games
        }

    def players(self) -> tuple[trf.Player, ...]:
        """Return the members of all teams by their numbers."""
        return tuple(
            self._player(team, place, member)
            for team in self._teams
            for place, member in enumerate(self._members[team.pk])
        )

    def _player(self, team: Entry, place: int, member: Entry) -> trf.Player:
        results = [
            self._result(team, place, member, number) for number in range(1, self._rounds + 1)
        ]
        worth = formats.points(self._event).worth
        return trf.Player(
            id=self._numbers[member.pk],
            name=member.player.name,
            results=tuple(results),
            points_halves=sum(worth(result.code.kind) for result in results),
            rating=member.seed_elo,
            federation=member.federation,
            fide_id=member.fide_id,
        )

    def _result(self, team: Entry, place: int, member: Entry, number: int) -> trf.Result:
        game = self._games.get((member.pk, number))
        if game is not None:
            return self._played(game)
        seat = self._seat(team, number)
        if seat is None or seat.seat.pairing_id is not None or place >= self._event.boards:
            return trf.Result(trf.Code.ZERO_BYE)
        return trf.Result(trf.Code.of(seat.kind))

    def _played(self, game: MemberGame) -> trf.Result:
        code = trf.Code.of(game.kind)
        if game.is_short:
            code = code.short
        if game.opponent is None:
            return trf.Result(code)
        return trf.Result(code, self._numbers[game.opponent.pk], game.is_first)

    def _seat(self, team: Entry, number: int) -> TeamSeat | None:
        seat = self._history.get(team.pk, {}).get(number)
        assert seat is None or isinstance(seat, TeamSeat), "of an event of teams"
        return seat

    def records(self, ranks: Mapping[int, int]) -> trf.TeamRecords:
        """Return the records of teams. `ranks` are by the ids of their entries."""
        worth = formats.match_points(self._event)
        rounds, boards = range(1, self._rounds + 1), range(1, self._event.boards + 1)
        return trf.TeamRecords(
            teams=tuple(self._team(team, ranks) for team in self._teams),
            line_ups=tuple(up for number in rounds for up in self._line_ups(number)),
            forfeits=tuple(each for number in rounds for each in self._forfeits(number)),
            byes=self._byes(),
            colours="".join("BW"[self._event.is_first_at(number)] for number in boards),
            win=worth.win,
            draw=worth.draw,
            loss=worth.loss,
        )

    def _team(self, team: Entry, ranks: Mapping[int, int]) -> trf.Team:
        seats = [self._seat(team, number) for number in range(1, self._rounds + 1)]
        return trf.Team(
            number=team.tpn or 0,
            name=team.player.name,
            strength=str(team.seed_elo or ""),
            match_halves=sum(seat.score_halves or 0 for seat in seats if seat),
            game_halves=sum(seat.game_halves for seat in seats if seat),
            rank=ranks.get(team.pk),
            members=tuple(self._numbers[each.pk] for each in self._members[team.pk]),
        )

    def _line_ups(self, number: int) -> Iterator[trf.LineUp]:
        """Yield the line-ups that the order of the members does not say."""
        for team in self._teams:
            seat = self._seat(team, number)
            if seat is None or seat.opponent_tpn is None or seat.seat.pairing_id is None:
                continue
            places = [0] * self._event.boards
            for member in self._members[team.pk]:
                if game := self._games.get((member.pk, number)):
                    places[game.board - 1] = self._numbers[member.pk]
            if any(places) and places != sorted(places, key=lambda i: i or len(self._numbers) + 1):
                yield trf.LineUp(number, team.tpn or 0, seat.opponent_tpn, tuple(places))

    def _forfeits(self, number: int) -> Iterator[trf.MatchForfeit]:
        for team in self._teams:
            seat = self._seat(team, number)
            if seat is None:
                continue
            if seat.seat.absent is not None:  # the opponent by the table has left
                yield trf.MatchForfeit("+-", number, team.tpn or 0, seat.opponent_tpn or 0)
            elif seat.seat.kind == Seat.Kind.FIRST and seat.outcome in _SIGNS:
                sides = _SIGNS[seat.outcome] + _SIGNS[seat.opponents.outcome or Kind.VOID]
                yield trf.MatchForfeit(sides, number, team.tpn or 0, seat.opponent_tpn or 0)

    def _byes(self) -> trf.TeamByes:
        teams: list[int | None] = [None] * self._rounds
        for team in self._teams:
            for number in range(1, self._rounds + 1):
                seat = self._seat(team, number)
                if seat is not None and seat.kind is Kind.PAIRING_BYE:
                    teams[number - 1] = team.tpn
        match, each = formats.match_points(self._event), formats.points(self._event)
        is_win = match.pairing_bye == match.win
        halves = self._event.boards * (each.win if is_win else each.draw)
        return trf.TeamByes(match.pairing_bye, halves, tuple(teams))

    def absences(self) -> Iterator[trf.Absence]:
        """Yield the byes on request of the rounds of the report, which a file of teams has by their numbers."""
        for number in range(1, self._rounds + 1):
            for kind in _BYES:
                tpns = [
                    team.tpn or 0
                    for team in self._teams
                    if (seat := self._seat(team, number)) and seat.seat.kind == kind
                ]
                if tpns:
                    yield trf.Absence(trf.Code.of(Kind(kind)), number, tuple(tpns))
