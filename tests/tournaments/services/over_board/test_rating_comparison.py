"""Entries compared with a rating list: values that differ are named, and stored as the organiser chooses."""

from __future__ import annotations

import io
from unittest.mock import Mock

import pytest
from django.urls import reverse

from tests.tournaments import over_board, shared_rows
from tests.tournaments.over_board import event_of, next_round
from tests.tournaments.pages import member, text_of
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import AuditEntry, Event, RatingList, User
from tournaments.models.entries import LaterRating
from tournaments.queries.archives import event_archive
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.events.rating_comparison import Comparison, compared, compared_with_start
from tournaments.services.arbiter import entry_acts, rating_updates
from tournaments.services.events import entries, listed_players, rating_lists, seeding
from tournaments.services.rounds import lifecycle

LIST = (
    "Name;Fed;Fide_No;Rtg_Int;Rtg_Nat;ID_No;Title\n"
    "Ruiz, Alba;ESP;101;2050;;;WIM\n"
    "Sa, Bruno;POR;102;1900;;;\n"
    "Celia Costa;POR;;;1710;77;\n"
    "Other;ESP;;;1200;77;\n"
    "Dahl, Dora;NOR;104;;;;\n"
)
PLAYERS = (
    ListedPlayer("Alba Ruiz", 2000, "ESP", fide_id="0101"),
    ListedPlayer("Sá, Bruno", 1900, "POR", fide_id="102"),
    ListedPlayer("Costa, Celia", None, "POR", national_elo=1700, national_id="77"),
    ListedPlayer("Dahl, Dorothea", 1650, "NOR", fide_id="104"),
    ListedPlayer("Emil", 1500),
    ListedPlayer("Fay", 1400, fide_id="999"),
)


def store(text: str = LIST, name: str = "FIDE") -> RatingList:
    return rating_lists.replace(name=name, stream=io.BytesIO(text.encode())).rating_list


@pytest.fixture
def rating_list(db: None) -> RatingList:
    return store()


def _entered(ana: User) -> Event:
    """A Swiss of the players of the list."""
    event = over_board.event_of(ana, format="dutch")
    listed_players.enter_all(event_id=event.pk, actor=ana, players=PLAYERS)
    return event


rows_of_file = over_board.rows(_entered)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


def differences(comparison: Comparison) -> list[tuple[str, str, object, object]]:
    return [
        (each.entry.player.name, each.column, each.own, each.listed)
        for each in comparison.differences
    ]


def codes(event: Event, rating_list: RatingList, column: str) -> list[str]:
    rows = compared(event, rating_list).differences
    return [each.code for each in rows if each.column == column]


def take_over(event: Event, actor: User, rating_list: RatingList, chosen: list[str]) -> int:
    return rating_updates.take_over(
        event_id=event.pk, actor=actor, list_id=rating_list.pk, chosen=chosen
    )


def ratings(event: Event) -> dict[str, int | None]:
    return dict(event.entries.values_list("player__name", "listed_centielo"))


def test_players_whose_rating_title_or_name_differ_are_named(
    event: Event, rating_list: RatingList
) -> None:
    comparison = compared(event, rating_list)
    assert differences(comparison) == [
        ("Alba Ruiz", "rating_elo", 2000, 2050),
        ("Alba Ruiz", "title", "", "WIM"),
        ("Costa, Celia", "national_elo", 1700, 1710),
        ("Dahl, Dorothea", "name", "Dahl, Dorothea", "Dahl, Dora"),
    ]
    assert [each.player.name for each in comparison.unknown] == ["Emil", "Fay"]


def test_a_comparison_changes_no_entry(event: Event, ana: User, rating_list: RatingList) -> None:
    before = list(event.entries.order_by("pk").values())
    address = reverse("event-entries-compare", args=[event.slug])
    page = text_of(member(ana).get(address, {"list": rating_list.pk}).content)
    for text in ("FIDE", "Alba Ruiz", "2050", "WIM", "1710", "Dahl, Dora", "Emil; Fay"):
        assert text in page
    store(LIST.replace("2050", "2060"))
    assert list(event.entries.order_by("pk").values()) == before


def test_a_later_upload_is_compared(event: Event, rating_list: RatingList) -> None:
    later = store(LIST.replace("2050", "2060"))
    assert later.name == rating_list.name
    assert differences(compared(event, later))[0] == ("Alba Ruiz", "rating_elo", 2000, 2060)


def test_the_organiser_chooses_the_list(event: Event, ana: User, rating_list: RatingList) -> None:
    other = store("Name;Fide_No;Rtg_Int\nRuiz, Alba;101;2111\n", "Rapid")
    address = reverse("event-entries-compare", args=[event.slug])
    for each_list, elo in ((rating_list, "2050"), (other, "2111")):
        page = text_of(member(ana).get(address, {"list": each_list.pk}).content)
        assert [each for each in ("2050", "2111") if each in page] == [elo]


def test_chosen_values_alone_are_stored(event: Event, ana: User, rating_list: RatingList) -> None:
    client = member(ana)
    address = reverse("event-entries-take-over", args=[event.slug])
    chosen = codes(event, rating_list, "rating_elo") + codes(event, rating_list, "national_elo")
    answer = client.post(address, {"list": rating_list.pk, "values": chosen}, follow=True)
    assert "2 values were changed." in text_of(answer.content)
    assert [each[:2] for each in differences(compared(event, rating_list))] == [
        ("Alba Ruiz", "title"),
        ("Dahl, Dorothea", "name"),
    ]
    assert ratings(event)["Alba Ruiz"] == 205_000
    assert ratings(event)["Sá, Bruno"] == 190_000
    assert AuditEntry.objects.filter(event=event, action="entry-edit").count() == 2
    answer = client.post(address, {"list": rating_list.pk}, follow=True)
    assert "Please choose at least one value." in text_of(answer.content)


def test_after_the_start_a_rating_is_set_with_the_list_as_the_reason(
    event: Event, ana: User, rating_list: RatingList
) -> None:
    next_round(event)
    event.refresh_from_db()
    alba = event.entries.get(player__name="Alba Ruiz")
    chosen = codes(event, rating_list, "rating_elo") + codes(event, rating_list, "title")
    assert take_over(event, ana, rating_list, chosen) == 2
    entry = event.entries.get(pk=alba.pk)
    assert (entry.listed_centielo, entry.seed_centielo, entry.title) == (205_000, 205_000, "WIM")
    assert entry.tpn == alba.tpn
    note = AuditEntry.objects.get(event=event, action="rating-set")
    assert note.reason == f"FIDE, {rating_list.uploaded_at:%Y-%m-%d}"


def test_many_ratings_after_the_start_seed_the_players_once(
    event: Event, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rating_list = store("Name;FIDE_No;Elo\nRuiz;101;1600\nSa;102;1850\nDahl;104;2100\n")
    event.refresh_from_db()
    seed_again = Mock(wraps=seeding.seed_again)
    monkeypatch.setattr(seeding, "seed_again", seed_again)
    assert take_over(event, ana, rating_list, codes(event, rating_list, "rating_elo")) == 3
    assert seed_again.call_count == 1
    names = event.entries.order_by("tpn").values_list("player__name", flat=True)
    assert list(names)[:2] == ["Dahl, Dorothea", "Sá, Bruno"]


def test_a_rating_of_the_list_may_hold_from_a_later_round_on(
    event: Event, ana: User, rating_list: RatingList
) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    data = {"list": rating_list.pk, "values": codes(event, rating_list, "rating_elo")}
    client, address = member(ana), reverse("event-entries-take-over", args=[event.slug])
    client.post(address, {**data, "from_round": "x"})
    alba = event.entries.get(player__name="Alba Ruiz")
    assert alba.ratings_by_round == []
    client.post(address, {**data, "from_round": "3"})
    alba.refresh_from_db()
    assert alba.ratings_by_round == [LaterRating(3, 205_000, rating_list.dated_name)]
    assert (alba.listed_centielo, alba.seed_centielo) == (200_000, 200_000)
    assert codes(event, rating_list, "rating_elo") == []
    page = text_of(client.get(reverse("event-entries", args=[event.slug])).content)
    assert f"from round 3: 2050 {rating_list.dated_name}" in page


def test_the_source_of_a_rating_is_stored_until_another_rating_is_typed(
    event: Event, ana: User, rating_list: RatingList
) -> None:
    take_over(event, ana, rating_list, codes(event, rating_list, "rating_elo"))
    address = reverse("event-entries", args=[event.slug])
    client = member(ana)
    form = client.get(address, {"rated": rating_list.players.get(fide_id="102").pk})
    data = {name: each or "" for name, each in form.context["form"].initial.items()}
    add = reverse("event-entry-add", args=[event.slug])
    for changes in ({}, {"fide_id": "7", "rating": "1950"}):
        client.post(add, {**data, "is_another": "on", **changes})
    sources = {
        (each.fide_id, each.listed_centielo, each.rating_source) for each in event.entries.all()
    }
    source = f"FIDE, {rating_list.uploaded_at:%Y-%m-%d}"
    assert {each for each in sources if each[2]} == {
        ("0101", 205_000, source),
        ("102", 190_000, source),
    }
    assert ("7", 195_000, "") in sources
    assert text_of(client.get(address).content).count(source) == 2
    alba = event.entries.get(fide_id="0101")
    listed_players.edit(
        event_id=event.pk, actor=ana, entry_id=alba.pk, player=ListedPlayer("Alba Ruiz", 2051)
    )
    alba.refresh_from_db()
    assert alba.rating_source == ""


def test_values_of_an_earlier_list_are_refused(
    event: Event, ana: User, rating_list: RatingList
) -> None:
    chosen = codes(event, rating_list, "rating_elo")
    title = codes(event, rating_list, "title")
    later = store(LIST.replace("2050", "2060"))
    for each in (rating_list, later):
        with pytest.raises(StaleError, match="rating-list-changed"):
            take_over(event, ana, each, chosen + title)
    assert ratings(event)["Alba Ruiz"] == 200_000
    assert codes(event, later, "title") == title
    later.delete()
    with pytest.raises(StaleError, match="rating-list-changed"):
        rating_updates.take_over(event_id=event.pk, actor=ana, list_id=1, chosen=title)


def test_all_chosen_values_are_stored_or_none(event: Event, ana: User) -> None:
    low = store("Name;Fide_No;Rtg_Int\nSa, Bruno;102;1910\nDahl, Dora;104;90\n", "Low")
    lifecycle.start_event(event_id=event.pk, actor=ana)
    with pytest.raises(RefusedError, match="rating-bad"):
        take_over(event, ana, low, codes(event, low, "rating_elo"))
    assert ratings(event)["Sá, Bruno"] == 190_000


def test_people_with_accounts_keep_their_names(ana: User, rating_list: RatingList) -> None:
    event = event_of(ana)
    entry = entries.enter(event_id=event.pk, player=ana.player, actor=ana)
    event.entries.filter(pk=entry.pk).update(fide_id="101")
    assert [each.column for each in compared(event, rating_list).differences] == [
        "rating_elo",
        "title",
    ]


def test_only_the_staff_of_entries_stores_values(
    event: Event, ben: User, rating_list: RatingList
) -> None:
    with pytest.raises(NotAllowedError):
        take_over(event, ben, rating_list, codes(event, rating_list, "title"))


def test_the_rating_of_the_lists_at_the_start_stays_and_is_compared(
    event: Event, ana: User, rating_list: RatingList
) -> None:
    assert not event.entries.exclude(start_list="").exists()
    lifecycle.start_event(event_id=event.pk, actor=ana)
    source = rating_list.dated_name
    store(LIST.replace("2050", "2060"))
    rows = event.entries.exclude(start_list="").order_by("-start_centielo")
    assert [(each.player.name, each.start_centielo, each.start_list) for each in rows] == [
        ("Alba Ruiz", 205_000, source),
        ("Sá, Bruno", 190_000, source),
    ]
    assert differences(compared_with_start(event)) == [("Alba Ruiz", "rating_elo", 2000, 2050)]
    address = reverse("event-entries-compare", args=[event.slug])
    page = member(ana).get(address, {"list": "start"})
    assert f"2050 {source}" in text_of(page.content)
    assert 'name="values"' not in page.content.decode()


def test_a_late_entry_has_the_rating_of_the_lists_then(
    event: Event, ana: User, rating_list: RatingList
) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    later = store(LIST + "Gil;ESP;105;1500;;;\n")
    late = [ListedPlayer("Gil", 1450, fide_id="105")]
    (entry,) = listed_players.enter_all(event_id=event.pk, actor=ana, players=late)
    entry.refresh_from_db()
    assert (entry.start_centielo, entry.start_list) == (150_000, later.dated_name)


def test_another_rating_of_the_event_leaves_the_official_one(
    event: Event, ana: User, rating_list: RatingList
) -> None:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    alba = event.entries.get(player__name="Alba Ruiz")
    assert (alba.seed_elo, alba.official_centielo) == (2000, 205_000)
    take_over(event, ana, rating_list, codes(event, rating_list, "rating_elo"))
    entry_acts.set_rating(
        event_id=event.pk, actor=ana, entry_id=alba.pk, centielo=210_000, reason="national rules"
    )
    alba.refresh_from_db()
    assert (alba.seed_elo, alba.rating_source) == (2100, "")
    assert (alba.official_centielo, alba.official_list) == (205_000, rating_list.dated_name)
    page = text_of(member(ana).get(reverse("event-entries", args=[event.slug])).content)
    assert f"official: 2050, {rating_list.dated_name}" in page
    archived = event_archive.archive_of(event).entries[0]
    assert (archived.rating_source, archived.official_centielo) == ("", 205_000)
    assert archived.official_list == rating_list.dated_name


@pytest.mark.long
@pytest.mark.parametrize("tells", [True, pytest.param(False, marks=pytest.mark.long)])
def test_the_desk_tells_of_a_later_list_with_other_ratings(
    event: Event, ana: User, rating_list: RatingList, tells: bool
) -> None:
    def words() -> bool:
        page = text_of(member(ana).get(reverse("event-desk", args=[event.slug])).content)
        return "has other ratings of 2 players. Compare" in page

    Event.objects.filter(pk=event.pk).update(tells_new_lists=tells)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    assert not words()
    later = store(LIST.replace("1900", "1910"))
    assert words() is tells
    take_over(event, ana, later, codes(event, later, "rating_elo"))
    assert not words()
    store(LIST, "Unused")
    assert not words()
