"""Events as FIDE report files (TRF), from which any program can pair the rounds again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from django.db.models import F

from tournaments import trf
from tournaments.models import ByeRequest, Entry, Event, Game, Round, Sanction
from tournaments.models.events import TieBreakRating
from tournaments.queries.events import seed_chain
from tournaments.queries.results import (
    fide_rules,
    hand_pairings,
    histories,
    rated_results,
    report_comments,
    report_persons,
    report_records,
    result_corrections,
    standings,
    tables,
    tie_games,
    ties,
)
from tournaments.queries.results.report_records import Final
from tournaments.queries.results.standings import EventTable
from tournaments.queries.results.team_reports import numbered_members
from tournaments.standings import tie_breaks

# The date of round 1 is in column 92 of record 132, each further date ten columns later.
_DATES_COLUMN = 92
_HEADER_COLUMN = 5
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


def trf_of(event: Event) -> str:
    """Return the event's rounds that have all their results as TRF-2026 text.

    The side with the first ply is the file's White.

    It contains requested byes of rounds to come, so that another program can pair the next round.
    Ranks are those of the event's page. Corrections of results are comments (`###`).
    """
    return trf.write(_report(event))


def full_trf_of(event: Event) -> str:
    """Return the rating report for the federation: TRF-2026 with birth dates and the results for ratings."""
    report = _report(event, has_birth_dates=True)
    return trf.write(rated_results.with_rated_results(event, report))


def trf_2025_of(event: Event) -> str:
    """Return the TRF-2026 report with the older code of the Dutch system, for engines that do not know `FIDE_DUTCH_2026`."""
    return trf.write(_report(event), is_code_2025=True)


def trf16_of(event: Event) -> str:
    """The event as TRF16 with the extensions of JaVaFo and bbpPairings, for older programs."""
    return trf.write16(_report(event))


def _report(event: Event, *, has_birth_dates: bool = False) -> trf.Report:
    closed_rounds = _rounds_with_results(event)
    table = tables.event_table(event, rounds=closed_rounds)
    bye_requests = ByeRequest.objects.filter(
        entry__event=event, entry__tpn__isnull=False, round_number__gt=closed_rounds
    )
    final = Final(
        {row.entry.pk: row.place for row in table.rows if row.place is not None},
        [
            *_dates(event, closed_rounds),
            *_departures(event),
            *_tie_breaks(event, table),
            *_lots(event, table),
            *_tie_orders(table, closed_rounds),
            *_long_names([row.entry for row in table.rows]),
            *_mini_matches(event),
            *_ties(event, closed_rounds),
            *_later_ratings(event, table),
            *report_comments.byes(event, closed_rounds),
            *report_comments.players(event),
            *_changes_by_hand(event, closed_rounds),
            *_compared_rounds(event),
            *_earlier_numbers(event, closed_rounds),
            *_late_pairs(event),
            *_adjourned(event, closed_rounds),
            *_adjourned_results(event),
            *_changed_settings(event),
            *_corrections(event),
            *_rated_results(event),
            *_sanctions(event, closed_rounds),
        ],
    )
    report = report_records.report(
        event, closed_rounds, list(bye_requests.order_by("round_number", "entry__tpn")), final
    )
    return report_persons.with_persons(event, report, has_birth_dates=has_birth_dates)


def _rounds_with_results(event: Event) -> int:
    """The closed rounds, and the one over the board whose results have all been entered."""
    closed_rounds = event.rounds.filter(state=Round.State.CLOSED).count()
    if not event.is_over_the_board:
        return closed_rounds
    last = event.rounds.filter(state=Round.State.PUBLISHED).first()
    if last is None:
        return closed_rounds
    missing = last.pairings.without_entered_result(event)
    return closed_rounds + (not missing.exists() and not ties.open_ties(event, last))


def _dates(event: Event, rounds_total: int) -> Iterator[trf.Header]:
    """Return record 132: the days on which the rounds of the file began, in UTC, as YY/MM/DD.

    A round that was paired elsewhere began before it was stored. Otherwise its day is not known.
    """
    rounds = event.rounds.filter(number__lte=rounds_total).order_by("number")
    days = [
        day
        for each in rounds.defer("report", "problem", "evidence")
        for day in [_day(each)] * _columns_of_a_round(event)
    ]
    if any(days):
        words = "  ".join(f"{day:%y/%m/%d}" if day else " " * 8 for day in days)
        yield trf.Header("132", " " * (_DATES_COLUMN - _HEADER_COLUMN) + words)


def _columns_of_a_round(event: Event) -> int:
    """Return the number of rounds of the file for a round: each game of a mini-match is one, a match of teams is one."""
    return 1 if event.is_of_teams else event.games_per_pairing


def _day(round_: Round) -> datetime | None:
    day = round_.started_at or round_.published_at
    is_elsewhere = round_.engine == Round.PAIRED_ELSEWHERE
    return None if is_elsewhere and day and day >= round_.drafted_at else day


def _tie_breaks(event: Event, table: EventTable) -> Iterator[trf.Header]:
    """Records 202 and 212: the tie-breaks, and the whole order of the standings."""
    names = [each.name for each in table.tie_breaks]
    if names:
        yield trf.Header("202", ",".join(names))
        order = tie_breaks(standings.tie_break_names(event), of_teams=event.is_of_teams)
        yield trf.Header("212", ",".join(each.name for each in order))


def _departures(event: Event) -> Iterator[trf.Header]:
    for each in fide_rules.departures(event):
        number = event.departures.get(each.name)
        since = f" from round {number} on" if number else ""
        yield trf.Header("###", f"not by the rules of FIDE{since}: {each.value}")


def _lots(event: Event, table: EventTable) -> Iterator[trf.Header]:
    """A comment with the seed of the lots, if they are one of the tie-breaks and are drawn."""
    seed = seed_chain.lots_seed(event)
    if seed and any(each.name == "LOT" for each in table.tie_breaks):
        yield trf.Header("###", f"{trf.LOTS}{seed}")


def _tie_orders(table: EventTable, rounds: int) -> Iterator[trf.Header]:
    """A comment for each shared place that the arbiter has ordered."""
    for order in table.hand_orders:
        numbers = " ".join(str(entry.tpn) for entry in order)
        yield trf.Header("###", f"Standings @ Round {rounds}: ordered by hand: {numbers}")


def _long_names(entries: Sequence[Entry]) -> Iterator[trf.Header]:
    for entry in sorted(entries, key=lambda entry: entry.tpn or 0):
        if len(entry.player.name) > trf.NAME_WIDTH:
            yield trf.Header("###", f"name of player {entry.tpn} in full: {entry.player.name}")


def _mini_matches(event: Event) -> Iterator[trf.Header]:
    if _columns_of_a_round(event) > 1:
        yield trf.Header("###", "each pairing is a mini-match of two games, the sides exchanged:")
        yield trf.Header("###", "rounds 2n-1 and 2n of this file are the two games of round n")


def _ties(event: Event, rounds: int) -> Iterator[trf.Header]:
    """Return the games of each tie with several: the file has the result of the tie as that of its round."""
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
            yield trf.Header("###", f"{heading}: {', '.join(texts)}")


def _later_ratings(event: Event, table: EventTable) -> Iterator[trf.Header]:
    """A comment for each rating that holds from a later round on: round of the file, player, rating."""
    entries = sorted((row.entry for row in table.rows), key=lambda entry: entry.tpn or 0)
    numbered: Iterable[tuple[int, Entry]] = ((entry.tpn or 0, entry) for entry in entries)
    if event.is_of_teams:
        numbered = numbered_members(event, entries)
    ratings = sorted(
        (
            _columns_of_a_round(event) * (each.from_round - 1) + 1,
            number,
            each.centielo // 100,
        )
        for number, entry in numbered
        for each in entry.ratings_by_round
    )
    if ratings and event.tie_break_rating == TieBreakRating.ROUND:
        yield trf.Header("###", trf.RATING_OF_ROUND)
    for from_round, number, elo in ratings:
        yield trf.Header("###", f"{trf.RATING_FROM}{from_round}: {number} {elo}")


def _changes_by_hand(event: Event, rounds: int) -> Iterator[trf.Header]:
    """A comment for each round with boards that the pairing system did not make, or played reversed."""
    for round_ in event.rounds.filter(number__lte=rounds).exclude(edits=[]).order_by("number"):
        by_hand = list(map(str, hand_pairings.boards_by_hand(round_)))
        exchanged = hand_pairings.exchanged_boards(round_)
        if by_hand:
            yield trf.Header(
                "###", f"MPA @ Round {round_.number}: boards made by hand: {', '.join(by_hand)}"
            )
        if exchanged:
            boards = ", ".join(map(str, sorted(exchanged)))
            yield trf.Header(
                "###", f"round {round_.number}: boards played with colours exchanged: {boards}"
            )


def _compared_rounds(event: Event) -> Iterator[trf.Header]:
    """A comment for each round that differs from the pairing rules, or was not compared with them."""
    for entry in event.audit.filter(action__in=("import", "settings")).order_by("pk"):
        title = "Import" if entry.action == "import" else "Configuration"
        for number, boards in entry.detail.get("differing", {}).items():
            names = ", ".join(map(str, boards)) or "all"
            words = f"{title} @ Round {number}: boards that the rules do not give: {names}"
            yield trf.Header("###", words)
        for number in entry.detail.get("not_compared", ()):
            yield trf.Header("###", f"{title} @ Round {number}: not compared with the rules")


def _earlier_numbers(event: Event, rounds: int) -> Iterator[trf.Header]:
    """A comment for each round that was paired with other pairing numbers (C.04.2 2.3-2.5)."""
    for round_ in event.rounds.filter(number__lte=rounds).exclude(renumbered=[]).order_by("number"):
        moves = ", ".join(f"{now} was {then}" for then, now in round_.renumbered)
        yield trf.Header("###", f"Pairing numbers @ Round {round_.number}: {moves}")


def _late_pairs(event: Event) -> Iterator[trf.Header]:
    """A comment for each group of pairs that was forbidden after round 1 was published."""
    published = [at for at in event.rounds.values_list("published_at", flat=True) if at]
    for group in event.prohibitions.prefetch_related("entries"):
        rounds = sum(at <= group.created_at for at in published)
        tpns = sorted(entry.tpn for entry in group.entries.all() if entry.tpn is not None)
        if rounds and len(tpns) > 1:
            numbers = " ".join(map(str, tpns))
            yield trf.Header("###", f"Forbidden pairs @ Round {rounds}: {numbers}")


def _adjourned(event: Event, rounds: int) -> Iterator[trf.Header]:
    """A comment for each round with games that are not over, which have the result `?` and count as draws."""
    history = histories.of_event(event)
    boards: dict[int, set[int]] = {}
    for own in history.values():
        for number, seat in own.items():
            pairing = seat.seat.pairing
            if number <= rounds and pairing and seat.has_adjourned:
                boards.setdefault(number, set()).add(pairing.board)
    for number in sorted(boards):
        names = ", ".join(map(str, sorted(boards[number])))
        yield trf.Header(
            "###", f"round {number}: adjourned boards, drawn until their results: {names}"
        )


def _adjourned_results(event: Event) -> Iterator[trf.Header]:
    """A comment for each adjourned game that counted as a draw and then got another result."""
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
        yield trf.Header(
            "###",
            f"Adjournment @ Round {rounds}: {board} ({_players(pairing.first, pairing.second)}): "
            f"{SCORES[Game.Result.DRAW]} before, {SCORES[game.result or '']} after",
        )


def _changed_settings(event: Event) -> Iterator[trf.Header]:
    """A comment for each change of the rounds or the tie-breaks after the first round was published."""
    published = [at for at in event.rounds.values_list("published_at", flat=True) if at]
    for entry in event.audit.filter(action="settings").order_by("done_at", "pk"):
        rounds = sum(at <= entry.done_at for at in published)
        for name, (before, after) in sorted(entry.detail.get("changes", {}).items()):
            if name in _NAMED_SETTINGS and rounds:
                words = (
                    f"{_NAMED_SETTINGS[name]}: {before or 'none'} before, {after or 'none'} after"
                )
                yield trf.Header("###", f"Configuration @ Round {rounds}: {words}")


def _sanctions(event: Event, rounds: int) -> Iterator[trf.Header]:
    """A comment for each warning and penalty (FIDE Laws 12.9)."""
    rows = Sanction.objects.of_event(event.pk).filter(round_number__lte=rounds)
    for each in rows.select_related("entry__player", "entry__team"):
        number = each.entry.tpn or (each.entry.team.tpn if each.entry.team else 0)
        words = f"{each.kind} {each.halves / 2:.1f}" if each.halves else each.kind
        name = f"{number} {each.entry.player.name}"
        text = f"penalty @ Round {each.round_number}: {name}: {words}: {each.reason}"
        yield trf.Header("###", text)


def _rated_results(event: Event) -> Iterator[trf.Header]:
    """A comment for each result that is another one in the rating report than in the standings."""
    for each in rated_results.of_event(event):
        players = _players(each.pairing.first, each.pairing.second)
        yield trf.Header(
            "###",
            f"rating report, round {each.round_number}, board {each.pairing.board} ({players}): "
            f"{SCORES[each.result]} for ratings, {SCORES[each.game.result or '']} in the standings",
        )


def _players(first: Entry, second: Entry) -> str:
    return f"{first.tpn} {first.player.name} - {second.tpn} {second.player.name}"


def _corrections(event: Event) -> Iterator[trf.Header]:
    """A comment for each correction of the closed rounds, in the order of their dates."""
    for each in result_corrections.of_event(event):
        if not each.is_in_closed_round:
            continue
        players = _players(each.first, each.second)
        change = f"{SCORES[each.before]} before, {SCORES[each.after]} after"
        yield trf.Header(
            "###",
            f"correction of round {each.round_number}, board {each.board} ({players}): "
            f"{'colours exchanged' if each.is_exchange else change}",
        )
