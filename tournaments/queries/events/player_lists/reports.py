"""Players of a FIDE report."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments import trf
from tournaments.queries.events import personal_data
from tournaments.queries.events.player_lists.rows import Problem, Row, row_of


def report_rows(text: str) -> Iterator[Row]:
    """Yield the `001` records of a FIDE report, and the problems of any record."""
    faults = {fault.line: fault for fault in trf.faults(text)}
    records = [trf.Header(line[:3], line[4:]) for line in text.split("\n")]
    nationals = {each.id: each for each in map(trf.national_of, records) if each}
    for number, line in enumerate(text.split("\n"), start=1):
        if number in faults and not line.startswith("001"):
            yield Row(number, None, Problem.RECORD, str(faults[number])[:60])
        elif line.startswith("001"):
            player = trf.player_of_line(number, line)
            if player is None:
                yield Row(number, None, Problem.RECORD, str(faults[number])[:60])
                continue
            yield row_of_record(number, player, nationals.get(player.id))


def unused_records(text: str) -> list[str]:
    """Return the codes of the records that are not read, and the columns of `001` with points and games."""
    lines = text.split("\n")
    records = [trf.Header(line[:3], line[4:]) for line in lines]
    codes = {each.code for each in records if each.code.strip() and trf.national_of(each) is None}
    return ["001:81–" if code == "001" else code for code in sorted(codes)]


def row_of_record(line: int, player: trf.Player, national: trf.Player | None = None) -> Row:
    """The row of a player of a FIDE report, and of the player's record of a federation.

    A sex or a birth date that cannot be read is left out.
    """
    return row_of(
        line,
        {
            "name": player.name,
            "rating": str(player.rating or ""),
            "federation": player.federation,
            "fide_id": player.fide_id,
            "title": personal_data.title(player.title) or "",
            "sex": personal_data.sex(player.sex) or "",
            "birth": personal_data.birth(player.born) or "",
            "national": str(national.rating or "") if national else "",
            "national_id": national.fide_id if national else "",
        },
    )
