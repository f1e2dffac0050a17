"""An archive computed again from its own data: pairings, set-ups, games, standings, ratings.

No row of the database is read: models serve as plain objects for the site's own formulas.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import games as rules
from tournaments.models import Game
from tournaments.pairing import PairingError, PairingProblem, Solution, system
from tournaments.pairing.renumbering import with_opponents
from tournaments.queries.archives import archived_prizes, ledger_rows
from tournaments.queries.archives.archive_data import Archive, ArchivedGame, ArchivedRound
from tournaments.queries.archives.differences import Difference
from tournaments.queries.archives.history import ArchivedHistory
from tournaments.queries.events import seed_chain
from tournaments.queries.results import histories, pairing_input
from tournaments.trf import TrfError

_LINK = re.compile(r"[0-9a-f]{64}")
# Errors of an input that cannot be read or paired. A hostile input may break any assumption.
_UNUSABLE = (
    *(PairingError, TrfError, TypeError, ValueError, LookupError, ArithmeticError),
    *(AttributeError, AssertionError),
)


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of check: the number of computed values, and the differences."""

    name: str
    count: int
    differences: Sequence[Difference]


def verify(archive: Archive) -> list[Check]:
    """Return all checks of the archive, in the order of the event.

    Raises:
        ArchiveError: if the archive refers to data that it lacks, or to unknown rules or formats.
    """
    history = ArchivedHistory(archive)
    return [
        Check(name, count, list(check(archive, history)))
        for name, count, check in (
            ("seeds and set-ups", len(archive.rounds), _setups),
            ("pairing inputs", len(archive.rounds), _inputs),
            ("pairings", len(archive.rounds), _pairings),
            ("games", len(archive.games), _games),
            ("corrections", sum(len(game.corrections) for game in archive.games), _corrections),
            ("standings", len(archive.standings), _standings),
            ("ratings", len(archive.ledger), _ratings),
            ("prizes", archived_prizes.count(archive), archived_prizes.differences),
        )
    ]


def _setups(archive: Archive, _history: ArchivedHistory) -> Iterator[Difference]:
    """The link of each round's seed belongs to the public chain, and draws the round's set-up."""
    ruleset = rules.load(archive.event.ruleset)
    for round_ in archive.rounds:
        place = f"round {round_.number}"
        seed = round_.setup_seed
        is_link = seed_chain.is_committed(archive.event.seed_commitment, round_.number, seed)
        if not is_link or not _LINK.fullmatch(seed):
            yield Difference(f"{place}, seed", "a link of the published chain", seed)
            continue
        drawn = ruleset.setup_text(ruleset.initial(seed=int(seed, 16)))
        if drawn != round_.setup:
            yield Difference(f"{place}, set-up", drawn, round_.setup)
    lots_seed, number = archive.event.lots_seed, len(archive.rounds) + 1
    if lots_seed and not seed_chain.is_committed(archive.event.seed_commitment, number, lots_seed):
        yield Difference("lots, seed", "a link of the published chain", lots_seed)


def _problem(round_: ArchivedRound) -> PairingProblem:
    return pairing_input.read_stored(round_.report, round_.problem, round_.number)


def _inputs(archive: Archive, history: ArchivedHistory) -> Iterator[Difference]:
    """Yield the differences between the input of each round and the results of the rounds before it."""
    for round_ in archive.rounds:
        if round_.is_edited and not (round_.report or round_.problem):
            continue  # a table of another program
        try:
            problem = _problem(round_)
        except _UNUSABLE as error:
            yield Difference(f"round {round_.number}, input", "one that can be read", str(error))
            continue
        then, now = history.at(round_.drafted_at, before=round_.number), round_.numbers.now
        for contestant in (*problem.contestants, *problem.absent):
            tpn, own = now(contestant.tpn), with_opponents(contestant.records, now)
            records = histories.pairing_records(then.get(tpn, {}), round_.number - 1)
            for number, (right, stored) in enumerate(zip(records, own, strict=False), start=1):
                if right != stored:
                    yield Difference(
                        f"round {round_.number}, input, player {tpn} in round {number}",
                        f"{right.kind} against {right.opponent}, {right.score_halves} half points",
                        f"{stored.kind} against {stored.opponent}, {stored.score_halves}",
                    )


def _pairings(archive: Archive, _history: ArchivedHistory) -> Iterator[Difference]:
    """Yield the boards that the current pairing system gives differently from the stored input.

    Rounds paired by people or other programs are left out.
    """
    pairing_system = system(archive.event.format)
    for round_ in archive.rounds:
        if round_.is_edited:
            continue
        try:
            solution = pairing_system.pair(_problem(round_))
        except _UNUSABLE as error:
            yield Difference(f"round {round_.number}, pairing", "a solution", str(error))
            continue
        yield from _boards(round_, solution)


def _boards(round_: ArchivedRound, solution: Solution) -> Iterator[Difference]:
    now = round_.numbers.now
    computed = {
        n: f"{now(b.first)}-{now(b.second)}" for n, b in enumerate(solution.boards, start=1)
    }
    archived = {b.board: f"{b.first}-{b.second}" for b in round_.boards}
    for board in sorted(computed.keys() | archived.keys()):
        right, stored = computed.get(board, "no board"), archived.get(board, "no board")
        if right != stored:
            yield Difference(f"round {round_.number}, board {board}", right, stored)
    byes = [bye.tpn for bye in round_.byes if bye.kind == "pairing-bye"]
    right_byes = [] if solution.bye is None else [now(solution.bye)]
    if byes != right_byes:
        yield Difference(f"round {round_.number}, bye", str(right_byes), str(byes))


def _games(archive: Archive, history: ArchivedHistory) -> Iterator[Difference]:
    """Yield illegal plies, and first results that differ from the result by the rules."""
    ruleset = rules.load(archive.event.ruleset)
    setups = {round_.number: round_.setup for round_ in archive.rounds}
    for game in archive.games:
        place = f"round {game.round}, board {game.board}, game {game.id}"
        yield from _sides(history, game, place)
        try:
            start = ruleset.setup_text(ruleset.start(setups[game.round]))
        except rules.RulesError as error:
            yield Difference(f"{place}, set-up", f"a start ({error})", setups[game.round])
            continue
        # If players vote on the set-up, the votes replace the drawn set-up.
        if game.setup != start and not game.setup.startswith("votes="):
            yield Difference(f"{place}, set-up", start, game.setup)
            continue
        yield from _plies(archive.event.ruleset, game, place)


def _sides(history: ArchivedHistory, game: ArchivedGame, place: str) -> Iterator[Difference]:
    board = history.boards[game.round, game.board]
    pairs = {(board.first, board.second), (board.second, board.first)}
    if board.boards:
        at = board.boards[(game.number - 1) % len(board.boards)]
        pairs = {(at.first or 0, at.second or 0)}
    if (game.first, game.second) not in pairs:
        yield Difference(
            f"{place}, players", f"{board.first}-{board.second}", f"{game.first}-{game.second}"
        )


def _plies(ruleset: str, game: ArchivedGame, place: str) -> Iterator[Difference]:
    record = rules.Record(ruleset=ruleset, setup=game.setup, moves=game.plies)
    try:
        *_, last = record.positions()
    except rules.RulesError as error:
        yield Difference(f"{place}, plies", "legal moves", str(error))
        return
    outcome = last.outcome()
    first_result = game.corrections[0].before if game.corrections else game.result
    if game.ending == Game.Ending.OVER_BOARD:  # the record came after the result as it is
        first_result = game.result
    if game.ending == Game.Ending.RULES and outcome is None:
        yield Difference(f"{place}, ending", "a game that goes on", game.ending)
    elif outcome is not None and first_result != outcome:
        yield Difference(f"{place}, result", outcome, first_result)


def _corrections(archive: Archive, _history: ArchivedHistory) -> Iterator[Difference]:
    """The corrections of a game lead from one to the next, and to its result."""
    for game in archive.games:
        place = f"round {game.round}, board {game.board}, game {game.id}"
        for number, (one, following) in enumerate(
            zip(game.corrections, game.corrections[1:], strict=False), start=2
        ):
            if one.after != following.before:
                where = f"{place}, correction {number}"
                yield Difference(where, f"from {one.after}", f"from {following.before}")
        if game.corrections and game.corrections[-1].after != game.result:
            yield Difference(f"{place}, result", game.corrections[-1].after, game.result)


def _standings(archive: Archive, history: ArchivedHistory) -> Iterator[Difference]:
    computed = {
        row.entry.tpn or 0: (row.rank, row.points_halves, tuple(row.values))
        for row in history.table().rows
    }
    archived = {row.tpn: (row.rank, row.points_halves, row.tie_breaks) for row in archive.standings}
    twice = [tpn for tpn, n in Counter(row.tpn for row in archive.standings).items() if n > 1]
    for tpn in twice:
        yield Difference(f"standings, player {tpn}", "one row", "more than one")
    names = ("rank", "half points", "tie-breaks")
    for tpn in sorted(computed.keys() | archived.keys()):
        right, stored = computed.get(tpn), archived.get(tpn)
        if right is None or stored is None:
            rows = ("no row" if each is None else "a row" for each in (right, stored))
            yield Difference(f"standings, player {tpn}", *rows)
            continue
        for name, mine, theirs in zip(names, right, stored, strict=True):
            if mine != theirs:
                yield Difference(f"standings, player {tpn}, {name}", str(mine), str(theirs))


def _ratings(archive: Archive, _history: ArchivedHistory) -> Iterator[Difference]:
    return ledger_rows.differences(archive)
