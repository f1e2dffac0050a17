"""Accounts and players: signing up, adding bots, and names."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Mapping, Sequence

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from engine import players as engines
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Bot, Guest, Player, User, statements
from tournaments.models.players import NAME_LENGTH, canonical_name

_SHORTEST_NAME = 2
# The name of deleted accounts, before the number of the player.
DELETED_NAME = "Deleted player"
# The name of guests, before a few digits.
GUEST_NAME = "Guest"


def named(name: str) -> Player:
    """The player with an account of that name. Raises RefusedError `no-such-player`."""
    player = Player.objects.named().filter(canonical=canonical_name(name)).first()
    if player is None:
        raise RefusedError("no-such-player", name)
    return player


def sign_up(*, name: str, password: str, email: str = "", guest: Player | None = None) -> User:
    """A new account with its player: the `guest` who signs up, with its games, or a new one.

    A guest who has signed up already, in another tab, is not taken twice.

    Raises:
        RefusedError: `name-taken`, `name-alike`, `name-bad` or `password-weak` (the detail has
            Django's reasons).
    """
    name = checked_name(name)
    require_no_look_alike(name)
    user = User(username=canonical_name(name), email=email)
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise RefusedError("password-weak", " ".join(error.messages)) from error
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
            if guest is None or not _become_person(guest, name, user):
                add_player(name, Player.Kind.PERSON, user)
    except IntegrityError as error:
        raise RefusedError("name-taken", name) from error
    return user


def _become_person(guest: Player, name: str, user: User) -> bool:
    """Make the guest the player of `user`, and return False if it is no longer a guest.

    In the caller's transaction.
    """
    guests = Player.objects.filter(pk=guest.pk, kind=Player.Kind.GUEST, guest__isnull=False)
    changed = guests.update(
        kind=Player.Kind.PERSON, name=name, canonical=canonical_name(name), user=user
    )
    Guest.objects.filter(player=guest.pk).delete()
    return changed == 1


def add_bot(*, name: str, engine: str, description: str = "", owner: User | None = None) -> Player:
    """A bot player that runs a built-in engine such as `greedy` or `search:200`.

    Raises:
        RefusedError: `name-taken`, `name-bad` or `engine-unknown`.
    """
    name = checked_name(name)
    if not engines.is_player(engine):
        raise RefusedError("engine-unknown", engine)
    try:
        with transaction.atomic():
            player = add_player(name, Player.Kind.BOT, None)
            Bot.objects.create(player=player, engine=engine, description=description, owner=owner)
    except IntegrityError as error:
        raise RefusedError("name-taken", name) from error
    return player


def built_in_bots() -> Sequence[Player]:
    """Return the active bots that all may challenge, by name."""
    return list(
        Player.objects.of_workers()
        .filter(bot__is_active=True)
        .select_related("bot")
        .order_by("name")
    )


def add_player(name: str, kind: Player.Kind, user: User | None) -> Player:
    """Return a new player, in the caller's transaction. The database refuses a name that is taken."""
    return Player.objects.create(
        kind=kind,
        name=name,
        canonical=canonical_name(name),
        user=user,
        created_at=database_time.now(),
    )


def checked_name(name: str) -> str:
    """Return `name` with its blanks joined.

    Only letters, digits, blanks and `-_.'` are accepted: no invisible characters, and no characters
    that reverse text.

    Raises:
        RefusedError: `name-bad`.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    # One letter of a name may be a whole phrase in its canonical form.
    if (
        not _SHORTEST_NAME <= len(name) <= NAME_LENGTH
        or len(canonical_name(name)) > 2 * NAME_LENGTH
    ):
        raise RefusedError(
            "name-bad", gettext_noop("A name has 2 to %(most)s characters."), most=str(NAME_LENGTH)
        )
    if canonical_name(name).startswith(canonical_name(DELETED_NAME)):
        raise RefusedError("name-bad", gettext_noop("Deleted accounts have such names."))
    if canonical_name(name).split()[0] == canonical_name(GUEST_NAME):
        raise RefusedError("name-bad", gettext_noop("Guests have such names."))
    for character in name:
        if not (character.isalnum() or character in " -_.'"):
            raise RefusedError(
                "name-bad",
                gettext_noop("%(character)s cannot be part of a name."),
                character=repr(character),
            )
    if len({_script(character) for character in name} - {""}) > 1:
        raise RefusedError("name-bad", gettext_noop("A name has letters of one script."))
    if canonical_name(name) in _RESERVED:
        raise RefusedError("name-bad", gettext_noop("This name is kept for the site itself."))
    return name


def require_no_look_alike(name: str) -> None:
    """Refuse a name that a reader would take for that of another player: `AIice` or `Álice` beside `Alice`.

    Raises RefusedError `name-alike`.
    """
    canonical = canonical_name(name)
    alike = _alike.all(pattern=f"^{_look_alikes(canonical)}$", canonical=canonical)
    if alike:
        raise RefusedError("name-alike", alike[0][0])


@statements.query
def _alike(pattern: str, canonical: str) -> QuerySet[Player, tuple[str]]:
    """Return the name of the first other player whose name matches."""
    rows = Player.objects.named().filter(canonical__regex=pattern).exclude(canonical=canonical)
    return rows.order_by("pk").values_list("name")[:1]


def _look_alikes(canonical: str) -> str:
    """A regular expression of the names that look like this one."""
    plain = "".join(map(_plain_letter, canonical))
    for several, one in _ONE_FOR_SEVERAL.items():
        plain = plain.replace(several, one)
    return "".join(map(_pattern, plain))


def _pattern(letter: str) -> str:
    group = next((each for each in _ALIKE if letter in each), letter)
    letters = "".join(re.escape(each + _ACCENTED.get(each, "")) for each in group)
    several = [key for key, one in _ONE_FOR_SEVERAL.items() if one == letter]
    return f"(?:{'|'.join([f'[{letters}]', *several])})"


def _plain_letter(letter: str) -> str:
    """Return a Latin letter without its accents, and any other character as it is."""
    plain = unicodedata.normalize("NFKD", letter)[0]
    return plain if _script(plain) == "LATIN" else letter


# Letters and figures that look the same in one face or another, in small letters.
_ALIKE = ("il1", "o0")
_ONE_FOR_SEVERAL = {"rn": "m", "vv": "w"}
_ACCENTED: Mapping[str, str] = {
    plain: "".join(map(chr, codes))
    for plain, codes in itertools.groupby(
        sorted(
            (code for code in range(0xC0, 0x1F00) if unicodedata.decomposition(chr(code))),
            key=lambda code: (unicodedata.normalize("NFKD", chr(code))[0], code),
        ),
        key=lambda code: unicodedata.normalize("NFKD", chr(code))[0],
    )
    if plain.isascii() and plain.isalpha()
}
# Names that belong to the site.
_RESERVED = frozenset(
    {
        *("admin", "administrator", "moderator", "official", "rayuela", "root"),
        *("security", "staff", "support", "system", "team"),
    }
)


def _script(character: str) -> str:
    """Return the script of a letter by its Unicode name.

    Japanese writing counts as one. Empty for characters that all scripts share.
    """
    if not character.isalpha():
        return ""
    script = unicodedata.name(character, "").split()[0].split("-")[0]
    return "JAPANESE" if script in {"CJK", "HIRAGANA", "KATAKANA", "HALFWIDTH"} else script
