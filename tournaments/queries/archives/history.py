"""The rounds of an archive as the site's tables and pairing systems see rounds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from datetime import datetime
from functools import partial

import games as rules
from tournaments.models import Entry, Event, Game, Pairing, Player, Seat, TeamBoard
from tournaments.models.events import (
    MAX_BOARDS,
    MAX_ENTRIES,
    MAX_ROUNDS_OF_TABLES,
    MAX_TIE_GAMES,
    MatchBye,
    MatchPoints,
    TieBreakRating,
)
from tournaments.pairing import PairingError
from tournaments.queries import formats
from tournaments.queries.archives.archive_data import (
    Archive,
    ArchivedBoard,
    ArchivedGame,
    ArchivedRound,
    ArchiveError,
)
from tournaments.queries.results import histories, pairing_input, standings, tables, tie_games
from tournaments.queries.results.round_seats import RoundSeat, deciding_games
from tournaments.queries.results.standings import EventTable
from tournaments.standings import StandingsError


class ArchivedHistory:
    """The rounds of every player of an archive, at any time. Ids are pairing numbers.

    Raises:
        ArchiveError: if a name is not in the archive, or is unknown here.
    """

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self.event = _event(archive)
        self.prizes = archive.prizes
        self.entries = {
            each.tpn: Entry(
                pk=each.tpn,
                tpn=each.tpn,
                player=Player(
                    pk=each.tpn,
                    name=each.name,
                    kind=Player.Kind.BOT if each.is_bot else Player.Kind.PERSON,
                ),
                state=each.state,
                joined_round=each.joined_round,
                left_round=each.left_round,
                is_expelled=each.is_expelled,
                seed_centielo=each.seed_centielo,
                federation=each.federation,
                club=each.club,
                category=each.category,
                title=each.title,
                sex=each.sex,
                birth=str(each.birth_year or ""),
                later_ratings=[astuple(later) for later in each.later_ratings],
            )
            for each in archive.entries
        }
        self.boards: dict[tuple[int, int], ArchivedBoard] = {
            (round_.number, board.board): board
            for round_ in archive.rounds
            for board in round_.boards
        }
        self._check_numbers()
        self._check_names()

    def at(self, moment: datetime, *, before: int) -> dict[int, dict[int, RoundSeat]]:
        """The rounds before that one with the results as they were at the moment."""
        rounds = [each for each in self._archive.rounds if each.number < before]
        return self._history(rounds, moment)

    def rounds_at(self, moment: datetime) -> dict[int, dict[int, RoundSeat]]:
        """All rounds with the results as they were at the moment."""
        return self._history(self._archive.rounds, moment)

    def table(self, moment: datetime | None = None) -> EventTable:
        """The standings after the last round of the archive, with the results of that moment."""
        history = self._history(self._archive.rounds, moment)
        entries = list(self.entries.values())
        rounds = len(self._archive.rounds)
        try:
            lots_seed = self._archive.event.lots_seed
            table = standings.table_of(self.event, entries, history, rounds, lots_seed)
            if not rounds:
                return table
            playing = [entry for entry in entries if entry.state == Entry.State.ACTIVE]
            problem = partial(
                pairing_input.problem_of, self.event, rounds + 1, entries, playing, history
            )
            return tables.placed(self.event, table, problem)
        except (StandingsError, PairingError) as error:
            raise ArchiveError("event", f"no standings follow from it: {error}") from error

    def _history(
        self, rounds: Iterable[ArchivedRound], moment: datetime | None
    ) -> dict[int, dict[int, RoundSeat]]:
        results = self._deciding_games(moment)
        ties = self._games_of_ties(moment)
        round_seat = histories.round_seats(self.event)
        deductions = self._deductions(moment)
        history: dict[int, dict[int, RoundSeat]] = {tpn: {} for tpn in self.entries}
        exchanged = {
            (game.round, game.board)
            for game in self._archive.games
            if _is_exchanged_after(game, moment)
        }
        for round_ in rounds:
            for board in round_.boards:
                is_exchanged = (round_.number, board.board) in exchanged
                pairing = self._pairing(board, is_exchanged=is_exchanged)
                games = results.get((round_.number, board.board), ())
                if board.tie_games is not None:
                    played = ties[round_.number, board.board]
                    games = tie_games.of_seat(pairing, played, is_open=False)
                if board.is_postponed:
                    games = _with_open_games(games, self.event.games_per_pairing)
                if board.boards:
                    games = _with_empty_boards(board, games)
                for entry, kind in (
                    (pairing.first, Seat.Kind.FIRST),
                    (pairing.second, Seat.Kind.SECOND),
                ):
                    seat = Seat(entry=entry, kind=kind, pairing=pairing)
                    history[entry.pk][round_.number] = round_seat(seat, games)
            for bye in round_.byes:
                absent = None if bye.absent is None else self.entries[bye.absent]
                seat = Seat(entry=self.entries[bye.tpn], kind=bye.kind, absent=absent)
                history[bye.tpn][round_.number] = round_seat(seat, ())
            for tpn, own in history.items():
                if halves := deductions[tpn, round_.number]:
                    own[round_.number] = histories.with_deduction(own[round_.number], halves)
        return history

    def _pairing(self, board: ArchivedBoard, *, is_exchanged: bool) -> Pairing:
        both = (self.entries[board.first], self.entries[board.second])
        first, second = both[::-1] if is_exchanged else both
        return Pairing(
            first=first,
            second=second,
            goes_through=self.entries.get(board.goes_through or 0),
            is_postponed=board.is_postponed,
            tie_games=board.tie_games,
            has_extra_pairs=board.has_extra_pairs,
        )

    def _deductions(self, moment: datetime | None) -> Counter[tuple[int, int]]:
        """Return the half points that were deducted then, by player and round."""
        deductions: Counter[tuple[int, int]] = Counter()
        for each in self._archive.deductions:
            is_given = moment is None or each.given_at <= moment
            is_lifted = each.lifted_at is not None and (moment is None or each.lifted_at <= moment)
            if is_given and not is_lifted:
                deductions[each.tpn, each.round] += each.halves
        return deductions

    def _deciding_games(
        self, moment: datetime | None
    ) -> Mapping[tuple[int, int], Sequence[Game | None]]:
        return deciding_games(self._games_at(moment), self.event.games_per_pairing)

    def _games_of_ties(self, moment: datetime | None) -> Mapping[tuple[int, int], Sequence[Game]]:
        games: dict[tuple[int, int], list[Game]] = defaultdict(list)
        for place, game in self._games_at(moment):
            games[place].append(game)
        return games

    def _games_at(self, moment: datetime | None) -> Iterator[tuple[tuple[int, int], Game]]:
        """The games that were over, by round and board, in the order of their numbers."""
        for each in sorted(self._archive.games, key=lambda game: game.number):
            if moment is None or each.ended_at <= moment:
                result = _result_at(each, moment)
                sides = (each.first, each.second)
                first, second = sides[::-1] if _is_exchanged_after(each, moment) else sides
                yield (
                    (each.round, each.board),
                    Game(
                        first_id=first,
                        second_id=second,
                        result=result,
                        number=each.number,
                        armageddon_percent=each.armageddon_percent,
                    ),
                )

    def _check_numbers(self) -> None:
        self._check_teams()
        if len(self.entries) != len(self._archive.entries):
            raise ArchiveError("entries", "a pairing number stands there twice")
        numbers = [round_.number for round_ in self._archive.rounds]
        if numbers != list(range(1, len(numbers) + 1)):
            raise ArchiveError("rounds", "not numbered from 1 on without a gap")
        if len(numbers) > self.event.rounds_total:
            raise ArchiveError("rounds", f"more than the {self.event.rounds_total} of the event")
        for round_ in self._archive.rounds:
            tpns = _tpns(round_)
            if len(set(tpns)) != len(tpns):
                raise ArchiveError(f"round {round_.number}", "somebody has two seats")
            absent = [bye.absent for bye in round_.byes if bye.absent is not None]
            for tpn in {*tpns, *absent} - self.entries.keys():
                raise ArchiveError(f"round {round_.number}", f"there is no player {tpn}")

    def _check_teams(self) -> None:
        teams = {member.number: member.team for member in self._archive.members}
        if len(teams) != len(self._archive.members) or set(teams.values()) - self.entries.keys():
            raise ArchiveError("members", "a number stands there twice, or a team is unknown")
        for (number, board), each in self.boards.items():
            place = f"round {number}, board {board}"
            if each.tie_games is not None and not 1 <= each.tie_games <= MAX_TIE_GAMES:
                raise ArchiveError(place, "no number of games of a tie")
            numbers = list(range(1, self.event.boards + 1)) if self.event.is_of_teams else []
            if [at.number for at in each.boards] != numbers:
                raise ArchiveError(place, f"not the boards {numbers}")
            for at in each.boards:
                is_first = self.event.is_first_at(at.number)
                sides = (each.first, each.second) if is_first else (each.second, each.first)
                for member, team in zip((at.first, at.second), sides, strict=True):
                    if member is not None and teams.get(member) != team:
                        raise ArchiveError(place, f"member {member} is not of team {team}")

    def _check_names(self) -> None:
        kinds = set(Seat.Kind.values) - {Seat.Kind.FIRST, Seat.Kind.SECOND}
        seats = {(tpn, r.number) for r in self._archive.rounds for tpn in _tpns(r)}
        for each in self._archive.deductions:
            if (each.tpn, each.round) not in seats or each.halves < 1:
                place = f"deduction of player {each.tpn}, round {each.round}"
                raise ArchiveError(place, "no round of the player, or no half points")
        for round_ in self._archive.rounds:
            for bye in round_.byes:
                if bye.kind not in kinds:
                    raise ArchiveError(f"round {round_.number}, player {bye.tpn}", "no kind of bye")
        for game in self._archive.games:
            place = f"game {game.id}"
            if (game.round, game.board) not in self.boards:
                raise ArchiveError(place, f"round {game.round} has no board {game.board}")
            results = {game.result, *(r for c in game.corrections for r in (c.before, c.after))}
            if game.rated_as:
                results.add(game.rated_as)
            if results - set(Game.Result.values):
                raise ArchiveError(place, f"{sorted(results)} are not all results")


def _tpns(round_: ArchivedRound) -> list[int]:
    """Return the players with a seat in the round."""
    tpns = [tpn for board in round_.boards for tpn in (board.first, board.second)]
    return [*tpns, *(bye.tpn for bye in round_.byes)]


def _with_open_games(games: Sequence[Game | None], count: int) -> Sequence[Game | None]:
    """Return the games of a postponed board, with those that were not over."""
    return [game or Game(number=n) for n, game in enumerate(games or [None] * count, start=1)]


def _with_empty_boards(board: ArchivedBoard, games: Sequence[Game | None]) -> Sequence[Game | None]:
    """Return the games of a match of teams with the forfeits of its empty boards, which had no game."""
    complete = list(games) or [None] * len(board.boards)
    for at in board.boards:
        row = TeamBoard(first_id=at.first, second_id=at.second, number=at.number)
        if row.forfeit:
            complete[at.number - 1] = Game(result=row.forfeit, number=at.number)
    return complete


# Limits of an event, as its constraints state.
_RANGES = (
    *(("cycles", 1, 2), ("groups", 1, MAX_ENTRIES), ("promotion_places", 0, MAX_ENTRIES)),
    *(("qualifiers", 1, MAX_ENTRIES), ("seasons", 1, 100), ("win_halves", 1, 20)),
    *(("games_per_pairing", 1, MAX_BOARDS), ("boards", 2, MAX_BOARDS)),
    *(("draw_halves", 0, 20), ("loss_halves", 0, 20), ("bye_halves", 0, 20)),
    ("rounds_total", 1, MAX_ROUNDS_OF_TABLES),
)


def _result_at(game: ArchivedGame, moment: datetime | None) -> str:
    if moment is None or not game.corrections:
        return game.result
    earlier = [each for each in game.corrections if each.made_at <= moment]
    return earlier[-1].after if earlier else game.corrections[0].before


def _is_exchanged_after(game: ArchivedGame, moment: datetime | None) -> bool:
    """Return whether the sides of the game at that moment were not the present ones."""
    if moment is None:
        return False
    return sum(each.is_exchange and each.made_at > moment for each in game.corrections) % 2 == 1


def _event(archive: Archive) -> Event:
    each = archive.event
    if each.format not in Event.Format.values or formats.FORMATS[each.format].is_continuous:
        raise ArchiveError("event, format", f"{each.format[:40]!r} has no rounds to verify")
    try:
        rules.load(each.ruleset)
    except rules.RulesError as error:
        raise ArchiveError("event, ruleset", str(error)[:200]) from error
    for name, least, most in _RANGES:
        if not least <= getattr(each, name) <= most:
            raise ArchiveError(f"event, {name}", f"not a number from {least} to {most}")
    is_of_teams = formats.FORMATS[each.format].is_of_teams
    if each.games_per_pairing not in ({each.boards} if is_of_teams else {1, 2}):
        raise ArchiveError("event, boards", f"not the boards of a {each.format}")
    if each.match_points not in MatchPoints.values or each.match_bye not in MatchBye.values:
        raise ArchiveError("event, match_points", "no points of a match")
    if each.tie_break_rating not in TieBreakRating.values:
        raise ArchiveError("event, tie_break_rating", "no choice of a rating")
    rules_of_house = each.house_rules._asdict()
    if not rules_of_house["step_elo"] or set(rules_of_house.values()) - set(range(10_001)):
        raise ArchiveError("event, house_rules", "not numbers from 0 to 10000")
    names = [
        *("slug", "format", "ruleset", "state", "seed", "cycles", "groups", "promotion_places"),
        *(
            "qualifiers",
            "has_third_place",
            "exchanges_rounds",
            "tie_orders",
            "seasons",
            "rounds_total",
            "win_halves",
            "draw_halves",
            "loss_halves",
        ),
        *("games_per_pairing", "bye_halves", "tie_breaks", "created_at", "started_at"),
        *("boards", "match_points", "match_bye", "first_day", "tie_break_rating"),
        "alternates_boards",
    ]
    return Event(**{name: getattr(each, name) for name in names}, **rules_of_house)
