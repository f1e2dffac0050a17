"""The tests that have to notice a fault: arguments of pytest by the beginning of a module's path, cheap files first."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_PAIRING = "tests/tournaments/pairing/test_"
_INDIVIDUAL = (f"{_PAIRING}individual_reasons.py", f"{_PAIRING}individual.py")
TESTS = {
    "games/": (
        "tests/games/test_conformance.py",
        "tests/games/test_registry.py",
        "tests/games/test_record.py",
        "tests/games/test_json_record.py",
        "tests/games/test_variations.py",
        "tests/games/test_animation.py",
        "tests/games/test_svg.py",
        "tests/games/test_palette.py",
        "tests/games/test_presentation.py",
        "tests/games/test_starts.py",
        "tests/games/test_perft.py",
    ),
    **dict.fromkeys(
        (f"games/{family}/figures.py" for family in ("morelli", "morlox", "perfect")),
        (
            "tests/tournaments/views/rules/test_figures.py",
            "tests/games/test_presentation.py",
        ),
    ),
    "games/morelli/": (
        "tests/games/test_morelli.py",
        "tests/games/test_morelli_end.py",
        "tests/games/test_morelli_notation.py",
        "tests/games/test_morelli_setup.py",
        "tests/games/test_registry.py",
        "tests/games/test_presentation.py",
        "tests/games/test_conformance.py",
        "tests/games/test_perft.py",
    ),
    "games/morlox/": (
        "tests/games/test_morlox.py",
        "tests/games/test_morlox_control.py",
        "tests/games/test_morlox_interface.py",
        "tests/games/test_presentation.py",
        "tests/games/test_conformance.py",
        "tests/games/test_perft.py",
    ),
    "games/perfect/": (
        "tests/games/test_perfect.py",
        "tests/games/test_perfect_men.py",
        "tests/games/test_perfect_re_entry.py",
        "tests/games/test_perfect_end.py",
        "tests/games/test_perfect_laws.py",
        "tests/games/test_perfect_tiles.py",
        "tests/games/test_presentation.py",
        "tests/games/test_conformance.py",
        "tests/games/test_perft.py",
    ),
    "tournaments/clocks/": (
        "tests/tournaments/clocks/test_clock_figures.py",
        "tests/tournaments/clocks/test_clock_laws.py",
    ),
    "tournaments/pairing/": tuple(
        f"{_PAIRING}{name}.py"
        for name in (
            "pairing",
            "round_robin",
            "knockout",
            "arena",
            "ladder",
            "league",
            "stages",
            "pairing_systems",
            "pairing_cli",
        )
    ),
    "tournaments/pairing/individual.py": _INDIVIDUAL,
    **{
        f"tournaments/pairing/{name}.py": (*_INDIVIDUAL, "-k", words)
        for name, words in {
            "dubov": "dubov",
            "burstein": "burstein",
            "dutch_2017": "dutch-2017 or dutch_2017",
        }.items()
    },
    "tournaments/pairing/swiss.py": (f"{_PAIRING}clubs.py", f"{_PAIRING}pairing.py"),
    "tournaments/pairing/lim.py": (f"{_PAIRING}lim.py", *_INDIVIDUAL, "-k", "lim"),
    **dict.fromkeys(
        (
            f"tournaments/pairing/{name}.py"
            for name in (
                "top_scoregroup",
                "team",
                "double_swiss",
            )
        ),
        (f"{_PAIRING}match_systems.py",),
    ),
    **dict.fromkeys(
        (
            *(f"tournaments/pairing/{name}.py" for name in ("keizer", "mcmahon", "club_field")),
            "tournaments/standings/club_systems.py",
            "tournaments/house_rules.py",
        ),
        (f"{_PAIRING}clubs.py",),
    ),
    "tournaments/standings/teams.py": ("tests/tournaments/standings/test_team_tiebreaks.py",),
    "tournaments/standings/series.py": (
        "tests/tournaments/standings/test_series.py",
        "tests/tournaments/standings/test_series_laws.py",
    ),
    **dict.fromkeys(
        ("tournaments/pairing/best_matchings.py", "tournaments/pairing/dutch/search/nested.py"),
        (
            f"{_PAIRING}search_work.py",
            f"{_PAIRING}best_matchings.py",
            f"{_PAIRING}match_systems.py",
        ),
    ),
    **{
        f"tournaments/pairing/{name}.py": (f"{_PAIRING}{name}.py",)
        for name in ("quick", "baku", "round_robin")
    },
    "tournaments/pairing/dutch/": tuple(
        f"{_PAIRING}{name}.py"
        for name in (
            "dutch_cases",
            "dutch_document",
            "exchanges",
            "odd_sets",
            "transversals",
            "duals",
            "dutch",
            "proofs",
            "counterfactual",
        )
    ),
    "tournaments/pairing/dutch/search/": tuple(
        f"{_PAIRING}{name}.py"
        for name in (
            "search_work",
            "dutch_cases",
            "floaters",
            "exchanges",
            "odd_sets",
            "transversals",
            "duals",
            "dutch",
        )
    ),
    "tournaments/pairing/dutch/why/": tuple(
        f"{_PAIRING}{name}.py"
        for name in ("search_work", "proofs", "dutch_document", "counterfactual")
    ),
    "tournaments/pairing/dutch/rules/": tuple(
        f"{_PAIRING}{name}.py"
        for name in ("dutch_rules", "dutch_cases", "dutch_document", "criteria_order")
    ),
    "tournaments/ratings/": tuple(
        f"tests/tournaments/ratings/test_{name}.py"
        for name in (
            "elo",
            "glicko2",
            "fide_ratings",
            "calibration",
            "systems",
            "bradley_terry",
            "ratings_cli",
        )
    ),
    "tournaments/standings/": tuple(
        f"tests/tournaments/standings/test_{name}.py"
        for name in (
            "tiebreaks",
            "tiebreak_edges",
            "tiebreak_laws",
            "standings_cli",
            "tiebreak_corpus",
        )
    ),
    "tournaments/standings/prizes/": (
        "tests/tournaments/standings/test_prizes.py",
        "tests/tournaments/standings/test_prize_laws.py",
    ),
}


def files_for(path: Path) -> tuple[str, ...]:
    """Return the files of tests for a module, and their filter: those of the longest beginning.

    Raises KeyError without one.
    """
    name = str(path.resolve().relative_to(ROOT))
    beginnings = [beginning for beginning in TESTS if name.startswith(beginning)]
    if not beginnings:
        raise KeyError(f"no tests are chosen for {name}: see {__file__}")
    return TESTS[max(beginnings, key=len)]
