"""Statements with stored text return the rows of Django's own, on each connection, and refuse inputs that the text cannot express."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler
from django.test.utils import CaptureQueriesContext

from tournaments import database_time
from tournaments.models import Game, NewsItem, Player, Session, Topic, User, statements
from tournaments.services import sessions
from tournaments.services.notifications import news

pytestmark = [pytest.mark.django_db, pytest.mark.engines]


@statements.query
def _account(pk: int) -> QuerySet[User]:
    return User.objects.select_related("player").filter(pk=pk)


@statements.query
def _named(since: object, least: int) -> QuerySet[Player, tuple[str, object]]:
    rows = Player.objects.filter(created_at__gt=since, pk__gte=least).order_by("pk")
    return rows.values_list("name", "created_at")


@statements.query
def _topic(name: str) -> QuerySet[Topic]:
    return Topic.objects.filter(name=name)


def test_a_row_is_the_model_with_what_was_selected_beside_it(ana: User) -> None:
    rows = [
        _account.one(pk=ana.pk) for _ in range(7)
    ]  # PostgreSQL keeps the plan from the sixth on
    assert rows == [ana] * 7
    row = rows[-1]
    with CaptureQueriesContext(connection) as queries:
        assert row is not None
        assert row.player.created_at == ana.player.created_at
    assert not queries


def test_tuples_have_the_values_of_their_columns(ana: User, ben: User) -> None:
    now = database_time.now()
    rows = _named.all(since=now - timedelta(days=1), least=ana.player.pk)
    assert rows == [(each.player.name, each.player.created_at) for each in (ana, ben)]
    assert not _named.all(since=now + timedelta(days=1), least=1)
    assert _named.all(since=now - timedelta(days=1), least=ben.player.pk) == rows[1:]


def test_no_row_is_none() -> None:
    assert _account.one(pk=1_000_000) is None


def test_django_writes_a_text_once(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _account.one(pk=ana.pk) == ana
    writings: list[object] = []
    write = SQLCompiler.as_sql

    def as_sql(self: SQLCompiler, *arguments: bool) -> object:
        writings.append(self)
        return write(self, *arguments)

    monkeypatch.setattr(SQLCompiler, "as_sql", as_sql)
    assert _account.one(pk=ana.pk) == ana
    assert not writings
    assert User.objects.get(pk=ana.pk) == ana
    assert writings


@pytest.mark.django_db(transaction=True)
def test_each_thread_has_the_text_of_its_own_connection(ana: User) -> None:
    rows: list[object] = [_account.one(pk=ana.pk)]

    def read() -> None:
        rows.append(_account.one(pk=ana.pk))
        connection.close()

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert rows == [ana, ana]


def test_an_update_writes_the_columns_and_says_how_many_rows() -> None:
    Topic.objects.create(name="game:1", seq=4)
    assert _topic.update({"seq": 7}, name="game:1") == 1
    assert _topic.update({"seq": 8, "name": "game:3"}, name="game:2") == 0
    assert list(Topic.objects.values_list("name", "seq")) == [("game:1", 7)]
    assert _topic.update({"seq": 8, "name": "game:3"}, name="game:1") == 1
    assert list(Topic.objects.values_list("name", "seq")) == [("game:3", 8)]


def test_inserted_rows_have_the_values_of_their_columns() -> None:
    topic, now = Topic.objects.create(name="game:1"), database_time.now()
    rows = [
        NewsItem(topic=topic, seq=seq, kind="ply", payload={"ply": seq}, happened_at=now)
        for seq in (1, 2, 3)
    ]
    statements.insert(rows)
    columns = ("topic", "seq", "kind", "payload", "happened_at")
    stored = NewsItem.objects.order_by("seq").values_list(*columns)
    assert list(stored) == [(topic.pk, seq, "ply", {"ply": seq}, now) for seq in (1, 2, 3)]


@statements.query
def _locked_game(pk: int) -> QuerySet[Game]:
    return Game.objects.select_for_update(of=("self",), no_key=True).filter(pk=pk)


@pytest.mark.django_db(transaction=True)
def test_a_lock_is_refused_outside_a_transaction_also_when_its_text_is_kept() -> None:
    with transaction.atomic():
        assert _locked_game.one(pk=1) is None
    with pytest.raises(AssertionError, match="transaction"):
        _locked_game.one(pk=1)


def test_a_topic_is_numbered_by_one_statement_and_all_are_told_by_one_more() -> None:
    news.announce_in_order([("game:1", "ply", {}), ("user:2", "turn", {})])
    with CaptureQueriesContext(connection) as queries:
        news.announce_in_order([("game:1", "ply", {"ply": 1}), ("user:2", "turn", {"game": 1})])
    assert len(queries) == 3
    assert [item.seq for item in news.after("game:1", 0)] == [1, 2]
    assert [(item.seq, item.payload) for item in news.after("user:2", 1)] == [(2, {"game": 1})]


def test_a_session_is_read_with_its_account_and_player_by_one_statement(ana: User) -> None:
    row = Session.objects.create(
        session_key="0123456789abcdef",
        session_data=sessions.SessionStore().encode({"_auth_user_id": str(ana.pk)}),
        expire_date=database_time.now() + timedelta(days=1),
        user=ana,
    )
    session = sessions.SessionStore(row.pk)
    with CaptureQueriesContext(connection) as queries:
        assert session["_auth_user_id"] == str(ana.pk)
        assert session.account is not None
        assert session.account.player == ana.player
    assert len(queries) == 1
