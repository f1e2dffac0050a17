"""New games: their set-ups and clocks, one or many in a call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import games
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Event, Game, Pairing, Player, Ply, statements
from tournaments.queries.clocks import game_clocks, vacation_days
from tournaments.queries.clocks.game_clocks import MAX_CLOCK_MS as MAX_CLOCK_MS
from tournaments.queries.clocks.game_clocks import Clock as Clock
from tournaments.queries.games import openings
from tournaments.services import enqueue
from tournaments.services.notifications import news
from tournaments.services.ratings import pool_assignment, predictions

_BATCH = 500


def start_position(ruleset: str, setup: str) -> games.Position:
    """The position a game of `ruleset` with `setup` starts from. Raises RefusedError."""
    try:
        return games.starting_position(games.load(ruleset), setup)
    except games.UnknownRulesetError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    except games.RulesError as error:
        raise RefusedError("setup-bad", str(error)) from error


def draw_setup(ruleset: str, seed: int) -> str:
    """The set-up of `ruleset` that `seed` draws, as text to be kept with the game.

    Raises RefusedError.
    """
    try:
        rules = games.load(ruleset)
        return rules.setup_text(rules.initial(seed=seed))
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error


def new_game(
    start: games.Position,
    *,
    first: Player,
    second: Player,
    clock: Clock,
    fuel: int | None = None,
    is_rated: bool,
    pairing: Pairing | None = None,
    number: int = 1,
    armageddon_percent: int | None = None,
    allows_vacation: bool = True,
) -> Game:
    """Return an unsaved game at `start` with stopped clocks.

    Bots against each other play by Fischer's clock. A game with a guest, or with unlimited time, is
    always casual.
    """
    control = clock.between_bots if first.is_boxed and second.is_boxed else clock
    is_casual = first.is_guest or second.is_guest or clock.kind.is_unlimited
    game = Game(
        ruleset=start.ruleset.key,
        setup=games.setup_of(start),
        first=first,
        second=second,
        pairing=pairing,
        number=number,
        armageddon_percent=armageddon_percent,
        is_rated=is_rated and not is_casual,
        position=start.text(),
        side_to_move=start.side_to_move.value,
        **game_clocks.columns(control),
        allows_vacation=allows_vacation and control.kind.is_over_days,
        fuel=fuel,
        created_at=database_time.now(),
    )
    game_clocks.set_to_start(game)
    return game


def create_game(
    *,
    ruleset: str,
    setup: str,
    first: Player,
    second: Player,
    clock: Clock,
    fuel: int | None = None,
    is_rated: bool,
    pairing: Pairing | None = None,
) -> Game:
    """A game about to begin: the clock of the side to move runs.

    In the caller's transaction, with `tell_players` to follow.

    Raises:
        RefusedError: `ruleset-bad` or `setup-bad`.
    """
    game = new_game(
        start_position(ruleset, setup),
        first=first,
        second=second,
        clock=clock,
        fuel=fuel,
        is_rated=is_rated,
        pairing=pairing,
    )
    return start_games([game])[0]


def create_game_after(
    opening: openings.Opening, *, first: Player, second: Player, clock: Clock
) -> Game:
    """Return a casual game after `opening`, about to begin.

    In the caller's transaction, with `tell_players` to follow.
    """
    game = new_game(opening.start, first=first, second=second, clock=clock, is_rated=False)
    game.ply = game.opening_plies = len(opening.moves)
    game.position = opening.position.text()
    game.side_to_move = opening.position.side_to_move.value
    row = start_games([game])[0]
    _add_plies(row, opening)
    return row


def _add_plies(game: Game, opening: openings.Opening) -> None:
    """Add the plies of the opening to the game.

    In the transaction that created it. The plies take no time.
    """
    plies, position = [], opening.start
    for number, move in enumerate(opening.moves, start=1):
        plies.append(
            Ply(
                game=game,
                attempt=game.attempt,
                number=number,
                side=position.side_to_move.value,
                move=move,
                spent_ms=0,
                remaining_ms=game.clock_initial_ms,
                made_at=game.created_at,
            )
        )
        position = position.play(move)
    Ply.objects.bulk_create(plies)


def start_games(new_games: Sequence[Game]) -> list[Game]:
    """Save new games with at least one person at the board, and start their clocks.

    Games that wait for their players keep stopped clocks.

    In the caller's transaction.
    """
    now = database_time.now()
    players_to_move = {
        game.player_on(game.side_to_move).pk for game in new_games if game.allows_vacation
    }
    away = vacation_days.away_among(players_to_move)
    for game in new_games:
        if game.waits_for_both:
            continue
        game_clocks.start_turn(game, now, is_away=game.player_on(game.side_to_move).pk in away)
    pool_assignment.assign_pools(new_games)
    predictions.store_expected_scores(new_games)
    rows = Game.objects.bulk_create(new_games, batch_size=_BATCH)
    running = [game for game in rows if not game.waits_for_both]
    bots_to_move = {game.pk: game.player_on(game.side_to_move) for game in running}
    bots_to_move = {pk: player for pk, player in bots_to_move.items() if player.is_boxed}
    sandboxed_ids = sandboxed_among(player.pk for player in bots_to_move.values())
    for pk, player in bots_to_move.items():
        enqueue.reply(pk, is_sandboxed=player.pk in sandboxed_ids)
    return rows


def record_over_board(event: Event, setup: str, pairings: Iterable[Pairing]) -> list[Game]:
    """Save games that were played on real boards, with the entered results.

    An empty board of a team has no game. A board without a result is postponed and has none yet.

    They are neither begun nor ended here: no clock ran, no ply is known, and no rating follows. The
    arbiter has decided the forfeits. In the caller's transaction.
    """
    start = start_position(event.ruleset, setup)
    clock, now = Clock.read("unlimited"), database_time.now()
    pairing_rows = list(pairings)
    earlier = Game.objects.filter(statements.among("pairing", [each.pk for each in pairing_rows]))
    saved = set(earlier.order_by().values_list("pairing_id", "number"))
    rows = []
    for pairing in pairing_rows:
        for number, first, second, result, armageddon_percent in pairing.lines(event):
            if first is None or second is None or not result:
                continue
            if (pairing.pk, number) in saved:
                continue
            game = new_game(
                start,
                first=first.player,
                second=second.player,
                clock=clock,
                is_rated=False,
                pairing=pairing,
                number=number,
                armageddon_percent=armageddon_percent,
            )
            game.result, game.ended_at = result, now
            is_unplayed = result in Game.UNPLAYED
            game.ending = Game.Ending.FORFEIT if is_unplayed else Game.Ending.OVER_BOARD
            rows.append(game)
    return Game.objects.bulk_create(rows, batch_size=_BATCH)


def sandboxed_among(players: Iterable[int]) -> set[int]:
    """Return the players whose programs need a sandbox."""
    ids = set(players)
    if not ids:
        return set()
    return set(Player.objects.sandboxed().filter(pk__in=ids).values_list("pk", flat=True))


def tell_players(new_games: Iterable[Game]) -> None:
    """Tell the people and the remote bots at the boards that their games have begun.

    In the transaction that created `begun`, once.
    """
    news.announce_each(
        (topic, "game", news.about(game))
        for game in new_games
        for topic in news.of_players((game.first, game.second))
    )


def restart(game: Game, *, attempt: int) -> None:
    """Set an unfinished game of bots back to its start, for another attempt.

    The plies of the earlier attempt stay on record.
    """
    position = start_position(game.ruleset, game.setup)
    game.attempt = attempt
    game.ply = 0
    game.position = position.text()
    game.side_to_move = position.side_to_move.value
    game_clocks.set_to_start(game)
    earlier = Game.objects.ongoing().filter(attempt__lt=attempt)
    if game.save_state(earlier, [*Game.POSITION_COLUMNS, *Game.CLOCK_COLUMNS]) == 1:
        news.announce(news.of_game(game.pk), "restart", {"attempt": attempt})
