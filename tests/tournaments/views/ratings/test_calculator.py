"""The rating calculator: every step by the ledger's and FIDE's formulas, and a clear refusal of invalid input."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.pages import finished_game, text_of
from tournaments.models import Player, User


def _calculate(client: Client, **values: str) -> str:
    return text_of(client.get(reverse("rating-calculator"), values).content)


def _ledger(client: Client, **changes: str) -> str:
    values = {"rating": "1500", "opponent": "1650", "result": "2", "k": "20"} | changes
    return _calculate(client, **{f"ledger-{name}": value for name, value in values.items()})


def _fide(client: Client, **changes: str) -> str:
    values = {"rating": "2000", "k": "20", "time_class": "standard", "games": "2100 1\n1950 0.5"}
    return _calculate(
        client, **{f"fide-{name}": value for name, value in (values | changes).items()}
    )


def test_the_calculator_shows_every_step_of_the_ledgers_formula(client: Client, db: None) -> None:
    text = _ledger(client)
    assert "1500 → 1514.07 (+14.07)" in text
    assert "Difference of the ratings: −150" in text
    assert "= 0.297" in text
    assert "Score beyond it: 1 − 0.297 = +0.703" in text
    assert "Change: 20 × (+0.703) = +14.07" in text


def test_the_calculator_agrees_with_the_ledger(bots: Sequence[Player], client: Client) -> None:
    finished_game(bots[0], bots[1], "first")
    finished_game(bots[1], bots[0], "first")
    entry = bots[1].ledger.last()
    assert entry is not None
    text = _ledger(
        client,
        rating=f"{entry.before_centielo / 100:.2f}",
        opponent=f"{entry.opponent_centielo / 100:.2f}",
        k=str(entry.k_factor),
    )
    assert f"(+{entry.delta_centielo / 100:.2f}".removesuffix(".00") in text


def test_the_calculator_agrees_with_the_ledger_of_casual_games(
    ana: User, ben: User, client: Client
) -> None:
    finished_game(ana.player, ben.player, "first")
    entry = ana.player.ledger.get()
    text = _calculate(
        client,
        **{
            "casual-rating": "1500",
            "casual-deviation": "500",
            "casual-opponent": "1500",
            "casual-opponent_deviation": "500",
            "casual-result": "2",
        },
    )
    assert f"1500 → {entry.after_centielo / 100:.2f}" in text
    assert f"RD: 500 → {entry.inputs['deviation_after'] / 100:.2f}" in text


def test_a_large_difference_counts_as_400(client: Client, db: None) -> None:
    text = _ledger(client, rating="2000", opponent="1000", result="0")
    assert "Difference of the ratings: +1000; it counts as +400" in text
    assert "= 0.909" in text


def test_the_calculator_rounds_a_fide_period_once(client: Client, db: None) -> None:
    # PD(-100) = .36 and PD(50) = .57: +.64 - .07 = +.57, times 20 = 11.4 (B.02 8.1.2, 8.3.4).
    text = _fide(client)
    assert "2000 → 2011 (+11)" in text
    assert "Sum of ΔR: +0.57" in text
    assert "Change: 20 × (+0.57) = +11.40, rounded +11" in text
    # 75 % of the points: dp = 193 above an average of 2025.
    assert "Performance (TPR) 2218" in text
    assert "fide-standard-2025" in text


def test_many_games_lower_k(client: Client, db: None) -> None:
    text = _fide(client, k="40", games="2000 1\n" * 20)
    assert "K is 35 instead of 40" in text


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ("", "This field is required."),
        ("2100", "Line 1 is not a rating and a result."),
        ("2100 1\n\nabc 1", "Line 3 is not a rating and a result."),
        ("2100 2", "Line 1: the result is 1, ½ (or 0.5) or 0."),
        ("9999 1", "Line 1: no rating is above 4000."),
        ("-100 1", "Line 1 is not a rating and a result."),
        ("٢١٠٠ 1", "Line 1 is not a rating and a result."),
        ("2100 1\n" * 101, "At most 100 games are possible."),
    ],
    ids=["none", "no-result", "a-word", "score", "too-high", "negative", "digits", "too-many"],
)
def test_games_that_make_no_sense_are_told_by_their_line(
    client: Client, db: None, games: str, message: str
) -> None:
    text = _fide(client, games=games)
    assert message in text
    assert "→" not in text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rating": ""}, "This field is required."),
        ({"rating": "abc"}, "Enter a number."),
        ({"rating": "NaN"}, "Enter a number."),
        ({"rating": "1e400"}, "Ensure"),
        ({"opponent": "-1"}, "Ensure this value is greater than or equal to 0."),
        ({"opponent": "4001"}, "Ensure this value is less than or equal to 4000."),
        ({"opponent": "1500.123"}, "Ensure that there are no more than 2 decimal places."),
        ({"result": "3"}, "Select a valid choice."),
        ({"k": "33"}, "Select a valid choice."),
    ],
    ids=[
        "none",
        "a-word",
        "not-a-number",
        "endless",
        "negative",
        "too-high",
        "too-exact",
        "result",
        "k",
    ],
)
def test_numbers_that_make_no_sense_are_told_beside_their_field(
    client: Client, db: None, changes: dict[str, str], message: str
) -> None:
    text = _ledger(client, **changes)
    assert message in text
    assert "→" not in text


def test_one_form_is_answered_without_the_other(client: Client, db: None) -> None:
    page = client.get(reverse("rating-calculator")).content
    assert b'class="errors"' not in page
    assert b"answer" not in page
    only = client.get(
        reverse("rating-calculator"),
        {f"ledger-{k}": v for k, v in {"rating": 1, "opponent": 2, "result": 1, "k": 10}.items()},
    ).content
    assert b'id="ledger-answer"' in only
    assert b'id="fide-answer"' not in only
    assert b'class="errors"' not in only
