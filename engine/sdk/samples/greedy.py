"""Plays the move after which the position looks best, one ply deep."""

from rayuela_sdk import info, run


def choose(position, clock):
    me = position.side_to_move
    best, best_score = None, -2.0
    for move in position.legal_moves():
        following = position.play(move)
        score = following.evaluation()
        if following.side_to_move != me:
            score = -score  # an evaluation is for the side to move
        if score > best_score:
            best, best_score = move, score
        if clock.is_up():
            break
    info(depth=1, score=best_score, pv=[best])
    return best


run(choose)
