"""The ledger against the games: corrections reverse and enter again, and all manipulations are found."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.test import Client

from tests.tournaments import frozen_clock, pages
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.services.ratings.pool_games import faults
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import (
    AuditEntry,
    Correction,
    Game,
    LedgerEntry,
    Player,
    Rating,
    User,
)
from tournaments.queries.results import tables
from tournaments.ratings import elo
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.games import game_creation, game_end
from tournaments.services.ratings import recompute
from tournaments.services.rounds import lifecycle, publication, rounds

EnterAll = Callable[..., None]


_RESULTS = ["first", "draw", "second", "void"]


def _play(first: Player, second: Player, result: str) -> Game:
    game = pages.new_game(first, second, clock=game_creation.Clock(60_000), seed=1)
    with transaction.atomic():
        game_end.finish_game(game, result=result, ending=Game.Ending.RULES)
    return game


def _random_games(four: Sequence[Player], rng: random.Random, count: int) -> list[Game]:
    pairs = (rng.sample(list(four), 2) for _ in range(count))
    return [_play(one, two, rng.choice(_RESULTS)) for one, two in pairs]


def _ratings() -> dict[int, tuple[int, ...]]:
    return {
        r.player_id: (r.centielo, r.peak_centielo, r.games, r.wins, r.draws)
        for r in Rating.objects.all()
    }


def _standing() -> list[tuple[object, ...]]:
    rows = LedgerEntry.objects.standing().order_by("game", "side")
    return list(
        rows.values_list(
            "game", "side", "before_centielo", "delta_centielo", "opponent_centielo", "k_factor"
        )
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.part(0.4)
def test_a_correction_and_its_counter_correction_change_nothing(
    four: list[Player], arbiter: User, seed: int
) -> None:
    rng = random.Random(seed)
    games = _random_games(four, rng, 12)
    ratings, standing = _ratings(), _standing()
    assert faults() == []
    game = rng.choice(games)
    was = str(game.result)
    other = rng.choice([result for result in _RESULTS if result != was])
    corrections.correct(game_id=game.pk, actor=arbiter, result=other, reason="wrong")
    assert faults() == []
    corrections.correct(game_id=game.pk, actor=arbiter, result=was, reason="right after all")
    assert faults() == []
    assert _standing() == standing
    # A player without another rated game keeps a row, at its beginning.
    assert {k: v for k, v in _ratings().items() if v[2]} == {
        k: v for k, v in ratings.items() if v[2]
    }


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.part(0.4)
def test_a_correction_leads_where_the_right_result_would_have_led(
    four: list[Player], arbiter: User, seed: int
) -> None:
    rng = random.Random(100 + seed)
    pairs = [rng.sample(range(4), 2) for _ in range(10)]
    results = [rng.choice(_RESULTS[:3]) for _ in pairs]
    wrong = rng.randrange(len(pairs))
    first_results = list(results)
    first_results[wrong] = rng.choice([r for r in _RESULTS if r != results[wrong]])
    games = [
        _play(four[a], four[b], result) for (a, b), result in zip(pairs, first_results, strict=True)
    ]
    corrections.correct(
        game_id=games[wrong].pk, actor=arbiter, result=results[wrong], reason="the score sheet"
    )
    after = {p.name: _ratings()[p.pk] for p in four if p.pk in _ratings()}
    again = [players.add_bot(name=f"Twin {n}", engine="random") for n in range(1, 5)]
    for (a, b), result in zip(pairs, results, strict=True):
        _play(again[a], again[b], result)
    twins = {
        one.name: _ratings()[two.pk]
        for one, two in zip(four, again, strict=True)
        if two.pk in _ratings()
    }
    assert after == twins


@pytest.mark.long
@pytest.mark.engines
def test_only_what_follows_from_the_result_is_entered_again(
    four: list[Player], arbiter: User
) -> None:
    one, two, three, other = four
    early = _play(one, two, "first")
    wrong = _play(one, two, "first")
    apart = _play(three, other, "draw")
    later = _play(two, three, "second")
    last = _play(three, other, "first")
    before = {row.pk for row in LedgerEntry.objects.all()}
    corrections.correct(game_id=wrong.pk, actor=arbiter, result="second", reason="the clock")
    new_rows = LedgerEntry.objects.exclude(pk__in=before)
    reversed_games = {row.game_id for row in new_rows.filter(kind="reversal")}
    assert reversed_games == {wrong.pk, later.pk, last.pk}
    assert LedgerEntry.objects.filter(game__in=[early.pk, apart.pk]).count() == 4
    assert {row.correction_id for row in new_rows} == {Correction.objects.get().pk}
    for player in four:
        rows = LedgerEntry.objects.filter(player=player).order_by("seq")
        for row, following in itertools.pairwise(rows):
            assert following.before_centielo == row.after_centielo
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerEntry.objects.filter(pk=new_rows[0].pk).update(delta_centielo=0)


@pytest.mark.engines
def test_a_result_changes_by_a_correction_and_not_otherwise(four: list[Player]) -> None:
    game = _play(four[0], four[1], "first")
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(result="second")
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(ending="time")


@pytest.mark.long
def test_who_may_correct_what(four: list[Player], ana: User, ben: User) -> None:
    casual = _play(four[0], four[1], "first")
    with pytest.raises(NotAllowedError, match="not-organiser"):
        corrections.correct(game_id=casual.pk, actor=ana, result="draw", reason="why not")
    event = event_of(ana, is_automatic=True)
    enter(event, *four)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    game = Game.objects.filter(pairing__event=event).order_by("pk")[0]
    with pytest.raises(StaleError, match="not-over"):
        corrections.correct(game_id=game.pk, actor=ana, result="draw", reason="early")
    with transaction.atomic():
        game_end.finish_game(game, result="first", ending=Game.Ending.RULES)
    for result, reason, code in (
        ("first", "the same", "result-bad"),
        ("lost", "unknown", "result-bad"),
        ("draw-loss", "over the board only", "result-bad"),
        ("draw", "  ", "reason-bad"),
        ("draw", "x" * 201, "reason-bad"),
    ):
        with pytest.raises(RefusedError, match=code):
            corrections.correct(game_id=game.pk, actor=ana, result=result, reason=reason)
    with pytest.raises(NotAllowedError, match="not-organiser"):
        corrections.correct(game_id=game.pk, actor=ben, result="draw", reason="mine")
    corrections.correct(game_id=game.pk, actor=ana, result="draw", reason="agreed")
    row = next(r for r in tables.event_table(event).rows if r.entry.player_id == game.first_id)
    assert row.points_halves == 1
    assert AuditEntry.objects.get(action="correct").detail["after"] == "draw"


@pytest.mark.long
def test_a_draft_does_not_outlive_a_correction(four: list[Player], ana: User) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, *four)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk)
    publication.publish_automatically(event_id=event.pk)
    for game in Game.objects.ongoing():
        with transaction.atomic():
            game_end.finish_game(game, result="first", ending=Game.Ending.RULES)
    lifecycle.advance_event(event.pk)
    rounds.draft_round(event_id=event.pk)
    game = Game.objects.all()[0]
    corrections.correct(game_id=game.pk, actor=ana, result="void", reason="a wrong set-up")
    assert event.rounds.count() == 1
    assert not event.pairings.get(games=game).is_met
    draft = rounds.draft_round(event_id=event.pk)
    assert draft.number == 2


def test_a_knock_out_that_has_gone_on_keeps_its_results(four: list[Player], ana: User) -> None:
    event = event_of(ana, format="knockout")
    enter(event, *four)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    early = list(Game.objects.ongoing())
    for game in early:
        with transaction.atomic():
            game_end.finish_game(game, result="first", ending=Game.Ending.RULES)
    lifecycle.advance_event(event.pk)
    with pytest.raises(RefusedError, match="correction-late"):
        corrections.correct(game_id=early[0].pk, actor=ana, result="second", reason="late")


@pytest.mark.long
@pytest.mark.engines
def test_what_was_tampered_with_is_found_and_mended(four: list[Player], arbiter: User) -> None:
    games = _random_games(four, random.Random(5), 8)
    Rating.objects.filter(games__gt=0).update(centielo=F("centielo") + 100)
    assert {fault.what for fault in faults()} == {"the rating is not what the ledger comes to"}
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("ratings", "verify", stdout=out)
    assert "the rating is not what the ledger comes to" in out.getvalue()
    call_command("ratings", "recompute", stdout=StringIO())
    assert faults() == []
    rated_game = next(game for game in games if game.result != "void")
    row = LedgerEntry.objects.filter(game=rated_game).order_by("seq")[0]
    _force(f"UPDATE tournaments_ledgerentry SET k_factor = 99 WHERE id = {row.pk}")
    sentences = [fault.what for fault in faults()]
    assert any("digest" in each for each in sentences)
    assert any(f"game {rated_game.pk} is entered otherwise" in each for each in sentences)
    with pytest.raises(SystemExit):
        call_command("ratings", "verify", "--pool", "no-such-pool", stderr=StringIO())


def _force(statement: str) -> None:
    """Change an append-only table behind its guard's back."""
    guard = "ledgerentry_no_update" if connection.vendor == "sqlite" else "ledgerentry_append_only"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"DROP TRIGGER {guard}")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no row may wait for its check
            cursor.execute(f"ALTER TABLE tournaments_ledgerentry DISABLE TRIGGER {guard}")
        cursor.execute(statement)
        if connection.vendor != "sqlite":
            cursor.execute(f"ALTER TABLE tournaments_ledgerentry ENABLE TRIGGER {guard}")


def test_a_new_edition_rates_new_games_only_and_old_rows_still_verify(
    four: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = frozen_clock.freeze(monkeypatch)
    game = _play(four[0], four[1], "first")
    assert game.pool is not None
    tomorrow = clock.now.date() + timedelta(days=1)
    monkeypatch.setattr(elo, "EDITIONS", (*elo.EDITIONS, elo.Edition("elo-2", tomorrow, k_new=32)))
    assert not list(recompute.verify(game.pool))
    clock.sleep(days=2)
    _play(four[0], four[1], "second")
    formulas = LedgerEntry.objects.filter(player=four[0]).order_by("seq")
    assert list(formulas.values_list("formula", "k_factor")) == [("elo-1", 40), ("elo-2", 32)]
    assert not list(recompute.verify(game.pool))


@pytest.mark.long
def test_a_correction_is_told_on_the_page_of_the_game(
    four: list[Player], arbiter: User, client: Client
) -> None:
    game = _play(four[0], four[1], "first")
    url = f"/game/{game.pk}/"
    assert "Correct the result" not in client.get(url).content.decode()
    client.force_login(arbiter)
    assert "Correct the result" in client.get(url).content.decode()
    words = {"result": "draw", "reason": "both agreed", "confirm": "1"}
    answer = client.post(f"{url}correct/", words, follow=True)
    page = answer.content.decode()
    assert "both agreed" in page
    assert "Draw" in page
    page = client.get(f"/players/{four[0].pk}/").content.decode()
    assert "reversed" in page
