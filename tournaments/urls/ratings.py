"""Addresses of rating pools."""

from django.urls import path

from tournaments.views import limits
from tournaments.views.ratings import calculator, leaderboard

urlpatterns = [
    path("leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path("leaderboard/<slug:pool>/", leaderboard.leaderboard, name="leaderboard-pool"),
    path("leaderboard/<slug:pool>/strengths/", leaderboard.strength, name="leaderboard-strengths"),
    path(
        "leaderboard/<slug:pool>/calibration/",
        leaderboard.calibration,
        name="leaderboard-calibration",
    ),
    *limits.pages(
        limits.COMPUTATIONS,
        path("ratings/calculator/", calculator.calculator, name="rating-calculator"),
    ),
]
