"""A correction with a preview: the preview shows the changes without storing them, and the correction makes them."""

from __future__ import annotations

import pytest

from tests.tournaments import pages
from tournaments.models import Correction, Event, Game, LedgerEntry, NewsItem, Rating, User
from tournaments.queries.results import standings
from tournaments.services.arbiter import correction_preview, corrections
from tournaments.services.games import play
from tournaments.services.rounds import lifecycle, publication, rounds

pytestmark = pytest.mark.long


def _play_round(event: Event) -> list[Game]:
    played = list(Game.objects.ongoing().filter(pairing__event=event).with_players().order_by("pk"))
    for game in played:
        pages.move(game)
        play.resign(game_id=game.pk, player=game.second)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    return played


def test_the_preview_says_what_the_correction_then_does(running: Event, ana: User) -> None:
    game = _play_round(running)[0]
    rounds.draft_round(event_id=running.pk, actor=ana)
    publication.publish_round(event_id=running.pk, actor=ana)
    _play_round(running)
    words = {"result": "second", "reason": "sides mixed up"}
    counts = [model.objects.count() for model in (Correction, LedgerEntry, NewsItem)]
    preview = correction_preview.preview(game_id=game.pk, actor=ana, **words)
    assert [model.objects.count() for model in (Correction, LedgerEntry, NewsItem)] == counts
    corrections.correct(game_id=game.pk, actor=ana, **words)
    table = {row.entry.pk: row for row in standings.event_table(running).rows}
    assert preview.rows
    for change in preview.rows:
        after = table[change.entry.pk]
        assert (change.after.rank, change.after.points_halves) == (after.rank, after.points_halves)
    assert {each.player.pk for each in preview.ratings} >= {game.first_id, game.second_id}
    for each in preview.ratings:
        assert Rating.objects.get(player=each.player, pool=game.pool).centielo == each.after
    assert [player.pk for player in preview.recipients] == [game.first_id, game.second_id]


def test_a_later_round_is_doubtful_where_it_would_have_been_paired_otherwise(
    running: Event, ana: User
) -> None:
    game = _play_round(running)[0]
    rounds.draft_round(event_id=running.pk, actor=ana)
    publication.publish_round(event_id=running.pk, actor=ana)
    winners = {
        frozenset((pairing.first_id, pairing.second_id))
        for pairing in running.pairings.filter(round__number=2)
    }
    preview = correction_preview.preview(
        game_id=game.pk, actor=ana, result="second", reason="sides mixed up"
    )
    # The winners of round 1 met each other: with another winner these are other boards.
    assert [each.number for each in preview.doubtful] == [2]
    assert {
        frozenset((each.first_id, each.second_id)) for each in preview.doubtful[0].pairings
    } == winners
    same = correction_preview.preview(
        game_id=game.pk, actor=ana, result="first-forfeit", reason="never came"
    )
    assert not any(each.is_unknown for each in same.doubtful)


def test_the_page_shows_it_before_it_is_confirmed(running: Event, ana: User) -> None:
    game = _play_round(running)[0]
    client = pages.member(ana)
    data = {"result": "draw", "reason": "agreed, entered wrongly"}
    page = client.post(f"/game/{game.pk}/correct/", data).content.decode()
    assert "Consequences" in page
    game.refresh_from_db()
    assert game.result == "first"
    answer = client.post(f"/game/{game.pk}/correct/", {**data, "confirm": "1"}, follow=True)
    assert "The result was corrected" in answer.content.decode()
    game.refresh_from_db()
    assert game.result == "draw"
