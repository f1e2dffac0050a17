"""Players of a list who turn out to be people with accounts."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from tests.tournaments import over_board, shared_rows
from tests.tournaments.pages import member, text_of
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import EntryClaim, Event, Game, User
from tournaments.queries.results import reports, tables
from tournaments.services.accounts import players
from tournaments.services.events import claims, entries


def _played(ana: User) -> Event:
    """Four players of a list, of whom round 1 is played."""
    event = over_board.event_of(ana)
    over_board.enter_listed(event, "Benjamin", "Bruno", "Celia", "Dario")
    over_board.play(event)
    return event


rows_of_file = over_board.rows(_played)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


def _claim(event: Event, user: User, name: str = "Benjamin") -> EntryClaim:
    entry = event.entries.get(player__name=name)
    return claims.claim(event_id=event.pk, player=user.player, entry_id=entry.pk)


def _points(event: Event) -> list[tuple[int | None, int]]:
    return [(row.entry.tpn, row.points_halves) for row in tables.event_table(event).rows]


@pytest.mark.long
@pytest.mark.engines
def test_an_accepted_claim_hands_over_the_entry_and_its_games(
    event: Event, ana: User, ben: User
) -> None:
    before, report = _points(event), reports.trf_of(event)
    claim = _claim(event, ben)
    claims.answer(event_id=event.pk, actor=ana, claim_id=claim.pk, is_accepted=True)
    assert event.entries.get(tpn=1).player == ben.player
    game = Game.objects.of(ben.player).get()
    assert not Game.objects.of(claim.listed).exists()
    assert _points(event) == before
    assert reports.trf_of(event) == report.replace("Benjamin", "Ben     ")
    page = member(ben).get(reverse("game", args=[game.pk]))
    assert "Ben" in text_of(page.content)


def test_a_refused_claim_changes_nothing(event: Event, ana: User, ben: User) -> None:
    claim = _claim(event, ben)
    claims.answer(event_id=event.pk, actor=ana, claim_id=claim.pk, is_accepted=False)
    assert event.entries.get(tpn=1).player.is_listed
    with pytest.raises(StaleError, match="claim-answered"):
        claims.answer(event_id=event.pk, actor=ana, claim_id=claim.pk, is_accepted=True)
    with pytest.raises(RefusedError, match="claimed-already"):
        _claim(event, ben)


def test_of_two_who_say_so_one_is_it(event: Event, ana: User, ben: User) -> None:
    first = _claim(event, ben)
    second = _claim(event, players.sign_up(name="Carla", password="rayuela-1963"))
    claims.answer(event_id=event.pk, actor=ana, claim_id=second.pk, is_accepted=True)
    first.refresh_from_db()
    assert first.state == EntryClaim.State.REFUSED


def test_nobody_has_two_entries(event: Event, ana: User, ben: User) -> None:
    claim = _claim(event, ben)
    entries.enter(event_id=event.pk, player=ben.player, actor=ben)
    with pytest.raises(RefusedError, match="claim-entered"):
        claims.answer(event_id=event.pk, actor=ana, claim_id=claim.pk, is_accepted=True)
    with pytest.raises(RefusedError, match="already-entered"):
        _claim(event, ben, "Bruno")


def test_only_the_staff_answers_and_only_lists_are_claimed(
    event: Event, ana: User, ben: User
) -> None:
    claim = _claim(event, ben)
    with pytest.raises(NotAllowedError):
        claims.answer(event_id=event.pk, actor=ben, claim_id=claim.pk, is_accepted=True)
    claims.answer(event_id=event.pk, actor=ana, claim_id=claim.pk, is_accepted=True)
    with pytest.raises(RefusedError, match="claim-not-listed"):
        _claim(event, ana, "Ben")
    with pytest.raises(StaleError, match="entry-deleted"):
        claims.claim(event_id=event.pk, player=ana.player, entry_id=0)


@pytest.mark.engines
@pytest.mark.parametrize("side", ["first", "second"])
def test_the_database_changes_the_players_of_a_game_by_an_accepted_claim_alone(
    event: Event, ben: User, side: str
) -> None:
    claim = _claim(event, ben)  # which nobody has accepted
    games = Game.objects.filter(pairing__event=event)
    assert claim.state == EntryClaim.State.OPEN
    with pytest.raises(IntegrityError), transaction.atomic():
        games.update(**{side: ben.player})


@pytest.mark.long
def test_a_claim_is_made_and_answered_on_the_pages(event: Event, ana: User, ben: User) -> None:
    page = member(ben).get(event.get_absolute_url())
    assert "Is one of these you?" in text_of(page.content)
    entry = event.entries.get(player__name="Benjamin")
    url = reverse("event-claim", args=[event.slug])
    assert member(ben).post(url, {"entry": "x"}).status_code == 302
    assert not EntryClaim.objects.exists()
    member(ben).post(url, {"entry": entry.pk})
    claim = EntryClaim.objects.get()
    desk = member(ana).get(reverse("event-entries", args=[event.slug]))
    assert "Ben says: I am Benjamin." in text_of(desk.content)
    answer = reverse("event-claim-answer", args=[event.slug, claim.pk])
    member(ana).post(answer, {"action": "accept"})
    page = member(ben).get(event.get_absolute_url())
    assert "Is one of these you?" not in text_of(page.content)
