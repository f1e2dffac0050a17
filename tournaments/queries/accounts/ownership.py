"""Ties between players: the account that owns them, and the program that plays for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

from tournaments.models import Bot, Entry, Player

_ACCOUNT, _PROGRAM = "account", "program"


def accounts_behind(players: Iterable[Player]) -> dict[int, int]:
    """Return the account of each of the players, by their ids. Built-in bots have none."""
    return {
        player_id: number
        for player_id, ties in ties_of(players).items()
        for kind, number in ties
        if kind == _ACCOUNT
    }


def account_of(player: Player) -> int | None:
    """The account behind the player, None without one."""
    return accounts_behind([player]).get(player.pk)


def ties_of(players: Iterable[Player]) -> dict[int, frozenset[tuple[str, int]]]:
    """Return the account and the uploaded program behind each of the players, by their ids.

    Players who share one could help each other: they would play for one account, or a program
    would play itself. Built-in bots have none.
    """
    player_list = list(players)
    ties: dict[int, set[tuple[str, int]]] = {player.pk: set() for player in player_list}
    for player in player_list:
        if not player.is_bot and player.user_id is not None:
            ties[player.pk].add((_ACCOUNT, player.user_id))
    bots = {player.pk for player in player_list if player.is_bot}
    rows = Bot.objects.of_authors().filter(player__in=bots) if bots else Bot.objects.none()
    for player_id, owner, program in rows.values_list("player_id", "owner_id", "program_id"):
        if owner is not None:
            ties[player_id].add((_ACCOUNT, owner))
        if program is not None:
            ties[player_id].add((_PROGRAM, program))
    return {player_id: frozenset(each) for player_id, each in ties.items()}


def tied_pairs(entries: Iterable[Entry]) -> frozenset[frozenset[int]]:
    """Return every two pairing numbers whose players share an account or a program."""
    entry_list = [entry for entry in entries if entry.tpn is not None]
    ties = ties_of(entry.player for entry in entry_list)
    return frozenset(
        frozenset((one.tpn or 0, other.tpn or 0))
        for one, other in combinations(entry_list, 2)
        if not ties[one.player_id].isdisjoint(ties[other.player_id])
    )


def entries_of_one_program(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Return the entries of each uploaded program that has several, in their order."""
    entry_list = list(entries)
    ties = ties_of(entry.player for entry in entry_list)
    by_program: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry in entry_list:
        for kind, number in ties[entry.player_id]:
            if kind == _PROGRAM:
                by_program[number].append(entry)
    return [same for same in by_program.values() if len(same) > 1]
