"""Duplicates: entries of one person are found while they are entered, and merged."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.tournaments.over_board import enter_listed, event_of, next_round
from tests.tournaments.pages import member, text_of
from tournaments.errors import RefusedError, TournamentError
from tournaments.models import (
    ByeRequest,
    Entry,
    EntryClaim,
    Event,
    Player,
    Prohibition,
    User,
)
from tournaments.models.entries import LaterRating
from tournaments.queries.events import duplicates, player_lists
from tournaments.queries.events.duplicates import SameBy
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.arbiter import entry_acts, forbidden_pairs, later_ratings, merging
from tournaments.services.events import claims, entries, listed_players
from tournaments.services.rounds import lifecycle


def _enter(event: Event, actor: User, *players: ListedPlayer) -> list[Entry]:
    return listed_players.enter_all(event_id=event.pk, actor=actor, players=players)


def _merge(event: Event, actor: User, entry: Entry, other: Entry) -> Entry:
    return merging.merge(event.pk, actor, entry_id=entry.pk, other_id=other.pk)


@pytest.mark.parametrize(
    ("row", "same"),
    [
        ("ALBA;;;;", SameBy.NAME),
        ("Alba R.;2212345;;;", SameBy.FIDE_ID),
        ("Alba R.;002212345;;;", SameBy.FIDE_ID),
        ("Alba R.;;77;ESP;", SameBy.NATIONAL_ID),
        ("Alba R.;;77;FRA;", None),
        ("Alba R.;1;;;", None),
        ("Alba R.;;;;", None),
    ],
)
def test_a_row_that_may_be_an_entry_is_marked(row: str, same: SameBy | None) -> None:
    entered = duplicates.keys("Alba", fide_id="2212345", national_id="77", federation="ESP")
    text = f"Name;FIDE id;National id;Fed;Club\n{row}\n"
    (read,) = player_lists.read(text, entered=[entered]).rows
    assert read.same_by == same
    assert read.same_as == (None if same is None else 0)


def test_one_player_with_the_national_id_of_an_entry_is_asked_about(ana: User) -> None:
    event = event_of(ana)
    _enter(event, ana, ListedPlayer("Ruiz, Alba", federation="ESP", national_id="77"))
    form = {"name": "Alba Ruiz", "federation": "ESP", "national_id": "77"}
    page = member(ana).post(reverse("event-entry-add", args=[event.slug]), form)
    assert "Ruiz, Alba has entered already." in text_of(page.content)
    assert event.entries.count() == 1


def test_the_entry_that_stays_keeps_its_values_and_gets_missing_ones(ana: User) -> None:
    event = event_of(ana)
    entry, other, third = _enter(
        event,
        ana,
        ListedPlayer("Jensen, Jonas", 1800, club="Sur"),
        ListedPlayer("Jensen", 1700, club="Norte", fide_id="6660674", birth="2001", sex="m"),
        ListedPlayer("Kim"),
    )
    ByeRequest.objects.create(
        entry=other, round_number=2, kind="half", requested_at=event.created_at
    )
    for group in ([other, third], [entry, other]):
        forbidden_pairs.forbid(event_id=event.pk, actor=ana, entry_ids=[each.pk for each in group])
    merged = _merge(event, ana, entry, other)
    assert (merged.player.name, merged.club, merged.listed_centielo) == (
        "Jensen, Jonas",
        "Sur",
        180_000,
    )
    assert (merged.fide_id, merged.birth, merged.sex) == ("6660674", "2001", "m")
    assert list(merged.bye_requests.values_list("round_number", "kind")) == [(2, "half")]
    assert list(event.entries.order_by("pk")) == [entry, third]
    assert not Player.objects.filter(name="Jensen").exists()
    (left,) = Prohibition.objects.all()
    assert set(left.entries.all()) == {entry, third}
    log = event.audit.get(action="entry-merge")
    assert log.detail["name"] == "Jensen"


def test_ratings_of_later_rounds_and_a_missing_right_to_byes_survive_a_merge(ana: User) -> None:
    event = event_of(ana)
    entry, other = _enter(event, ana, ListedPlayer("Jensen, Jonas"), ListedPlayer("Jensen"))
    later_ratings.set_rating_from(
        event.pk, ana, entry_id=other.pk, from_round=3, centielo=210_000, reason="a new list"
    )
    entry_acts.change_half_byes(event.pk, ana, entry_id=other.pk, reason="a free entry")
    merged = _merge(event, ana, entry, other)
    assert merged.ratings_by_round == [LaterRating(3, 210_000)]
    assert not merged.has_half_byes


def test_a_merge_before_round_1_numbers_the_entries_again(ana: User) -> None:
    event = event_of(ana)
    enter_listed(event, "Alba", "Bruno", "Celia", "Dario", "Elsa")
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    first, second = event.entries.order_by("tpn")[:2]
    _merge(event, ana, second, first)
    assert list(event.entries.order_by("tpn").values_list("tpn", flat=True)) == [1, 2, 3, 4]
    assert not event.rounds.exists()


def test_a_late_duplicate_is_merged_into_the_entry_with_the_rounds(ana: User) -> None:
    event = event_of(ana)
    enter_listed(event, "Alba", "Bruno", "Celia", "Dario")
    next_round(event)
    (late,) = _enter(event, ana, ListedPlayer("Alba", fide_id="1"))
    played = event.entries.get(player__name="Alba", joined_round=1)
    with pytest.raises(RefusedError, match="merge-other-way"):
        _merge(event, ana, late, played)
    # The preview turns the two.
    plan = merging.preview(event_id=event.pk, actor=ana, entry_id=late.pk, other_id=played.pk)
    assert (plan.entry, plan.other) == (played, late)
    merged = _merge(event, ana, played, late)
    assert (merged.tpn, merged.fide_id) == (played.tpn, "1")
    assert event.entries.count() == 4


def test_two_entries_with_rounds_are_not_merged(ana: User) -> None:
    event = event_of(ana)
    enter_listed(event, "Alba", "Bruno", "Celia", "Alba")
    next_round(event)
    one, two = event.entries.filter(player__name="Alba")
    with pytest.raises(RefusedError, match="merge-played"):
        _merge(event, ana, one, two)
    assert event.entries.count() == 4


def test_an_account_stays(ana: User, ben: User) -> None:
    event = event_of(ana)
    (listed,) = _enter(event, ana, ListedPlayer("Ben", 1700))
    own = entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    with pytest.raises(RefusedError, match="merge-other-way"):
        _merge(event, ana, listed, own)
    merged = _merge(event, ana, own, listed)
    assert (merged.player, merged.listed_centielo) == (ben.player, 170_000)


@pytest.mark.parametrize("code", ["merge-same", "merge-accounts", "merge-claims", "entry-deleted"])
def test_entries_that_cannot_be_merged(ana: User, ben: User, code: str) -> None:
    event = event_of(ana)
    one, other = _enter(event, ana, ListedPlayer("Alba"), ListedPlayer("Bruno"))
    if code == "merge-same":
        other = one
    if code == "merge-accounts":
        one = entries.enter(event_id=event.pk, player=ben.player, actor=ben)
        other = entries.enter(event_id=event.pk, player=ana.player, actor=ana)
    if code == "merge-claims":
        claims.claim(event_id=event.pk, player=ben.player, entry_id=other.pk)
        assert EntryClaim.objects.exists()
    if code == "entry-deleted":
        listed_players.remove(event.pk, ana, entry_id=other.pk)
        other.pk = 10**9
    count = event.entries.count()
    with pytest.raises(TournamentError, match=code):
        _merge(event, ana, one, other)
    assert event.entries.count() == count


def test_an_account_and_rounds_are_joined_by_a_claim_alone(ana: User, ben: User) -> None:
    event = event_of(ana)
    enter_listed(event, "Alba", "Bruno", "Celia", "Ben")
    next_round(event)
    own = entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    listed = event.entries.get(player__name="Ben", player__kind=Player.Kind.LISTED)
    for pair in ((own, listed), (listed, own)):
        with pytest.raises(RefusedError, match="merge-claim:"):
            _merge(event, ana, *pair)


@pytest.mark.long
def test_the_page_offers_duplicates_and_merges_them(ana: User) -> None:
    event, client = event_of(ana), member(ana)
    one, other = _enter(event, ana, ListedPlayer("Alba", 1800), ListedPlayer("alba", fide_id="7"))
    page = client.get(reverse("event-entries", args=[event.slug])).content.decode()
    assert f"?entry={one.pk}&amp;other={other.pk}" in page
    query = {"entry": one.pk, "other": other.pk}
    page = text_of(client.get(reverse("event-entries-merge", args=[event.slug]), query).content)
    assert "The other entry, alba, will be deleted." in page
    assert event.entries.count() == 2
    form = {**query, "act": "merge", "next": reverse("event-entries", args=[event.slug])}
    client.post(reverse("event-desk-entry", args=[event.slug]), form)
    assert event.entries.get().fide_id == "7"


def test_the_page_of_two_entries_with_rounds_says_what_to_do(ana: User) -> None:
    event = event_of(ana)
    enter_listed(event, "Alba", "Bruno", "Celia", "Alba")
    next_round(event)
    one, other = event.entries.filter(player__name="Alba")
    query = {"entry": one.pk, "other": other.pk}
    page = member(ana).get(reverse("event-entries-merge", args=[event.slug]), query)
    assert "Withdraw one of them instead." in text_of(page.content)
