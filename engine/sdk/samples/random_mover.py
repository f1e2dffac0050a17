"""Plays any legal move, each equally likely."""

import random

from rayuela_sdk import run


def choose(position, clock):
    return position.random_move(random)


run(choose)
