"""Games against their plies, corrections, charges and news."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Count, F, Max, Min

import games as rules
from tournaments.models import ClockCharge, Correction, Game, NewsItem, Ply
from tournaments.queries.records import game_records
from tournaments.services.operations.data_checks.offences import Offence

# An end is announced in the transaction that stores it.
_TOLERANCE = timedelta(minutes=1)
_BATCH = 2_000


def numbering() -> Iterator[Offence]:
    """The plies of each attempt are 1, 2, 3 and so on, and the game is at the last one."""
    counts: dict[tuple[int, int], tuple[int, int]] = {}
    attempts = Ply.objects.order_by().values_list("game_id", "attempt")
    for game, attempt, count, last, first in attempts.annotate(
        Count("pk"), Max("number"), Min("number")
    ).iterator():
        counts[game, attempt] = (count, last)
        if count != last or first != 1:
            yield Offence(
                f"game {game}", f"attempt {attempt} has {count} plies up to number {last}"
            )
    rows = Game.objects.order_by("pk").values_list("pk", "attempt", "ply")
    for game, attempt, ply in rows.iterator():
        count, last = counts.get((game, attempt), (0, 0))
        if last != ply:
            yield Offence(f"game {game}", f"stands at ply {ply}, and {last} are stored")


def clocks() -> Iterator[Offence]:
    """The charges of a game's clocks are numbered without gaps."""
    rows = ClockCharge.objects.order_by().values_list("game_id")
    for game, count, last in rows.annotate(Count("pk"), Max("seq")).iterator():
        if count != last:
            yield Offence(f"game {game}", f"has {count} charges of its clocks up to number {last}")
    running = Game.objects.finished().filter(turn_started_at__isnull=False)
    for game in running.order_by("pk").values_list("pk", flat=True):
        yield Offence(f"game {game}", "is over, and a clock runs")


def results() -> Iterator[Offence]:
    """A result has its ending and its moment, after the last ply and when the end was announced."""
    torn = Game.objects.exclude(
        result__isnull=True, ending__isnull=True, ended_at__isnull=True
    ).exclude(result__isnull=False, ending__isnull=False, ended_at__isnull=False)
    for game in torn.order_by("pk").values_list("pk", flat=True):
        yield Offence(f"game {game}", "has a part of a result")
    last_plies = Ply.objects.filter(attempt=F("game__attempt"), game__ended_at__isnull=False)
    late = last_plies.order_by().values_list("game_id", "game__ended_at")
    for game, ended_at, made_at in late.annotate(Max("made_at")).iterator():
        if made_at > ended_at + _TOLERANCE:
            yield Offence(f"game {game}", f"ended_at {ended_at} is before its last ply")


def endings() -> Iterator[Offence]:
    """The announcement of a game's end agrees with its row."""
    before = {
        correction.game_id: correction.before for correction in Correction.objects.filter(seq=1)
    }
    for item in _ends():
        game_id = int(item.topic.name.partition(":")[2])
        game = Game.objects.filter(pk=game_id).values("result", "ending", "ended_at").first()
        if game is None:
            yield Offence(f"game {game_id}", "its end was announced, and it is not there")
            continue
        if item.payload.get("ending") != game["ending"]:
            ending = item.payload.get("ending")
            yield Offence(f"game {game_id}", f"ending {game['ending']}, announced as {ending}")
        if item.payload.get("result") != before.get(game_id, game["result"]):
            result = item.payload.get("result")
            yield Offence(f"game {game_id}", f"result {game['result']}, announced as {result}")
        if game["ended_at"] is None or abs(game["ended_at"] - item.happened_at) > _TOLERANCE:
            moment = item.happened_at
            yield Offence(f"game {game_id}", f"ended_at {game['ended_at']}, announced at {moment}")


def _ends() -> Iterator[NewsItem]:
    ends = NewsItem.objects.filter(kind="end", topic__name__startswith="game:")
    return ends.select_related("topic").order_by("topic", "seq").iterator(chunk_size=_BATCH)


def corrections() -> Iterator[Offence]:
    """The corrections of a game are numbered, lead from one to the next, and to its result."""
    by_game: dict[int, list[Correction]] = defaultdict(list)
    for correction in Correction.objects.select_related("game").order_by("game", "seq"):
        by_game[correction.game_id].append(correction)
    for game, rows in by_game.items():
        if [row.seq for row in rows] != [*range(1, len(rows) + 1)]:
            yield Offence(f"game {game}", "a correction is missing")
        for one, following in itertools.pairwise(rows):
            if one.after != following.before:
                yield Offence(f"game {game}", f"correction {following.seq} has another beginning")
        if rows[-1].after != rows[-1].game.result:
            right = rows[-1].after
            yield Offence(f"game {game}", f"result {rows[-1].game.result}, corrected to {right}")


def replays(count: int | None) -> Iterator[Offence]:
    """The moves of the latest `count` games (None: of all) are legal, and a result by the rules is the stored one."""
    latest = Game.objects.order_by("-pk").filter(ply__gt=0)
    for game in latest[:count].iterator() if count is not None else latest.iterator():
        record = game_records.record_of(game)
        try:
            *_, last = record.positions()
        except rules.RulesError as error:
            yield Offence(f"game {game.pk}", f"its moves are not legal: {str(error)[:150]}")
            continue
        outcome = last.outcome()
        if game.ending == Game.Ending.RULES and outcome is None:
            yield Offence(f"game {game.pk}", "ended by the rules, which would go on")
        first = game.corrections.order_by("seq").values_list("before", flat=True).first()
        if (
            game.ending == Game.Ending.RULES
            and outcome is not None
            and (first or game.result) != outcome
        ):
            yield Offence(f"game {game.pk}", f"result {game.result}, by the rules {outcome}")
