"""Facts of C.04.3 about a player, read from the plain records by separate code, without the engine."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.pairing import Contestant, PairingProblem, RoundKind

WHITE, BLACK = "white", "black"
_COLOUR = {RoundKind.FIRST: WHITE, RoundKind.SECOND: BLACK}
_NO_BYE_AFTER = (RoundKind.PAIRING_BYE, RoundKind.FULL_BYE, RoundKind.FORFEIT_WIN)


@dataclass(frozen=True)
class Player:
    """A player before the round.

    Scores are in half points, the strength of a preference is 0 (missing) to 3 (absolute).
    """

    tpn: int
    score: int
    history: tuple[str, ...]
    opponents: frozenset[int]
    preference: str
    strength: int
    float_last: str
    float_before: str
    may_have_bye: bool
    unplayed: int
    is_topscorer: bool

    @property
    def difference(self) -> int:
        """1.6: how often white less how often black."""
        return self.history.count(WHITE) - self.history.count(BLACK)


def ranked_players(problem: PairingProblem) -> list[Player]:
    """Everybody to be paired, by score and then by TPN (1.2)."""
    everybody = {c.tpn: c for c in (*problem.contestants, *problem.absent)}
    players = [_player(problem, everybody, c) for c in problem.contestants]
    return sorted(players, key=lambda p: (-p.score, p.tpn))


def score_before(contestant: Contestant, number: int) -> int:
    """The points before round `number`, with the virtual points of that round (1.2, C.04.7 1.4)."""
    points = 0
    for index in range(number - 1):
        points += contestant.records[index].score_halves
    if len(contestant.virtual_halves) >= number:
        points += contestant.virtual_halves[number - 1]
    return points


def _player(
    problem: PairingProblem, everybody: dict[int, Contestant], contestant: Contestant
) -> Player:
    history = tuple(_COLOUR[r.kind] for r in contestant.records if r.kind in _COLOUR)
    preference, strength = _preference(history)
    played = [r for r in contestant.records if r.kind in _COLOUR]
    now = problem.round_number
    real_points = sum(r.score_halves for r in contestant.records)
    possible = (now - 1) * problem.points.win
    return Player(
        tpn=contestant.tpn,
        score=score_before(contestant, now),
        history=history,
        opponents=frozenset(r.opponent for r in played if r.opponent is not None),
        preference=preference,
        strength=strength,
        float_last=_float(problem, everybody, contestant, now - 1),
        float_before=_float(problem, everybody, contestant, now - 2),
        may_have_bye=all(r.kind not in _NO_BYE_AFTER for r in contestant.records),
        unplayed=len(contestant.records) - len(played),
        is_topscorer=now >= problem.rounds_total and real_points > possible / 2,
    )


def _preference(history: tuple[str, ...]) -> tuple[str, int]:
    """1.7: the colour preferred, and how strongly."""
    if not history:
        return "", 0
    difference = history.count(WHITE) - history.count(BLACK)
    last_two = history[-2:]
    if difference > 1:
        return BLACK, 3
    if difference < -1:
        return WHITE, 3
    if last_two == (WHITE, WHITE):
        return BLACK, 3
    if last_two == (BLACK, BLACK):
        return WHITE, 3
    if difference == 1:
        return BLACK, 2
    if difference == -1:
        return WHITE, 2
    return (BLACK if history[-1] == WHITE else WHITE), 1


def _float(
    problem: PairingProblem, everybody: dict[int, Contestant], contestant: Contestant, number: int
) -> str:
    """Return the float of 1.4 in that round: `down`, `up` or empty."""
    if number < 1:
        return ""
    record = contestant.records[number - 1]
    if record.kind not in _COLOUR:
        if record.kind is RoundKind.PAIRING_BYE or record.score_halves > problem.points.loss:
            return "down"
        return ""
    opponent = everybody.get(record.opponent or 0)
    if opponent is None:
        return ""
    mine, theirs = score_before(contestant, number), score_before(opponent, number)
    if mine > theirs:
        return "down"
    return "up" if mine < theirs else ""


def white_of(problem: PairingProblem, higher: Player, lower: Player) -> Player:
    """Return the player of a pair with white (5.2): the first article that decides."""
    return colour_article(problem, higher, lower)[0]


def colour_article(problem: PairingProblem, higher: Player, lower: Player) -> tuple[Player, str]:
    """Return the player of a pair with white, and the article that decides."""
    if not higher.preference and not lower.preference:
        uncounted = [c for c in problem.absent if c.tpn < higher.tpn and not c.was_ever_paired]
        is_odd = (higher.tpn - len(uncounted)) % 2 == 1
        return (higher if is_odd == problem.odd_tpn_is_first else lower), "5.2.5"
    if higher.preference != lower.preference:  # 5.2.1: both can be granted
        if WHITE in (higher.preference, lower.preference):
            return (higher if higher.preference == WHITE else lower), "5.2.1"
        return (lower if higher.preference == BLACK else higher), "5.2.1"
    stronger = _stronger(higher, lower)
    if stronger is not None:
        return _with_preference(stronger, lower if stronger is higher else higher), "5.2.2"
    shared = min(len(higher.history), len(lower.history))
    for back in range(1, shared + 1):
        mine, theirs = higher.history[-back], lower.history[-back]
        if mine != theirs:
            return (lower if mine == WHITE else higher), "5.2.3"
    return _with_preference(higher, lower), "5.2.4"


def _stronger(higher: Player, lower: Player) -> Player | None:
    """Return the player with the stronger preference (5.2.2), for two absolute ones the wider difference."""
    if higher.strength != lower.strength:
        return higher if higher.strength > lower.strength else lower
    mine, theirs = abs(higher.difference), abs(lower.difference)
    if higher.strength == 3 and mine != theirs:
        return higher if mine > theirs else lower
    return None


def _with_preference(winner: Player, other: Player) -> Player:
    """Return the player with white when `winner` gets the colour preferred."""
    return winner if winner.preference == WHITE else other
