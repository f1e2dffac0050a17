"""The archive of an event: all that is needed to compute the event again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db.models import Model

from tournaments.models import Entry, Event, Game, LedgerEntry, Ply, RatedResult, Round, Sanction
from tournaments.queries import formats
from tournaments.queries.archives import archive_file
from tournaments.queries.archives.archive_data import (
    Archive,
    ArchivedAward,
    ArchivedBoard,
    ArchivedBye,
    ArchivedCorrection,
    ArchivedDeduction,
    ArchivedEntry,
    ArchivedEvent,
    ArchivedGame,
    ArchivedLedgerRow,
    ArchivedMember,
    ArchivedNumber,
    ArchivedPrize,
    ArchivedPrizes,
    ArchivedRating,
    ArchivedRound,
    ArchivedStanding,
    ArchivedTeamBoard,
)
from tournaments.queries.events import prizes, seed_chain
from tournaments.queries.results import awards, festival_awards, tables

_ENTRY = ("tpn", "state", "joined_round", "left_round", "seed_centielo", "is_expelled")
# A birth date is not public, nor in an archive: the year is, as in public report files.
_PERSON = ("federation", "fide_id", "category", "title", "sex", "national_centielo", "national_id")
_ENTRY_WORDS = ("club", *_PERSON, "rating_source", "official_list", "official_centielo")
_MEMBER = ("state", "seed_centielo", *_PERSON)
_RULES = ("currency", "sharing", "rounding", "is_cumulative", "least_points_halves", "least_games")
_CATEGORY = ("kind", "rating_from", "rating_below", "text")
_GAME = (
    *("number", "setup", "result", "ending", "opening_plies", "ended_at"),
    "armageddon_percent",
)


def of_event(event: Event) -> bytes:
    """The archive of the event after its closed rounds, as a file.

    Links of the seed chain that belong to rounds to come are not in it.
    """
    return archive_file.packed(archive_of(event))


def archive_of(event: Event) -> Archive:
    """Return the archive of the event as data."""
    entries = list(event.entries.exclude(tpn=None).select_related("player").order_by("tpn"))
    rounds = list(event.rounds.filter(state=Round.State.CLOSED).order_by("number"))
    games = list(
        Game.objects.filter(pairing__round__in=rounds, result__isnull=False)
        .select_related("pairing")
        .prefetch_related("corrections")
        .order_by("pk")
    )
    members = list(event.entries.members().select_related("player", "team"))
    numbers = {member.pk: number for number, member in enumerate(members, start=1)}
    tpns = {entry.player_id: entry.tpn or 0 for entry in entries}
    tpns |= {member.player_id: numbers[member.pk] for member in members}
    return Archive(
        schema=archive_file.SCHEMA,
        event=_event(event),
        entries=tuple(
            ArchivedEntry(
                name=entry.player.name,
                is_bot=entry.player.is_bot,
                birth_year=int(entry.birth[:4]) if entry.birth else None,
                later_ratings=_later_ratings(entry),
                **_columns(entry, (*_ENTRY, *_ENTRY_WORDS)),
            )
            for entry in entries
        ),
        rounds=tuple(_round(each, numbers) for each in rounds),
        games=_games(games, {round_.pk: round_.number for round_ in rounds}, tpns),
        standings=_standings(event, len(rounds)),
        ledger=_ledger(games, tpns),
        prizes=_prizes(event),
        members=tuple(
            ArchivedMember(
                number=numbers[member.pk],
                team=member.contestant.tpn or 0,
                board_order=member.board_order or 0,
                name=member.player.name,
                is_bot=member.player.is_bot,
                later_ratings=_later_ratings(member),
                **_columns(member, _MEMBER),
            )
            for member in members
        ),
        deductions=_deductions(event),
    )


def _deductions(event: Event) -> tuple[ArchivedDeduction, ...]:
    rows = Sanction.objects.filter(entry__event=event, halves__gt=0).select_related("entry")
    return tuple(
        ArchivedDeduction(
            tpn=each.entry.tpn or 0,
            round=each.round_number,
            **_columns(each, ("halves", "reason", "given_at", "lifted_at")),
        )
        for each in rows.order_by("pk")
    )


def _columns(row: Model, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def _event(event: Event) -> ArchivedEvent:
    names = [
        *("name", "slug", "format", "ruleset", "state", "seed_commitment", "cycles", "groups"),
        *(
            "promotion_places",
            "qualifiers",
            "has_third_place",
            "exchanges_rounds",
            "tie_orders",
            "seasons",
            "rounds_total",
            "win_halves",
        ),
        *("draw_halves", "loss_halves", "bye_halves", "tie_breaks", "created_at", "started_at"),
        *("games_per_pairing", "boards", "match_points", "match_bye", "first_day"),
        *("tie_break_rating", "alternates_boards"),
    ]
    return ArchivedEvent(
        url=settings.SITE_URL + event.get_absolute_url(),
        # A Swiss takes only the initial colour from the seed, which its inputs have.
        seed=0 if formats.of(event).is_swiss else event.seed,
        house_rules=formats.house_rules(event),
        lots_seed=seed_chain.lots_seed(event),
        **_columns(event, names),
    )


def _later_ratings(entry: Entry) -> tuple[ArchivedRating, ...]:
    return tuple(ArchivedRating(*each) for each in entry.later_ratings)


def _round(round_: Round, members: Mapping[int, int]) -> ArchivedRound:
    boards = round_.pairings.order_by("board").select_related("first", "second", "goes_through")
    boards = boards.prefetch_related("boards")
    seats = round_.seats.filter(pairing=None).order_by("entry__tpn")
    return ArchivedRound(
        boards=tuple(
            ArchivedBoard(
                each.board,
                each.first.tpn or 0,
                each.second.tpn or 0,
                each.goes_through.tpn if each.goes_through else None,
                each.is_postponed,
                tuple(
                    ArchivedTeamBoard(
                        at.number, members.get(at.first_id or 0), members.get(at.second_id or 0)
                    )
                    for at in each.boards.all()
                ),
                each.tie_games,
                each.has_extra_pairs,
            )
            for each in boards
        ),
        byes=tuple(
            ArchivedBye(each.entry.tpn or 0, each.kind, each.absent.tpn if each.absent else None)
            for each in seats.select_related("entry", "absent")
        ),
        is_edited=bool(round_.edits) or round_.engine == Round.PAIRED_ELSEWHERE,
        renumbered=tuple(ArchivedNumber(then, now) for then, now in round_.renumbered),
        **_columns(
            round_,
            ("number", "engine", "report", "problem", "setup", "setup_seed", "drafted_at"),
        ),
    )


def _games(
    games: Sequence[Game], rounds: Mapping[int, int], tpns: Mapping[int, int]
) -> tuple[ArchivedGame, ...]:
    plies: dict[int, list[str]] = defaultdict(list)
    attempts = {game.pk: game.attempt for game in games}
    rated = dict(RatedResult.objects.filter(game__in=attempts).values_list("game", "result"))
    rows = Ply.objects.filter(game__in=attempts).order_by("game", "number")
    for game_id, attempt, move in rows.values_list("game_id", "attempt", "move"):
        if attempt == attempts[game_id]:
            plies[game_id].append(move)
    archived = []
    for game in games:
        assert game.pairing is not None, "selected by it"
        corrections = sorted(game.corrections.all(), key=lambda each: each.seq)
        archived.append(
            ArchivedGame(
                id=game.pk,
                round=rounds[game.pairing.round_id],
                board=game.pairing.board,
                first=tpns[game.first_id],
                second=tpns[game.second_id],
                plies=tuple(plies[game.pk]),
                corrections=tuple(
                    ArchivedCorrection(
                        each.before, each.after, each.reason, each.made_at, each.is_exchange
                    )
                    for each in corrections
                ),
                rated_as=rated.get(game.pk, ""),
                **_columns(game, _GAME),
            )
        )
    return tuple(archived)


def _standings(event: Event, rounds: int) -> tuple[ArchivedStanding, ...]:
    return tuple(
        ArchivedStanding(row.rank, row.entry.tpn or 0, row.points_halves, tuple(row.values))
        for row in tables.event_table(event, rounds=rounds).rows
    )


def _prizes(event: Event) -> ArchivedPrizes | None:
    festival = festival_awards.festival_before(event)
    if festival is None or prizes.standing_awards(event) is None:
        return prizes_of(event)
    won = event.entries.filter(awards__list__festival=festival, awards__list__taken_back_at=None)
    return prizes_of(event, elsewhere=sorted({entry.tpn or 0 for entry in won}))


def prizes_of(owner: prizes.Owner, elsewhere: Sequence[int] = ()) -> ArchivedPrizes | None:
    """Return the prizes of an event or a festival, with the confirmed awards; None without prizes."""
    if not prizes.has_prizes(owner):
        return None
    row = prizes.row_of(owner)
    confirmed = prizes.standing_awards(owner)
    return ArchivedPrizes(
        fund=tuple(
            ArchivedPrize(**_columns(each, (*_CATEGORY, "amount", "words")))
            for each in row.prizes.all()
        ),
        confirmed_at=confirmed.made_at if confirmed else None,
        awards=tuple(
            ArchivedAward(
                tpn=each.entry.tpn or 0,
                section="" if isinstance(owner, Event) else each.entry.event.slug,
                **_columns(each, (*_CATEGORY, "place", "amount", "words")),
            )
            for each in (awards.confirmed_rows(confirmed) if confirmed else ())
        ),
        elsewhere=tuple(elsewhere),
        **_columns(row, _RULES),
    )


def _ledger(games: Sequence[Game], tpns: Mapping[int, int]) -> tuple[ArchivedLedgerRow, ...]:
    """The rows of these games, with the digest of the row before each, which may be of another event."""
    rows = list(
        LedgerEntry.objects.filter(game__in=games)
        .select_related("pool")
        .order_by("pool", "player", "seq")
    )
    names = [
        *("id", "pool_id", "player_id", "game_id", "side", "seq", "kind", "revision"),
        *("reverses_id", "correction_id", "period", "before_centielo", "delta_centielo"),
        *("after_centielo", "opponent_centielo", "k_factor", "expected_millionths"),
        *("score_halves", "formula", "inputs", "digest"),
    ]
    chains = LedgerEntry.objects.filter(
        pool__in={row.pool_id for row in rows}, player__in={row.player_id for row in rows}
    ).values_list("pool_id", "player_id", "seq", "digest")
    standing = LedgerEntry.objects.standing().filter(game__in=games)
    standing_keys = set(standing.values_list("pk", flat=True))
    digests = {(pool, player, seq): digest for pool, player, seq, digest in chains}
    return tuple(
        ArchivedLedgerRow(
            pool=row.pool.key,
            tpn=tpns[row.player_id],
            is_standing=row.pk in standing_keys,
            previous_digest=digests.get((row.pool_id, row.player_id, row.seq - 1), ""),
            **_columns(row, names),
        )
        for row in rows
    )
