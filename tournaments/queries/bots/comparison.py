"""Two versions of one bot beside each other, by the games that both have played."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.stats.elo import EloDifference
from engine.stats.outcomes import Outcomes, elo_difference, likelihood_of_superiority
from tournaments.models import Bot, Game, Player
from tournaments.queries.ratings.head_to_head import Tally

# Common opponents that are shown, those with most games first.
_MOST = 50


@dataclass(frozen=True, slots=True)
class CommonOpponent:
    """An opponent of both, and the results of each."""

    player: Player
    one: Tally
    other: Tally

    @property
    def games(self) -> int:
        """Return the number of games of both together."""
        return self.one.games + self.other.games


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions by the games they have played.

    Attributes:
        direct: the first version's games against the other.
        elo: the first version's difference by these games; None without a game.
        superiority: the probability that the first is stronger by these games; None without a game.
        opponents: the opponents of both.
        one, other: the results against all of these together.
    """

    direct: Tally
    elo: EloDifference | None
    superiority: float | None
    opponents: Sequence[CommonOpponent]
    one: Tally
    other: Tally

    @property
    def superiority_thousandths(self) -> int:
        """The probability in thousandths, 500 before anything is known."""
        return 500 if self.superiority is None else round(1000 * self.superiority)


def compare(one: Bot, other: Bot) -> Comparison:
    """Return the comparison of two versions by their finished games on all boards, without forfeits and void games."""
    own, others = (_tallies(bot.player) for bot in (one, other))
    direct = own.get(other.player_id, Tally())
    outcomes = Outcomes((direct.losses, direct.draws, direct.wins))
    common = sorted(
        own.keys() & others.keys(), key=lambda pk: (-own[pk].games - others[pk].games, pk)
    )
    players = Player.objects.in_bulk(common)
    return Comparison(
        direct=direct,
        elo=elo_difference(outcomes) if direct.games else None,
        superiority=likelihood_of_superiority(outcomes) if direct.games else None,
        opponents=[CommonOpponent(players[pk], own[pk], others[pk]) for pk in common[:_MOST]],
        one=_sum(own[pk] for pk in common),
        other=_sum(others[pk] for pk in common),
    )


def _tallies(player: Player) -> dict[int, Tally]:
    """The player's results by opponent."""
    games = Game.objects.of(player).filter(result__in=["first", "second", "draw"])
    tallies: dict[int, Tally] = defaultdict(Tally)
    for first, second, result in games.order_by().values_list("first", "second", "result"):
        side = "first" if first == player.pk else "second"
        tally = tallies[second if side == "first" else first]
        if result == "draw":
            tally.draws += 1
        elif result == side:
            tally.wins += 1
        else:
            tally.losses += 1
    return dict(tallies)


def _sum(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.wins += tally.wins
        total.draws += tally.draws
        total.losses += tally.losses
    return total
