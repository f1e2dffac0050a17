"""Report files after the normalisations of an import, which `docs/reference/event-files.md` lists."""

from __future__ import annotations

from datetime import date

from tournaments import trf
from tournaments.queries.arbiter import foreign_reports
from tournaments.queries.events import personal_data

# Codes of records that follow from others here, or have no setting.
_COUNTED = {"062", "072", "082", "092", "172", "182", "202", "212", "222", "###", "013"}
_WITHOUT_OPPONENT = {
    trf.Code.FORFEIT_WIN: trf.Code.FULL_BYE,
    trf.Code.FORFEIT_LOSS: trf.Code.ZERO_BYE,
}
_SYSTEMS = foreign_reports.SYSTEMS


def lines(text: str, *, is_finished: bool = False) -> list[str]:
    """Return the lines of a report after the normalisations, in the order of their texts.

    `is_finished` says that the event was kept as finished: its rounds are those that were played.
    """
    report = trf.read(text)
    played = trf.rounds_played(report)
    codes = {"042": trf.start_date(report), "052": trf.end_date(report)}
    headers = []
    for each in report.headers:
        day = codes.get(each.code)
        words = f"{day:%Y/%m/%d}" if day else " ".join(each.text.split())
        words = words.upper() if each.code == "032" else words
        is_here = each.code == "042" and not played  # such an event begins with the import
        if each.code == "032" and len(words) != 3:
            continue
        if (
            each.code not in {*_COUNTED, "132"}
            and not is_here
            and not each.code.isalpha()
            and words
        ):
            headers.append(trf.Header(each.code, words))
    players = tuple(_player(each, report, played) for each in report.players)
    system = (report.system or trf.DUTCH[0]).replace("_2025", "_2026").removesuffix("_BAKU")
    total = played if is_finished else report.rounds_total
    known = report._replace(rounds_total=total)
    plain = known._replace(
        headers=tuple(headers),
        players=players,
        system=system,
        absences=(),
        virtual=(),
        odd_is_white=_odd_is_white(known),
        forbidden=tuple(each._replace(ids=tuple(sorted(each.ids))) for each in report.forbidden),
    )
    nationals = [trf.national_of(each) for each in report.headers]
    return sorted(
        [
            *trf.write(plain).splitlines(),
            *(f"round {i} {day}" for i, day in _round_dates(report)[:played] if day),
            *(f"national {each.id} {each.rating} {each.fide_id}" for each in nationals if each),
            *(f"absent {code} {number} {i}" for (i, number), code in _absent(report).items()),
            *(
                f"virtual {number} {i} {each.halves}"
                for each in report.virtual
                for number in range(each.first_round, each.last_round + 1)
                for i in range(each.first_id, each.last_id + 1)
            ),
        ]
    )


def _round_dates(report: trf.Report) -> list[tuple[int, date | None]]:
    return list(enumerate(trf.round_dates(report), start=1))


def _odd_is_white(report: trf.Report) -> bool | None:
    try:
        return trf.odd_tpn_is_first(report, systems=_SYSTEMS)
    except trf.UnpairableReportError:
        return report.odd_is_white


def _absent(report: trf.Report) -> dict[tuple[int, int], trf.Code]:
    """Return the byes of rounds to come, in records 240 or in the columns of players."""
    played = trf.rounds_played(report)
    absent = {
        (i, each.round_number): each.code
        for each in report.absences
        for i in each.ids
        if each.round_number > played
    }
    for player in report.players:
        later = enumerate(player.results[played:], start=played + 1)
        absent |= {(player.id, number): each.code for number, each in later if each}
    return absent


def _player(player: trf.Player, report: trf.Report, played: int) -> trf.Player:
    given = {(i, each.round_number): each.code for each in report.absences for i in each.ids}
    rounds = []
    for number in range(1, played + 1):
        own = player.results[number - 1] if number <= len(player.results) else None
        if own is None or own.opponent is None:
            code = own.code if own else given.get((player.id, number), trf.Code.ZERO_BYE)
            rounds.append(trf.Result(_WITHOUT_OPPONENT.get(code, code)))
        else:
            is_first = own.is_white if own.is_white is not None else player.id < own.opponent
            rounds.append(own._replace(is_white=is_first))
    birth = personal_data.birth(player.born) or ""
    return player._replace(
        results=tuple(rounds),
        points_halves=None,
        place=None,
        rating=player.rating or None,
        fide_id=player.fide_id.lstrip("0"),
        federation=player.federation.upper(),
        title=personal_data.title(player.title) or "",
        sex=personal_data.sex(player.sex) or "",
        born=personal_data.report_birth(birth, is_full=True),
    )
