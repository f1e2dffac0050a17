"""The account that owns a player: its own, or the author's of a bot."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from tournaments.models import Bot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.models import Entry, Player


def accounts_behind(players: Iterable[Player]) -> dict[int, int]:
    """The account behind each of the players, by their ids; built-in bots have none."""
    accounts: dict[int, int] = {}
    bots = []
    for player in players:
        if player.is_bot:
            bots.append(player.pk)
        elif player.user_id is not None:
            accounts[player.pk] = player.user_id
    if bots:
        owners = Bot.objects.of_authors().filter(player__in=set(bots), owner__isnull=False)
        accounts.update(owners.values_list("player_id", "owner_id"))
    return accounts


def account_of(player: Player) -> int | None:
    """The account behind the player, None without one."""
    return accounts_behind([player]).get(player.pk)


def pairs_of_one_account(entries: Iterable[Entry]) -> frozenset[frozenset[int]]:
    """Every two pairing numbers that belong to one account, which would play for each other."""
    entry_list = list(entries)
    accounts = accounts_behind(entry.player for entry in entry_list)
    numbers: dict[int, list[int]] = {}
    for entry in entry_list:
        account = accounts.get(entry.player_id)
        if account is not None and entry.tpn is not None:
            numbers.setdefault(account, []).append(entry.tpn)
    return frozenset(frozenset(two) for own in numbers.values() for two in combinations(own, 2))
