"""A site with an object behind every address, and accounts with different relations to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Permission
from django.test import Client
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_static.models import StaticDevice

from tests.tournaments import pages
from tests.tournaments.role_world import events, play
from tests.tournaments.role_world.builder import Builder
from tournaments import database_time
from tournaments.models import Heartbeat, SiteText, User
from tournaments.services.accounts import players

ROLES = (
    "guest",
    "member",  # has nothing to do with any of it
    "other",  # plays in the event, but not the game
    "player",  # of the game; has made whatever a player can make
    "organiser",  # of the event
    "arbiter",  # enters its results
    "moderator",  # of the site, with the permission to moderate
    "operator",  # of the site's staff, without permissions
    "superuser",
)


@dataclass(frozen=True)
class World:
    """The visitors, the parts of addresses by the route's name, and the forms that routes take."""

    clients: Mapping[str, Client]
    places: Mapping[str, Mapping[str, Any]]
    forms: Mapping[str, Mapping[str, Any]]

    def place(self, name: str, parts: set[str]) -> dict[str, Any]:
        """The values of the parts of the address of that name."""
        values = {**self.places[""], **self.places.get(name, {})}
        if name.startswith("admin:"):
            values["pk"] = 0
        return {part: values[part] for part in parts}


def build() -> World:
    """A new site in an empty database."""
    users = {name: _account(name) for name in (*ROLES[1:], "rival", "claimant")}
    _promote(users)
    SiteText.objects.create(kind=SiteText.Kind.CONTACT, text="club@example.org")
    site = Builder(users)
    for scene in (
        play.games,
        events.desk,
        events.before,
        events.boards,
        events.series,
        events.schedule,
        events.festival,
        events.teams,
        events.club,
        play.bots,
        play.lobby,
        play.account,
    ):
        scene(site)
    clients = {name: _client(users[name]) for name in ROLES[1:]}
    # The beat is in the future: the duration of the tests is no outage of the site.
    beat_at = database_time.now() + timedelta(days=1)
    Heartbeat.objects.update_or_create(pk=1, defaults={"beat_at": beat_at})
    return World({"guest": Client(), **clients}, site.places, site.forms)


def _account(name: str) -> User:
    return players.sign_up(name=f"Role {name}", password="rayuela-1963")


def _promote(users: dict[str, User]) -> None:
    for name in ("moderator", "operator", "superuser"):
        user = users[name]
        user.is_staff, user.is_superuser = True, name == "superuser"
        user.save()
    users["moderator"].user_permissions.set(Permission.objects.filter(codename="moderate"))


def _client(user: User) -> Client:
    client = pages.member(user)
    if user.is_staff:  # has given the code of the second factor
        session = client.session
        device = StaticDevice.objects.create(user=user)
        session[DEVICE_ID_SESSION_KEY] = device.persistent_id
        session.save()
    return client
