"""A small tournament for every criterion and article of C.04.3, with its pairing and the pairing without the rule.

The cases are in `cases/`, named by the rule: `c14_resident_downfloater.trf`. Their `###` lines
describe them. The engine, and an oracle that shares no code with it, must give the pairing. Without
the criterion both must give the other one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournaments.pairing.dutch_oracle import oracle_boards
from tests.tournaments.pairing.dutch_records import colour_article, ranked_players
from tests.tournaments.pairing.without import boards_without
from tournaments import trf
from tournaments.pairing import (
    Contestant,
    Dutch,
    PairingProblem,
    RoundKind,
    RoundRecord,
    Solution,
)
from tournaments.pairing.dutch.rules.criteria import BY_CODE, CRITERIA

FILES = sorted((Path(__file__).parent / "cases").glob("*.trf"))
CRITERION_FILES = [f for f in FILES if f.stem.startswith("c")]
GENERATION_FILES = [f for f in FILES if f.stem.startswith("a4")]
COLOUR_FILES = [f for f in FILES if f.stem.startswith("a5")]


def _id(file: Path) -> str:
    """An id that the code finds: `C14_resident_downfloater`, `4_2_transposition`."""
    return file.stem.removeprefix("a") if file.stem.startswith("a") else file.stem.capitalize()


def _code(file: Path) -> str:
    return file.stem.partition("_")[0].upper()


def _note(file: Path, name: str) -> str:
    """Return the text of the `###` line of that name."""
    lines = file.read_text().splitlines()
    return next(w for line in lines if (w := line.removeprefix(f"### {name}: ")) != line)


def _boards(text: str) -> set[frozenset[int]]:
    return {frozenset(int(t) for t in b.split("-") if t != "bye") for b in text.split()}


def _problem(file: Path) -> PairingProblem:
    return trf.pairing_problem(trf.read(file.read_text()))


def _text(solution: Solution) -> str:
    boards = [f"{b.first}-{b.second}" for b in solution.boards]
    return " ".join([*boards, *([f"{solution.bye}-bye"] if solution.bye else [])])


def test_every_criterion_has_a_case_that_names_its_article() -> None:
    assert {_code(file) for file in CRITERION_FILES} == {c.code for c in CRITERIA}
    for file in CRITERION_FILES:
        code = _code(file)
        assert f"### {code} ({BY_CODE[code].article}): " in file.read_text()


@pytest.mark.parametrize("file", FILES, ids=_id)
def test_the_case_is_paired_as_it_says(file: Path) -> None:
    problem = _problem(file)
    assert _text(Dutch().pair(problem)) == _note(file, "pairing")
    assert oracle_boards(problem) == _boards(_note(file, "pairing"))


@pytest.mark.parametrize("file", CRITERION_FILES, ids=_id)
def test_without_the_criterion_the_case_is_paired_otherwise(file: Path) -> None:
    problem, code = _problem(file), _code(file)
    other = _boards(_note(file, "without"))
    assert boards_without(problem, code) == other != _boards(_note(file, "pairing"))
    if code != "C4":  # without C4 a round can end with several unpaired, in whatever way
        assert oracle_boards(problem, [code]) == other


def test_a_bye_worth_nothing_is_a_downfloat() -> None:
    """1.4.3: a forfeit win without points bars the bye as well (C2), but floats by its points alone."""
    file = next(f for f in FILES if f.stem == "a1_4_3_worthless_bye")
    problem = _problem(file)
    assert _boards(_text(Dutch().pair(problem))) == _boards(_note(file, "pairing"))
    older = problem._replace(
        contestants=tuple(c._replace(records=_by_points(c)) for c in problem.contestants)
    )
    assert _boards(_text(Dutch().pair(older))) == _boards(_note(file, "without"))


def _by_points(contestant: Contestant) -> tuple[RoundRecord, ...]:
    """Return the records with byes that float by their points, as in July 2025."""
    return tuple(
        r._replace(kind=RoundKind.FORFEIT_WIN) if r.kind is RoundKind.PAIRING_BYE else r
        for r in contestant.records
    )


@pytest.mark.parametrize("file", GENERATION_FILES, ids=_id)
def test_without_the_article_another_of_the_equals_would_do(file: Path) -> None:
    """Article 4: which of equally good candidates is generated first."""
    article = file.stem.removeprefix("a")
    dropped = {
        "4_2_mdp_opponents": "4.2-mdp",
        "4_2_transposition": "4.2",
        "4_3_1_exchange_size": "4.3.1",
        "4_3_2_exchange_difference": "4.3.2",
        "4_3_3_exchange_leaving": "4.3.3",
        "4_4_mdp_set": "4.4",
    }[article]
    other = oracle_boards(_problem(file), [dropped])
    assert other == _boards(_note(file, "without")) != _boards(_note(file, "pairing"))


@pytest.mark.parametrize("file", COLOUR_FILES, ids=_id)
def test_the_colours_follow_from_the_article(file: Path) -> None:
    """Article 5.2: the first rule that decides, by the engine's evidence and by the records."""
    problem = _problem(file)
    article = ".".join(file.stem.removeprefix("a").split("_")[:3])
    decided = _note_of_decision(file)
    players = {p.tpn: p for p in ranked_players(problem)}
    rules = {}
    for evidence in Dutch().pair(problem).evidence:
        pair = [p for p in players.values() if p.tpn in (evidence.first, evidence.second)]
        white, rule = colour_article(problem, *pair)
        assert (evidence.first, evidence.colour_rule) == (white.tpn, rule)
        rules[f"{evidence.first}-{evidence.second}"] = rule
    assert rules[decided] == article


def _note_of_decision(file: Path) -> str:
    line = next(t for t in file.read_text().splitlines() if t.startswith("### It decides "))
    return line.removeprefix("### It decides ").removesuffix(".")
