"""The whole report file checked: pairings by the system of record 192, places by the tie-breaks of records 202 and 212."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tournaments import trf
from tournaments.commandline.checking import checked_rounds
from tournaments.commandline.requests import Exit, Parser, RequestError, read_report
from tournaments.commandline.standings import file_ranking
from tournaments.pairing import SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.trf import Report


def run(argv: Sequence[str]) -> Exit:
    """Check the file and print its inconsistencies.

    Raises RequestError, TrfError, PairingError, OSError.
    """
    parser = Parser(prog="python -m tournaments.pairing check")
    parser.add_argument("file", metavar="FILE.trf")
    report = read_report(Path(parser.parse_args(argv).file))
    if not report.players:
        raise RequestError("the file has no players (records 001)")
    # First, since a record 202 that cannot be read is refused before anything is printed.
    places = _places(report)
    rounds = []
    for checked in checked_rounds(report, _system(report)):
        sys.stdout.write(checked.text)
        if not checked.is_consistent:
            rounds.append(checked.problem.round_number)
    sys.stdout.write(places.text + _summary(rounds, places.wrong))
    return Exit.INCONSISTENT if rounds or places.wrong else Exit.DONE


def _system(report: Report) -> str:
    """The name of the system of record 192."""
    code = trf.type_code(report)
    for name, entry in SYSTEMS.items():
        if entry.title and code in entry.report_codes:
            return name
    codes = ", ".join(e.report_codes[0] for e in SYSTEMS.values() if e.title)
    raise RequestError(f"record 192 says {code[:40]!r}, which is none of {codes}")


class _Places(NamedTuple):
    """The places of the file beside those of its tie-breaks: the printed text, and the wrong players."""

    text: str
    wrong: tuple[int, ...] = ()


def _places(report: Report) -> _Places:
    names = trf.announced_tie_breaks(report)
    claims = _claims(report)
    if not names:
        return _Places("Places are not checked: records 202 and 212 name no tie-breaks\n")
    if not claims:
        return _Places("Places are not checked: the file has none\n")
    wrong = [row for row in _rows(report, claims) if not row.allows(claims)]
    lines = [f"Places by {','.join(names)}"]
    lines += ["      ID   Checker place   Tournament place"] * bool(wrong)
    lines += [f"  {row.id:>6}   {row.text:>13}   {claims[row.id]:>16}" for row in wrong]
    text = "".join(f"{line}\n" for line in lines)
    return _Places(text, tuple(sorted(row.id for row in wrong)))


class _Row(NamedTuple):
    """The places, from `first` to `last`, of those whom the tie-breaks do not separate."""

    id: int
    first: int
    last: int

    def allows(self, claims: Mapping[int, int]) -> bool:
        """Return whether the file gives this participant one of the places."""
        return self.first <= claims[self.id] <= self.last

    @property
    def text(self) -> str:
        """The places in words."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def _rows(report: Report, claims: Mapping[int, int]) -> Iterator[_Row]:
    """Yield the rows of those who have a place in the file. The others, such as expelled players, take none."""
    places = [place for place in file_ranking(report).places if place.id in claims]
    sharing = Counter(place.rank for place in places)
    firsts = {place.rank: n for n, place in reversed(list(enumerate(places, start=1)))}
    for place in places:
        first = firsts[place.rank]
        yield _Row(place.id, first, first + sharing[place.rank] - 1)


def _claims(report: Report) -> dict[int, int]:
    """Return the places in the file: of records 001, or of 310 if the file has teams."""
    if trf.is_of_teams(report):
        return {t.number: t.rank for t in report.team_records.teams if t.rank}
    return {p.id: p.place for p in report.players if p.place}


def _summary(rounds: Sequence[int], places: Sequence[int]) -> str:
    parts = [
        f"{word} {', '.join(map(str, numbers))}"
        for word, numbers in (("rounds", rounds), ("places of", places))
        if numbers
    ]
    return f"Inconsistent: {'; '.join(parts)}\n" if parts else "Consistent\n"
