"""Formats without common rounds: free players are paired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Event, Pool
from tournaments.pairing import RoundRecord, arena
from tournaments.queries.formats.base import Format, Late, PoolRow
from tournaments.queries.ratings import bradley_terry_table, pools


class Arena(Format):
    """Free players are paired until a time."""

    code = "arena"
    about = _("free players are paired immediately until the end. Winning streaks count double")
    fields = ("duration_s",)
    late = Late.ALWAYS
    is_continuous = True
    is_ranked_by_points = True
    least_duration_s = 60
    meetings = {
        "pool": _(
            "Both were free. In the standings their places differed by %(gap)d. They had "
            "waited %(waited_first)s and %(waited_second)s. The longer a player waits, "
            "the wider the gap may be."
        ),
    }

    def pool_rows(
        self, event: Event, records: Mapping[Entry, Sequence[RoundRecord]]
    ) -> Sequence[PoolRow]:
        """Return the table by arena points, then wins, then the smaller number."""
        rows = []
        for entry, own in records.items():
            score = arena.arena_points(own)
            wins = _wins(event, own)
            rows.append(PoolRow(entry, 2 * score.points, wins, len(own), score.is_on_fire))
        return sorted(rows, key=lambda r: (-r.points_halves, -r.wins, r.entry.tpn))


class Ladder(Format):
    """Free bots are paired by rating, with both colours."""

    code = "ladder"
    about = _(
        "free bots are paired for the most informative games. Every set-up is played with both colours"
    )
    fields = ("duration_s",)
    late = Late.ALWAYS
    is_continuous = True
    bots_only = True
    takes_volunteers = True
    games_a_pairing = 2
    meetings = {
        "ladder": _(
            "Drawn among those near in rating, with %(rank_gap)d places between them: a game tells more the less is known of"
            " both and the closer it is likely to be. The first one's expected score was %(expected).2f."
        ),
    }

    def pool_rows(
        self, event: Event, records: Mapping[Entry, Sequence[RoundRecord]]
    ) -> Sequence[PoolRow]:
        """Return the table by the published rating of today, which the games of the ladder move.

        Bots without a game come last.
        """
        pool = Pool.objects.filter(key=pools.key_of(event)).first()
        strengths = bradley_terry_table.strengths(pool) if pool else None
        ratings = {row.player: row.centielo for row in strengths.rows} if strengths else {}
        rows = [
            PoolRow(
                entry,
                sum(record.score_halves for record in own),
                _wins(event, own),
                len(own),
                rating_centielo=ratings.get(entry.player_id),
            )
            for entry, own in records.items()
        ]
        return sorted(
            rows, key=lambda r: (r.rating_centielo is None, -(r.rating_centielo or 0), r.entry.tpn)
        )


def _wins(event: Event, records: Sequence[RoundRecord]) -> int:
    return sum(record.score_halves == event.win_halves for record in records)
