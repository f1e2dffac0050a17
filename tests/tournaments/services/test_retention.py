"""Old rows are removed after their time. History remains."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core.exceptions import FieldDoesNotExist
from django.db import DatabaseError, transaction

from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import Challenge, Game, LedgerEntry, NewsItem, Ply, Session, Topic, User
from tournaments.services import retention
from tournaments.services.lobby import challenges
from tournaments.services.notifications import news

pytestmark = [pytest.mark.engines, pytest.mark.django_db]


def _news(topic: Topic, days: float, seq: int) -> NewsItem:
    happened_at = database_time.now() - timedelta(days=days)
    return NewsItem.objects.create(
        topic=topic, seq=seq, kind="ply", payload={}, happened_at=happened_at
    )


def test_old_news_go_and_streams_go_on(ana: User, settings: LazySettings) -> None:
    topic = Topic.objects.create(name="game:1", seq=3)
    for seq, days in enumerate((200, 100, 80), start=1):
        _news(topic, days, seq)
    assert retention.prune(database_time.now()) == {"news": 2}
    assert [item.seq for item in news.after("game:1", 0)] == [3]
    settings.RETENTION_DAYS = {"news": 1}  # at least eight days, as the trigger wants it
    assert retention.prune(database_time.now()) == {"news": 1}
    with transaction.atomic():
        news.announce("game:1", "ply", {})
    assert [item.seq for item in news.after("game:1", 0)] == [4]


def test_news_of_the_week_cannot_be_removed(ana: User) -> None:
    topic = Topic.objects.create(name="game:1", seq=1)
    young = _news(topic, 6.9, 1)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        young.delete()
    old = _news(topic, 7.1, 2)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        NewsItem.objects.filter(pk=old.pk).update(kind="end")
    old.delete()


@pytest.mark.long
def test_finished_challenges_go_and_what_came_of_them_stays(
    ana: User, ben: User, settings: LazySettings
) -> None:
    accepted = challenges.challenge(
        challenger=ana.player, opponent=ben.player, ruleset="morelli(size=7)", clock=pages.CLOCK
    )
    game = challenges.accept(challenge_id=accepted.pk, player=ben.player)
    waiting = challenges.challenge(
        challenger=ana.player, opponent=None, ruleset="morelli(size=7)", clock=pages.CLOCK
    )
    pages.play_out(game)
    plies, entries = Ply.objects.count(), LedgerEntry.objects.count()
    settings.RETENTION_DAYS = {"news": 300}
    later = database_time.now() + timedelta(days=91)
    retention.prune(later)
    assert list(Challenge.objects.all()) == [waiting]
    assert Game.objects.filter(pk=game.pk).exists()
    assert (Ply.objects.count(), LedgerEntry.objects.count()) == (plies, entries)


def test_sessions_go_when_they_have_ended(ana: User) -> None:
    pages.member(ana)
    assert "sessions" not in retention.prune(database_time.now())
    assert retention.prune(database_time.now() + timedelta(days=15))["sessions"] == 1
    assert not Session.objects.exists()


def test_nothing_points_at_what_is_removed() -> None:
    """One statement can therefore remove the rows."""
    for kind in retention.kinds():
        model = kind.rows.model
        statement = str(kind.rows.query)
        for field in model._meta.related_objects:
            assert isinstance(field.related_model, type)
            table = field.related_model._meta.db_table
            assert table in statement, f"rows of {table} may point at {kind.name}"
        try:
            model._meta.get_field(kind.column)
        except FieldDoesNotExist:
            pytest.fail(f"{kind.name} has no {kind.column}")


def test_no_more_than_a_batch_goes_at_once(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    topic = Topic.objects.create(name="game:1", seq=3)
    for seq in (1, 2, 3):
        _news(topic, 100, seq)
    assert [retention.prune(database_time.now()) for _ in range(3)] == [
        {"news": 2},
        {"news": 1},
        {},
    ]
