"""For which matches workers are sent, and in which order."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.tournaments import authors
from tournaments.models import Event, Match
from tournaments.services import database_time, enqueue
from tournaments.services.accounts import house_account, players
from tournaments.services.events import entries
from tournaments.services.games import game_creation
from tournaments.services.matches import dispatch, leases, matches
from tournaments.services.rounds import lifecycle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tournaments.models import User


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The matches that workers were sent for."""
    ids: list[int] = []
    monkeypatch.setattr(enqueue, "match", lambda pk, **_: ids.append(pk))
    return ids


def _add(requester: User | None, event: Event | None = None, **columns: Any) -> Match:
    now = database_time.now()
    row = {"due_at": now, "created_at": now, "longest_s": 60, **columns}
    return Match.objects.create(requester=requester, event=event, **row)


def _play(sent: list[int]) -> Iterator[Match]:
    """The matches in the order in which one worker plays them."""
    while sent:
        match = Match.objects.get(pk=sent.pop(0))
        assert leases.claim(match.pk)
        dispatch.wake_next(database_time.now())
        yield match
        Match.objects.filter(pk=match.pk).update(state=Match.State.DONE, lease_until=None)
        dispatch.wake_next(database_time.now())


def test_no_more_messages_wait_than_are_taken_soon(ana: User, sent: list[int]) -> None:
    for _ in range(30):
        _add(ana)
    dispatch.wake_next(database_time.now())
    assert len(sent) == 2
    playing = [Match.objects.get(pk=pk) for pk in sent]
    for match in playing:
        assert leases.claim(match.pk)
    sent.clear()
    now = database_time.now()
    dispatch.wake_next(now)
    dispatch.wake_next(now)
    assert len(sent) == 2


def test_who_comes_with_one_match_stands_behind_nobodys_hundreds(
    ana: User, ben: User, sent: list[int]
) -> None:
    for _ in range(100):
        _add(ana)
    dispatch.wake_next(database_time.now())
    order = _play(sent)
    for _ in range(5):
        next(order)
    late = _add(ben)
    assert late in [next(order) for _ in range(4)]


def test_an_account_gains_nothing_by_many_events(
    ana: User, ben: User, new_event: Callable[..., Event], sent: list[int]
) -> None:
    for number in range(5):
        event = new_event(name=f"Ladder {number}")
        for _ in range(20):
            _add(ana, event)
    for _ in range(20):
        _add(ben)
    dispatch.wake_next(database_time.now())
    order = _play(sent)
    first = [next(order) for _ in range(20)]
    assert Counter(match.requester for match in first) == {ana: 10, ben: 10}
    assert set(Counter(match.event_id for match in first if match.event_id).values()) == {2}


def test_matches_that_may_take_long_are_counted_so(ana: User, ben: User, sent: list[int]) -> None:
    for _ in range(40):
        _add(ana, longest_s=600)
        _add(ben, longest_s=60)
    dispatch.wake_next(database_time.now())
    order = _play(sent)
    counts = Counter(next(order).requester for _ in range(33))
    assert counts[ben] >= 9 * counts[ana] > 0


def test_a_match_whose_worker_was_lost_waits_for_no_room(ana: User, sent: list[int]) -> None:
    now = database_time.now()
    for _ in range(5):
        _add(ana, woken_at=now)
    lost = _add(
        ana,
        state=Match.State.LEASED,
        lease_until=now - timedelta(seconds=1),
        woken_at=now - timedelta(minutes=1),
    )
    dispatch.wake_next(now)
    dispatch.wake_next(now)
    assert sent == [lost.pk]


def test_a_lost_message_is_sent_again(ana: User, sent: list[int]) -> None:
    match = _add(ana)
    now = database_time.now()
    for seconds in (0, 10, 21, 25, 42):
        dispatch.wake_next(now + timedelta(seconds=seconds))
    assert sent == [match.pk] * 3


def test_what_is_not_due_yet_takes_no_room(ana: User, sent: list[int]) -> None:
    for _ in range(5):
        _add(ana, due_at=database_time.now() + timedelta(minutes=5))
    match = _add(ana)
    dispatch.wake_next(database_time.now())
    assert sent == [match.pk]


def test_a_match_is_played_for_its_author_where_no_event_asks_for_it(ana: User) -> None:
    theirs = authors.version(ana, "Mover")
    ours = players.add_bot(name="House", engine="random")
    ruleset = "morelli(size=5)"
    plan: dict[str, Any] = {
        "ruleset": ruleset,
        "setup": game_creation.draw_setup(ruleset, 3),
        "clock": game_creation.Clock(60_000, 100),
    }
    assert matches.schedule(players=(ours, theirs), **plan).requester == ana
    other = players.add_bot(name="Other", engine="random")
    assert matches.schedule(players=(ours, other), **plan).requester is None


def test_in_an_event_of_the_house_a_match_is_its_authors(
    ana: User, ben: User, new_event: Callable[..., Event]
) -> None:
    bots = [authors.version(ana, "Mover"), authors.version(ben, "Shaker")]
    cleo = players.sign_up(name="Cleo", password="rayuela-73")
    for organiser, requesters in ((house_account.account(), {ana, ben}), (cleo, {cleo})):
        event = new_event(name=f"Ladder of {organiser}", format="ladder", admits="bots")
        Event.objects.filter(pk=event.pk).update(organiser=organiser)
        for player, author in zip(bots, (ana, ben), strict=True):
            entries.enter(event_id=event.pk, player=player, actor=author)
        lifecycle.start_event(event_id=event.pk, actor=organiser)
        match = Match.objects.get(event=event)
        assert match.requester in requesters


class Shares(TestCase):
    """Laws of the order, for any matches of any accounts."""

    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(10, 100)), min_size=1, max_size=25))
    def test_everybody_is_served_and_nobody_has_more_than_a_match_before_others(
        self, rows: Sequence[tuple[int, int]]
    ) -> None:
        from tournaments.models import User

        users = [User.objects.create(username=f"user {number}") for number in range(4)]
        for owner, longest_s in rows:
            _add(users[owner], longest_s=longest_s)
        sent: list[int] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(enqueue, "match", lambda pk, **_: sent.append(pk))
            dispatch.wake_next(database_time.now())
            played = list(_play(sent))
        assert len(played) == len(rows)
        left = Counter(users[owner].pk for owner, _ in rows)
        had: Counter[int] = Counter()
        for match in played:
            assert match.requester_id is not None
            others = [had[pk] for pk in left if left[pk] > 0]
            # Two messages may wait already when somebody else would be next.
            assert had[match.requester_id] <= min(others) + 200
            had[match.requester_id] += match.longest_s
            left[match.requester_id] -= 1
