"""Permissions of an author for a bot: given with its line, changed at any time, for uploaded and remote bots."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction

import games
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import BotConsent, BotLine, Event, Player, User
from tournaments.models.consents import LEAST_CLOCK_MS, MAX_GAMES
from tournaments.models.players import canonical_name
from tournaments.queries.clocks.game_clocks import MAX_CLOCK_MS
from tournaments.services import audit

MAX_REFUSED = 50
_MAX_RULESETS = 50


@dataclass(frozen=True, slots=True)
class Consent:
    """The permissions of an author, in the form of `BotConsent`.

    The defaults are those of a new upload.

    Attributes:
        rulesets: keys of rule sets. Empty means every board of the bot's games.
        refused_accounts: names of accounts.
    """

    takes_casual: bool = True
    takes_rated: bool = True
    takes_matches: bool = True
    lends_modules: bool = False
    open_formats: Collection[str] = ()
    takes_requests: bool = True
    least_ms: int = LEAST_CLOCK_MS
    most_ms: int = MAX_CLOCK_MS
    least_increment_ms: int = 0
    most_increment_ms: int = MAX_CLOCK_MS
    takes_unlimited: bool = True
    rulesets: Collection[str] = ()
    opponents: str = BotConsent.Opponents.EVERYBODY.value
    refused_accounts: Collection[str] = ()
    max_games: int = MAX_GAMES


# A new remote bot's: one game at a time, with a clock that a program over the network keeps.
REMOTE = Consent(least_ms=10_000, most_ms=3_600_000, takes_unlimited=False, max_games=1)


def give(line: BotLine, consent: Consent) -> BotConsent:
    """Store the consent of a new line. In the caller's transaction.

    Raises RefusedError `clock-bad`, `consent-games`, `consent-formats`, `consent-opponents`,
    `consent-accounts`, `ruleset-bad`.
    """
    row = BotConsent(line=line)
    _fill(row, consent)
    row.save(force_insert=True)
    row.refused_accounts.set(_accounts(consent.refused_accounts))
    return row


def change(*, line_id: int, actor: User, consent: Consent) -> BotConsent:
    """Set the consent for games that begin from now on. Games that have begun continue.

    Raises:
        NotAllowedError: `not-your-bot`.
        RefusedError: as `give`.
    """
    with transaction.atomic():
        # The row by which games at one moment are counted one after the other.
        rows = BotConsent.objects.select_for_update(of=("self",), no_key=True)
        row = rows.select_related("line").get(pk=line_id)
        if row.line.owner_id != actor.pk:
            raise NotAllowedError("not-your-bot", row.line.name)
        before = _facts(of_row(row))
        _fill(row, consent)
        row.save()
        row.refused_accounts.set(_accounts(consent.refused_accounts))
        after = _facts(of_row(row))
        differences = {
            name: [before[name], value] for name, value in after.items() if value != before[name]
        }
        audit.note("bot-consent", actor=actor, line=line_id, changes=differences)
        return row


def of_line(line_id: int) -> Consent:
    """Return the permissions of the author of the line."""
    return of_row(BotConsent.objects.get(pk=line_id))


def of_row(row: BotConsent) -> Consent:
    """Return the permissions in the row."""
    accounts = row.refused_accounts.order_by("username")
    return Consent(
        takes_casual=row.takes_casual,
        takes_rated=row.takes_rated,
        takes_matches=row.takes_matches,
        lends_modules=row.lends_modules,
        open_formats=tuple(row.open_formats),
        takes_requests=row.takes_requests,
        least_ms=row.least_ms,
        most_ms=row.most_ms,
        least_increment_ms=row.least_increment_ms,
        most_increment_ms=row.most_increment_ms,
        takes_unlimited=row.takes_unlimited,
        rulesets=tuple(row.rulesets),
        opponents=row.opponents,
        refused_accounts=tuple(accounts.values_list("player__name", flat=True)),
        max_games=row.max_games,
    )


def _facts(consent: Consent) -> dict[str, object]:
    """The consent for the log, without the names of others."""
    facts = {name: getattr(consent, name) for name in Consent.__slots__}
    facts["refused_accounts"] = len(consent.refused_accounts)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in facts.items()}


def _fill(row: BotConsent, consent: Consent) -> None:
    """Set the columns of `row`, which is not saved."""
    clocks_ms = (LEAST_CLOCK_MS, consent.least_ms, consent.most_ms, MAX_CLOCK_MS)
    increments_ms = (0, consent.least_increment_ms, consent.most_increment_ms, MAX_CLOCK_MS)
    if list(clocks_ms) != sorted(clocks_ms) or list(increments_ms) != sorted(increments_ms):
        raise RefusedError("clock-bad", f"{clocks_ms} {increments_ms}")
    if not 1 <= consent.max_games <= MAX_GAMES:
        raise RefusedError("consent-games", str(consent.max_games))
    if not set(consent.open_formats) <= set(Event.Format.values):
        raise RefusedError("consent-formats", ", ".join(consent.open_formats))
    if consent.opponents not in BotConsent.Opponents.values:
        raise RefusedError("consent-opponents", consent.opponents)
    row.takes_casual = consent.takes_casual
    row.takes_rated = consent.takes_rated
    row.takes_matches = consent.takes_matches
    row.lends_modules = consent.lends_modules
    row.open_formats = [each for each in Event.Format.values if each in consent.open_formats]
    row.takes_requests = consent.takes_requests
    row.least_ms, row.most_ms = consent.least_ms, consent.most_ms
    row.least_increment_ms = consent.least_increment_ms
    row.most_increment_ms = consent.most_increment_ms
    row.takes_unlimited = consent.takes_unlimited
    row.rulesets = _keys(consent.rulesets)
    row.opponents = consent.opponents
    row.max_games = consent.max_games


def _keys(rulesets: Collection[str]) -> list[str]:
    if len(rulesets) > _MAX_RULESETS:
        raise RefusedError("ruleset-bad", f"{len(rulesets)} rule sets")
    try:
        return sorted({games.load(text).key for text in rulesets})
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error


def _accounts(names: Collection[str]) -> list[User]:
    """The accounts of these names. Raises RefusedError `consent-accounts` for unknown ones."""
    by_name = {canonical_name(name): name for name in names}
    if len(by_name) > MAX_REFUSED:
        raise RefusedError("consent-accounts", f"more than {MAX_REFUSED}")
    rows = Player.objects.filter(canonical__in=by_name, user__isnull=False).select_related("user")
    accounts = {player.canonical: player.user for player in rows if player.user is not None}
    unknown = [name for canonical, name in by_name.items() if canonical not in accounts]
    if unknown:
        raise RefusedError("consent-accounts", ", ".join(unknown))
    return list(accounts.values())
