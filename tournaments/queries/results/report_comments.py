"""Comments of report files (`###`): facts that no record of TRF-2026 has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from django.db.models import F

from tournaments import trf
from tournaments.models import ByeRequest, Entry, Event, Game, Sanction
from tournaments.models.events import TieBreakRating
from tournaments.queries.events import seed_chain
from tournaments.queries.results import (
    fide_rules,
    hand_pairings,
    histories,
    rated_results,
    result_corrections,
    tie_games,
)
from tournaments.queries.results.standings import EventTable
from tournaments.queries.results.team_reports import numbered_members
from tournaments.text.audit_log import KINDS

# Settings of which the checklist of FIDE wants each change named.
_NAMED_SETTINGS = {"rounds_total": "rounds", "tie_breaks": "tie-breaks"}
SCORES: Mapping[str, str] = {
    Game.Result.FIRST: "1-0",
    Game.Result.SECOND: "0-1",
    Game.Result.DRAW: "1/2-1/2",
    Game.Result.FIRST_FORFEIT: "+ -",
    Game.Result.SECOND_FORFEIT: "- +",
    Game.Result.DOUBLE_FORFEIT: "- -",
    Game.Result.VOID: "not counted",
    Game.Result.DRAW_LOSS: "1/2-0",
    Game.Result.LOSS_DRAW: "0-1/2",
    Game.Result.BOTH_LOST: "0-0",
    Game.Result.SHORT_FIRST: "W-L",
    Game.Result.SHORT_SECOND: "L-W",
    Game.Result.SHORT_DRAW: "D-D",
}
_BYES = {
    ByeRequest.Kind.FULL.value: "FPB",
    ByeRequest.Kind.HALF.value: "HPB",
    ByeRequest.Kind.ZERO.value: "ZPB",
}


def of_event(event: Event, table: EventTable, rounds: int) -> Iterator[str]:
    """Yield the comments about the event up to this round, without those of `departures`."""
    yield from _lots(event, table)
    yield from _tie_orders(table, rounds)
    yield from _long_names([row.entry for row in table.rows])
    yield from _mini_matches(event)
    yield from _ties(event, rounds)
    yield from _later_ratings(event, table)
    yield from _byes(event, rounds)
    yield from _players_by_log(event)
    yield from _changes_by_hand(event, rounds)
    yield from _compared_rounds(event)
    yield from _earlier_numbers(event, rounds)
    yield from _late_pairs(event)
    yield from _adjourned(event, rounds)
    yield from _adjourned_results(event)
    yield from _changed_settings(event)
    yield from _corrections(event)
    yield from _rated_results(event)
    yield from _sanctions(event, rounds)


def departures(event: Event) -> Iterator[str]:
    """Yield a comment for each setting that no rule of FIDE allows."""
    for each in fide_rules.departures(event):
        number = event.departures.get(each.name)
        since = f" from round {number} on" if number else ""
        yield f"not by the rules of FIDE{since}: {each.value}"


def columns_of_a_round(event: Event) -> int:
    """Return the number of rounds of the file for a round: each game of a mini-match is one, a match of teams is one."""
    return 1 if event.is_of_teams else event.games_per_pairing


def _lots(event: Event, table: EventTable) -> Iterator[str]:
    """Yield a comment with the seed of the lots, if they are one of the tie-breaks and are drawn."""
    seed = seed_chain.lots_seed(event)
    if seed and any(each.name == "LOT" for each in table.tie_breaks):
        yield f"{trf.LOTS}{seed}"


def _tie_orders(table: EventTable, rounds: int) -> Iterator[str]:
    """Yield a comment for each shared place that the arbiter has ordered."""
    for order in table.hand_orders:
        numbers = " ".join(str(entry.tpn) for entry in order)
        yield f"Standings @ Round {rounds}: ordered by hand: {numbers}"


def _long_names(entries: Sequence[Entry]) -> Iterator[str]:
    for entry in sorted(entries, key=lambda entry: entry.tpn or 0):
        if len(entry.player.name) > trf.NAME_WIDTH:
            yield f"name of player {entry.tpn} in full: {entry.player.name}"


def _mini_matches(event: Event) -> Iterator[str]:
    if columns_of_a_round(event) > 1:
        yield "each pairing is a mini-match of two games, the sides exchanged:"
        yield "rounds 2n-1 and 2n of this file are the two games of round n"


def _ties(event: Event, rounds: int) -> Iterator[str]:
    """Yield the games of each tie with several: the file has the result of the tie as that of its round."""
    rows = event.pairings.filter(tie_games__isnull=False, round__number__lte=rounds)
    rows = rows.select_related("round", "first", "second").prefetch_related("games")
    for tie in rows.order_by("round__number", "board"):
        games = tie_games.counting(sorted(tie.games.all(), key=lambda game: game.number))
        if len(games) > 1:
            both = {each.player_id: each.tpn for each in (tie.first, tie.second)}
            texts = [
                f"{both[game.first_id]}-{both[game.second_id]} {SCORES.get(game.result or '', '')}"
                + " armageddon" * (game.armageddon_percent is not None)
                for game in games
            ]
            heading = f"round {tie.round.number}, tie {tie.first.tpn}-{tie.second.tpn}"
            yield f"{heading}: {', '.join(texts)}"


def _later_ratings(event: Event, table: EventTable) -> Iterator[str]:
    """Yield a comment for each rating that holds from a later round on: round of the file, player, rating."""
    entries = sorted((row.entry for row in table.rows), key=lambda entry: entry.tpn or 0)
    numbered: Iterable[tuple[int, Entry]] = ((entry.tpn or 0, entry) for entry in entries)
    if event.is_of_teams:
        numbered = numbered_members(event, entries)
    ratings = sorted(
        (
            columns_of_a_round(event) * (each.from_round - 1) + 1,
            number,
            each.centielo // 100,
        )
        for number, entry in numbered
        for each in entry.ratings_by_round
    )
    if ratings and event.tie_break_rating == TieBreakRating.ROUND:
        yield trf.RATING_OF_ROUND
    for from_round, number, elo in ratings:
        yield f"{trf.RATING_FROM}{from_round}: {number} {elo}"


def _byes(event: Event, rounds: int) -> Iterator[str]:
    """Yield a comment for each round and kind of bye, of those that no rule of pairing gives."""
    rows = ByeRequest.objects.filter(
        entry__event=event, entry__tpn__isnull=False, round_number__lte=rounds
    ).order_by("round_number", "kind", "entry__tpn")
    values = rows.values_list("round_number", "kind", "entry__tpn")
    for (number, kind), group in groupby(values, itemgetter(0, 1)):
        players = " ".join(str(tpn) for _, _, tpn in group)
        yield f"{_BYES[kind]} @ Round {number}: {players}"


def _players_by_log(event: Event) -> Iterator[str]:
    """Yield a comment for each round after which players came, left or returned, by the log.

    The round is the last one that was published then. Undone acts are left out.
    """
    published = [at for at in event.rounds.values_list("published_at", flat=True) if at]
    rows_of_entries = event.entries.exclude(tpn=None).values_list("player", "tpn")
    numbers = {player: tpn or 0 for player, tpn in rows_of_entries}
    words = {action: kind.comment for action, kind in KINDS.items() if kind.comment}
    groups: dict[tuple[int, str], list[int]] = defaultdict(list)
    rows = event.audit.filter(action__in=words, undone_by=None).order_by("done_at", "pk")
    for action, done_at, detail in rows.values_list("action", "done_at", "detail"):
        own = detail.get("players") or [detail.get("player")]
        known = [numbers[player] for player in own if player in numbers]
        if rounds := sum(at <= done_at for at in published):
            groups[rounds, words[action]] += known
    for (rounds, word), tpns in groups.items():
        if tpns:
            yield f"{word} @ Round {rounds}: {' '.join(map(str, tpns))}"


def _changes_by_hand(event: Event, rounds: int) -> Iterator[str]:
    """Yield a comment for each round with boards that the pairing system did not make, or played reversed."""
    for round_ in event.rounds.filter(number__lte=rounds).exclude(edits=[]).order_by("number"):
        by_hand = list(map(str, hand_pairings.boards_by_hand(round_)))
        exchanged = hand_pairings.exchanged_boards(round_)
        if by_hand:
            yield f"MPA @ Round {round_.number}: boards made by hand: {', '.join(by_hand)}"
        if exchanged:
            boards = ", ".join(map(str, sorted(exchanged)))
            yield f"round {round_.number}: boards played with colours exchanged: {boards}"


def _compared_rounds(event: Event) -> Iterator[str]:
    """Yield a comment for each round that differs from the pairing rules, or was not compared with them."""
    for entry in event.audit.filter(action__in=("import", "settings")).order_by("pk"):
        title = "Import" if entry.action == "import" else "Configuration"
        for number, boards in entry.detail.get("differing", {}).items():
            names = ", ".join(map(str, boards)) or "all"
            yield f"{title} @ Round {number}: boards that the rules do not give: {names}"
        for number in entry.detail.get("not_compared", ()):
            yield f"{title} @ Round {number}: not compared with the rules"


def _earlier_numbers(event: Event, rounds: int) -> Iterator[str]:
    """Yield a comment for each round that was paired with other pairing numbers (C.04.2 2.3-2.5)."""
    for round_ in event.rounds.filter(number__lte=rounds).exclude(renumbered=[]).order_by("number"):
        moves = ", ".join(f"{now} was {then}" for then, now in round_.renumbered)
        yield f"Pairing numbers @ Round {round_.number}: {moves}"


def _late_pairs(event: Event) -> Iterator[str]:
    """Yield a comment for each group of pairs that was forbidden after round 1 was published."""
    published = [at for at in event.rounds.values_list("published_at", flat=True) if at]
    for group in event.prohibitions.prefetch_related("entries"):
        rounds = sum(at <= group.created_at for at in published)
        tpns = sorted(entry.tpn for entry in group.entries.all() if entry.tpn is not None)
        if rounds and len(tpns) > 1:
            numbers = " ".join(map(str, tpns))
            yield f"Forbidden pairs @ Round {rounds}: {numbers}"


def _adjourned(event: Event, rounds: int) -> Iterator[str]:
    """Yield a comment for each round with games that are not over, which have the result `?` and count as draws."""
    history = histories.of_event(event)
    boards: dict[int, set[int]] = {}
    for own in history.values():
        for number, seat in own.items():
            pairing = seat.seat.pairing
            if number <= rounds and pairing and seat.has_adjourned:
                boards.setdefault(number, set()).add(pairing.board)
    for number in sorted(boards):
        names = ", ".join(map(str, sorted(boards[number])))
        yield f"round {number}: adjourned boards, drawn until their results: {names}"


def _adjourned_results(event: Event) -> Iterator[str]:
    """Yield a comment for each adjourned game that counted as a draw and then got another result."""
    published = [at for at in event.rounds.values_list("published_at", flat=True) if at]
    late = Game.objects.filter(
        pairing__event=event,
        pairing__is_postponed=True,
        ended_at__gt=F("pairing__round__closed_at"),
    ).exclude(result=Game.Result.DRAW)
    rows = late.select_related(
        "pairing__round", "pairing__first__player", "pairing__second__player"
    ).order_by("ended_at", "pk")
    for game in rows:
        pairing, ended_at = game.pairing, game.ended_at
        assert pairing is not None, "the query asks for one"
        assert ended_at is not None, "the query compares it"
        rounds = sum(at <= ended_at for at in published)
        board = f"round {pairing.round.number}, board {pairing.board}"
        yield (
            f"Adjournment @ Round {rounds}: {board} ({_players(pairing.first, pairing.second)}): "
            f"{SCORES[Game.Result.DRAW]} before, {SCORES[game.result or '']} after"
        )


def _changed_settings(event: Event) -> Iterator[str]:
    """Yield a comment for each change of the rounds or the tie-breaks after the first round was published."""
    published = [at for at in event.rounds.values_list("published_at", flat=True) if at]
    for entry in event.audit.filter(action="settings").order_by("done_at", "pk"):
        rounds = sum(at <= entry.done_at for at in published)
        for name, (before, after) in sorted(entry.detail.get("changes", {}).items()):
            if name in _NAMED_SETTINGS and rounds:
                words = (
                    f"{_NAMED_SETTINGS[name]}: {before or 'none'} before, {after or 'none'} after"
                )
                yield f"Configuration @ Round {rounds}: {words}"


def _corrections(event: Event) -> Iterator[str]:
    """Yield a comment for each correction of the closed rounds, in the order of their dates."""
    for each in result_corrections.of_event(event):
        if not each.is_in_closed_round:
            continue
        players = _players(each.first, each.second)
        change = f"{SCORES[each.before]} before, {SCORES[each.after]} after"
        yield (
            f"correction of round {each.round_number}, board {each.board} ({players}): "
            f"{'colours exchanged' if each.is_exchange else change}"
        )


def _rated_results(event: Event) -> Iterator[str]:
    """Yield a comment for each result that is another one in the rating report than in the standings."""
    for each in rated_results.of_event(event):
        players = _players(each.pairing.first, each.pairing.second)
        yield (
            f"rating report, round {each.round_number}, board {each.pairing.board} ({players}): "
            f"{SCORES[each.result]} for ratings, {SCORES[each.game.result or '']} in the standings"
        )


def _sanctions(event: Event, rounds: int) -> Iterator[str]:
    """Yield a comment for each warning and penalty (FIDE Laws 12.9)."""
    rows = Sanction.objects.of_event(event.pk).filter(round_number__lte=rounds)
    for each in rows.select_related("entry__player", "entry__team"):
        number = each.entry.tpn or (each.entry.team.tpn if each.entry.team else 0)
        words = f"{each.kind} {each.halves / 2:.1f}" if each.halves else each.kind
        name = f"{number} {each.entry.player.name}"
        yield f"penalty @ Round {each.round_number}: {name}: {words}: {each.reason}"


def _players(first: Entry, second: Entry) -> str:
    return f"{first.tpn} {first.player.name} - {second.tpn} {second.player.name}"
