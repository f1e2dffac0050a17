"""The names of the site's pages: names for the tests of every page, before a site exists."""

from __future__ import annotations

import games

# Pages with lists, whose rows may become many.
LISTS = [
    "home",
    "home-live",
    "events",
    "calendar",
    "event",
    "event-live",
    "event-boards",
    "event-pairings",
    "event-standings",
    "event-categories",
    "event-crosstable",
    "event-strengths",
    "event-prizes",
    "event-print",
    "event-screen",
    "series",
    "festival",
    "lobby",
    "watch",
    "archive",
    "players",
    "player",
    "bots",
    "leaderboard",
    "leaderboard-strengths",
    "leaderboard-calibration",
    "head-to-head",
    "player-statistics",
    "game-clock-played",
]
PLAIN = [
    "home",
    "home-live",
    "games",
    "learn",
    "puzzles",
    "events",
    "clubs",
    "calendar",
    "calendar-past",
    "lobby",
    "bots",
    "bot-guide",
    "leaderboard",
]
PLAIN += [
    "bot-ladders",
    "sprt",
    "suites",
    "gauntlets",
    "workers",
    "downloads",
    "open-data",
    "watch",
    "watch-live",
    "settings",
    "archive",
    "players",
    "search",
    "help",
    "about",
    "privacy",
    "contact",
]
# Pages of help with pictures, code, tables and long lists. One renderer draws all pages.
HELP = ["tutorials/first-bot", "organise/rounds", "bots/wasm"]
OF_EVENT = [name for name in LISTS if name.startswith("event-")]
SHEETS_OF_ROUND = ["pairings", "names", "slips"]
SHEETS_OF_EVENT = ["standings", "categories", "crosstable", "prizes", "report", "cards"]
_SHEETS = [f"event-sheet-{kind}" for kind in (*SHEETS_OF_ROUND, *SHEETS_OF_EVENT)]
OF_POOL = ["leaderboard-pool", "leaderboard-strengths", "leaderboard-calibration"]
_OF_GAMES = ["game", "game-live", "game-pointed-out", "game-ask", "game-choices", "game-record"]
_OF_GAMES += [
    "game-of-bots",
    "game-ply",
    "embed-game",
    "embed-live",
    "analysis",
    "analysis-of-game",
    "study",
]
_OF_GAMES += [
    "figure",
    "course",
    "exercise",
    "exercise-wrong",
    "puzzle",
    "puzzle-done",
    "game-fuel-record",
    "game-under-fuel",
    "game-over",
    "game-clock",
]
_OF_GAMES += ["game-clock-played", "game-clock-of-bots", "invitation"]
# The names of all public pages: names for their tests, before a site exists.
OPEN = [
    *PLAIN,
    *(f"rules-{family.name}" for family in games.available()),
    *(f"help-{name}" for name in HELP),
    *(
        "event",
        "event-round",
        "event-board",
        "event-forecast",
        "event-log",
        "embed-event",
        "series",
        "club",
        "festival",
        "festival-prizes",
        "festival-sheet",
        "result-report",
        *OF_EVENT,
        *_SHEETS,
    ),
    *_OF_GAMES,
    *(
        "player",
        "player-statistics",
        "bot",
        "sprt-test",
        "sprt-test-live",
        "suite",
        "gauntlet",
        "gauntlet-live",
        "head-to-head",
        "rating-calculator",
        *OF_POOL,
    ),
]
# The pages that only authors, or those concerned, see.
OWN = [
    "event-plan",
    "vacation",
    "following",
    "conversations",
    "conversation",
    "bots-mine",
    "notices",
    "bot-new",
    "bot-line",
    "bot-upload",
    "bot-version",
    "bot-remote-new",
    "bot-remote",
    "bot-consent",
    "bot-regression",
    "gauntlet-new",
    "tuning-new",
    "bot-games",
    "bot-compare",
    "suite-new",
    "workers-mine",
]
OWN += [
    "account",
    "account-delete",
    "account-security",
    "password-change",
    "second-factor",
    "tokens",
]
OWN += ["applications", "application", "oauth-authorize"]
OWN += ["webhooks", "webhook", "event-webhook"]
OWN += [
    "event-desk",
    "event-settings",
    "event-desk-prizes",
    "event-draft",
    "event-entries",
    "event-entries-merge",
    "event-entries-compare",
    "event-results",
    "event-fees",
    "series-new",
    "series-desk",
    "club-new",
    "club-change",
    "festival-new",
    "festival-desk",
    "festival-desk-prizes",
]
# The pages of guests who have forgotten their password.
FORGOTTEN = ["password-reset", "password-reset-done", "password-reset-complete"]
