"""The opponents of a player in a pool, and the results of two players against each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Avg, Case, Count, F, Q, QuerySet, When

from tournaments.models import Game, LedgerEntry, PairTally, Player, Pool, statements
from tournaments.models.games import GameQuerySet
from tournaments.queries.ratings import ledger, pools


@dataclass(slots=True)
class Tally:
    """Games of one against another, from the one's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score_halves(self) -> int:
        """The one's score in half points."""
        return 2 * self.wins + self.draws

    @property
    def lost_halves(self) -> int:
        """The other's score in half points."""
        return 2 * self.losses + self.draws

    def add_all(self, wins: int, draws: int, losses: int) -> None:
        """Count games by their results."""
        self.wins += wins
        self.draws += draws
        self.losses += losses

    def add(self, score_halves: int, games: int) -> None:
        """Count `games` games that scored `score_halves` half points each."""
        self.wins += games * (score_halves == 2)
        self.draws += games * (score_halves == 1)
        self.losses += games * (score_halves == 0)


@dataclass(frozen=True, slots=True)
class Opponent:
    """One opponent in a pool's rated games: the results, and the average rating then, in hundredths."""

    player: Player
    tally: Tally
    average_centielo: int


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
    tallies: dict[int, Tally] = defaultdict(Tally)
    of_pool = PairTally.objects.filter(pool=pool)
    columns = ("wins", "draws", "losses")
    for met, wins, draws, losses in of_pool.filter(first=player).values_list("second", *columns):
        tallies[met].add_all(wins, draws, losses)
    for met, losses, draws, wins in of_pool.filter(second=player).values_list("first", *columns):
        tallies[met].add_all(wins, draws, losses)
    frequent = sorted(tallies, key=lambda met: (-tallies[met].games, met))[:most]
    averages = _average_ratings(player, pool, frequent)
    players = Player.objects.in_bulk(frequent)
    return [
        Opponent(players[met], tallies[met], averages[met]) for met in frequent if met in averages
    ]


def _average_ratings(player: Player, pool: Pool, opponent_ids: Sequence[int]) -> dict[int, int]:
    """The average rating, in hundredths, that each of these had in the games with the player."""
    rows = (
        LedgerEntry.objects.standing()
        .filter(
            Q(side="first", game__first=player, game__second__in=opponent_ids)
            | Q(side="second", game__second=player, game__first__in=opponent_ids),
            player=player,
            pool=pool,
        )
        .order_by()
        .annotate(met=Case(When(side="first", then=F("game__second")), default=F("game__first")))
        .values("met")
        .annotate(average=Avg("opponent_centielo"))
    )
    return {row["met"]: round(row["average"]) for row in rows}


def games_between(one: Player | int, other: Player | int) -> GameQuerySet:
    """The games of the two against each other, rated or not, the latest first."""
    between = Q(first=one, second=other) | Q(first=other, second=one)
    return Game.objects.filter(between).order_by("-created_at", "-pk")


@statements.query
def _counted(one: int, other: int) -> QuerySet[Game, tuple[str, int, str | None, int]]:
    finished = games_between(one, other).filter(result__in=list(ledger.SCORES)).order_by()
    return finished.values_list("ruleset", "first_id", "result").annotate(games=Count("pk"))


def head_to_head(one: Player, other: Player) -> HeadToHead:
    """The results of `one` against `other`, counted by the database."""
    rows = _counted.all(one=one.pk, other=other.pk)
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
