"""The administrators' view: every row, and no data that would help them at the board."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_static.models import StaticDevice

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments.models import Challenge, Player, Round, User
from tournaments.services.lobby import challenges
from tournaments.services.rounds import lifecycle, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator(staff: User) -> Client:
    staff.is_superuser = True
    staff.save()
    client = pages.member(staff)
    session = client.session
    # The code of the second factor was given.
    device = StaticDevice.objects.create(user=staff)
    session[DEVICE_ID_SESSION_KEY] = device.persistent_id
    session.save()
    return client


def test_secrets_of_events_and_sealed_votes_are_not_shown(
    administrator: Client, ana: User, ben: User
) -> None:
    event = event_of(ana, access_code="open-sesame")
    challenge = challenges.challenge(
        challenger=ana.player,
        opponent=ben.player,
        ruleset="morelli(size=7)",
        clock=pages.CLOCK,
        is_rated=False,
    )
    assert challenge is not None
    Challenge.objects.update(vote="sealed-vote")
    for row in (event, Challenge.objects.get()):
        page = administrator.get(
            reverse(f"admin:tournaments_{row._meta.model_name}_change", args=[row.pk])
        )
        assert page.status_code == 200
        text = page.content.decode()
        for secret in (event.seed_secret, "open-sesame", "sealed-vote"):
            assert secret not in text
    assert (
        event.seed_commitment
        in administrator.get(
            reverse("admin:tournaments_event_change", args=[event.pk])
        ).content.decode()
    )


def test_drafts_are_not_shown(administrator: Client, ana: User, bots: list[Player]) -> None:
    event = event_of(ana, is_automatic=False)
    enter(event, *bots)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    draft = rounds.draft_round(event_id=event.pk, actor=ana)
    assert Round.objects.get(pk=draft.pk).state == Round.State.DRAFT
    address = reverse("admin:tournaments_round_change", args=[draft.pk])
    assert administrator.get(address).status_code == 302


def test_who_judges_chat_reads_no_programs(ana: User, ben: User) -> None:
    assert not ana.has_perm("tournaments.moderate")
    ana.is_staff = True
    ana.save()
    assert pages.member(ana).get(reverse("moderation-chat")).status_code == 404
