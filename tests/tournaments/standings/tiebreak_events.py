"""Small events written as words, for tests of the tie-breaks."""

from __future__ import annotations

from tests.tournaments.standings import tiebreak_corpus
from tournaments.round_kinds import Kind
from tournaments.standings import Field, Game, Participant, column, decimal_text, ranking

POINTS = tiebreak_corpus.Points()


def field(*rows: str, ratings: tuple[int | None, ...] = (), **more) -> Field:
    """Return participants from 1 on by their rounds, written as in the corpus: `2w1 -H`.

    `?` is a running game, `-x` a free round.
    """
    participants = []
    for n, row in enumerate(rows, start=1):
        games = []
        for word in row.split():
            if word.endswith("?"):
                games.append(Game(Kind.OPEN, 0, int(word[:-2]), is_first=word[-2] == "w"))
            elif word == "-x":
                games.append(Game(Kind.FREE))
            else:
                games.append(tiebreak_corpus.game(word, POINTS))
        rating = ratings[n - 1] if ratings else 2000 + n
        participants.append(Participant(n, tuple(games), rating))
    return Field(participants, **more)


def values(event: Field, name: str) -> list[str | None]:
    """Return the shown values of all participants, by id."""
    return [None if v is None else decimal_text(v) for v in column(event, name).values()]


def ranks(event: Field, *names: str) -> dict[int, int]:
    """Places by id."""
    return {p.id: p.rank for p in ranking(event, names).places}
