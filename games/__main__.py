"""Games on the command line (`python -m games`).

The commands are `perft|show|legal|random KEY [start] [options]` and `replay FILE`.

Prints plain text on standard output. Wrong input is one line on standard error and exit code 2.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from games.core import AGREE, BadRecordError, RulesError, quote
from games.json_record import MAX_JSON, parse_json
from games.perft import perft
from games.record import Record, parse_record, replay
from games.registry import load
from games.starts import starting_position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.core import Position
    from games.view import Cell

_LETTERS = {
    "black": "B",
    "white": "W",
    "black-king": "#",
    "white-king": "O",
    "red-man": "R",
    "blue-man": "U",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return the exit code: 0, or 2 for wrong input."""
    options = _parser().parse_args(arguments)
    try:
        for line in options.run(options):
            print(line)
    except RulesError as error:
        print(f"games: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has seen enough, as in `python -m games legal KEY | head`.
        sys.stderr.close()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games", description="The games Rayuela knows.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run, about in (
        ("perft", _perft, "count the sequences of exactly DEPTH plies"),
        ("show", _show, "draw the position and tell it as text"),
        ("legal", _legal, "list the legal moves, one a line"),
        ("random", _random, "play a random game and print its record"),
    ):
        command = commands.add_parser(name, help=about, description=about)
        command.set_defaults(run=run)
        command.add_argument("key", help='a rule set such as "morelli(edition=revised,size=9)"')
        start = command.add_mutually_exclusive_group()
        start.add_argument(
            "--ring", help="Morelli's ring: B and W clockwise from A1, whole or first half"
        )
        start.add_argument(
            "--setup", metavar="TEXT", help="the set-up as stored with a game: name=value,..."
        )
        command.add_argument(
            "--seed", type=int, default=0, help="for all that is drawn (default 0)"
        )
        if name == "perft":
            command.add_argument("--depth", type=_depth, required=True, help="plies, 0 or more")
        else:
            command.add_argument(
                "--play", metavar="MOVE", action="append", default=[], help="a move to play first"
            )
    about = "check a record, text or JSON, move by move and print it as text"
    command = commands.add_parser("replay", help=about, description=about)
    command.set_defaults(run=_replay)
    command.add_argument("file", help="the record's file, or - for standard input")
    command.add_argument("--show", metavar="PLY", type=_ply, help="draw the position after PLY")
    return parser


def _ply(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a ply")
    return int(text)


def _depth(text: str) -> int:
    depth = int(text)
    if not 0 <= depth <= 100:
        raise argparse.ArgumentTypeError(f"{depth} is not between 0 and 100")
    return depth


def _start(options: argparse.Namespace) -> Position:
    ruleset = load(options.key)
    if options.setup is not None:
        return starting_position(ruleset, options.setup)
    if options.ring is not None:
        return ruleset.initial(ring=options.ring)
    return ruleset.initial(seed=options.seed)


def _position(options: argparse.Namespace) -> Position:
    position = _start(options)
    for move in options.play:
        position = position.play(move)
    return position


def _perft(options: argparse.Namespace) -> list[str]:
    return [str(perft(_start(options), options.depth))]


def _legal(options: argparse.Namespace) -> list[str]:
    return _position(options).legal_moves()


def _show(options: argparse.Namespace) -> list[str]:
    return _description(_position(options))


def _description(position: Position) -> list[str]:
    outcome = position.outcome()
    side = position.side_to_move
    state = (
        f"{side} ({position.colour_of(side)}) to move" if outcome is None else f"over: {outcome}"
    )
    notices = [
        f"{notice.code} {notice.colour or 'none'} {notice.count}" for notice in position.notices()
    ]
    return [
        position.ruleset.key,
        *_drawing(position),
        f"ply {position.ply}, {position.phase}, {state}",
        *notices,
        position.text(),
    ]


def _drawing(position: Position) -> list[str]:
    size = position.ruleset.size
    rows: dict[int, list[Cell]] = {}
    for cell in position.cells():
        rows.setdefault(cell.row, []).append(cell)
    ranks = [
        f"{row + 1:>2} " + " ".join(f"{_letter(cell):>2}" for cell in cells)
        for row, cells in rows.items()
    ]
    files = [cell.name.removesuffix("1") for cell in rows[0]]
    return [*ranks, "   " + " ".join(f"{file:>2}" for file in files[:size])]


def _letter(cell: Cell) -> str:
    return "." if cell.piece is None else _LETTERS.get(cell.piece, cell.piece[0])


def _random(options: argparse.Namespace) -> list[str]:
    position = _start(options)
    setup = position.ruleset.setup_text(position)
    rng = random.Random(options.seed)
    moves: list[str] = []
    for move in options.play:
        moves.append(position.canonical(move))
        position = position.play(moves[-1])
    while position.outcome() is None:
        moves.append(position.random_move(rng))
        position = position.play(moves[-1])
    ending = "agreement" if moves[-1:] == [AGREE] else "rules"
    record = Record(position.ruleset.key, setup, tuple(moves), position.outcome(), ending)
    return record.text().splitlines()


def _replay(options: argparse.Namespace) -> list[str]:
    text = _file_text(options.file)
    record = parse_json(text) if text.lstrip().startswith("{") else parse_record(text)
    positions = replay(record)
    if options.show is None:
        return record.text().splitlines()
    if options.show >= len(positions):
        raise BadRecordError(f"the record has {len(record.moves)} plies, not {options.show}")
    return _description(positions[options.show])


def _file_text(name: str) -> str:
    """Return the text of a file, no more of it than a record can have. Raises BadRecordError."""
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            return file.read(MAX_JSON + 1).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecordError(f"{quote(name)}: {error}") from error


if __name__ == "__main__":
    sys.exit(main())
