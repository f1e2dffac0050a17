"""Alpha-beta search, one ply deeper while the clock allows.

One side may move twice in a row, so scores are not always negated.
"""

from rayuela_sdk import Option, info, log, run

DEPTH = Option("Depth", 20, 1, 20)  # the largest depth, which others can set


class TimeIsUpError(Exception):
    """The budget is spent in the middle of a depth, whose result is worthless."""


def choose(position, clock):
    moves = position.legal_moves()
    best, depth = moves[0], 0
    try:
        while len(moves) > 1 and depth < DEPTH.value:
            depth += 1
            scores = search_root(position, moves, depth, clock)
            scores.sort(reverse=True, key=lambda pair: pair[0])
            moves = [move for _, move in scores]  # the best first: the next depth cuts earlier
            best = moves[0]
            info(depth=depth, score=scores[0][0], pv=[best])
            if abs(scores[0][0]) == 1:
                break
    except TimeIsUpError:
        log(f"out of time in depth {depth} after {clock.spent_ms():.0f} ms")
    return best


def search_root(position, moves, depth, clock):
    scores, alpha = [], -1.0
    for move in moves:
        score = value(position, position.play(move), depth - 1, alpha, 1.0, clock)
        scores.append((score, move))
        alpha = max(alpha, score)
    return scores


def value(parent, position, depth, alpha, beta, clock):
    """Return the value of `position` for the side that moved in `parent`, from -1 to 1."""
    if position.side_to_move == parent.side_to_move:
        return best_value(position, depth, alpha, beta, clock)
    return -best_value(position, depth, -beta, -alpha, clock)


def best_value(position, depth, alpha, beta, clock):
    """Return the value of `position` for its side to move."""
    if clock.is_up():
        raise TimeIsUpError
    outcome = position.outcome()
    if outcome is not None:
        return 0.0 if outcome == "draw" else 1.0 if outcome == position.side_to_move else -1.0
    if depth == 0:
        return position.evaluation()
    best = -1.0
    for move in position.legal_moves():
        best = max(best, value(position, position.play(move), depth - 1, alpha, beta, clock))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


run(choose, options=[DEPTH])
