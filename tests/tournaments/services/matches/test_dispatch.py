"""For which matches workers are sent, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.tournaments import authors
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.models import Event, Match, User
from tournaments.services import enqueue
from tournaments.services.accounts import house_account, players
from tournaments.services.events import entries
from tournaments.services.games import game_creation
from tournaments.services.matches import dispatch, leases, matches
from tournaments.services.rounds import lifecycle


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


class _Worker:
    """One worker and its clock: it plays the matches that it is sent for, one after the other."""

    def __init__(self, sent: list[int]) -> None:
        self.now = database_time.now()
        self._sent = sent
        dispatch.wake_next(self.now)

    def next_match(self) -> Match:
        """The match that is played next: a message may have been sent twice."""
        queued = Match.objects.filter(state=Match.State.QUEUED)
        while not queued.filter(pk=self._sent[0]).exists():
            self._sent.pop(0)
        return Match.objects.get(pk=self._sent[0])

    def play(self, *, time_s: float = 10) -> Match:
        """Play the next match, which takes `time_s`."""
        match = self.next_match()
        self._sent.pop(0)
        rows = Match.objects.filter(pk=match.pk)
        lease = self.now + timedelta(hours=1)
        rows.update(state=Match.State.LEASED, lease_until=lease, began_at=self.now)
        dispatch.wake_next(self.now)
        self.now += timedelta(seconds=time_s)
        rows.update(state=Match.State.DONE, lease_until=None, ended_at=self.now)
        dispatch.wake_next(self.now)
        return match


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


def test_an_account_with_one_match_waits_behind_no_hundreds_of_another(
    ana: User, ben: User, sent: list[int]
) -> None:
    for _ in range(100):
        _add(ana)
    worker = _Worker(sent)
    for _ in range(5):
        worker.play()
    late = _add(ben)
    assert late in [worker.play() for _ in range(4)]


@pytest.mark.long
def test_an_account_gains_nothing_by_many_events(ana: User, ben: User, sent: list[int]) -> None:
    for number in range(5):
        event = event_of(ana, name=f"Ladder {number}")
        for _ in range(20):
            _add(ana, event)
    for _ in range(20):
        _add(ben)
    worker = _Worker(sent)
    first = [worker.play(time_s=1) for _ in range(20)]
    assert abs(Counter(match.requester for match in first)[ana] - 10) <= 1
    counts = Counter(match.event_id for match in first if match.event_id)
    assert set(counts.values()) <= {2, 3}
    assert len(counts) == 5


@pytest.mark.long
def test_the_price_of_a_match_is_the_time_it_used_not_that_of_its_clocks(
    ana: User, ben: User, sent: list[int]
) -> None:
    for _ in range(40):
        _add(ana, longest_s=6000)
        _add(ben, longest_s=60)
    worker = _Worker(sent)
    counts = Counter(worker.play(time_s=1).requester for _ in range(40))
    assert abs(counts[ana] - counts[ben]) <= 2


@pytest.mark.long
def test_matches_that_take_long_are_counted_so(ana: User, ben: User, sent: list[int]) -> None:
    for _ in range(60):
        _add(ana)
        _add(ben)
    worker = _Worker(sent)
    used_s: Counter[User] = Counter()
    for _ in range(55):
        time_s = 10 if worker.next_match().requester == ana else 1
        match = worker.play(time_s=time_s)
        assert match.requester is not None
        used_s[match.requester] += time_s
    assert 0.7 < used_s[ana] / used_s[ben] < 1.5


@pytest.mark.long
def test_time_for_which_nobody_else_waited_is_free(ana: User, ben: User, sent: list[int]) -> None:
    for _ in range(100):
        _add(ana)
    worker = _Worker(sent)
    for _ in range(50):
        worker.play(time_s=1)
    for _ in range(20):
        _add(ben)
    # Two messages wait already.
    counts = Counter(worker.play(time_s=1).requester for _ in range(22))
    assert counts[ana] >= 10


@pytest.mark.long
def test_an_account_that_was_served_much_waits_for_newcomers_a_minute_at_most(
    ana: User, sent: list[int]
) -> None:
    newcomers = [
        players.sign_up(name=name, password="rayuela-1963") for name in ("Cleo", "Dora", "Emil")
    ]
    for _ in range(300):
        _add(ana)
    _add(newcomers[0])
    worker = _Worker(sent)
    for _ in range(60):
        worker.play(time_s=1)
    for newcomer in newcomers:
        for _ in range(300):
            _add(newcomer)
    began_at = worker.now
    served_at: list[datetime] = []
    while worker.now - began_at < timedelta(minutes=4):
        if worker.play(time_s=1).requester == ana:
            served_at.append(worker.now)
    times = [began_at, *served_at, worker.now]
    longest = max(after - before for before, after in pairwise(times))
    assert longest <= timedelta(seconds=62)
    assert len(served_at) >= 40


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


@pytest.mark.long
def test_in_a_ladder_a_match_is_its_authors(ana: User, ben: User) -> None:
    bots = [authors.version(ana, "Mover"), authors.version(ben, "Shaker")]
    cleo = players.sign_up(name="Cleo", password="rayuela-1963")
    for organiser, form, requesters in (
        (house_account.account(), "ladder", {ana, ben}),
        (cleo, "ladder", {ana, ben}),
        (house_account.account(), "round-robin", {ana, ben}),
        (cleo, "round-robin", {cleo}),
    ):
        event = event_of(ana, name=f"{form} of {organiser}", format=form, admits="bots")
        Event.objects.filter(pk=event.pk).update(organiser=organiser)
        for player, author in zip(bots, (ana, ben), strict=True):
            entries.enter(event_id=event.pk, player=player, actor=author)
        lifecycle.start_event(event_id=event.pk, actor=organiser)
        match = Match.objects.get(event=event)
        assert match.requester in requesters


class Shares(TestCase):
    """Laws of the order, for any matches of any accounts."""

    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 20)), min_size=1, max_size=25))
    @pytest.mark.long
    def test_every_match_is_played_and_no_account_is_ahead_by_more_than_three_matches(
        self, rows: Sequence[tuple[int, int]]
    ) -> None:
        from tournaments.models import User

        users = [User.objects.create(username=f"user {number}") for number in range(4)]
        times_s = {_add(users[owner]).pk: time_s for owner, time_s in rows}
        left = Counter(users[owner].pk for owner, _ in rows)
        used_s: Counter[int] = Counter()
        sent: list[int] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(enqueue, "match", lambda pk, **_: sent.append(pk))
            worker = _Worker(sent)
            while times_s:
                time_s = times_s.pop(worker.next_match().pk)
                account = worker.play(time_s=time_s).requester_id
                assert account is not None
                others = [used_s[pk] for pk in left if left[pk] > 0]
                # Two messages may wait already, and use before the window does not count.
                assert used_s[account] <= min(others) + 60 + 3 * 20
                used_s[account] += time_s
                left[account] -= 1
        assert not any(left.values())
