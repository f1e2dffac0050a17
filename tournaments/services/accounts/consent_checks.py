"""Checks of an author's consent before a game with a bot begins, at every place that begins games.

Built-in bots play all games. `Bot.plays` tells the games that a version can play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from django.db.models import Q

import games
from tournaments.errors import RefusedError
from tournaments.models import Bot, BotConsent, Event, Game, Player, RemoteBot, User
from tournaments.queries.accounts import ownership
from tournaments.queries.clocks import game_clocks
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.accounts import remote_presence


class Answer(StrEnum):
    """The answer of the consent to an organiser who wants to enter the bot."""

    YES = "yes"
    ASK = "ask"
    NO = "no"


def require_challenge(
    opponent: Player, challenger: Player, *, ruleset: str, clock: Clock, is_rated: bool
) -> None:
    """Raise RefusedError unless the author of the bot `opponent` takes such a game of `challenger`.

    By `bot-casual-only`, `bot-rated-only`, `bot-no-challenges`, `bot-board`, `bot-clock`,
    `bot-people-only`, `bot-bots-only`, `bot-refuses-account`.
    """
    consent = _of(opponent.bot)
    if consent is None:
        return
    kind = (
        BotConsent.Opponents.BOTS.value if challenger.is_bot else BotConsent.Opponents.PEOPLE.value
    )
    _require_none(
        _kind_code(consent, is_rated=is_rated)
        or _board_code(consent, ruleset)
        or _clock_code(consent, clock)
        or _opponents_code(consent, {kind})
        or _account_code(consent, ownership.account_of(challenger)),
        opponent,
    )


def require_match(bot: Bot, author: User, *, ruleset: str, clock: Clock) -> None:
    """Raise RefusedError unless `author` may play an unrated match of bots against `bot`.

    By `bot-no-matches`, `bot-board`, `bot-clock`, `bot-people-only`, `bot-refuses-account`.
    """
    _require_none(match_code(bot, author, ruleset=ruleset, clock=clock), bot.player)


def match_code(bot: Bot, author: User, *, ruleset: str, clock: Clock | None) -> str:
    """Return the code by which `require_match` refuses, or an empty text. Without a clock it is by fuel.

    An author's own bots need no consent.
    """
    consent = _of(bot)
    if consent is None or bot.owner_id == author.pk:
        return ""
    return (
        ("" if consent.takes_matches else "bot-no-matches")
        or _board_code(consent, ruleset)
        or (_clock_code(consent, clock) if clock is not None else "")
        or _opponents_code(consent, {BotConsent.Opponents.BOTS.value})
        or _account_code(consent, author.pk)
    )


def require_entry(event: Event, player: Player, actor: User) -> None:
    """Raise RefusedError unless `actor` may enter the bot `player` in the event without its author.

    Authors enter their own bots, and standing ladders have only bots that their authors entered.
    The code is `bot-asks` if the author wants to be asked, else as `entry_code`.
    """
    if not player.is_bot or event.standing_pool:
        return
    consent = _of(player.bot)
    if consent is None or player.bot.owner_id == actor.pk:
        return
    _require_none(entry_code(consent, event, actor), player)
    if event.format not in consent.open_formats:
        raise RefusedError("bot-asks" if consent.takes_requests else "bot-no-events", player.name)


def needs_request(event: Event, player: Player, actor: User) -> bool:
    """Return whether `actor` must ask the author before the player enters.

    Raises RefusedError if a request is useless, as `require_entry`.
    """
    try:
        require_entry(event, player, actor)
    except RefusedError as refusal:
        if refusal.code == "bot-asks":
            return True
        raise
    return False


def entry_code(consent: BotConsent, event: Event, asker: User) -> str:
    """Return the code of the property of the event that the author never accepts, or an empty text.

    `bot-casual-only`, `bot-rated-only`, `bot-no-challenges`, `bot-board`, `bot-clock` (not in
    events by fuel), `bot-people-only`, `bot-bots-only`, `bot-refuses-account`.
    """
    is_clocked = event.fuel is None
    return (
        _kind_code(consent, is_rated=event.is_rated)
        or _board_code(consent, event.ruleset)
        or (_clock_code(consent, game_clocks.clock_of(event)) if is_clocked else "")
        or _opponents_code(consent, _kinds_in(event))
        or _account_code(consent, asker.pk)
    )


def answers(bots: Iterable[Bot], event: Event, asker: User) -> Mapping[int, Answer]:
    """Return the answers of the bots' authors to an organiser who wants to enter them, by the bots' ids."""
    bots = list(bots)
    lines = {bot.line_id for bot in bots}
    rows = BotConsent.objects.select_related("line").filter(pk__in=lines)
    rows = rows.prefetch_related("refused_accounts")
    consents = {row.pk: row for row in rows}
    return {bot.pk: _answer(consents.get(bot.line_id or 0), bot, event, asker) for bot in bots}


def _answer(consent: BotConsent | None, bot: Bot, event: Event, asker: User) -> Answer:
    if consent is None or bot.owner_id == asker.pk:
        return Answer.YES
    if entry_code(consent, event, asker):
        return Answer.NO
    if event.format in consent.open_formats:
        return Answer.YES
    return Answer.ASK if consent.takes_requests else Answer.NO


# --- room for another game ---------------------------------------------------------------------------------------------


def require_room(players: Iterable[Player]) -> None:
    """Raise RefusedError `bot-inactive`, `bot-busy` unless each author's bot among `players` may begin another game.

    In the transaction that begins it: games that begin at one moment are counted one after the other.
    """
    ids = [player.pk for player in players if player.is_bot]
    if not ids:
        return
    rows = BotConsent.objects.select_for_update(of=("self",), no_key=True)
    for consent in rows.filter(line__versions__player__in=ids).order_by("pk"):
        if not consent.line.versions.filter(player__in=ids, is_active=True).exists():
            raise RefusedError("bot-inactive", consent.line.name)
        if _games_of([consent.pk])[consent.pk] >= consent.max_games:
            raise RefusedError("bot-busy", str(consent.max_games))


def unavailable(player_ids: Collection[int], now: datetime) -> frozenset[int]:
    """Return the players that are bots at their limit of games, or bots whose program is away."""
    if not player_ids:
        return frozenset()
    player_of = "line__versions__player"
    rows = BotConsent.objects.filter(**{f"{player_of}__in": player_ids})
    bots = list(rows.values_list(player_of, "pk", "max_games"))
    games_of = _games_of({line_id for _player, line_id, _most in bots})
    away = RemoteBot.objects.filter(bot__player__in=player_ids).exclude(
        seen_at__gt=now - remote_presence.PRESENT
    )
    busy = {pk for pk, line_id, most in bots if games_of[line_id] >= most}
    return frozenset(busy.union(away.values_list("bot__player", flat=True)))


def _games_of(line_ids: Collection[int]) -> Counter[int]:
    """Return the number of current and waiting games of each line."""
    count: Counter[int] = Counter()
    if not line_ids:
        return count
    for side in ("first", "second"):
        line = f"{side}__bot__line"
        open_games = Game.objects.ongoing().filter(Q(**{f"{line}__in": line_ids}))
        count.update(open_games.order_by().values_list(line, flat=True))
    return count


# --- the parts of a consent --------------------------------------------------------------------------------------------


def _of(bot: Bot) -> BotConsent | None:
    """Return the consent for the bot, or None for the site's own."""
    if bot.line_id is None:
        return None
    return BotConsent.objects.select_related("line").get(pk=bot.line_id)


def _require_none(code: str, player: Player) -> None:
    if code:
        raise RefusedError(code, player.name)


def _kind_code(consent: BotConsent, *, is_rated: bool) -> str:
    if not (consent.takes_rated or consent.takes_casual):
        return "bot-no-challenges"
    if is_rated:
        return "" if consent.takes_rated else "bot-casual-only"
    return "" if consent.takes_casual else "bot-rated-only"


def _board_code(consent: BotConsent, ruleset: str) -> str:
    boards = {_board(key) for key in consent.rulesets}
    return "" if not boards or _board(ruleset) in boards else "bot-board"


def _board(ruleset: str) -> tuple[str, str, int]:
    """The game, its edition and its size: set-ups and ballots make no other board."""
    rules = games.load(ruleset)
    return rules.family, str(rules.options.get("edition", "")), rules.size


def _clock_code(consent: BotConsent, clock: Clock) -> str:
    if clock.kind.is_unlimited:
        return "" if consent.takes_unlimited else "bot-clock"
    is_within = (
        consent.least_ms <= clock.initial_ms <= consent.most_ms
        and consent.least_increment_ms <= clock.increment_ms <= consent.most_increment_ms
    )
    return "" if is_within else "bot-clock"


def _opponents_code(consent: BotConsent, kinds: set[str]) -> str:
    """Return the code of the refused kind of opponents, or an empty text if one of the kinds is accepted."""
    if consent.opponents == BotConsent.Opponents.EVERYBODY or consent.opponents in kinds:
        return ""
    return f"bot-{consent.opponents}-only"


def _kinds_in(event: Event) -> set[str]:
    people, bots = BotConsent.Opponents.PEOPLE.value, BotConsent.Opponents.BOTS.value
    return {bots} if event.admits == Event.Admits.BOTS else {people, bots}


def _account_code(consent: BotConsent, account_id: int | None) -> str:
    if account_id is None or account_id == consent.line.owner_id:
        return ""
    # All of them, so that rows that were fetched before need no further query.
    refused = {account.pk for account in consent.refused_accounts.all()}
    return "bot-refuses-account" if account_id in refused else ""
