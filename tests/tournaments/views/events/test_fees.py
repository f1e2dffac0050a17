"""The fees of an event: one click an entry, sums, a file for the staff, and no trace in public."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.pages import member, text_of
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import AuditEntry, Entry, Event, User
from tournaments.queries.archives import event_archive
from tournaments.queries.events import fees, plans
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.arbiter import merging
from tournaments.services.events import fees as fee_states
from tournaments.services.events import listed_players, settings


@pytest.fixture
def paid_event(event: Event, ana: User) -> Event:
    """Three players of an event with a fee."""
    Event.objects.filter(pk=event.pk).update(fee="12.50 EUR")
    event.refresh_from_db()
    rows = [ListedPlayer(name, club="=1+1") for name in ("Alba", "Bruno", "Celia")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    return event


def _url(name: str, event: Event) -> str:
    return reverse(name, args=[event.slug])


def _entry(event: Event, name: str) -> Entry:
    return event.entries.get(player__name=name)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("12.50 EUR", "12.50", "EUR"),
        ("12,5 €", "12.50", "€"),
        ("1000 円", "1000.00", "円"),
        ("30CHF", "30.00", "CHF"),
        ("0 EUR", "0.00", "EUR"),
    ],
)
def test_a_fee_is_an_amount_and_a_currency(text: str, amount: str, currency: str) -> None:
    fee = fees.read(text)
    assert fee is not None
    assert (fee.amount, fee.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize("text", ["", "EUR", "12.50", "-5 EUR", "1e9 EUR", "5 <b>", "12.345 EUR"])
def test_other_texts_are_no_fee(text: str) -> None:
    assert fees.read(text) is None


def test_a_setting_that_is_no_fee_is_refused(event: Event, ana: User) -> None:
    plan = plans.plan_of(event)
    with pytest.raises(RefusedError, match="fee-bad"):
        settings.change(event_id=event.pk, actor=ana, plan=replace(plan, fee="ten"))


def test_each_click_is_saved_and_leads_to_the_next_row(paid_event: Event, ana: User) -> None:
    client, content = member(ana), ""
    for name, state, following in (("Alba", "paid", "Bruno"), ("Bruno", "waived", "Celia")):
        form = {"entry": _entry(paid_event, name).pk, "state": state}
        answer = client.post(_url("event-fee-set", paid_event), form, follow=True)
        content = answer.content.decode()
        # A browser moves no cursor on a page with a fragment in its address.
        assert "#" not in answer.redirect_chain[-1][0]
        focus = re.findall(r'aria-label="(\w+): paid" autofocus', content)
        assert focus == [following]
    page = text_of(content.encode())
    assert "Paid 12.50 EUR Not paid 12.50 EUR Waived 1" in page
    assert content.count('aria-pressed="true"') == 3


def test_the_file_has_each_entry_and_no_formula(paid_event: Event, ana: User) -> None:
    _entry(paid_event, "Celia")
    fee_states.set_state(
        event_id=paid_event.pk, actor=ana, entry_id=_entry(paid_event, "Alba").pk, state="waived"
    )
    answer = member(ana).get(_url("event-fees-csv", paid_event))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode().removeprefix("\ufeff"))))
    assert [(r["player"], r["state"], r["amount"]) for r in rows] == [
        ("Alba", "waived", "0.00"),
        ("Bruno", "owed", "12.50"),
        ("Celia", "owed", "12.50"),
    ]
    assert all(not r["club"].startswith("=") for r in rows)
    assert answer["Cache-Control"] == "private, no-store"


def test_a_player_who_left_is_listed_only_if_paid(paid_event: Event, ana: User) -> None:
    table = fees.table_of(paid_event)
    assert table is not None
    assert len(table.entries) == 3
    now = paid_event.created_at
    for name, state in (("Alba", "paid"), ("Bruno", "owed")):
        row = _entry(paid_event, name)
        Entry.objects.filter(pk=row.pk).update(
            state=Entry.State.WITHDRAWN, withdrawn_at=now, fee_state=state
        )
    table = fees.table_of(paid_event)
    assert table is not None
    assert [entry.player.name for entry in table.entries] == ["Alba", "Celia"]
    assert (table.paid_sum, table.owed_sum) == ("12.50 EUR", "12.50 EUR")


def test_payments_are_in_no_public_place(paid_event: Event, ana: User) -> None:
    before = AuditEntry.objects.count()
    entry = _entry(paid_event, "Alba")
    fee_states.set_state(event_id=paid_event.pk, actor=ana, entry_id=entry.pk, state="waived")
    assert AuditEntry.objects.count() == before
    Entry.objects.filter(pk=entry.pk).update(tpn=1)
    archive = str(event_archive.archive_of(paid_event))
    assert "Alba" in archive
    assert "waived" not in archive
    for path in (
        paid_event.get_absolute_url(),
        _url("event-log", paid_event),
        f"/api/v1/events/{paid_event.slug}/entries",
    ):
        answer = Client().get(path)
        assert answer.status_code == 200
        assert b"waived" not in answer.content
    assert "Entry fee 12.50 EUR" in text_of(Client().get(paid_event.get_absolute_url()).content)


def test_only_the_staff_of_entries_notes_a_fee(paid_event: Event, ben: User) -> None:
    entry = _entry(paid_event, "Alba")
    with pytest.raises(NotAllowedError):
        fee_states.set_state(event_id=paid_event.pk, actor=ben, entry_id=entry.pk, state="paid")
    assert member(ben).get(_url("event-fees", paid_event)).status_code == 404
    assert member(ben).get(_url("event-fees-csv", paid_event)).status_code == 404


def test_a_fee_beside_the_rules_is_refused_by_name(paid_event: Event, ana: User) -> None:
    entry = _entry(paid_event, "Alba")

    def note(entry_id: int, state: str) -> None:
        fee_states.set_state(event_id=paid_event.pk, actor=ana, entry_id=entry_id, state=state)

    with pytest.raises(RefusedError, match="fee-state"):
        note(entry.pk, "stolen")
    with pytest.raises(StaleError, match="no-such-entry"):
        note(10**9, "paid")
    Event.objects.filter(pk=paid_event.pk).update(fee="")
    with pytest.raises(RefusedError, match="fee-none"):
        note(entry.pk, "paid")


def test_a_merge_keeps_a_payment(paid_event: Event, ana: User) -> None:
    entry, other = _entry(paid_event, "Alba"), _entry(paid_event, "Bruno")
    fee_states.set_state(event_id=paid_event.pk, actor=ana, entry_id=other.pk, state="paid")
    merging.merge(paid_event.pk, ana, entry_id=entry.pk, other_id=other.pk)
    assert _entry(paid_event, "Alba").fee_state == "paid"
