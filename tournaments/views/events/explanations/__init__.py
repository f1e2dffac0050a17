"""Explanations of a round in words for players, from the evidence that the pairing system left with the round."""

from tournaments.views.events.explanations.boards import (
    BYE,
    Question,
    board_page,
    bye_page,
    explained,
    objections,
)
from tournaments.views.events.explanations.speech import Speech

__all__ = ["BYE", "Question", "Speech", "board_page", "bye_page", "explained", "objections"]
