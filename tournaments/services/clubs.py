"""Clubs: founding them, their words, and who belongs to them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Club, ClubMember, Player, User
from tournaments.models.clubs import (
    CLUB_INTRODUCTION_LENGTH,
    CLUB_NAME_LENGTH,
    LEADERS,
    SHORT_NAME_LENGTH,
    ClubRole,
)
from tournaments.models.players import canonical_name
from tournaments.services import audit
from tournaments.services.accounts import guests
from tournaments.services.notifications import news
from tournaments.text.lines import one_line

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Clubs of a player, those asked included, and clubs that a player owns.
MOST_CLUBS, MOST_OWNED = 20, 5
MOST_MEMBERS = 2_000
# A club whose introduction was hidden has no other one for this time.
PAUSE = timedelta(days=7)
_RESERVED_SLUGS = {"new"}
_FEDERATION = re.compile(r"[A-Z]{3}")
_ADDRESS_LENGTH = 200
_PLACE_LENGTH = 80


@dataclass(frozen=True, slots=True)
class About:
    """The words of a club. Its name is that of the foundation and stays."""

    short_name: str = ""
    federation: str = ""
    place: str = ""
    address: str = ""
    introduction: str = ""


@dataclass(frozen=True, slots=True)
class ClubAct:
    """An act on a club, with the message after it. Its function gets the locked club, the player who acts and another one."""

    done: _StrPromise
    function: Callable[[Club, Player, Player], None]


@transaction.atomic
def create(*, founder: Player, name: str, about: About) -> Club:
    """Return a new club, whose owner is the founder.

    Raises NotAllowedError `account-needed`, RefusedError `club-name`, `club-exists`, `clubs-many`, and as `change`.
    """
    guests.require_account(founder)
    name = one_line(name)
    canonical = canonical_name(name)
    if not canonical or max(len(name), len(canonical) // 2) > CLUB_NAME_LENGTH:
        raise RefusedError("club-name", name[:CLUB_NAME_LENGTH])
    Player.objects.select_for_update(no_key=True).get(pk=founder.pk)
    if founder.clubs.filter(role=ClubRole.OWNER).count() >= MOST_OWNED:
        raise RefusedError("clubs-many", str(MOST_OWNED))
    _require_room(founder)
    now = database_time.now()
    club = Club(name=name, canonical=canonical, founder=founder, created_at=now)
    _fill(club, about)
    _save_new(club)
    ClubMember.objects.create(
        club=club, player=founder, role=ClubRole.OWNER, asked_at=now, joined_at=now
    )
    audit.note("club-create", actor=founder.user, club=club.slug)
    return club


def change(*, club_id: int, player: Player, about: About) -> Club:
    """Change the words of a club.

    Raises NotAllowedError `club-leaders`, RefusedError `club-words`, `introduction-federation`, `club-address`, or
    `club-hidden` for another introduction within a week after a moderator has hidden the last one.
    """
    with transaction.atomic():
        club = _lock(club_id)
        _require_leader(club, player)
        _fill(club, about)
        club.save()
        audit.note("club-change", actor=player.user, club=club.slug)
        return club


def run(*, code: str, club_id: int, player: Player, member_id: int | None = None) -> None:
    """Do an act of `ACTS` on a player of the club, by default on the player who acts.

    Raises NotAllowedError `account-needed`, RefusedError `form-bad` for an unknown code, StaleError
    `club-gone`, `no-such-member`, and the errors of the act.
    """
    if code not in ACTS:
        raise RefusedError("form-bad", code[:40])
    guests.require_account(player)
    with transaction.atomic():
        club = _lock(club_id)
        other = Player.objects.filter(pk=member_id).first() if member_id else player
        if other is None:
            raise StaleError("no-such-member", str(member_id))
        ACTS[code].function(club, player, other)
        audit.note(f"club-{code}", actor=player.user, club=club.slug, player=other.pk)


def hide_introduction(*, club_id: int, actor: User) -> None:
    """Hide the introduction of a club. Raises NotAllowedError `not-moderator`, StaleError `introduction-gone`."""
    if not actor.has_perm("tournaments.moderate"):
        raise NotAllowedError("not-moderator")
    visible = Club.objects.filter(pk=club_id, hidden_at=None).exclude(introduction="")
    if not visible.update(hidden_at=database_time.now()):
        raise StaleError("introduction-gone")


def leave_all(player: Player) -> None:
    """Take a player whose account ends out of all clubs. An owner is followed as `_leave` says."""
    for club_id in list(player.clubs.values_list("club", flat=True)):
        with transaction.atomic():
            club = Club.objects.select_for_update(no_key=True).filter(pk=club_id).first()
            if club is not None:
                _leave(club, player)
    Club.objects.filter(founder=player).update(founder=None)


def _save_new(club: Club) -> None:
    base = slugify(club.name)[:60] or "club"
    for suffix in ("", *(f"-{number}" for number in range(2, 1_000))):
        club.slug = base + suffix
        if club.slug in _RESERVED_SLUGS:
            continue
        try:
            with transaction.atomic():
                club.save()
        except IntegrityError:
            if Club.objects.filter(canonical=club.canonical).exists():
                raise RefusedError("club-exists", club.name) from None
            continue
        return
    raise RefusedError("club-name", club.name)


def _fill(club: Club, about: About) -> None:
    introduction, place = one_line(about.introduction), one_line(about.place)
    short_name, federation = one_line(about.short_name), about.federation.strip().upper()
    lengths = (
        (introduction, CLUB_INTRODUCTION_LENGTH),
        (place, _PLACE_LENGTH),
        (short_name, SHORT_NAME_LENGTH),
    )
    if any(len(text) > most for text, most in lengths):
        raise RefusedError("club-words")
    if federation and not _FEDERATION.fullmatch(federation):
        raise RefusedError("introduction-federation", federation[:10])
    if introduction != club.introduction:
        if club.hidden_at is not None and database_time.now() < club.hidden_at + PAUSE:
            raise RefusedError("club-hidden", club.hidden_at.isoformat())
        club.hidden_at = None
    club.introduction, club.place = introduction, place
    club.short_name, club.federation = short_name, federation
    club.address = _checked_address(about.address.strip())


def _checked_address(address: str) -> str:
    """Return the address of a page. Raises RefusedError `club-address`."""
    try:
        parts = urlsplit(address)
        is_page = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_page = False
    is_plain = address.isascii() and address.isprintable() and " " not in address
    if address and not (is_page and is_plain and len(address) <= _ADDRESS_LENGTH):
        raise RefusedError("club-address", address[:_ADDRESS_LENGTH])
    return address


def _lock(club_id: int) -> Club:
    club = Club.objects.select_for_update(no_key=True).filter(pk=club_id).first()
    if club is None:
        raise StaleError("club-gone", str(club_id))
    return club


def _require_room(player: Player) -> None:
    if player.clubs.count() >= MOST_CLUBS:
        raise RefusedError("clubs-many", str(MOST_CLUBS))


def _row(club: Club, player: Player) -> ClubMember:
    row = club.members.filter(player=player).first()
    if row is None:
        raise StaleError("no-such-member", player.name)
    return row


def _require_leader(club: Club, player: Player, *, is_owner: bool = False) -> None:
    roles = (ClubRole.OWNER.value,) if is_owner else LEADERS
    if not club.members.filter(player=player, role__in=roles).exists():
        raise NotAllowedError("club-owner" if is_owner else "club-leaders", club.name)


def _join(club: Club, player: Player, _other: Player) -> None:
    """Ask to join. A repeated request changes nothing. Raises RefusedError `clubs-many`, `club-full`."""
    if club.members.filter(player=player).exists():
        return
    _require_room(player)
    if club.members.count() >= MOST_MEMBERS:
        raise RefusedError("club-full", str(MOST_MEMBERS))
    ClubMember.objects.create(club=club, player=player, asked_at=database_time.now())
    leaders = club.members.filter(role__in=LEADERS).select_related("player")
    payload = {"club": club.slug, "club_name": club.name, "player": player.name}
    news.announce_to([row.player for row in leaders], "club-request", {**payload})


def _accept(club: Club, player: Player, other: Player) -> None:
    """Accept a player who asks. Raises NotAllowedError `club-leaders`, StaleError `no-such-member`."""
    _require_leader(club, player)
    row = _row(club, other)
    if row.role != ClubRole.APPLICANT:
        raise StaleError("no-such-member", other.name)
    row.role, row.joined_at = ClubRole.MEMBER, database_time.now()
    row.save(update_fields=["role", "joined_at"])
    news.announce_to([other], "club-accepted", {"club": club.slug, "club_name": club.name})


def _remove(club: Club, player: Player, other: Player) -> None:
    """Remove a member, or refuse a player who asks. Members leave themselves.

    Officers remove members, and the owner removes officers too. Raises NotAllowedError `club-leaders`, `club-owner`,
    StaleError `no-such-member`.
    """
    row = _row(club, other)
    if other.pk != player.pk:
        _require_leader(club, player, is_owner=row.is_leader)
    _leave(club, other)


def _leave(club: Club, player: Player) -> None:
    """Delete the membership. The first officer, or else the first member, follows an owner.

    A club whose last member leaves is deleted. Events that name it keep the name.
    """
    row = club.members.filter(player=player).first()
    if row is None:
        return
    row.delete()
    if row.role != ClubRole.OWNER:
        return
    others = club.members.exclude(role=ClubRole.APPLICANT).order_by("joined_at", "pk")
    heir = others.filter(role=ClubRole.OFFICER).first() or others.first()
    if heir is None:
        club.delete()
        return
    heir.role = ClubRole.OWNER
    heir.save(update_fields=["role"])


def _appoint(role: ClubRole) -> Callable[[Club, Player, Player], None]:
    def appoint(club: Club, player: Player, other: Player) -> None:
        """Give a member another role. Raises NotAllowedError `club-owner`, StaleError `no-such-member`."""
        _require_leader(club, player, is_owner=True)
        row = _row(club, other)
        if row.role == ClubRole.APPLICANT or other.pk == player.pk:
            raise StaleError("no-such-member", other.name)
        if role is ClubRole.OWNER:
            club.members.filter(player=player).update(role=ClubRole.OFFICER)
        row.role = role
        row.save(update_fields=["role"])

    return appoint


# The acts of the pages and of the API, in the order of its documentation.
ACTS = {
    "join": ClubAct(_("You asked to join. An officer of the club will answer."), _join),
    "accept": ClubAct(_("The player is a member of the club now."), _accept),
    "remove": ClubAct(_("The player is no member of the club any more."), _remove),
    "officer": ClubAct(_("The member is an officer now."), _appoint(ClubRole.OFFICER)),
    "member": ClubAct(_("The officer is an ordinary member now."), _appoint(ClubRole.MEMBER)),
    "owner": ClubAct(
        _("The member owns the club now, and you are an officer."), _appoint(ClubRole.OWNER)
    ),
}
