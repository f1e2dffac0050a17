"""Conditions of entry: deadlines, codes, ratings, approval, waiting lists, check-in, private events, clubs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Entry, Event, Player, Rating, User
from tournaments.queries.events import plans
from tournaments.queries.results import report_records
from tournaments.services.arbiter import entry_acts, undo
from tournaments.services.events import check_in, entries, seeding, settings, staff_members
from tournaments.services.notifications import inbox
from tournaments.services.ratings import pool_assignment
from tournaments.services.rounds import lifecycle, publication, rounds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return freeze(monkeypatch)


def _enter(event: Event, player: Player, code: str = "") -> Entry:
    assert player.user is not None
    return entries.enter(event_id=event.pk, player=player, actor=player.user, code=code)


def _rate(event: Event, player: Player, centielo: int, games: int) -> None:
    pool = pool_assignment.of_event(event)
    Rating.objects.create(
        player=player, pool=pool, centielo=centielo, peak_centielo=centielo, games=games
    )


def test_ratings_and_games_decide_who_may_enter(ana: User, people: list[Player]) -> None:
    event = event_of(ana, min_centielo=140_000, max_centielo=160_000, min_games=5)
    for player, centielo, games in zip(
        people, (139_999, 160_001, 150_000, 150_000), (9, 9, 4, 5), strict=True
    ):
        _rate(event, player, centielo, games)
    for player, code in zip(people, ("rating-low", "rating-high", "games-few"), strict=False):
        with pytest.raises(RefusedError, match=code):
            _enter(event, player)
    assert _enter(event, people[3]).state == Entry.State.ACTIVE


def test_the_staff_enters_anybody(people: list[Player], ana: User) -> None:
    event = event_of(ana, min_centielo=200_000, access_code="secret", needs_approval=True)
    entry = entries.enter(event_id=event.pk, player=people[0], actor=ana)
    assert entry.state == Entry.State.ACTIVE
    assert people[1].user is not None
    with pytest.raises(NotAllowedError):
        entries.enter(event_id=event.pk, player=people[0], actor=people[1].user)


def test_after_the_deadline_nobody_enters_by_himself(
    ana: User, people: list[Player], clock: FrozenClock
) -> None:
    event = event_of(ana, registration_closes_at=clock.now + timedelta(hours=1))
    _enter(event, people[0])
    clock.wait(hours=1, seconds=1)
    with pytest.raises(RefusedError, match="registration-closed"):
        _enter(event, people[1])


@pytest.mark.parametrize("code", ["", "  "], ids=["empty", "blank"])
def test_a_private_event_has_an_access_code(ana: User, code: str) -> None:
    with pytest.raises(RefusedError, match="access-code-bad"):
        event_of(ana, is_private=True, access_code=code)
    event = event_of(ana)
    plan = replace(plans.plan_of(event), is_private=True, access_code=code)
    with pytest.raises(RefusedError, match="access-code-bad"):
        settings.change(event_id=event.pk, actor=ana, plan=plan)


def test_an_access_code_is_asked_for(ana: User, people: list[Player]) -> None:
    event = event_of(ana, access_code="tea time")
    for wrong in ("", "tea", "TEA TIME"):
        with pytest.raises(RefusedError, match="code-wrong"):
            _enter(event, people[0], wrong)
    _enter(event, people[0], " tea time ")


def test_an_entry_waits_for_approval(people: list[Player], ana: User) -> None:
    event = event_of(ana, needs_approval=True)
    entry = _enter(event, people[0])
    assert entry.state == Entry.State.REQUESTED
    assert event.entries.active().count() == 0
    with pytest.raises(RefusedError, match="already-entered"):
        _enter(event, people[0])
    entries.admit(event_id=event.pk, actor=ana, entry_id=entry.pk)
    assert event.entries.active().get().player == people[0]
    with pytest.raises(StaleError, match="no-such-entry"):
        entries.admit(event_id=event.pk, actor=ana, entry_id=entry.pk)


def test_who_waits_longest_gets_the_next_place(people: list[Player], ana: User) -> None:
    event = event_of(ana, max_entries=2, has_waiting_list=True)
    states = [_enter(event, player).state for player in people]
    assert states == ["active", "active", "waiting", "waiting"]
    assert people[0].user is not None
    entries.withdraw(event_id=event.pk, player=people[0], actor=people[0].user)
    playing = set(event.entries.active().values_list("player", flat=True))
    assert playing == {people[1].pk, people[2].pk}
    entry = event.entries.get(player=people[1])
    entry_acts.withdraw(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="ill")
    playing = set(event.entries.active().values_list("player", flat=True))
    assert playing == {people[2].pk, people[3].pk}
    assert people[3].user is not None
    assert [each.item.kind for each in inbox.notices(people[3].user)] == ["admitted"]


def test_without_a_waiting_list_a_full_event_is_full(ana: User, people: list[Player]) -> None:
    event = event_of(ana, max_entries=2)
    _enter(event, people[0])
    _enter(event, people[1])
    with pytest.raises(RefusedError, match="event-full"):
        _enter(event, people[2])


def test_who_has_not_checked_in_does_not_play_and_the_waiting_list_moves_up(
    people: list[Player], ana: User, clock: FrozenClock
) -> None:
    event = event_of(
        ana,
        is_automatic=False,
        max_entries=3,
        has_waiting_list=True,
        check_in_opens_at=clock.now + timedelta(hours=1),
        starts_at=clock.now + timedelta(hours=2),
    )
    rows = [_enter(event, player) for player in people]
    assert people[0].user is not None
    with pytest.raises(StaleError, match="check-in-closed"):
        check_in.check_in(event_id=event.pk, entry_id=rows[0].pk, actor=people[0].user)
    clock.wait(hours=1)
    check_in.check_in(event_id=event.pk, entry_id=rows[0].pk, actor=people[0].user)
    check_in.check_in(event_id=event.pk, entry_id=rows[1].pk, actor=ana)
    with pytest.raises(NotAllowedError):
        check_in.check_in(event_id=event.pk, entry_id=rows[2].pk, actor=people[0].user)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    playing = set(event.entries.active().values_list("player__name", flat=True))
    assert playing == {"Cleo", "Dora", "Finn"}


def test_a_private_event_is_no_page_to_others(people: list[Player], ana: User) -> None:
    event = event_of(ana, name="Secret supper", is_private=True, access_code="soup")
    stranger = Client()
    assert stranger.get(event.get_absolute_url()).status_code == 404
    assert "Secret supper" not in stranger.get("/events/").content.decode()
    entry = _enter(event, people[0], "soup")
    profile = entry.player.get_absolute_url()
    assert "Secret supper" not in stranger.get(profile).content.decode()
    assert "Secret supper" in pages.member(ana).get(profile).content.decode()
    assert stranger.get(f"/download/games.jsonl?event={event.slug}").status_code == 404
    assert pages.member(ana).get(event.get_absolute_url()).status_code == 200
    assert "Secret supper" in pages.member(ana).get("/events/").content.decode()
    guest = Client()
    assert guest.get(f"{event.get_absolute_url()}?code=soup").status_code == 200
    assert guest.get(f"{event.get_absolute_url()}standings/").status_code == 200
    with pytest.raises(RefusedError, match="access-code-bad"):
        event_of(ana, is_private=True)


def _routes(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from _routes(each.url_patterns)
        else:
            yield str(each.pattern)


@pytest.mark.long
def test_no_address_of_a_private_event_answers_strangers(ana: User) -> None:
    event = event_of(ana, is_private=True, access_code="soup")
    routes = [route for route in _routes(get_resolver().url_patterns) if "<slug:slug>" in route]
    routes = [route for route in routes if route.startswith(("events/", "embed/event/"))]
    assert len(routes) > 50
    values = {"<slug:slug>": event.slug, "<slug:kind>": "standings"}
    for route in routes:
        for name, value in values.items():
            route = route.replace(name, value)
        address = "/" + re.sub(r"<int:\w+>", "1", route)
        assert Client().get(address).status_code == 404, address
        # 405 is the answer of addresses that accept no form, whether the event exists or not.
        assert Client().post(address).status_code in {404, 405}, address


def test_players_of_one_club_are_kept_apart_in_the_report(people: list[Player], ana: User) -> None:
    event = event_of(ana, keeps_clubs_apart=True, is_automatic=False)
    for player in people:
        _enter(event, player)
    event.entries.filter(player__in=people[:2]).update(club="Norte")
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lines = [
        line for line in report_records.trf_before(event, 1).splitlines() if line.startswith("260")
    ]
    tpns = event.entries.filter(club="Norte").order_by("tpn").values_list("tpn", flat=True)
    assert [line.split()[-2:] for line in lines] == [[str(tpn) for tpn in tpns]]


def test_byes_are_given_as_the_event_says(people: list[Player], ana: User) -> None:
    event = event_of(ana, rounds_total=5, most_half_byes=2, last_half_bye_round=3)
    entry = _enter(event, people[0])
    user = people[0].user
    assert user is not None

    def ask(number: int) -> None:
        entries.request_bye(
            event_id=event.pk, player=people[0], actor=user, round_number=number, kind="half"
        )

    ask(1)
    with pytest.raises(RefusedError, match="half-bye-late"):
        ask(4)
    ask(2)
    with pytest.raises(RefusedError, match="half-bye-used"):
        ask(3)
    entry_acts.cancel_bye(event_id=event.pk, actor=user, entry_id=entry.pk, round_number=2)
    ask(3)
    entry_acts.grant_bye(
        event_id=event.pk,
        actor=ana,
        entry_id=entry.pk,
        round_number=3,
        kind="full",
        reason="plays for the country",
    )
    assert entry.bye_requests.get(round_number=3).kind == "full"


def test_an_entry_without_the_right_gets_no_half_point_bye(people: list[Player], ana: User) -> None:
    event = event_of(ana, rounds_total=5)
    entry = _enter(event, people[0])
    user = people[0].user
    assert user is not None

    def ask() -> None:
        entries.request_bye(
            event_id=event.pk, player=people[0], actor=user, round_number=1, kind="half"
        )

    entry_acts.change_half_byes(event_id=event.pk, actor=ana, entry_id=entry.pk)
    with pytest.raises(RefusedError, match="half-bye-barred"):
        ask()
    bye: dict[str, Any] = {
        "event_id": event.pk,
        "actor": ana,
        "entry_id": entry.pk,
        "round_number": 1,
    }
    with pytest.raises(RefusedError, match="half-bye-barred"):
        entry_acts.grant_bye(**bye, kind="half")
    entry_acts.grant_bye(**bye, kind="half", is_exception=True, reason="a strike of the trains")
    entry_acts.cancel_bye(**bye)
    row = event.audit.get(action="half-byes")
    undo.undo(event_id=event.pk, actor=ana, entry_id=row.pk, reason="another player")
    ask()


def test_only_the_last_change_of_the_right_to_half_point_byes_is_undone(
    people: list[Player], ana: User
) -> None:
    event = event_of(ana, rounds_total=5)
    entry = _enter(event, people[0])
    for has_right in (False, False, True):  # the second request is a double click
        entry_acts.change_half_byes(
            event_id=event.pk, actor=ana, entry_id=entry.pk, has_half_byes=has_right
        )
    taken, given_back = event.audit.filter(action__startswith="half-byes").order_by("pk")
    assert (taken.action, given_back.action) == ("half-byes", "half-byes-back")
    with pytest.raises(StaleError, match="undo-late"):
        undo.undo(event_id=event.pk, actor=ana, entry_id=taken.pk, reason="another player")
    undo.undo(event_id=event.pk, actor=ana, entry_id=given_back.pk, reason="another player")
    entry.refresh_from_db()
    assert not entry.has_half_byes


@pytest.mark.parametrize(
    ("number", "kind", "earlier"),
    [(5, "half", ()), (3, "half", (1, 2))],
    ids=["after the last allowed round", "over the limit"],
)
def test_staff_grant_a_half_point_bye_beyond_the_limits_only_as_an_exception_with_a_reason(
    people: list[Player], ana: User, number: int, kind: str, earlier: tuple[int, ...]
) -> None:
    event = event_of(ana, rounds_total=6, most_half_byes=2, last_half_bye_round=4)
    entry = _enter(event, people[0])

    def grant(number: int, **more: object) -> None:
        entry_acts.grant_bye(
            event_id=event.pk,
            actor=ana,
            entry_id=entry.pk,
            round_number=number,
            kind=kind,
            **more,  # type: ignore[arg-type]  # its keywords
        )

    for each in earlier:
        grant(each)  # a plain one needs no reason
    with pytest.raises(RefusedError, match="bye-exception"):
        grant(number, reason="a train")
    with pytest.raises(RefusedError, match="reason-bad"):
        grant(number, is_exception=True)
    grant(number, is_exception=True, reason="a train")
    assert entry.bye_requests.filter(kind="half").count() == len(earlier) + 1


def test_a_bye_that_replaces_another_counts_once(people: list[Player], ana: User) -> None:
    event = event_of(ana, rounds_total=6)
    entry = _enter(event, people[0])
    for _ in range(2):
        entry_acts.grant_bye(
            event_id=event.pk, actor=ana, entry_id=entry.pk, round_number=1, kind="half"
        )
    assert entry.bye_requests.get().round_number == 1


@pytest.mark.parametrize(("number", "drafts"), [(1, 0), (3, 1)], ids=["drafted", "later"])
def test_a_bye_throws_away_the_draft_of_its_own_round_only(
    people: list[Player], ana: User, number: int, drafts: int
) -> None:
    event = event_of(ana, is_automatic=False)
    entry, *_rest = [_enter(event, player) for player in people]
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    entry_acts.grant_bye(
        event_id=event.pk, actor=ana, entry_id=entry.pk, round_number=number, kind="zero"
    )
    assert event.rounds.count() == drafts


def test_an_expelled_player_returns_by_the_organiser_only(people: list[Player], ana: User) -> None:
    event = event_of(ana)
    entry = _enter(event, people[0])
    entry_acts.expel(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="cheated")
    with pytest.raises(RefusedError, match="expelled"):
        _enter(event, people[0])
    entry_acts.readmit(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="he did not")
    assert people[0].user is not None
    notice = inbox.notices(people[0].user)[0].item
    assert (notice.kind, notice.payload["reason"]) == ("entry", "he did not")
    assert event.entries.active().get() == entry


def test_ratings_of_the_organiser_number_the_entries_until_round_1_is_published(
    people: list[Player], ana: User
) -> None:
    event = event_of(ana, is_automatic=False)
    rows = [_enter(event, player) for player in people]
    entry_acts.set_rating(
        event_id=event.pk, actor=ana, entry_id=rows[3].pk, centielo=200_000, reason="list"
    )
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rows[3].refresh_from_db()
    assert (rows[3].tpn, rows[3].seed_centielo) == (1, 200_000)
    entry_acts.set_rating(
        event_id=event.pk, actor=ana, entry_id=rows[2].pk, centielo=210_000, reason="list"
    )
    assert list(event.entries.order_by("tpn").values_list("player__name", flat=True))[:2] == [
        "Emil",
        "Finn",
    ]
    with pytest.raises(RefusedError, match="rating-bad"):
        entry_acts.set_rating(
            event_id=event.pk, actor=ana, entry_id=rows[2].pk, centielo=1, reason="x"
        )


def test_the_organiser_chooses_pairing_numbers_until_round_1_is_published(
    people: list[Player], ana: User
) -> None:
    event = event_of(ana, is_automatic=False)
    rows = {player.name: _enter(event, player) for player in people}

    def choose(name: str, seed: int | None) -> None:
        entry_acts.set_seed(
            event_id=event.pk, actor=ana, entry_id=rows[name].pk, seed=seed, reason="last year"
        )

    def order() -> list[str]:
        return list(event.entries.order_by("tpn").values_list("player__name", flat=True))

    choose("Finn", 1)
    choose("Cleo", 4)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert order() == ["Finn", "Dora", "Emil", "Cleo"]
    choose("Emil", 1)  # after who was given it before, as their ratings are
    choose("Dora", 99)
    assert order() == ["Emil", "Finn", "Cleo", "Dora"]
    emil = Player.objects.get(name="Emil").user
    assert emil is not None
    notice = inbox.notices(emil)[0].item
    assert (notice.kind, notice.payload["act"], notice.payload["reason"]) == (
        "entry",
        "seed",
        "last year",
    )
    choose("Emil", None)
    choose("Dora", None)
    assert order() == ["Finn", "Dora", "Emil", "Cleo"]
    with pytest.raises(RefusedError, match="seed-bad"):
        choose("Emil", 0)
    if not event.rounds.exists():
        rounds.draft_round(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    with pytest.raises(RefusedError, match="seed-late"):
        choose("Emil", 2)


@given(st.integers(1, 9), st.data())
def test_different_numbers_within_the_field_are_given_as_they_are(
    size: int, data: st.DataObject
) -> None:
    chosen = data.draw(st.dictionaries(st.integers(1, size), st.integers(1, size)))
    seeds = {seed: player for player, seed in chosen.items()}  # each number once
    players = {player: seed for seed, player in seeds.items()}
    field = [Entry(pk=n, listed_seed=players.get(n)) for n in range(1, size + 1)]
    order = seeding.order(field)
    assert sorted(entry.pk for entry in order) == list(range(1, size + 1))
    assert {entry.pk: n for n, entry in enumerate(order, 1) if entry.listed_seed} == players
    unseeded = [entry.pk for entry in order if entry.listed_seed is None]
    assert unseeded == sorted(unseeded)


@given(st.lists(st.one_of(st.none(), st.integers(1, 5_000)), max_size=9))
def test_whatever_numbers_are_given_everybody_has_one(seeds: list[int | None]) -> None:
    field = [Entry(pk=n, listed_seed=seed) for n, seed in enumerate(seeds)]
    assert {entry.pk for entry in seeding.order(field)} == set(range(len(seeds)))


def test_the_invitation_of_the_desk_has_the_code_for_who_may_know_it(ana: User, ben: User) -> None:
    event = event_of(ana, access_code="mate amargo")
    staff_members.add(event_id=event.pk, actor=ana, player=ben.player, role="results")
    address = f"{event.get_absolute_url()}desk/"
    assert "?code=mate+amargo" in pages.member(ana).get(address).content.decode()
    assert "amargo" not in pages.member(ben).get(address).content.decode()
