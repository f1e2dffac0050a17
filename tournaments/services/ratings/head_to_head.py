"""The opponents of a player in a pool, and the results of two players against each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db.models import Avg, Case, Count, F, Q, Sum, When

from tournaments.models import Game, LedgerEntry, Player
from tournaments.services.ratings import ledger, pools

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Pool
    from tournaments.models.games import GameQuerySet


@dataclass(frozen=True, slots=True)
class Opponent:
    """One opponent in a pool's rated games: the results, and the average rating then."""

    player: Player
    games: int
    wins: int
    draws: int
    score_halves: int
    average_centielo: int

    @property
    def losses(self) -> int:
        """Games lost against this opponent."""
        return self.games - self.wins - self.draws


@dataclass(slots=True)
class Tally:
    """Games of one against another, from the one's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many."""
        return self.wins + self.draws + self.losses

    @property
    def score_halves(self) -> int:
        """The one's score in half points."""
        return 2 * self.wins + self.draws

    @property
    def lost_halves(self) -> int:
        """The other's score in half points."""
        return 2 * self.losses + self.draws

    def add(self, score_halves: int, games: int) -> None:
        """Count `games` games that scored so many half points each."""
        self.wins += games * (score_halves == 2)
        self.draws += games * (score_halves == 1)
        self.losses += games * (score_halves == 0)


@dataclass(slots=True)
class Encounters:
    """Games of one against another of one kind: all of them, and by the side the one had."""

    game: str
    total: Tally = field(default_factory=Tally)
    as_first: Tally = field(default_factory=Tally)
    as_second: Tally = field(default_factory=Tally)

    def add(self, score_halves: int, games: int, *, is_first: bool) -> None:
        """Count games of one side and result."""
        for tally in (self.total, self.as_first if is_first else self.as_second):
            tally.add(score_halves, games)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """All counted games of two players: together, and by game, the most played first."""

    together: Encounters
    by_game: Sequence[Encounters]


def opponents(player: Player, pool: Pool, *, most: int) -> list[Opponent]:
    """The opponents of the player in the pool's rated games, the most frequent first."""
    rows = (
        LedgerEntry.objects.standing()
        .filter(player=player, pool=pool, game__isnull=False)
        .order_by()
        .annotate(met=Case(When(side="first", then=F("game__second")), default=F("game__first")))
        .values("met")
        .annotate(
            times=Count("pk"),
            won=Count("pk", filter=Q(score_halves=2)),
            drawn=Count("pk", filter=Q(score_halves=1)),
            scored=Sum("score_halves"),
            average=Avg("opponent_centielo"),
        )
        .order_by("-times", "met")[:most]
    )
    row_list = list(rows)
    players = Player.objects.in_bulk([row["met"] for row in row_list])
    return [
        Opponent(
            player=players[row["met"]],
            games=row["times"],
            wins=row["won"],
            draws=row["drawn"],
            score_halves=row["scored"],
            average_centielo=round(row["average"]),
        )
        for row in row_list
    ]


def games_between(one: Player, other: Player) -> GameQuerySet:
    """The games of the two against each other, rated or not, the latest first."""
    between = Q(first=one, second=other) | Q(first=other, second=one)
    return Game.objects.filter(between).order_by("-created_at", "-pk")


def head_to_head(one: Player, other: Player) -> HeadToHead:
    """The results of `one` against `other`, counted by the database."""
    rows = (
        games_between(one, other)
        .filter(result__in=list(ledger.SCORES))
        .order_by()
        .values_list("ruleset", "first_id", "result")
        .annotate(games=Count("pk"))
    )
    together = Encounters("")
    by_game: dict[str, Encounters] = {}
    for ruleset, first, result, games in rows:
        halves = ledger.SCORES[Game.Result(result or "")]
        is_first = first == one.pk
        mine = halves if is_first else 2 - halves
        name = pools.game_name(ruleset)
        for encounters in (together, by_game.setdefault(name, Encounters(name))):
            encounters.add(mine, games, is_first=is_first)
    return HeadToHead(together, sorted(by_game.values(), key=lambda e: (-e.total.games, e.game)))
