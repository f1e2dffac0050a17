"""Ties of knock-outs over the board: the line of each game, extra games, and the arbiter's decision."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.tournaments.over_board import close, enter_listed, event_of, next_round
from tournaments import trf
from tournaments.errors import RefusedError
from tournaments.models import Event, Game, Pairing, User
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.results import reports, tables
from tournaments.queries.results.board_lines import board_lines
from tournaments.services.arbiter import exchanged_sides, results
from tournaments.services.rounds import publication

Type = Callable[..., None]


@pytest.fixture
def start(ana: User) -> Callable[..., Event]:
    """Return a function that publishes the only tie of a knock-out of two."""

    def do(**changes: object) -> Event:
        event = event_of(ana, format="knockout", **changes)
        enter_listed(event, "Alba", "Bruno")
        next_round(event)
        return event

    return do


@pytest.fixture
def type_game(ana: User) -> Type:
    """Return a function that types the result of a game of board 1."""

    def do(event: Event, game: int, result: str) -> None:
        results.enter_result(
            event_id=event.pk, actor=ana, round_number=1, board=1, game=game, result=result
        )

    return do


def lines_of(event: Event) -> list[tuple[str, str]]:
    """Return the number and the result of each line of the round."""
    pairings = Pairing.objects.filter(event=event).with_lines(event).prefetch_related("games")
    rows = pairings.select_related("first__player", "second__player", "round")
    return [(line.number, line.result) for line in board_lines(event, rows)]


def test_the_line_of_the_next_game_comes_with_the_result_before_it(
    start: Callable[..., Event], type_game: Type
) -> None:
    event = start(tie_games=3)
    assert lines_of(event) == [("1.1", "")]
    type_game(event, 1, "first")
    assert lines_of(event) == [("1.1", "first"), ("1.2", "")]
    type_game(event, 2, "second")
    assert lines_of(event) == [("1.1", "first"), ("1.2", "second")]


def test_a_round_with_an_open_game_of_a_tie_cannot_be_closed(
    start: Callable[..., Event], type_game: Type
) -> None:
    event = start(tie_games=3)
    type_game(event, 1, "first")
    with pytest.raises(RefusedError, match="results-missing"):
        close(event)
    type_game(event, 2, "second")
    close(event)
    winner = event.pairings.get().first
    assert tables.event_table(event).rows[0].entry == winner
    games = list(Game.objects.filter(pairing__event=event).order_by("number"))
    assert [game.first_id for game in games] == [
        winner.player_id,
        event.pairings.get().second.player_id,
    ]


def test_games_of_a_published_tie_are_missing_after_the_setting_has_changed(
    start: Callable[..., Event], type_game: Type
) -> None:
    event = start(tie_games=3)
    type_game(event, 1, "first")
    Event.objects.update(tie_games=1)
    with pytest.raises(RefusedError, match="results-missing"):
        close(event)


def test_extra_games_decide_a_level_tie_without_the_arbiter(
    start: Callable[..., Event], type_game: Type
) -> None:
    event = start()
    type_game(event, 1, "draw")
    assert lines_of(event) == [("1.1", "draw"), ("1.2", "")]
    with pytest.raises(RefusedError, match="ties-open"):
        close(event)
    type_game(event, 2, "first")
    close(event)
    assert tables.event_table(event).rows[0].entry == event.pairings.get().second


def test_the_arbiter_can_decide_a_level_tie_without_extra_games(
    start: Callable[..., Event], type_game: Type, ana: User
) -> None:
    event = start(tie_games=2, extra_games=1)
    type_game(event, 1, "first")
    type_game(event, 2, "first")
    results.let_through(event_id=event.pk, actor=ana, round_number=1, board=1, tpn=2, reason="lots")
    close(event)
    assert tables.event_table(event).rows[0].entry.tpn == 2
    assert Game.objects.filter(pairing__event=event).count() == 2


@pytest.mark.parametrize("is_by_hand", [True, False], ids=["by-hand", "played"])
def test_the_bracket_has_the_winner_before_the_round_is_closed(
    start: Callable[..., Event], type_game: Type, ana: User, *, is_by_hand: bool
) -> None:
    event = start(tie_games=2, extra_games=0)
    type_game(event, 1, "first")
    (tie,) = tables.draw(event)[0].ties
    assert not any(slot.is_winner for slot in (tie.upper, tie.lower))
    assert {slot.score_halves for slot in (tie.upper, tie.lower)} == {0, 2}
    type_game(event, 2, "first" if is_by_hand else "draw")
    winner = event.pairings.get().first
    if is_by_hand:
        winner = event.pairings.get().second
        results.let_through(
            event_id=event.pk,
            actor=ana,
            round_number=1,
            board=1,
            tpn=winner.tpn or 0,
            reason="lots",
        )
    (tie,) = tables.draw(event)[0].ties
    assert [slot.entry for slot in (tie.upper, tie.lower) if slot.is_winner] == [winner]


def test_a_tie_is_not_level_before_its_games_are_played(
    start: Callable[..., Event], type_game: Type, ana: User
) -> None:
    event = start(tie_games=3)
    type_game(event, 1, "draw")
    with pytest.raises(RefusedError, match="tie-not-level"):
        results.let_through(
            event_id=event.pk, actor=ana, round_number=1, board=1, tpn=2, reason="lots"
        )


def test_a_level_tie_has_no_line_after_its_extra_games(
    start: Callable[..., Event], type_game: Type
) -> None:
    event = start(extra_games=1)
    type_game(event, 1, "draw")
    type_game(event, 2, "draw")
    assert lines_of(event) == [("1.1", "draw"), ("1.2", "draw")]


@pytest.mark.long
@pytest.mark.parametrize(("result", "is_second"), [("draw", True), ("first", False)])
def test_an_armageddon_line_decides_over_the_board(
    start: Callable[..., Event],
    type_game: Type,
    ana: User,
    client: Client,
    result: str,
    *,
    is_second: bool,
) -> None:
    event = start(extra_games=0, armageddon_percent=80)
    type_game(event, 1, "draw")
    client.force_login(ana)
    assert "armageddon" in client.get(f"/events/{event.slug}/results/").content.decode()
    type_game(event, 2, result)
    publication.take_back(event_id=event.pk, actor=ana, reason="too early")
    publication.publish_round(event_id=event.pk, actor=ana)
    close(event)
    tie = event.pairings.get()
    # The sides of game 2 are those of the tie, exchanged.
    winner = tie.first if is_second else tie.second
    assert tables.event_table(event).rows[0].entry == winner
    assert [game.armageddon_percent for game in tie.games.order_by("number")] == [None, 80]


def test_pairs_of_extra_games_have_both_lines(start: Callable[..., Event], type_game: Type) -> None:
    event = start(has_extra_pairs=True)
    type_game(event, 1, "draw")
    type_game(event, 2, "first")
    assert lines_of(event) == [("1.1", "draw"), ("1.2", "first"), ("1.3", "")]
    type_game(event, 3, "draw")
    assert len(lines_of(event)) == 3


def test_a_result_is_not_changed_if_a_later_typed_game_would_not_have_been_played(
    start: Callable[..., Event], type_game: Type
) -> None:
    event = start()
    type_game(event, 1, "draw")
    type_game(event, 2, "draw")
    with pytest.raises(RefusedError, match="tie-later-results"):
        type_game(event, 1, "first")
    assert lines_of(event)[:2] == [("1.1", "draw"), ("1.2", "draw")]
    type_game(event, 2, "")
    type_game(event, 1, "first")
    assert lines_of(event) == [("1", "first")]


def test_a_cleared_result_leaves_those_of_later_games(
    start: Callable[..., Event], type_game: Type
) -> None:
    event = start(tie_games=3)
    type_game(event, 1, "draw")
    type_game(event, 2, "first")
    type_game(event, 1, "")
    assert lines_of(event)[:2] == [("1.1", ""), ("1.2", "first")]


def test_exchanged_sides_keep_the_winner_of_each_game(
    start: Callable[..., Event], type_game: Type, ana: User
) -> None:
    event = start(tie_games=2)
    type_game(event, 1, "first")
    type_game(event, 2, "draw")
    winner = event.pairings.get().first
    exchanged_sides.exchange_sides(event_id=event.pk, actor=ana, round_number=1, board=1)
    assert lines_of(event) == [("1.1", "second"), ("1.2", "draw")]
    close(event)
    assert tables.event_table(event).rows[0].entry == winner


@pytest.mark.long
@pytest.mark.parametrize("is_first_cleared", [False, True])
def test_the_results_of_a_tie_come_back_with_a_round_that_was_taken_back(
    start: Callable[..., Event], type_game: Type, ana: User, *, is_first_cleared: bool
) -> None:
    event = start(tie_games=3)
    type_game(event, 1, "draw")
    type_game(event, 2, "first")
    if is_first_cleared:
        type_game(event, 1, "")
    before = lines_of(event)
    publication.take_back(event_id=event.pk, actor=ana, reason="too early")
    assert lines_of(event) == [("1.1", "")]
    publication.publish_round(event_id=event.pk, actor=ana)
    assert lines_of(event) == before


@pytest.mark.long
def test_files_and_archive_of_ties_over_the_board_agree_with_the_page(
    start: Callable[..., Event], type_game: Type
) -> None:
    event = start(tie_games=2)
    for game, result in enumerate(("first", "first", "second"), start=1):
        type_game(event, game, result)
    assert trf.rounds_played(trf.read(reports.trf_of(event))) == 1
    close(event)
    archive = archive_file.unpacked(archive_file.packed(event_archive.archive_of(event)))
    assert [each for check in verification.verify(archive) for each in check.differences] == []
    text = reports.trf_of(event)
    assert text.count(", tie ") == 1
    assert "1-0" in text
