"""Tie-breaks compared with Gacrux, on files of both generators: `python -m tests.bench.tie_breaks --seed 1 --tournaments 500`.

Each tournament draws its size, its irregular rounds and eight tie-breaks of C.07, those of teams for teams. All values and
places of both programs are compared. A file with a difference is kept in the folder of `--keep`, with the names in its own name.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gacrux import helpers
from gacrux.tiebreakchecker import tiebreakchecker
from gacrux.tournamentgenerator import tournamentgenerator
from gacrux.trf2json import trf2json

from tournaments import trf
from tournaments.commandline.generator import generate
from tournaments.commandline.recipe import from_config
from tournaments.pairing import NoPairingError
from tournaments.standings import Edition, Place, ranking

# Both programs have these for a Swiss.
NAMES = (
    *("WIN", "WON", "BPG", "BWG", "REP", "PS", "PS/C1", "PS/C2", "BH", "BH/C1", "BH/C2", "BH/M1"),
    *("BH/M2", "BH/P", "AOB", "FB", "FB/C1", "SB", "SB/C1", "SB/C2", "SB/P", "DE"),
    *("ARO", "ARO/C1", "ARO/M1", "TPR", "PTP", "APRO", "APPO"),
)
NAMES_OF_TEAMS = (
    *("MPVGP", "EMMSB", "EMGSB", "EGMSB", "EGGSB", "EMMSB/C1", "EGGSB/C1", "SSSC", "SSSC/K2", "BC"),
    *("BH:MP", "BH:GP", "BH:MP/C1", "BH:GP/C1", "BH:MP/M1", "BH:MP/P", "BH:GP/P", "AOB:MP"),
    *("FB:MP", "SB:MP", "SB:GP", "PS:MP", "PS:GP", "WIN:MP", "WON:MP", "REP"),
    *("EDE", "EDEBT", "EDEBB", "EDET", "EDEB", "TBR", "BBE"),
)
# Their values have no common scale.
_PLACES_ALONE = {"DE", "EDE", "EDEBT", "EDEBB", "EDET", "EDEB", "TBR", "BBE"}
# Gacrux refuses files with odd results, whose points it computes otherwise.
_RANDOM_KEYS = (
    *("DrawPercentage", "ForfeitRate", "DoubleForfeitRate", "ShortGameRate", "RetiredRate"),
    *("HalfPointByeRate", "FullPointByeRate", "WithdrawalRate", "LateEntryRate"),
    *("ForbiddenPairs", "InitialColour"),
)
_COUNT = 8


class Direction(StrEnum):
    """Origin of a file."""

    OURS = "our files"
    THEIRS = "their files"
    TEAMS = "our files of teams"


@dataclass(frozen=True, slots=True)
class Difference:
    """A value or a place that differs."""

    name: str
    player: int
    ours: object
    theirs: object


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare tournaments, and print the counts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tournaments", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=900)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", choices=[each.name for each in Direction])
    chosen = parser.parse_args(arguments)
    directions = [Direction[chosen.only]] if chosen.only else list(Direction)
    counts: dict[Direction, Counter[str]] = {each: Counter() for each in directions}
    until = time.monotonic() + chosen.seconds
    with TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        for seed in range(chosen.seed, chosen.seed + chosen.tournaments):
            if time.monotonic() > until:
                break
            for direction in directions:
                counts[direction].update(_of_one(direction, seed, file, chosen.keep))
    for direction, count in counts.items():
        sys.stdout.write(f"{direction}: {dict(sorted(count.items()))}\n")


def _of_one(direction: Direction, seed: int, file: Path, keep: Path | None) -> Counter[str]:
    rng = random.Random(seed)
    names = rng.sample(NAMES_OF_TEAMS if direction is Direction.TEAMS else NAMES, _COUNT)
    if not _WRITERS[direction](file, seed, rng):
        return Counter(unpaired=1)
    answer = table_of_gacrux(file, names)
    if answer is None:
        return Counter(refused=1)
    places = our_places(file, names)
    all_differences = list(differences(places, names, answer))
    if all_differences and keep is not None:
        copy = keep / f"{direction.name}-{seed}-{','.join(names).replace('/', '')}.trf"
        copy.write_text(file.read_text() + "".join(f"### {each}\n" for each in all_differences))
    count = Counter({"tournaments": 1, "values": len(places) * (_COUNT + 1), "places": len(places)})
    count.update(each.name for each in all_differences)
    return count


def _write_ours(file: Path, seed: int, rng: random.Random) -> bool:
    return _write_generated(file, seed, rng, "dutch", _RANDOM_KEYS)


def _write_teams(file: Path, seed: int, rng: random.Random) -> bool:
    return _write_generated(file, seed, rng, "team", (*_RANDOM_KEYS, "AnnouncedByes"))


def _write_generated(
    file: Path, seed: int, rng: random.Random, system: str, random_keys: Sequence[str]
) -> bool:
    rounds = rng.randint(3, 9)
    keys = {"PlayersNumber": str(rng.randint(rounds + 4, 40)), "RoundsNumber": str(rounds)}
    keys |= dict.fromkeys(random_keys, "random")
    recipe = from_config("".join(f"{k}={v}\n" for k, v in keys.items()))
    try:
        generated = generate(recipe, seed, name=system)
    except NoPairingError:
        return False
    file.write_text(trf.write(generated.report))
    return generated.ended is None


def _write_theirs(file: Path, seed: int, rng: random.Random) -> bool:
    rounds = rng.randint(3, 9)
    players = rng.randint(rounds + 4, 40)
    arguments = ["-p", str(players), "-n", str(rounds), "-S", *_rates(rng), "-o", str(file)]
    with _command_line(arguments):
        generator = tournamentgenerator()
        generator.read_command_line()
        generator.statistics.set_params(0.01, 0.05, 0.02)
        generator.statistics.set_sigma(50.0)
        generator.statistics.set_team(1)
        generator.statistics.set_seed(seed)
        try:
            event = generator.gen_tournament(seed)
        except (IndexError, KeyError, TypeError, ValueError, AssertionError):
            return False  # it finds no pairing
        text = trf2json().output_file(event, 1, 0)
    helpers.txt_output(str(file), text)
    return True


_WRITERS: dict[Direction, Callable[[Path, int, random.Random], bool]] = {
    Direction.OURS: _write_ours,
    Direction.THEIRS: _write_theirs,
    Direction.TEAMS: _write_teams,
}


def _rates(rng: random.Random) -> list[str]:
    return [f"{rng.choice((0, 0.02, 0.1)):.2f}" for _ in range(3)]


def table_of_gacrux(file: Path, names: Sequence[str]) -> dict[str, Any] | None:
    """Return its table, or None if it refuses the file."""
    arguments = ["-i", str(file), "-f", "TRF", "-b", "utf-8", "-s", "-t", "PTS", *names]
    with _command_line(arguments) as out:
        tiebreakchecker().common_main()
    answer = json.loads(out.getvalue())
    result: dict[str, Any] | None = answer.get("tiebreakResult")
    return result if answer["status"]["code"] in {0, 1} and result else None


@contextlib.contextmanager
def _command_line(arguments: list[str]) -> Iterator[io.StringIO]:
    before, sys.argv = sys.argv, ["gacrux", *arguments]
    try:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            yield out
    finally:
        sys.argv = before


def our_places(file: Path, names: Sequence[str]) -> Sequence[Place]:
    """Return our places by the points and these tie-breaks."""
    report = trf.read(file.read_text())
    field_of = trf.team_field if trf.is_of_teams(report) else trf.standings_field
    field = field_of(report, system=trf.system_of(report), edition=Edition.MARCH_2026)
    return ranking(field, ["PTS", *names]).places


def differences(
    places: Sequence[Place], names: Sequence[str], answer: dict[str, Any]
) -> Iterator[Difference]:
    """Yield the values and the places that differ."""
    theirs = {row["cid"]: row for row in answer["competitors"]}
    for place in places:
        row = theirs[place.id]
        if place.rank != row["rank"]:
            yield Difference("place", place.id, place.rank, row["rank"])
        for name, text in zip(["PTS", *names], row["tiebreakScore"], strict=True):
            own = place.values[name]
            if name not in _PLACES_ALONE and not _is_equal(own, text):
                yield Difference(name, place.id, str(own), text)


def _is_equal(own: Fraction | None, text: object) -> bool:
    """Return whether a value is equal, as far as both programs write it: we round averages to hundredths."""
    try:
        other = Decimal(str(text))
    except InvalidOperation:
        return own is None
    if own is None:
        return False
    digits = min(2, max(0, -int(other.as_tuple().exponent)))
    return abs(own - Fraction(other)) <= Fraction(1, 2 * 10**digits)


if __name__ == "__main__":
    sys.set_int_max_str_digits(15_000)
    main()
