"""The certainty of a rating on each page that shows it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import LedgerEntry, Player, Pool, Rating, User
from tournaments.queries.ratings import certainty, leaderboard
from tournaments.templatetags.ratings import first_steps, rating, rating_after, rating_before


def _certain(player: Player) -> Rating:
    row = Rating.objects.get(player=player)
    row.deviation_centielo = 60_00
    row.last_at = database_time.now()
    row.save()
    return row


def test_after_one_game_a_rating_is_shown_as_a_guess(ana: User, ben: User) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    row = Rating.objects.get(player=ana.player)
    assert rating(row) == f"{row.elo}?"
    assert 1500 < row.elo < 2000


def test_a_certain_rating_has_its_interval_and_no_mark(ana: User, ben: User) -> None:
    pages.finished_game(ana.player, ben.player, "draw")
    assert rating(_certain(ana.player)) == "1500 ±120"


def test_who_was_away_for_years_is_a_guess_again(ana: User, ben: User) -> None:
    pages.finished_game(ana.player, ben.player, "draw")
    row = _certain(ana.player)
    later = database_time.now() + timedelta(days=3 * 365)
    assert not certainty.of_rating(row, database_time.now()).is_provisional
    assert certainty.of_rating(row, later).is_provisional


def test_the_line_below_a_game_marks_what_the_game_did(ana: User, ben: User) -> None:
    pages.finished_game(ana.player, ben.player, "first")
    entry = LedgerEntry.objects.get(player=ana.player)
    assert rating_before(entry) == "1500?"
    assert rating_after(entry).endswith("?")
    entry.inputs = {**entry.inputs, "deviation": 60_00, "deviation_after": 59_00}
    assert rating_before(entry) == "1500"
    assert rating_after(entry).endswith(" ±118")


def test_a_first_result_is_no_change_but_a_figure_with_the_number_of_games(
    client: Client, ana: User, ben: User
) -> None:
    game = pages.finished_game(ana.player, ben.player, "first")
    entry = LedgerEntry.objects.get(player=ben.player)
    about = 50 * round(entry.after_centielo / 5000)
    assert first_steps(entry) == f"provisional: about {about}, after 1 of about 10 games"
    text = pages.text_of(client.get(game.get_absolute_url()).content)
    assert f"Ben: provisional: about {about}, after 1 of about 10 games" in text
    assert "→" not in text
    assert "1500" not in text, "nobody had a rating"
    pages.finished_game(ana.player, ben.player, "first")
    latest = LedgerEntry.objects.filter(player=ben.player).latest("seq")
    assert "after 2 of about 10 games" in first_steps(latest)
    entry.inputs = {**entry.inputs, "deviation_after": 59_00}
    assert first_steps(entry) == ""


def test_by_lists_a_rating_is_a_guess_until_a_list_has_it(ana: User, ben: User) -> None:
    pool = pages.pool_of(Pool.Kind.EVENTS)
    row = Rating.objects.create(
        pool=pool, player=ana.player, centielo=151_000, peak_centielo=151_000, games=4
    )
    assert rating(row) == "1510?"
    (published,) = leaderboard.published(pool, database_time.now(), 100)
    assert (published.is_provisional, published.rank) == (True, None)
    row.listed_elo = 1510
    row.save()
    assert rating(row) == "1510"
    (published,) = leaderboard.published(pool, database_time.now(), 100)
    assert (published.is_provisional, published.rank) == (False, 1)


def test_ratings_of_bots_among_themselves_are_guesses_for_some_games(bots: list[Player]) -> None:
    pages.finished_game(bots[0], bots[1], "first")
    row = Rating.objects.get(player=bots[0])
    assert rating(row) == f"{row.elo}?"
    row.games = 30
    assert rating(row) == str(row.elo)


@pytest.mark.long
def test_pages_mark_newcomers(ana: User, ben: User, bots: list[Player], client: Client) -> None:
    game = pages.finished_game(ana.player, ben.player, "first")
    row = Rating.objects.get(player=ana.player)
    assert rating(row) in pages.text_of(client.get(ana.player.get_absolute_url()).content)
    assert "Ana: provisional" in pages.text_of(client.get(game.get_absolute_url()).content)
    event = pages.running_event(ana, ben, bots)
    entered = list(event.entries.select_related("player"))
    assert certainty.newcomers(event, entered, database_time.now()) == {ben.player.pk}
    for path in (event.get_absolute_url(), f"{event.get_absolute_url()}standings/"):
        text = pages.text_of(client.get(path).content)
        assert "1500?" in text, path
    Rating.objects.filter(pool__kind=Pool.Kind.MIXED).delete()
    Rating.objects.create(
        pool=pages.pool_of(Pool.Kind.MIXED),
        player=ben.player,
        centielo=150_000,
        peak_centielo=150_000,
        games=40,
        deviation_centielo=6_000,
        volatility_billionths=90_000_000,
        last_at=database_time.now(),
    )
    assert certainty.newcomers(event, entered, database_time.now()) == frozenset()
