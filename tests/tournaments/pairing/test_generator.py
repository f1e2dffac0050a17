"""Random tournaments: every irregularity occurs, and the checker pairs each round again to its boards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing import corpus
from tournaments import trf
from tournaments.commandline import pairing as cli
from tournaments.commandline.chance import Chance
from tournaments.commandline.checking import checked_rounds
from tournaments.commandline.generator import Generated, generate
from tournaments.commandline.recipe import BadRecipeError, Recipe, drawn, from_config, from_model
from tournaments.pairing import NoPairingError, PointSystem

EVERYTHING = Recipe(
    players=21,
    rounds=9,
    draw_percentage=40,
    forfeit_rate=15,
    double_forfeit_rate=30,
    short_game_rate=15,
    odd_result_rate=15,
    retired_rate=25,
    half_bye_rate=25,
    full_bye_rate=40,
    withdrawal_rate=60,
    late_entry_rate=8,
    forbidden_pairs=3,
    forbidden_in_rounds=3,
)
rates = st.sampled_from([0, 5, 12, 40])
halves = st.integers(0, 4)
points = st.builds(
    PointSystem,
    win=st.integers(2, 6),
    draw=halves,
    loss=halves,
    pairing_bye=halves,
    half_bye=halves,
    full_bye=halves,
    zero_bye=halves,
    forfeit_win=halves,
    forfeit_loss=halves,
)
recipes = st.builds(
    Recipe,
    players=st.integers(2, 24),
    rounds=st.integers(1, 9),
    rounds_played=st.one_of(st.none(), st.integers(1, 9)),
    draw_percentage=st.integers(0, 100),
    forfeit_rate=rates,
    double_forfeit_rate=rates,
    short_game_rate=rates,
    odd_result_rate=rates,
    retired_rate=rates,
    half_bye_rate=rates,
    full_bye_rate=rates,
    withdrawal_rate=rates,
    late_entry_rate=rates,
    forbidden_pairs=st.integers(0, 5),
    forbidden_in_rounds=st.integers(0, 5),
    announces=st.booleans(),
    odd_is_white=st.one_of(st.none(), st.booleans()),
)
systems: st.SearchStrategy[dict[str, object]] = st.one_of(
    st.just({}),
    st.just({"is_accelerated": True}),
    points.map(lambda system: {"points": system}),
)


def _generated(recipe: Recipe, seed: int) -> Generated | None:
    try:
        return generate(recipe, seed)
    except NoPairingError:
        return None


def _assert_checks(generated: Generated, name: str = "dutch") -> None:
    """The file is read back as it was written, and every round of it is paired again to its boards."""
    text = trf.write(generated.report)
    report = trf.read(text)
    assert trf.write(report) == text
    rounds = checked_rounds(report, name)
    differing = [r.text for r in rounds if r.missing or r.surplus or r.refusal]
    assert differing == []


@pytest.mark.long
@settings(max_examples=25)
@given(recipe=recipes, system=systems, seed=st.integers(0, 10**9))
def test_every_round_pairs_again_to_the_same_boards(
    recipe: Recipe, system: dict[str, object], seed: int
) -> None:
    generated = _generated(replace(recipe, **system), seed)  # type: ignore[arg-type]  # fields by name
    if generated is not None:
        _assert_checks(generated)


@pytest.mark.slow
@settings(max_examples=3000)
@given(recipe=recipes, system=systems, seed=st.integers(0, 10**9))
def test_every_round_of_many_pairs_again_to_the_same_boards(
    recipe: Recipe, system: dict[str, object], seed: int
) -> None:
    generated = _generated(replace(recipe, **system), seed)  # type: ignore[arg-type]  # fields by name
    if generated is not None:
        _assert_checks(generated)


@pytest.mark.long
def test_everything_irregular_occurs() -> None:
    reports = [generate(EVERYTHING, seed).report for seed in range(6)]
    codes = {r.code for report in reports for p in report.players for r in p.results if r}
    # A generated tournament is over: no game is adjourned.
    assert codes == set(trf.Code) - {trf.Code.ADJOURNED}
    forbidden = reports[0].forbidden
    assert [(f.first_round, f.last_round) for f in forbidden[:3]] == [(1, 9)] * 3
    assert any((f.first_round, f.last_round) != (1, 9) for f in forbidden[3:])


def test_less_than_a_whole_game_occurs_in_each_way() -> None:
    players = generate(replace(EVERYTHING, odd_result_rate=2), 1).report.players
    codes = {(p.id, n): r for p in players for n, r in enumerate(p.results) if r}
    scores = {
        (result.code, codes[result.opponent, n].code)
        for (_, n), result in codes.items()
        if result.opponent and result.is_white
    }
    draw, loss = trf.Code.DRAW, trf.Code.LOSS
    assert {(draw, loss), (loss, draw), (loss, loss)} <= scores


def test_places_follow_the_tie_breaks_of_the_configuration(tmp_path: Path) -> None:
    config, out = tmp_path / "event.cfg", tmp_path / "event.trf"
    config.write_text("PlayersNumber=30\nRoundsNumber=6\nTieBreaks=bh/c1, DE,SB\n")
    assert cli.main(["--dutch", "-g", str(config), "-o", str(out), "-s", "2"]) == 0
    assert "202 BH/C1,DE,SB\n" in out.read_text()
    assert cli.main(["check", str(out)]) == 0
    places = [p.place for p in trf.read(out.read_text()).players]
    by_points = [
        p.place for p in generate(from_config("PlayersNumber=30\nRoundsNumber=6"), 2).report.players
    ]
    assert sorted(places) == sorted(by_points) != places != by_points  # type: ignore[type-var]  # places are numbers


def test_events_of_teams_take_no_tie_breaks_of_individuals() -> None:
    with pytest.raises(BadRecipeError, match="TieBreaks"):
        generate(replace(EVERYTHING, tie_breaks=("BH",)), 1, name="team")


def test_without_a_seed_two_files_differ(config: Path, tmp_path: Path) -> None:
    texts = set()
    for name in ("a.trf", "b.trf"):
        assert cli.main(["--dutch", "-g", str(config), "-o", str(tmp_path / name)]) == 0
        texts.add((tmp_path / name).read_text())
    assert len(texts) == 2


def test_the_seed_makes_the_tournament_and_stands_in_it() -> None:
    text = trf.write(generate(EVERYTHING, 4).report)
    assert text == trf.write(generate(EVERYTHING, 4).report)
    assert text != trf.write(generate(EVERYTHING, 5).report)
    assert "seed 4" in text.splitlines()[0]


@pytest.mark.long
@pytest.mark.parametrize(("difference", "expected"), [(0, 0.5), (200, 0.76), (736, 1)])
@pytest.mark.parametrize("draws", [0, 15])
def test_results_follow_the_table_of_fide(difference: int, expected: float, draws: int) -> None:
    """A favourite by 200 points scores 0.76, and one by more than 735 all points (B.02 8.1.2)."""
    players = tuple(trf.Player(i, rating=r) for i, r in ((1, 2000 + difference), (2, 2000)))
    recipe = Recipe(rounds=1, model=players, draw_percentage=draws)
    recipe = replace(recipe, players=2, forfeit_rate=0, half_bye_rate=0, retired_rate=0)
    scored = [trf.points_halves(generate(recipe, seed).report)[1] / 2 for seed in range(400)]
    mean = sum(scored) / len(scored)
    assert mean == pytest.approx(expected, abs=0.05 if expected < 1 else 0)


def test_a_tournament_that_cannot_go_on_ends_and_says_so() -> None:
    recipe = replace(Recipe(), players=4, rounds=9, retired_rate=0, half_bye_rate=0, forfeit_rate=0)
    generated = generate(recipe, 1)
    assert generated.ended is not None
    assert trf.rounds_played(generated.report) == 3
    assert "ended before its last round" in trf.write(generated.report)
    _assert_checks(generated)


def test_a_tournament_that_cannot_begin_is_none() -> None:
    pair = (trf.Forbidden(1, None, (1, 2)),)
    recipe = replace(Recipe(), players=2, rounds=3, forbidden=pair)
    with pytest.raises(NoPairingError):
        generate(recipe, 1)


@pytest.mark.parametrize("tag", ["baku", "forbidden", "points", "black-first", "trfx", "absent"])
def test_a_model_keeps_its_settings(tag: str) -> None:
    case = next(c for c in corpus.cases() if c.boards and tag in c.tags)
    model = trf.read(case.trf)
    generated = generate(from_model(model), 3)
    report = trf.read(trf.write(generated.report))
    assert (report.rounds_total, report.points, report.virtual) == (
        model.rounds_total,
        model.points,
        model.virtual,
    )
    assert [f.ids for f in report.forbidden] == [f.ids for f in model.forbidden]
    assert [p.id for p in report.players] == [p.id for p in model.players]
    assert report.absences[: len(model.absences)] == model.absences
    _assert_checks(generated)


def test_a_model_passes_on_how_often_things_happen() -> None:
    generated = generate(replace(EVERYTHING, players=60, draw_percentage=80), 2)
    recipe = from_model(generated.report)
    assert recipe.draw_percentage == pytest.approx(60, abs=25)
    assert 8 <= recipe.forfeit_rate <= 40
    assert from_model(trf.read("001    1")).forfeit_rate == Recipe().forfeit_rate


def test_a_configuration_is_read() -> None:
    recipe = from_config(
        "# an event\nPlayersNumber = 30\nRoundsNumber=7\nForfeitRate=20 # often\n"
        "PointsForWin=3.0\nPointsForDraw=1\nPointsForZPB=0.5\nInitialColour=B\nAnnouncedByes=1\n"
    )
    assert (recipe.players, recipe.rounds, recipe.forfeit_rate) == (30, 7, 20)
    assert (recipe.odd_is_white, recipe.announces) == (False, True)
    assert recipe.points == PointSystem(
        win=6, draw=2, pairing_bye=6, half_bye=2, full_bye=6, forfeit_win=6, zero_bye=1
    )


@pytest.mark.long
@pytest.mark.parametrize("name", ["dutch", "dubov", "lim", "double-swiss", "team", "mcmahon"])
def test_what_a_configuration_leaves_to_chance_is_drawn(name: str) -> None:
    recipe = from_config("PlayersNumber=14\nRoundsNumber=5\nForfeitRate=0\nOthers=random")
    reports = []
    for seed in range(8):
        generated = generate(recipe, seed, name=name)
        _assert_checks(generated, name)
        reports.append(generated.report)
    assert any(r.virtual for r in reports), "some are accelerated"
    assert not all(r.virtual for r in reports)
    assert len({len(r.forbidden) for r in reports}) > 1
    players = [p for r in reports for p in r.players]
    assert len({p.rating for p in players}) > len(players) / 8
    tie_breaks = {h.text for r in reports for h in r.headers if h.code == "202"}
    assert len(tie_breaks) > 1 or name == "team"
    assert any(each.code is trf.Code.HALF_BYE for p in players for each in p.results if each)


@pytest.mark.parametrize("seed", range(8))
def test_a_given_bound_of_the_ratings_holds_beside_a_random_one(seed: int) -> None:
    chance = Chance(seed)
    low = drawn(from_config("HighestRating=1200\nLowestRating=random"), chance)
    assert low.highest == 1200
    assert low.lowest <= 1200
    high = drawn(from_config("LowestRating=2500\nHighestRating=random"), chance)
    assert high.lowest == 2500
    assert high.highest >= 2500


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PointsForWin=random", "'random' is no number of points"),
        ("Others=0", "'Others' is no key"),
        ("PlayersNumber", "line 1: 'PlayersNumber' is not Key=Value"),
        ("\nPlayers=3", "line 2: 'Players' is no key"),
        ("PlayersNumber=1", "1 is not from 2 to 9999"),
        ("RoundsNumber=x", "'x' is no whole number"),
        ("RoundsNumber=9999999999999", "is no whole number"),
        ("DrawPercentage=101", "101 is not from 0 to 100"),
        ("PointsForWin=1.3", "'1.3' is no multiple of half a point"),
        ("PointsForWin=.", "'.' is no number of points"),
        ("Accelerated=yes", "'yes' is neither 0 nor 1"),
        ("InitialColour=red", "'red' is neither W nor B"),
        ("HighestRating=1000\nLowestRating=2000", "LowestRating 2000 is above HighestRating 1000"),
        ("Accelerated=1\nPointsForWin=3", "Accelerated needs"),
        ("TieBreaks=BH,XX", "XX"),
    ],
)
def test_a_bad_configuration_says_where(text: str, message: str) -> None:
    with pytest.raises(BadRecipeError, match=message):
        from_config(text)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "event.cfg"
    path.write_text("PlayersNumber=17\nRoundsNumber=5\nRoundsPlayed=3\nHalfPointByeRate=8\n")
    return path


def test_the_command_makes_the_same_file_from_the_same_seed(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = []
    for name in ("a.trf", "b.trf"):
        out = tmp_path / name
        arguments = ["--dutch", "-g", str(config), "-o", str(out), "-s", "11", "-l"]
        assert cli.main(arguments) == 0
        texts.append(out.read_text())
    assert texts[0] == texts[1]
    assert (tmp_path / "a.list").read_text().count("Round #") == 3
    assert cli.main(["--dutch", str(tmp_path / "a.trf"), "-c"]) == 0
    assert capsys.readouterr().out == "Round #1\nRound #2\nRound #3\n"
    assert cli.main(["--dutch", str(tmp_path / "a.trf"), "-p"]) == 0


def test_the_command_takes_a_model_and_tells_of_an_early_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model.trf").write_text("142 9\n152 B\n001    1\n001    2\n001    3\n001    4\n")
    out = tmp_path / "out.trf"
    assert cli.main(["--dutch", str(tmp_path / "model.trf"), "-g", "-o", str(out), "-s", "1"]) == 0
    assert "152 B" in out.read_text()
    assert "ends before round" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "system"), [([], "FIDE_DUTCH_2026"), (["--code-2025"], "FIDE_DUTCH_2025")]
)
def test_the_command_writes_either_code_of_the_system(
    arguments: list[str], system: str, config: Path, tmp_path: Path
) -> None:
    out = tmp_path / "a.trf"
    assert cli.main(["--dutch", "-g", str(config), "-o", str(out), "-s", "1", *arguments]) == 0
    assert trf.read(out.read_text()).system == system


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["-g"], 3, id="no output"),
        pytest.param(["-g", "{}.no", "-o", "{}.trf"], 5, id="no such configuration"),
        pytest.param(["-g", "{}", "-o", "{}/no/o.trf"], 5, id="no such folder"),
        pytest.param(["-g", "{}", "-o", "{}.trf", "-s", "x"], 3, id="no number as the seed"),
        pytest.param(["{}", "-g", "{}", "-o", "{}.trf"], 3, id="model and configuration"),
        pytest.param(["{}", "-g", "-o", "{}.trf"], 3, id="a model that is none"),
        pytest.param(["{}", "-p", "-o", "{}.trf"], 3, id="an output for -p"),
        pytest.param(["{}", "-p", "--code-2025"], 3, id="a code for -p"),
    ],
)
def test_bad_requests_are_refused(arguments: list[str], code: int, config: Path) -> None:
    assert cli.main(["--dutch", *(a.format(config) for a in arguments)]) == code
