"""News by topic: stored with the change, published on commit, and read back by streams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Length

from tournaments import database_time, live
from tournaments.models import Event, Game, NewsItem, Player, Topic, statements
from tournaments.services import enqueue
from tournaments.services.notifications import kinds

SITE = "site"
# A topic, a kind of news, and its payload.
Announcement = tuple[str, str, dict[str, object]]
_MAX_READ = 500
_AT_ONCE = 200


def of_game(game_id: int) -> str:
    """The topic of a game."""
    return f"game:{game_id}"


def of_event(event_id: int) -> str:
    """The topic of an event."""
    return f"event:{event_id}"


def of_sprt_test(sprt_test_id: int) -> str:
    """The topic of an SPRT test."""
    return f"sprt_test:{sprt_test_id}"


def of_gauntlet(gauntlet_id: int) -> str:
    """The topic of a gauntlet."""
    return f"gauntlet:{gauntlet_id}"


def of_user(user_id: int) -> str:
    """The topic of one account, which only its owner may follow."""
    return f"user:{user_id}"


def of_forecast(forecast_id: int) -> str:
    """Return the topic of the forecast of a plan. The forecast of an event uses the event's topic."""
    return f"forecast:{forecast_id}"


def of_bot(player_id: int) -> str:
    """The topic of a remote bot, which only the programs that play for it may follow."""
    return f"bot:{player_id}"


def of_players(players: Iterable[Player]) -> list[str]:
    """The topics of those players who have one: accounts and remote bots."""
    topics = []
    for player in players:
        if player.is_remote:
            topics.append(of_bot(player.pk))
        elif player.user_id is not None:
            topics.append(of_user(player.user_id))
    return topics


def announce(topic: str, kind: str, payload: dict[str, object] | None = None) -> None:
    """Add news to `topic`, in the caller's transaction. Open streams are woken when it commits.

    A topic's row is locked until then. A caller with several topics announces in this order, or two
    transactions could wait for each other: game, users by ascending id, event, SPRT test, gauntlet,
    forecast, site.

    Raises `kinds.UnknownKindError`.
    """
    announce_in_order([(topic, kind, payload or {})])


def announce_in_order(items: Sequence[Announcement]) -> None:
    """Add a few news, each a topic, a kind and a payload, by two statements.

    In the caller's transaction. No topic comes twice, and they come in the order that `announce` asks for.
    """
    if not items:
        return
    topics = Topic.objects.numbered([topic for topic, _, _ in items])
    happened_at = database_time.now()
    statements.insert(
        [_item(topics[topic], kind, payload, happened_at) for topic, kind, payload in items]
    )
    _publish(topics.values())


def announce_each(items: Iterable[Announcement]) -> None:
    """Add many news in one call, each with a topic, a kind and a payload.

    This takes a few statements in all.

    In the caller's transaction. All topics are of one kind, or of accounts and remote bots, and
    their rows are locked in the order of `announce`.
    """
    item_list = list(items)
    names = sorted({topic for topic, _, _ in item_list}, key=_order)
    Topic.objects.bulk_create([Topic(name=name) for name in names], ignore_conflicts=True)
    happened_at = database_time.now()
    rows: dict[str, Topic] = {}
    for start in range(0, len(names), _AT_ONCE):
        some = names[start : start + _AT_ONCE]
        topics = Topic.objects.select_for_update(no_key=True).filter(name__in=some)
        rows |= {row.name: row for row in topics.order_by(Length("name"), "name")}
    items_to_add = []
    for topic, kind, payload in item_list:
        row = rows[topic]
        row.seq += 1
        items_to_add.append(_item(row, kind, payload, happened_at))
    Topic.objects.bulk_update(rows.values(), ["seq"], batch_size=_AT_ONCE)
    NewsItem.objects.bulk_create(items_to_add, batch_size=_AT_ONCE)
    _publish(rows.values())


def _publish(topics: Iterable[Topic]) -> None:
    """Wake open streams of the topics, and the worker of their webhooks, when the transaction commits."""
    seqs = {row.name: row.seq for row in topics}
    transaction.on_commit(lambda: live.bus.publish(seqs))
    for row in topics:
        if row.has_webhooks:
            enqueue.webhooks(row.name)


def _item(topic: Topic, kind: str, payload: dict[str, object], happened_at: datetime) -> NewsItem:
    """Return an unsaved row with the topic's number. Raises `UnknownKindError`."""
    kinds.require_known(kind)
    return NewsItem(topic=topic, seq=topic.seq, kind=kind, payload=payload, happened_at=happened_at)


def _order(name: str) -> tuple[int, str]:
    """The order of locks among topics of accounts and remote bots: shorter numbers first is ascending ones."""
    return len(name), name


def about(game: Game) -> dict[str, object]:
    """Return the payload of news that `game` has begun or ended.

    `is_live` marks a game on the clock outside events, whose players need no notice.
    """
    if game.is_over_days or game.pairing_id is not None:
        return {"game": game.pk}
    return {"game": game.pk, "is_live": True}


def receiving_account(item: live.Item) -> int | None:
    """Return the account whose open page shows the start of a live game by this news, else None."""
    topic, _, number = item.topic.partition(":")
    is_start = topic == "user" and item.kind == "game" and bool(item.payload.get("is_live"))
    return int(number) if is_start else None


def announce_to(players: Iterable[Player], kind: str, payload: dict[str, object]) -> None:
    """Add news to the topics of the players who have one, in the order of locks."""
    announce_in_order(to_players(players, kind, payload))


def to_players(
    players: Iterable[Player], kind: str, payload: dict[str, object]
) -> list[Announcement]:
    """Return this news for the topics of the players who have one, in the order of locks."""
    return [(topic, kind, payload) for topic in sorted(set(of_players(players)), key=_order)]


def announce_to_accounts(user_ids: Iterable[int], kind: str, payload: dict[str, object]) -> None:
    """Add news to the topics of these accounts, in the order of locks."""
    announce_in_order([(of_user(user_id), kind, payload) for user_id in sorted(set(user_ids))])


def latest() -> int:
    """Return the number of the last news of all topics, 0 before the first.

    An unchanged number means no news.
    """
    row = _latest.one()
    return 0 if row is None else row[0]


@statements.query
def _latest() -> QuerySet[NewsItem, tuple[int]]:
    """Return the number of the last news, which every page with a kept part needs."""
    return NewsItem.objects.order_by("-pk").values_list("pk")[:1]


def after(topic: str, seq: int) -> Sequence[live.Item]:
    """The news of `topic` after number `seq`, oldest first, at most 500."""
    rows = _items_after.all(topic=topic, seq=seq)
    return [live.Item(topic, number, kind, payload) for number, kind, payload in rows]


@statements.query
def _items_after(topic: str, seq: int) -> QuerySet[NewsItem, tuple[int, str, dict[str, object]]]:
    """Every open page asks for it at every move: Django wrote it in 0.6 ms of a processor."""
    rows = NewsItem.objects.filter(topic__name=topic, seq__gt=seq).order_by("seq")
    return rows.values_list("seq", "kind", "payload")[:_MAX_READ]


def last_seqs(topics: Iterable[str]) -> dict[str, int]:
    """Return the number of the last news of each topic, 0 without any."""
    numbers = dict.fromkeys(topics, 0)
    numbers.update(Topic.objects.filter(name__in=numbers).values_list("name", "seq"))
    return numbers


def last_seq(topic: str) -> int:
    """Return the number of the last news of the topic, 0 without any."""
    row = _last_seq.one(topic=topic)
    return 0 if row is None else row[0]


@statements.query
def _last_seq(topic: str) -> QuerySet[Topic, tuple[int]]:
    return Topic.objects.filter(name=topic).values_list("seq")


def stream_query(reached: Mapping[str, int]) -> str:
    """The query of a page's stream: these topics, after the news of those numbers."""
    after = ";".join(f"{topic}={seq}" for topic, seq in reached.items())
    return "?" + "&".join([*(f"t={topic}" for topic in reached), f"after={after}"])


def tell_site(event: Event, kind: str, **payload: object) -> None:
    """Announce news of the event on the pages of the site, unless the event is private."""
    if not event.is_private:
        announce(SITE, kind, {"event": event.pk, **payload})
