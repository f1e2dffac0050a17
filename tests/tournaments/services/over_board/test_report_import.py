"""Foreign events from their FIDE reports: the corpus of the pairing tests, and files with faults."""

from __future__ import annotations

import pytest

from tests.tournaments.pairing import corpus
from tournaments import database_time, trf
from tournaments.errors import RefusedError
from tournaments.models import Event, Player, Seat, User
from tournaments.queries.arbiter import foreign_reports
from tournaments.queries.archives import event_archive
from tournaments.queries.results import pairing_input, reports, standings
from tournaments.services.arbiter import report_import
from tournaments.services.arbiter.report_import import ImportChoice
from tournaments.services.archives import event_files
from tournaments.services.rounds import rounds


def _some_cases() -> list[corpus.Case]:
    chosen: dict[str, corpus.Case] = {}
    for case in corpus.cases():
        if case.boards is not None and case.trf.count("\n001") < 40:
            for tag in case.tags:
                chosen.setdefault(tag, case)
    return sorted(set(chosen.values()), key=lambda case: case.name)


CASES = _some_cases()


def _import(organiser: User, text: str, *, goes_on: bool = True) -> Event:
    choice = ImportChoice(name="Open", ruleset="morelli(size=5)", goes_on=goes_on)
    return report_import.import_report(organiser=organiser, text=text, choice=choice)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.part(0.3)
def test_the_next_round_is_the_one_of_the_file(case: corpus.Case, ana: User) -> None:
    event = _import(ana, case.trf)
    report = trf.read(case.trf)
    points = {row.entry.tpn: row.points_halves for row in standings.event_table(event).rows}
    assert points == trf.points_halves(report)
    draft = rounds.draft_round(event_id=event.pk, actor=ana)
    boards = [(p.first.tpn, p.second.tpn) for p in draft.pairings.select_related("first", "second")]
    byes = draft.seats.filter(kind=Seat.Kind.PAIRING_BYE)
    boards += [(seat.entry.tpn, 0) for seat in byes.select_related("entry")]
    assert case.boards is not None
    assert set(boards) == set(case.boards)


@pytest.mark.long
def test_the_report_of_an_import_tells_the_same_rounds(ana: User) -> None:
    case = next(case for case in CASES if "forfeit" in case.tags)
    event = _import(ana, case.trf)
    theirs = {p.id: p for p in trf.read(case.trf).players}
    for player in trf.read(reports.trf_of(event)).players:
        played = theirs[player.id].results[: len(player.results)]
        assert [r and r.opponent for r in player.results] == [r and r.opponent for r in played]
        assert player.name == theirs[player.id].name


def test_imported_rounds_can_be_paired_again_as_they_stood(ana: User) -> None:
    case = CASES[0]
    event = _import(ana, case.trf)
    for round_ in event.rounds.all():
        problem = pairing_input.read_back(round_)
        theirs = trf.pairing_problem(
            trf.read(case.trf), round_.number, systems=foreign_reports.SYSTEMS
        )
        assert {c.tpn for c in problem.contestants} == {c.tpn for c in theirs.contestants}


W, D, L, F, U = trf.Code.WIN, trf.Code.DRAW, trf.Code.LOSS, trf.Code.FULL_BYE, trf.Code.PAIRING_BYE
REPORT = trf.write(
    trf.Report(
        headers=(trf.Header("012", "Old Open"), trf.Header("042", "2019/03/01")),
        rounds_total=3,
        odd_is_white=True,
        players=(
            trf.Player(
                1, "Alba", (trf.Result(W, 2, True), trf.Result(D, 3, False)), 3, 1, rating=2105
            ),
            trf.Player(
                2, "Bruno", (trf.Result(L, 1, False), trf.Result(U)), 2, 3, federation="POR"
            ),
            trf.Player(3, "Celia", (trf.Result(F), trf.Result(D, 1, True)), 3, 2, rating=1900),
        ),
    )
)


HEAD = """\
012 Old Open
022 Alicante
032 ESP
042 2019/03/01
052 2019/03/09
102 IA Rossi, Mario (812345)
112 FA Bell, Kira
112 NA Ito, Ken
122 90 minutes and 30 seconds a move
172 ESP NIDOF
"""


def _heads(text: str) -> list[str]:
    codes = ("012", "022", "032", "042", "052", "102", "112", "122", "132", "172")
    return [line for line in text.splitlines() if line[:3] in codes]


def _with_head(*changes: tuple[str, str]) -> str:
    head = HEAD
    for old, new in changes:
        assert old in head
        head = head.replace(old, new)
    return head + "".join(REPORT.splitlines(keepends=True)[2:])


@pytest.mark.parametrize("goes_on", [True, False])
def test_an_import_keeps_the_head_of_the_file(ana: User, goes_on: bool) -> None:
    text = _with_head()
    event = _import(ana, text, goes_on=goes_on)
    assert list(foreign_reports.read(text).not_kept) == []
    assert (event.place, event.arbiters) == ("Alicante", "FA Bell, Kira; NA Ito, Ken")
    exported = reports.trf_of(event).replace("012 Open", "012 Old Open")
    assert _heads(exported) == _heads(text)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("032 ESP", "032 Spain", "032"),
        ("2019/03/01", "soon", "042"),
        ("NIDOF", "BEST", "172"),
        ("2019/03/09", "2018/03/09", "052"),
    ],
)
def test_a_preview_names_parts_of_the_head_that_no_setting_takes(
    old: str, new: str, code: str
) -> None:
    assert list(foreign_reports.read(_with_head((old, new))).not_kept) == [code]


def test_a_report_has_no_days_that_an_import_did_not_have(ana: User) -> None:
    text = _with_head(("042 2019/03/01\n", ""), ("052 2019/03/09\n", ""))
    exported = reports.trf_of(_import(ana, text, goes_on=False))
    codes = [line[:3] for line in _heads(exported)]
    assert codes == ["012", "022", "032", "102", "112", "112", "122", "172"]


def test_an_event_without_an_end_ended_on_its_last_known_day(ana: User) -> None:
    event = _import(ana, REPORT, goes_on=False)
    assert event.finished_at is not None
    assert f"{event.finished_at:%Y-%m-%d}" == "2019-03-01"


PERSONS = """\
FRA    1                                        2150 FRA      X12345
001    1 wWGM Alba                              2105 ESP     2212345 1990/05/17  1.5    1     2 w 1     3 b =
001    2 m    Bruno                                  POR             2001/00/00  1.0    3     1 b 0  0000 - U
"""


def test_an_import_keeps_the_data_of_players(ana: User) -> None:
    lines = _with_head(("032 ESP", "032 FRA")).splitlines(keepends=True)
    others = [line for line in lines if not line.startswith(("001    1", "001    2"))]
    text = "".join(others) + PERSONS
    assert list(foreign_reports.read(text).not_kept) == []
    event = _import(ana, text)
    alba = event.entries.get(tpn=1)
    assert (alba.title, alba.sex, alba.birth) == ("WGM", "w", "1990-05-17")
    assert (alba.national_centielo, alba.national_id) == (215_000, "X12345")
    exported = reports.full_trf_of(event)
    ours = {line[:8]: line[8:80] for line in exported.splitlines()}
    assert ours["001    1"] == PERSONS.splitlines()[1][8:80]
    assert ours["001    2"] == PERSONS.splitlines()[2][8:80]
    assert ours["FRA    1"][40:45] == "2150 "
    assert ours["FRA    1"][49:60] == f"{'X12345':>11}"
    assert foreign_reports.read(exported).players == foreign_reports.read(text).players


@pytest.mark.long
def test_public_files_have_no_birth_dates(ana: User) -> None:
    lines = _with_head().splitlines(keepends=True)
    others = [line for line in lines if not line.startswith(("001    1", "001    2"))]
    event = _import(ana, "".join(others) + PERSONS)
    for kind in ("trf", "trf-2025", "trf16", "json", "standings", "crosstable"):
        file = event_files.file_of(event, kind, database_time.now())
        assert file is not None
        assert "1990/05/17" not in file.content
        assert "1990-05-17" not in file.content
    archive = repr(event_archive.archive_of(event))
    assert "WGM" in archive
    assert "1990-05" not in archive
    assert "1990/05" not in archive


def test_an_old_event_is_kept_as_finished(ana: User) -> None:
    event = _import(ana, REPORT, goes_on=False)
    assert event.state == Event.State.FINISHED
    assert event.started_at is not None
    assert event.started_at.year == 2019
    assert event.rounds.count() == event.rounds_total == 2
    assert Player.objects.filter(kind=Player.Kind.LISTED).count() == 3
    players = "\n".join(line[:80] for line in REPORT.splitlines())
    with pytest.raises(RefusedError, match="report-no-rounds"):
        _import(ana, players, goes_on=False)


@pytest.mark.parametrize(
    ("old", "new", "line", "code"),
    [
        ("2105", "21x5", 5, "report-format"),
        ("3 b =", "3 b ?", 7, "report-result"),
        (" 1.5    1", " 2.5    1", 5, "report-points"),
        ("Celia", "     ", 7, "listed-no-name"),
        ("POR", "P2R", 6, "listed-federation"),
        ("0000 - F", "0000 - X", 7, "report-format"),
        ("142 3", "299 W         2.0  001    1\n142 3", 0, "report-abnormal"),
        ("142 3", "XXS W=1 FW=0.5\n142 3", 0, "report-point-system"),
        ("142 3", "XXS W=1.5 D=1\n142 3", 0, "report-point-system"),
        ("142 3", "310 Team\n142 3", 3, "report-format"),
        ("   1 b 0  0000 - U", "0000 - U  0000 - U", 5, "report-format"),
    ],
)
def test_what_is_in_the_way_has_its_line(
    old: str, new: str, line: int, code: str, ana: User
) -> None:
    text = REPORT.replace(old, new, 1)
    foreign = foreign_reports.read(text)
    assert (line, code) in [(problem.line, problem.code) for problem in foreign.problems]
    with pytest.raises(RefusedError, match="report-problems"):
        _import(ana, text)
    assert not Event.objects.exists()


def test_a_team_event_of_an_older_dialect_has_one_problem() -> None:
    text = REPORT.replace("   2 w 1", "   2 w *") + f"013 {'Team One':<36}   1    2\n"
    assert [p.code for p in foreign_reports.read(text).problems] == ["report-teams"]


def test_teams_of_an_individual_event_are_no_team_event() -> None:
    text = REPORT + "013 Team One                           1    2\n"
    assert not foreign_reports.read(text).problems


def test_a_second_pairing_bye_is_named() -> None:
    text = REPORT.replace("   1 b 0  0000 - U", "0000 - U  0000 - U")
    foreign = foreign_reports.read(text.replace("   2 w 1", "0000 - F"))
    assert ("report-second-bye", 6) in [(p.code, p.line) for p in foreign.problems]


def test_an_import_with_house_rules_is_accelerated_by_the_name_of_its_system(ana: User) -> None:
    event = _import(ana, REPORT.replace("142 3", "142 3\n192 FIDE_LIM_BAKU maxi_elo=100"))
    assert (event.format, event.maxi_elo, event.is_accelerated) == ("lim", 100, True)


@pytest.mark.parametrize(
    ("old", "new"),
    [("142 3\n", ""), ("142 3", "142 2"), ("142 3", "142 3\n192 BERGER_ROUNDROBIN")],
    ids=["no number of rounds", "all rounds played", "a round robin"],
)
def test_what_cannot_go_on_can_be_kept(old: str, new: str, ana: User) -> None:
    text = REPORT.replace(old, new)
    with pytest.raises(RefusedError, match="report-obstacle"):
        _import(ana, text)
    assert _import(ana, text, goes_on=False).state == Event.State.FINISHED
