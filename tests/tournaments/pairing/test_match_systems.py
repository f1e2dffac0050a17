"""Swiss Team (C.04.6) and Double-Swiss (C.04.5): the shared cases, the literal enumeration, and articles one by one."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extent import drawn
from tests.tournaments.pairing.match_oracle import Oracle
from tests.tournaments.pairing.match_rounds import difference, main, problems
from tests.tournaments.trf.lines import FOUR, line
from tournaments import trf
from tournaments.commandline.pairing import main as command
from tournaments.pairing import (
    BadProblemError,
    Contestant,
    FormatOptions,
    NoPairingError,
    PairingProblem,
    RoundKind,
    RoundRecord,
    Solution,
    explained_system,
    report_system,
    system,
    violations,
)
from tournaments.pairing.colours import Strength
from tournaments.pairing.refusals import Reason
from tournaments.pairing.team import preference

_CORPUS = Path(__file__).resolve().parents[2] / "data" / "pairing-systems-corpus"
_WHITE, _BLACK = RoundKind.FIRST, RoundKind.SECOND
_SYSTEMS = ["team", "double-swiss"]


@dataclass(frozen=True)
class Case:
    """An event before a round, and the boards of that round in order, the bye as opponent 0.

    None means impossible.

    If the answer depends on teams that have not arrived, the boards are those of the ruling of
    August 2026.
    """

    name: str
    boards: list[list[int]] | None
    text: str


def _cases(name: str) -> list[Case]:
    with gzip.open(_CORPUS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    ruled = "pairs_if_only_arrived_are_numbered"
    return [Case(row["name"], row.get(ruled, row["pairs"]), row["trf"]) for row in rows]


def _boards(solution: Solution) -> list[list[int]]:
    bye = [] if solution.bye is None else [[solution.bye, 0]]
    return [*([b.first, b.second] for b in solution.boards), *bye]


@pytest.mark.parametrize("name", _SYSTEMS)
@pytest.mark.long
def test_pairs_sides_and_boards_are_those_of_the_corpus(name: str) -> None:
    for case in drawn(_cases(name), 0.15):
        problem = trf.match_problem(trf.read(case.text))
        if case.boards is None:
            with pytest.raises(NoPairingError, match="cannot all be paired"):
                system(name).pair(problem)
            continue
        solution = system(name).pair(problem)
        assert violations(problem, solution) == [], case.name
        assert _boards(solution) == case.boards, case.name


@pytest.mark.long
@pytest.mark.parametrize("name", _SYSTEMS)
def test_a_report_of_matches_is_written_as_it_was_read(name: str) -> None:
    for case in drawn(_cases(name), 0.02):
        report = trf.read(case.text)
        again = trf.read(trf.write(report))
        assert again.team_records == report.team_records
        assert trf.match_problem(again) == trf.match_problem(report)


@pytest.mark.parametrize("name", _SYSTEMS)
@given(seed=st.integers(0, 10**9))
def test_the_search_finds_what_the_enumeration_finds(name: str, seed: int) -> None:
    for problem in problems(name, seed):
        if problem.contestants:
            assert difference(name, problem) == ""


@pytest.mark.long
@pytest.mark.parametrize("name", _SYSTEMS)
def test_the_criteria_of_a_bracket_are_those_of_its_pairs(name: str) -> None:
    for problem in (problem for seed in range(40) for problem in problems(name, seed)):
        try:
            solution = system(name).pair(problem)
        except NoPairingError:
            continue
        oracle = Oracle(problem, is_team=name == "team")
        left = frozenset(oracle.here) - {solution.bye}
        for bracket in solution.brackets:
            left -= {tpn for pair in bracket.pairs for tpn in pair}
            values = {value.criterion: value.value for value in bracket.criteria}
            assert values == oracle.criteria(list(bracket.pairs), left)
            assert bracket.halves == oracle.score(bracket.residents[0])


@pytest.mark.parametrize("name", _SYSTEMS)
def test_a_pool_is_refused(name: str) -> None:
    with pytest.raises(BadProblemError, match="continuous"):
        system(name).pair(_round(_team(1, ""), _team(2, ""))._replace(is_continuous=True))


def test_no_side_is_due_in_double_swiss() -> None:
    double_swiss = explained_system("double-swiss")
    assert double_swiss is not None
    problem = _round(_team(1, "WW"), _team(2, "WW"))
    explainer = double_swiss.explainer(problem, double_swiss.pair(problem))
    assert explainer.due(problem.contestants[0]).side is None


@pytest.mark.slow
@pytest.mark.parametrize("name", _SYSTEMS)
def test_the_search_finds_what_the_enumeration_finds_in_many_rounds(name: str) -> None:
    assert main(name, 5000, seed=7) == 0


def _team(tpn: int, colours: str, *, halves: int = 0, second: int = 0) -> Contestant:
    """A team that has met others of numbers beyond ours."""
    kinds = {"W": _WHITE, "B": _BLACK, "-": RoundKind.ZERO_BYE}
    records = [RoundRecord(kinds[c], 100 + tpn * 10 + n, 0) for n, c in enumerate(colours)]
    if records:
        last = records.pop()
        records.append(RoundRecord(last.kind, last.opponent, halves, second_halves=second))
    return Contestant(tpn, tuple(records))


def _round(*teams: Contestant, colour_type: str = "B", rounds: int = 9) -> PairingProblem:
    number = len(teams[0].records) + 1
    strangers = {r.opponent for t in teams for r in t.records if r.opponent}
    absent = tuple(
        Contestant(tpn, (RoundRecord(_WHITE, None, 0),) * (number - 1)) for tpn in strangers
    )
    return PairingProblem(
        number, rounds, teams, absent=absent, options=FormatOptions(colour_type=colour_type)
    )


@pytest.mark.parametrize(
    ("colours", "type_a", "type_b", "type_b_last"),
    [
        pytest.param("-", "", "", "", id="no match"),
        pytest.param("W-", "", "b", "b", id="one White"),
        pytest.param("WB", "", "w", "", id="even, last Black"),
        pytest.param("BW", "", "b", "", id="even, last White"),
        pytest.param("BB", "W", "W", "W", id="difference of two"),
        pytest.param("WBB", "W", "W", "W", id="one Black more, the last two"),
        pytest.param("WWBB", "W", "W", "W", id="even, the last two (T1)"),
        pytest.param("BWB", "", "w", "w", id="one Black more, alternating"),
        pytest.param("WWWBB", "", "b", "b", id="one White more, the last two Black"),
        pytest.param("WBW-W", "B", "B", "B", id="a round without a match between"),
    ],
)
def test_a_team_prefers_a_colour_by_its_type(
    colours: str, type_a: str, type_b: str, type_b_last: str
) -> None:
    for kind, rounds, expected in (("A", 9, type_a), ("B", 9, type_b), ("B", 0, type_b_last)):
        team = _team(1, colours)
        rounds = rounds or len(colours) + 1
        due = preference(_round(team, colour_type=kind, rounds=rounds), team)
        side = {_WHITE: "W", _BLACK: "B", None: ""}[due.side]
        assert (side.lower() if due.strength is Strength.MILD and kind == "B" else side) == expected
    assert preference(_round(_team(1, colours), colour_type=""), _team(1, colours)).side is None


@pytest.mark.parametrize(
    ("one", "two", "white", "article"),
    [
        pytest.param(_team(3, ""), _team(4, ""), 3, "4.3.1", id="odd first-team"),
        pytest.param(_team(2, ""), _team(3, ""), 3, "4.3.1", id="even first-team"),
        pytest.param(_team(1, "WB"), _team(2, "--"), 1, "4.3.2", id="the only preference"),
        pytest.param(_team(1, "--"), _team(2, "WB"), 2, "4.3.2", id="the other's only preference"),
        pytest.param(_team(1, "WB"), _team(2, "BW"), 1, "4.3.3", id="opposite preferences"),
        pytest.param(_team(1, "WB"), _team(2, "BB"), 2, "4.3.4", id="the only strong one"),
        pytest.param(_team(1, "BB-"), _team(2, "BBB"), 2, "4.3.5", id="the lower difference"),
        pytest.param(_team(1, "WBWB"), _team(2, "BWWB"), 1, "4.3.6", id="the last difference"),
        pytest.param(_team(1, "BWB"), _team(2, "WBB"), 2, "4.3.4", id="strong and mild"),
        pytest.param(_team(1, "BW"), _team(2, "BW", halves=2), 1, "4.3.7", id="score first"),
        pytest.param(_team(1, "BW"), _team(2, "BW", second=1), 1, "4.3.7", id="then the second"),
    ],
)
def test_a_colour_follows_from_an_article(
    one: Contestant, two: Contestant, white: int, article: str
) -> None:
    solution = system("team").pair(_round(one, two))
    evidence = solution.evidence[0]
    assert (evidence.first, evidence.colour_rule) == (white, f"C.04.6 {article}")


@pytest.mark.parametrize(
    ("one", "two", "white", "article"),
    [
        pytest.param("WB", "BW", 1, "4.3.6", id="the last difference"),
        pytest.param("WB", "WB", 1, "4.3.8", id="first-team's last colour"),
        pytest.param("--", "WB", 2, "4.3.9", id="the other's last colour"),
    ],
)
def test_without_preferences_colours_alternate(
    one: str, two: str, white: int, article: str
) -> None:
    solution = system("team").pair(_round(_team(1, one), _team(2, two), colour_type=""))
    evidence = solution.evidence[0]
    if (
        article == "4.3.5"
    ):  # both have as many Whites as Blacks: 4.3.9, against the other's last colour
        article, white = "4.3.9", 2
    assert (evidence.first, evidence.colour_rule) == (white, f"C.04.6 {article}")


@pytest.mark.parametrize(
    ("one", "two", "white", "article"),
    [
        pytest.param("", "", 1, "4.3.1", id="nobody has played"),
        pytest.param("W-", "B-", 2, "4.3.2", id="fewer Whites"),
        pytest.param("BWB", "BW-", 1, "4.3.3", id="the last difference"),
        pytest.param("WB", "WB", 1, "4.3.4", id="the higher ranked alternates"),
        pytest.param("-", "B", 2, "4.3.5", id="the lower ranked alternates"),
    ],
)
def test_first_games_of_double_swiss_get_colours_by_an_article(
    one: str, two: str, white: int, article: str
) -> None:
    solution = system("double-swiss").pair(_round(_team(1, one), _team(2, two)))
    evidence = solution.evidence[0]
    assert (evidence.first, evidence.colour_rule) == (white, f"C.04.5 {article}")


def test_two_who_forfeited_a_game_each_have_met() -> None:
    """C.04.5: a match is forfeited only by a player who forfeits both games (S1)."""
    past = [
        Contestant(1, (RoundRecord(RoundKind.SPLIT, 2, 2),)),
        Contestant(2, (RoundRecord(RoundKind.SPLIT, 1, 2),)),
    ]
    with pytest.raises(NoPairingError):
        system("double-swiss").pair(PairingProblem(2, 3, tuple(past)))


def test_the_identifier_puts_the_smaller_numbers_on_top() -> None:
    """C.04.6 3.6: 1-5, 2-6, 3-7, 4-8 without constraints."""
    teams = tuple(Contestant(tpn, ()) for tpn in range(1, 9))
    solution = system("team").pair(PairingProblem(1, 5, teams))
    assert solution.brackets[0].pairs == ((1, 5), (2, 6), (3, 7), (4, 8))
    assert [value.criterion for value in solution.brackets[0].criteria][:2] == ["C4", "C5"]


@pytest.mark.parametrize("name", _SYSTEMS)
def test_where_no_upfloater_keeps_the_next_scoregroup_the_smaller_number_floats(name: str) -> None:
    """3.5.2 asks only whether the next scoregroup needs more upfloaters than its size does.

    1 may meet 2 or 7. Without 2 no two of the group can meet, without 7 only 2 and 3 can. Both
    break C6, by five and by three upfloaters, so that C7 and the number decide.
    """
    scores = {1: 4, **dict.fromkeys(range(2, 8), 2), **dict.fromkeys(range(8, 13), 0)}
    members = tuple(
        Contestant(tpn, (RoundRecord(RoundKind.HALF_BYE, None, halves),))
        for tpn, halves in scores.items()
    )
    group = {frozenset(pair) for pair in combinations(range(2, 8), 2)} - {frozenset((2, 3))}
    above = {frozenset((1, tpn)) for tpn in range(3, 13)} - {frozenset((1, 7))}
    problem = PairingProblem(2, 9, members, forbidden=frozenset(group | above))
    first, *_ = system(name).pair(problem).brackets
    assert first.pairs == ((1, 2),)
    values = {each.criterion: each.value for each in first.criteria}
    assert values["C6"] == (1,)


def test_team_2_3_6_fewer_pairs_of_two_strong_preferences_come_before_the_identifier() -> None:
    """All four prefer White, 1 and 3 strongly. 1-3 and 2-4 have the first identifier."""
    problem = _round(_team(1, "BB"), _team(2, "B-"), _team(3, "BB"), _team(4, "B-"))
    (bracket,) = system("team").pair(problem).brackets
    values = {each.criterion: each.value for each in bracket.criteria}
    assert (values["C8"], values["C9"]) == ((2,), (0,))
    assert bracket.pairs == ((1, 4), (2, 3))


def test_nobody_may_have_the_bye_twice() -> None:
    past = [Contestant(t, (RoundRecord(RoundKind.PAIRING_BYE, None, 2),)) for t in (1, 2, 3)]
    with pytest.raises(NoPairingError, match="have had a bye"):
        system("team").pair(PairingProblem(2, 3, tuple(past)))


@pytest.mark.parametrize("name", ["team", "double-swiss", "keizer", "mcmahon"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_command_finds_its_own_tournaments_in_order(
    name: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe, tournament, pairs = (tmp_path / each for each in ("recipe", "out.trf", "pairs"))
    recipe.write_text(_RECIPE)
    assert command([f"--{name}", "-g", str(recipe), "-o", str(tournament), "-s", str(seed)]) == 0
    assert command([f"--{name}", str(tournament), "-c"]) == 0
    rounds = trf.rounds_played(trf.read(tournament.read_text()))
    assert capsys.readouterr().out == "".join(f"Round #{n}\n" for n in range(1, rounds + 1))
    assert command([f"--{name}", str(tournament), "-p", str(pairs), "--explain"]) == 0
    evidence = json.loads(capsys.readouterr().out)
    boards = [f"{board['first']} {board['second']}" for board in evidence["boards"]]
    assert pairs.read_text().splitlines()[1 : len(boards) + 1] == boards
    assert all(board["colour_rule"] for board in evidence["boards"])


# More rounds than are played, each kind of bye, forfeits of one side and of both, acceleration if
# possible.
_RECIPE = """
PlayersNumber=13
RoundsNumber=9
RoundsPlayed=6
ForfeitRate=12
DoubleForfeitRate=25
HalfPointByeRate=20
FullPointByeRate=40
RetiredRate=25
LateEntryRate=12
ForbiddenPairs=2
AnnouncedByes=1
"""


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        pytest.param("team", FOUR, "the teams (310) are missing", id="no teams"),
        pytest.param("keizer", FOUR + "192 FIDE_DUTCH\n", "is not one of", id="another system"),
        pytest.param("keizer", FOUR + "192 CUSTOM_KEIZER gap=3\n", "no setting", id="no rule"),
        pytest.param(
            "mcmahon", FOUR + "192 CUSTOM_MCMAHON step_elo=0\n", "no setting", id="step 0"
        ),
        pytest.param("double-swiss", FOUR.replace("152 W\n", ""), "initial colour", id="no colour"),
    ],
)
def test_the_command_refuses_a_file_of_another_kind(
    name: str, text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in.trf"
    source.write_text(text)
    assert command([f"--{name}", str(source), "-p"]) == 3
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("name", _SYSTEMS)
def test_points_that_do_not_follow_from_the_results_are_refused(name: str) -> None:
    case = next(c for c in _cases(name) if "1.0    1 " in c.text or name == "double-swiss")
    report = trf.read(case.text)
    players = tuple(p._replace(points_halves=39) for p in report.players)
    records = report.team_records
    teams = tuple(team._replace(match_halves=39) for team in records.teams)
    wrong = report._replace(players=players, team_records=records._replace(teams=teams))
    with pytest.raises(trf.UnpairableReportError, match=r"19\.5"):
        trf.pairing_problem(wrong, systems=[report.system or "", "FIDE_TEAM"])


def test_another_solution_is_not_explained() -> None:
    problem = PairingProblem(1, 3, tuple(Contestant(tpn, ()) for tpn in (1, 2, 3, 4)))
    team = report_system("team")
    solution = team.pair(problem)
    assert team.explanation(problem, solution) == solution.brackets
    with pytest.raises(BadProblemError, match="not one of the problem"):
        team.explanation(problem, solution._replace(boards=solution.boards[::-1]))


@pytest.mark.parametrize("name", _SYSTEMS)
@given(seed=st.integers(0, 10**9), one=st.integers(1, 10), two=st.integers(1, 10))
def test_why_two_did_not_meet_is_what_the_enumeration_says(
    name: str, seed: int, one: int, two: int
) -> None:
    explained = explained_system(name)
    assert explained is not None
    for problem in problems(name, seed):
        oracle = Oracle(problem, is_team=name == "team")
        if one == two or not {one, two} <= oracle.here.keys() or len(oracle.here) % 2:
            continue
        try:
            solution = explained.pair(problem)
        except NoPairingError:
            continue
        reason = explained.explainer(problem, solution).why_not(one, two).reason
        rest = frozenset(oracle.here) - {one, two}
        if {one, two} in [{b.first, b.second} for b in solution.boards]:
            assert reason is Reason.GRANTED
        elif not oracle.may_meet(one, two):
            assert reason in (Reason.MET, Reason.FORBIDDEN)
        elif not oracle.can_pair(rest):
            assert reason is Reason.COMPLETION
        else:
            assert reason in (Reason.CRITERION, Reason.ORDER)


@pytest.mark.parametrize(
    ("codes", "kinds"),
    [
        pytest.param("1---", ["first", "second"], id="one game"),
        pytest.param("++++", ["forfeit-win", "forfeit-loss"], id="every board"),
        pytest.param("----", ["forfeit-loss", "forfeit-loss"], id="every board of both"),
        pytest.param("-+--", ["first", "second"], id="some boards of each (T10)"),
    ],
)
def test_a_match_is_forfeited_by_a_team_that_forfeits_every_board(
    codes: str, kinds: list[str]
) -> None:
    theirs = {"1": "0", "+": "-", "-": "-" if set(codes) == {"-"} else "+"}
    rows = [line(n, f"{n + 4} {'wb'[n % 2 == 0]} {code}", "") for n, code in enumerate(codes, 1)]
    rows += [
        line(n + 4, f"{n} {'bw'[n % 2 == 0]} {theirs[code]}", "") for n, code in enumerate(codes, 1)
    ]
    teams = [f"310 {n:>3}{'':65}  " + "".join(f" {i:>4}" for i in ids) for n, ids in _SQUADS]
    text = "\n".join([*rows, *teams, "142 3", "152 W", "192 FIDE_TEAM", "352 WBWB", ""])
    problem = trf.pairing_problem(trf.read(text), systems=["FIDE_TEAM"])
    assert [c.records[0].kind.value for c in problem.contestants] == kinds


_SQUADS = [(1, (1, 2, 3, 4)), (2, (5, 6, 7, 8))]
