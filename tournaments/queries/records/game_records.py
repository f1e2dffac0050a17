"""Records of games in the notation of the rules, and documents with their players and clocks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from django.conf import settings

import games
from games.json_record import SCHEMA
from tournaments.models import Game, LedgerEntry, Player
from tournaments.queries.clocks import game_clocks
from tournaments.queries.records import evaluations, game_plies
from tournaments.queries.records.evaluations import Thought

# A record has a word for every ending of a game of people. A bot's fault is a forfeit there.
WORDS: Mapping[str, str] = {
    Game.Ending.RULES: "rules",
    Game.Ending.AGREEMENT: "agreement",
    Game.Ending.DRAW_AGREED: "draw-agreed",
    Game.Ending.RESIGNATION: "resignation",
    Game.Ending.TIME: "time",
    Game.Ending.ABSENCE: "absence",
}
_DRAWS = (Game.Result.DRAW, Game.Result.SHORT_DRAW)


@dataclass(frozen=True, slots=True)
class Participant:
    """One side of a game, with the game's effect on its rating; None without an effect."""

    name: str
    is_bot: bool
    url: str
    rating_before: float | None
    rating_after: float | None


@dataclass(frozen=True, slots=True)
class TimedPly:
    """A ply with its time on the clock and the remaining time, in milliseconds, and the bot's thoughts."""

    number: int
    side: str
    move: str
    spent_ms: int
    remaining_ms: int
    made_at: str
    evaluation: Thought | None


@dataclass(frozen=True, slots=True)
class Document:
    """A game as JSON tells it: `docs/reference/records.md` describes every member."""

    schema: str
    ruleset: str
    setup: str
    result: str | None
    ending: str | None
    cause: str | None
    game: int
    url: str
    event: str | None
    round: int | None
    is_rated: bool
    pool: str | None
    clock_initial_ms: int
    clock_increment_ms: int
    began_at: str
    ended_at: str | None
    opening_plies: int
    first: Participant
    second: Participant
    plies: Sequence[TimedPly]

    def text(self) -> str:
        """The document as indented JSON, ending in a newline.

        `games.parse_json` reads the record back from it.
        """
        return json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n"


def record_of(game: Game) -> games.Record:
    """Return the record of `game` in its present state. A void game counts as not finished."""
    return games.Record(
        ruleset=game.ruleset,
        setup=game.setup,
        moves=tuple(ply.move for ply in game_plies.of_game(game)),
        outcome=outcome_of(game),
        ending=_ending(game),
    )


def text_of(game: Game) -> str:
    """Return the record of `game` as a file for people, with players, place and time."""
    headers = [("First", game.first.name), ("Second", game.second.name)]
    if game.pairing is not None:
        headers += [
            ("Event", game.pairing.event.name),
            ("Round", str(game.pairing.round.number)),
        ]
    if game.opening_plies:
        headers.append(("Opening", str(game.opening_plies)))
    headers += [
        ("Date", game.created_at.strftime("%Y-%m-%d")),
        ("Clock", game_clocks.clock_of(game).text()),
        ("Site", f"{settings.SITE_URL}{game.get_absolute_url()}"),
    ]
    return replace(record_of(game), headers=tuple(headers)).text(with_terminal_mark=True)


def document_of(game: Game) -> Document:
    """The record of `game` with its players, clocks and ratings."""
    plies = game.plies.filter(attempt=game.attempt).order_by("number")
    pairing = game.pairing
    thoughts = evaluations.of_game(game)
    entries = {
        entry.side: entry
        for entry in LedgerEntry.objects.standing().filter(game=game).order_by("seq")
    }
    return Document(
        schema=SCHEMA,
        ruleset=game.ruleset,
        setup=game.setup,
        result=outcome_of(game),
        ending=_ending(game),
        cause=game.ending,
        game=game.pk,
        url=f"{settings.SITE_URL}{game.get_absolute_url()}",
        event=pairing.event.slug if pairing else None,
        round=pairing.round.number if pairing else None,
        is_rated=game.is_rated,
        pool=game.pool.key if game.pool else None,
        clock_initial_ms=game.clock_initial_ms,
        clock_increment_ms=game.clock_increment_ms,
        began_at=game.created_at.isoformat(),
        ended_at=game.ended_at.isoformat() if game.ended_at else None,
        opening_plies=game.opening_plies,
        first=_participant(game.first, entries.get("first")),
        second=_participant(game.second, entries.get("second")),
        plies=[
            TimedPly(
                ply.number,
                ply.side,
                ply.move,
                ply.spent_ms,
                ply.remaining_ms,
                ply.made_at.isoformat(),
                thoughts.get(ply.number),
            )
            for ply in plies
        ],
    )


def outcome_of(game: Game) -> games.Outcome | None:
    """Return the outcome by the rules of games.

    None of a game that is not finished or does not count, and for results such as ½–0 and 0–0, which give
    both sides together less than a game.
    """
    if (winner := game.winner_side) is not None:
        return games.Outcome(winner)
    return games.Outcome.DRAW if game.result in _DRAWS else None


def _ending(game: Game) -> str | None:
    if not outcome_of(game):
        return None
    if game.ending == Game.Ending.OVER_BOARD and game.ply:
        is_by_rules = games.load(game.ruleset).parse(game.position).outcome() is not None
        return "rules" if is_by_rules else "adjudication"
    return WORDS.get(game.ending or "", "forfeit")


def _participant(player: Player, entry: LedgerEntry | None) -> Participant:
    return Participant(
        name=player.name,
        is_bot=player.is_bot,
        url=""
        if player.is_guest or player.is_listed
        else f"{settings.SITE_URL}{player.get_absolute_url()}",
        rating_before=entry.before_centielo / 100 if entry else None,
        rating_after=entry.after_centielo / 100 if entry else None,
    )
