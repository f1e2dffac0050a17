"""An event as one JSON document: `docs/reference/event-files.md` describes every member."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from django.conf import settings

from tournaments.models import Entry, Event, Game, Pairing, Round, Seat
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import prizes
from tournaments.queries.events.prizes import Owner
from tournaments.queries.results import awards, histories, result_corrections, standings
from tournaments.queries.results.round_seats import RoundSeat
from tournaments.services.results import stored_table

# Members may be added under this name. Members are not removed, and their meaning does not change.
SCHEMA = "rayuela-event/1"


def text_of(event: Event) -> str:
    """Return the document as indented JSON with a newline at its end, without drafts."""
    return json.dumps(document_of(event), ensure_ascii=False, indent=1) + "\n"


def document_of(event: Event) -> dict[str, object]:
    """The event, its players, published rounds, standings and corrections."""
    entries = list(event.entries.select_related("player", "team").order_by("tpn", "pk"))
    history = histories.of_event(event)
    rounds = event.rounds.exclude(state=Round.State.DRAFT).order_by("number")
    return {
        "schema": SCHEMA,
        "event": _event(event),
        "players": [_player(entry) for entry in entries],
        "rounds": [
            _round(round_, history) for round_ in rounds.defer("problem", "evidence", "report")
        ],
        "standings": _standings(event),
        "prizes": prizes_of(event),
        "corrections": [
            {
                "round": each.round_number,
                "board": each.board,
                "before": each.before,
                "after": each.after,
                "is_exchange": each.is_exchange,
                "reason": each.reason,
                "made_at": _moment(each.made_at),
            }
            for each in result_corrections.of_event(event)
        ],
    }


def _event(event: Event) -> dict[str, object]:
    return {
        "name": event.name,
        "url": settings.SITE_URL + event.get_absolute_url(),
        "format": event.format,
        "ruleset": event.ruleset,
        "clock": game_clocks.clock_of(event).text(),
        "state": event.state,
        "is_rated": event.is_rated,
        "is_over_the_board": event.is_over_the_board,
        "rounds_total": event.rounds_total,
        "games_per_pairing": event.games_per_pairing,
        "tie_games": event.tie_games,
        "extra_games": event.extra_games,
        "has_extra_pairs": event.has_extra_pairs,
        "armageddon_percent": event.armageddon_percent,
        "points_halves": {
            "win": event.win_halves,
            "draw": event.draw_halves,
            "loss": event.loss_halves,
            "pairing_bye": event.bye_halves,
        },
        "tie_break_rating": event.tie_break_rating,
        "tie_breaks": list(standings.tie_break_names(event)),
        "place": event.place,
        "federation": event.federation,
        "first_day": _day(event.first_day),
        "last_day": _day(event.last_day),
        "organiser": event.organiser_name,
        "chief_arbiter": event.chief_arbiter,
        "arbiters": event.arbiters,
        "created_at": _moment(event.created_at),
        "started_at": _moment(event.started_at),
        "finished_at": _moment(event.finished_at),
    }


def _player(entry: Entry) -> dict[str, object]:
    return {
        "number": entry.tpn,
        "name": entry.player.name,
        "is_bot": entry.player.is_bot,
        "rating": entry.seed_centielo / 100 if entry.seed_centielo else None,
        "rating_source": entry.rating_source,
        "official_rating": entry.official_centielo / 100 if entry.official_centielo else None,
        "official_list": entry.official_list,
        "later_ratings": [
            {"from_round": each.from_round, "rating": each.centielo / 100, "source": each.source}
            for each in entry.ratings_by_round
        ],
        "federation": entry.federation,
        "club": entry.club,
        "fide_id": entry.fide_id,
        "category": entry.category,
        "title": entry.title,
        "sex": entry.sex,
        "national_rating": entry.national_centielo / 100 if entry.national_centielo else None,
        "national_id": entry.national_id,
        "state": entry.state,
        "team": entry.contestant.tpn if entry.team_id else None,
        "board_order": entry.board_order,
        "joined_round": entry.joined_round,
        "left_round": entry.left_round,
    }


def _round(round_: Round, history: Mapping[int, Mapping[int, RoundSeat]]) -> dict[str, object]:
    pairings = round_.pairings.select_related("first", "second", "event").order_by("board")
    games: dict[int | None, list[Game]] = {}
    rows = Game.objects.filter(pairing__round=round_).select_related("first", "second")
    for game in rows.order_by("pairing", "number"):
        games.setdefault(game.pairing_id, []).append(game)
    byes = round_.seats.filter(pairing=None).exclude(kind=Seat.Kind.OUT)
    number = round_.number
    return {
        "number": number,
        "state": round_.state,
        "published_at": _moment(round_.published_at),
        "starts_at": _moment(round_.starts_at),
        "started_at": _moment(round_.started_at),
        "closed_at": _moment(round_.closed_at),
        "pairings": [
            _pairing(pairing, number, history, games.get(pairing.pk, ())) for pairing in pairings
        ],
        "byes": [
            {
                "number": seat.entry.tpn,
                "kind": seat.kind,
                "points_halves": history[seat.entry_id][number].score_halves,
                "absent": seat.absent.tpn if seat.absent else None,
            }
            for seat in byes.select_related("entry", "absent").order_by("entry__tpn")
        ],
    }


def _pairing(
    pairing: Pairing,
    number: int,
    history: Mapping[int, Mapping[int, RoundSeat]],
    games: Iterable[Game],
) -> dict[str, object]:
    first, second = history[pairing.first_id][number], history[pairing.second_id][number]
    count = pairing.event.boards if pairing.event.is_of_teams else 0

    def begins_with_first(game: Game) -> bool:
        """Return whether the first contestant of the pairing has the first ply in the game."""
        if count:
            return pairing.event.is_first_at((game.number - 1) % count + 1)
        return game.first_id == pairing.first.player_id

    return {
        "board": pairing.board,
        "first": pairing.first.tpn,
        "second": pairing.second.tpn,
        "first_outcome": first.outcome,
        "second_outcome": second.outcome,
        "first_points_halves": first.score_halves,
        "second_points_halves": second.score_halves,
        "games": [
            {
                "url": settings.SITE_URL + game.get_absolute_url(),
                "first": (pairing.first if begins_with_first(game) else pairing.second).tpn,
                "result": game.result,
                "ending": game.ending,
                "armageddon_percent": game.armageddon_percent,
                **({"board": (game.number - 1) % count + 1} if count else {}),
                **({"players": [game.first.name, game.second.name]} if count else {}),
            }
            for game in games
        ],
    }


def _standings(event: Event) -> list[dict[str, object]]:
    table = stored_table.current(event)
    names = [each.name for each in table.tie_breaks]
    return [
        {
            "rank": row.place,
            "number": row.entry.tpn,
            "points_halves": row.points_halves,
            "tie_breaks": {
                name: value or None for name, value in zip(names, row.values, strict=False)
            },
            "wins": row.wins,
            "is_annulled": row.is_annulled,
        }
        for row in table.rows
    ]


def prizes_of(owner: Owner) -> dict[str, Any] | None:
    """Return the fund in minor units, and the winners: as confirmed, or by the current standings.

    Each award of a festival names the section.
    """
    outcome = awards.of_owner(owner)
    if outcome is None:
        return None
    rules = outcome.fund.rules
    confirmed = prizes.standing_awards(owner)
    rows = awards.confirmed_rows(confirmed) if confirmed else outcome.rows()
    return {
        "currency": outcome.currency,
        "sharing": rules.sharing.value,
        "rounding": rules.rounding,
        "is_cumulative": rules.is_cumulative,
        "least_points_halves": rules.least_points_halves,
        "least_games": rules.least_games,
        "prizes": [
            {**prizes.columns_of(each.category), "amount": each.amount, "words": each.words}
            for each in outcome.fund.prizes
        ],
        "confirmed_at": _moment(confirmed.made_at if confirmed else None),
        "awards": [
            {
                **({} if isinstance(owner, Event) else {"event": row.entry.event.slug}),
                "number": row.entry.tpn,
                **prizes.columns_of(prizes.category_of(row)),
                "place": row.place,
                "amount": row.amount,
                "words": row.words,
            }
            for row in rows
        ],
    }


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
