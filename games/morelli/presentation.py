"""Morelli for people: its words, its pictures, the boards to begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.morelli.board import board
from games.morelli.exercises import exercises
from games.morelli.figures import figures
from games.morelli.moves import flanked_pieces
from games.morelli.position import MorelliPosition
from games.morelli.setup import tally
from games.presentation import (
    AGREES,
    AgreementWords,
    Ballot,
    MoveWords,
    NoticeWords,
    Poster,
    Presentation,
    Theme,
    message,
    plural,
)

if TYPE_CHECKING:
    from games.core import Position

_MOVES_TO = message("%(name)s moves from %(start)s to %(end)s.")
_MOVES_WITH_EFFECT = message("%(name)s moves from %(start)s to %(end)s: %(effect)s.")


_TAKE_THE_THRONE, _TAKE_THE_CENTRE = message("take the Throne"), message("take the Centre")


def _has_captured_corner(before: Position, move: str, after: Position) -> bool:
    """Return whether a frame of the mover has a captured piece as a corner."""
    colour = before.colour_of(before.side_to_move)
    taken = {cell for cells in before.ruleset.move_takes(move) for cell in cells}
    frames = [each for each in after.traits() if each.code == "frame" and each.colour == colour]
    return any(taken & set(frame.cells) for frame in frames)


def _leaves_a_ripple(before: Position, move: str, after: Position) -> bool:
    """Return whether a captured piece completes a pincer that the ripple rule leaves open (5.6 / 6.7)."""
    assert isinstance(after, MorelliPosition)
    table, stones = board(after.ruleset.size), after.stones().exchanged()
    taken = {cell for cells in before.ruleset.move_takes(move) for cell in cells}
    return any(
        flanked_pieces(table, stones.mover, stones.other, table.cell_of[cell]) for cell in taken
    )


def _crowning(pattern: str, effect: str, touch: str, edition: str = "") -> MoveWords:
    """Return the words for a move that completes a frame, which its text says with a star."""
    return MoveWords(
        pattern,
        _MOVES_TO,
        _MOVES_WITH_EFFECT,
        effect,
        touches="throne",
        touch=touch,
        edition=edition,
    )


PRESENTATION = Presentation(
    name="Morelli",
    summary=message(
        "Everything moves inwards, captured pieces change sides, and four of a kind around the centre crown a King. By Richard Moxham."
    ),
    goal=message(
        "Crown your King by a frame around the centre, and keep the Throne until a player cannot move."
    ),
    nutshell=(
        message(
            "Your pieces begin on the rim. They move like a chess queen, but every move must end on a band nearer the centre."
        ),
        message(
            "Close an enemy piece in between the piece you move and another of yours, and it becomes yours."
        ),
        message(
            "Make a frame: four of your pieces at the corners of a square around the centre. Your King takes the Throne."
        ),
        message(
            "When the player to move has no move, the game is over. The player who has the Throne wins. If it is vacant, the game is a draw."
        ),
    ),
    key_figures=("movement", "capture", "frame"),
    demonstration="captures",
    topic=message("Frames"),
    colours={"black": message("Black"), "white": message("White")},
    poster=Poster("morelli(size=9)", 14),
    figures=figures,
    exercises=exercises,
    themes=(
        Theme(message("a frame by a capture"), r"[^x]* x[^*]*\*", _has_captured_corner),
        Theme(message("a frame"), r"[^*]*\*"),
        Theme(message("a ripple trap"), r"[^x]* x.*", _leaves_a_ripple),
        Theme(message("several captures"), r"[^x]* x(?:[A-Z]+\d+){2,}"),
        Theme(message("a capture"), r"[^x]* x.*"),
        Theme(message("a quiet move"), r"[A-Z]+\d+-[A-Z]+\d+"),
    ),
    check_board="morelli(size=7)",
    lobby_board="morelli(size=9)",
    # Measured with our own players against themselves, at random set-ups: the one who begins won
    # 373 and lost 391 of 800 games.
    first_side_centielo=0,
    draw_thousandths=45,  # 36 of these 800
    options={
        ("edition", "original"): message("original edition"),
        ("setup", "placement"): message("pieces placed in pairs"),
        ("setup", "adjacent"): message("adjacent set-up"),
        ("setup", "free"): message("free set-up"),
        ("setup", "ballot"): message("set-up by ballot"),
    },
    grounds={
        "throne": message("Throne"),
        "band-1": message("indigo band"),
        "band-2": message("blue band"),
        "band-3": message("green band"),
        "band-4": message("yellow band"),
        "band-5": message("orange band"),
        "band-6": message("red band"),
        "band-*": message("band %(number)s"),
    },
    pieces={
        "black": message("black piece"),
        "white": message("white piece"),
        "black-king": message("black King"),
        "white-king": message("white King"),
    },
    tokens_of_edition={
        "original": {
            "throne": message("Centre"),
            "black": message("black stone"),
            "white": message("white stone"),
            "black-king": message("black tower"),
            "white-king": message("white tower"),
        }
    },
    traits={
        ("frame", "black"): message("Black holds the frame %(name)s: %(cells)s."),
        ("frame", "white"): message("White holds the frame %(name)s: %(cells)s."),
        ("frame", None): message("The frame %(name)s: %(cells)s."),
        ("frame-lacking-one", "black"): message("Black has three corners of %(name)s: %(cells)s."),
        ("frame-lacking-one", "white"): message("White has three corners of %(name)s: %(cells)s."),
    },
    trait_names={
        "Indigo": message("Indigo"),
        "Blue": message("Blue"),
        "Green": message("Green"),
        "Yellow": message("Yellow"),
        "Orange": message("Orange"),
        "Red": message("Red"),
    },
    notices={
        "cannot-move": NoticeWords(message("%(colour)s cannot move."), is_reason=True),
        "throne": NoticeWords(
            message("%(colour)s's King sits on the Throne."),
            uncoloured=message("The Throne is vacant."),
            is_reason=True,
        ),
        "to-place": NoticeWords(
            plural(
                "One placement is left before the first move.",
                "%(count)d placements are left before the first move.",
            )
        ),
    },
    notices_of_edition={
        "original": {
            "throne": NoticeWords(
                message("%(colour)s's tower is in the Centre."),
                uncoloured=message("The Centre is vacant."),
                is_reason=True,
            )
        }
    },
    # D-M1: the Throne decides, as at any other end.
    agreement=AgreementWords(
        message("Both agreed to end the game there, and the Throne decided."),
        message("The holder of the Throne wins, or a draw if it is vacant"),
    ),
    agreement_of_edition={
        "original": AgreementWords(
            message("Both agreed to end the game there, and the Centre decided."),
            message("The holder of the Centre wins, or a draw if it is vacant"),
        )
    },
    moves=(
        AGREES,
        MoveWords("@.*", message("%(name)s places on %(end)s.")),
        _crowning(
            r".* x.*\*",
            message("captures %(cells)s and takes the Centre"),
            _TAKE_THE_CENTRE,
            edition="original",
        ),
        _crowning(
            r".* x.*\*", message("captures %(cells)s and takes the Throne"), _TAKE_THE_THRONE
        ),
        _crowning(r".*\*", message("takes the Centre"), _TAKE_THE_CENTRE, edition="original"),
        _crowning(r".*\*", message("takes the Throne"), _TAKE_THE_THRONE),
        MoveWords(".* x.*", _MOVES_TO, _MOVES_WITH_EFFECT, message("captures %(cells)s")),
        MoveWords(".*", _MOVES_TO),
    ),
    # Morelli (original) 2.3 and 2.5.
    ballot=Ballot(
        explanation=message(
            "Morelli's original edition only. Your opponent votes without seeing yours. Then both are opened: equal votes are played, two different ones mean the third."
        ),
        votes={
            "facing": message("facing"),
            "adjacent": message("adjacent"),
            "free": message("free placement"),
        },
        required={"edition": "original"},
        options={"setup": "ballot"},
        tally=tally,
        paragraph="morelli-original/2.5",
        agreed=message("%(first)s and %(second)s both voted for %(mode)s, so that is the start."),
        differed=message(
            "%(first)s voted for %(first_vote)s and %(second)s for %(second_vote)s. The votes differ, so the start is the third: %(mode)s."
        ),
        unvoted=message("No player voted in this game. The start is %(mode)s."),
    ),
)
