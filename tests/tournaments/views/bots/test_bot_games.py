"""An author's view of a version's games: those to look at first, a search over all, two versions side by side."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.tournaments import pages, uploads
from tournaments import database_time
from tournaments.models import Bot, Player, Pool, Rating, User
from tournaments.queries.bots import bot_games, comparison
from tournaments.services.ratings import pool_assignment


@pytest.fixture
def bot(ana: User) -> Bot:
    return uploads.ready(uploads.line(ana), is_active=True)


def _page(ana: User, address: str) -> tuple[int, str]:
    answer = pages.member(ana).get(address)
    return answer.status_code, answer.content.decode()


def test_the_page_of_a_version_shows_failures_first_then_losses_to_the_weakest(
    ana: User, bot: Bot, bots: list[Player]
) -> None:
    pool = pool_assignment.pool_of("morlox(size=5)", 1_000, 0, Pool.Kind.BOTS)
    Rating.objects.create(pool=pool, player=bots[0], centielo=1, peak_centielo=1, games=9)
    crash = uploads.lost(bot.player, bots[0], "crash", pool=pool)
    weak = uploads.lost(bot.player, bots[0], "rules", pool=pool)
    _, page = _page(ana, f"/bots/versions/{bot.pk}/")
    section = page.partition("Look at these first")[2].partition("<h2>Games</h2>")[0]
    assert section.index(f"/game/{crash.pk}/") < section.index("Lost to the lowest rated")
    assert section.index("Lost to the lowest rated") < section.index(f"/game/{weak.pk}/")
    assert "1 in 2 rated games since its check" in page


def test_without_losses_there_is_nothing_to_look_at(
    ana: User, bot: Bot, bots: list[Player]
) -> None:
    uploads.lost(bots[0], bot.player, "crash")
    assert "Look at these first" not in _page(ana, f"/bots/versions/{bot.pk}/")[1]


def test_a_version_that_waits_is_told_its_place_in_the_queue(ana: User, ben: User) -> None:
    earlier, own = uploads.line(ben, "Mono"), uploads.line(ana)
    Bot.objects.filter(pk=earlier.pk).update(created_at=database_time.now() - timedelta(hours=1))
    _, page = _page(ana, f"/bots/versions/{own.pk}/")
    assert "Number 2 of 2 in the queue of checks. 0 being checked." in page


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", {"crash", "won"}),
        ("result=lost", {"crash"}),
        ("ending=failed", {"crash"}),
        ("ending=rules", {"won"}),
        ("opponent=BOT+2", {"won"}),
        ("family=morelli", set()),
        ("since=2000-01-01&until=2000-01-02", set()),
    ],
)
def test_all_games_of_a_version_can_be_searched(
    ana: User, bot: Bot, bots: list[Player], query: str, names: set[str]
) -> None:
    games = {
        "crash": uploads.lost(bot.player, bots[0], "crash"),
        "won": uploads.lost(bots[1], bot.player, "rules"),
    }
    status, page = _page(ana, f"/bots/versions/{bot.pk}/games/?{query}")
    assert status == 200
    assert {name for name, game in games.items() if f"/game/{game.pk}/" in page} == names
    assert ("No game of this version fits." in page) == (not names)


@pytest.mark.parametrize("query", ["result=never", "since=soon", "before=0", "event=nothing"])
def test_a_search_that_makes_no_sense_is_refused_with_the_reason(
    ana: User, bot: Bot, query: str
) -> None:
    assert _page(ana, f"/bots/versions/{bot.pk}/games/?{query}")[0] == 400


def test_older_games_follow_without_loss_or_repetition(
    ana: User, bot: Bot, bots: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [uploads.lost(bot.player, bots[0], "rules") for _ in range(5)]
    ids: list[int] = []
    before: int | None = None
    for _ in range(3):
        page = bot_games.search_games(bot, bot_games.BotSearch(), before=before, most=2)
        ids += [game.pk for game in page.games]
        before = page.older
    assert ids == [game.pk for game in reversed(rows)]
    assert before is None


def test_two_versions_are_compared_by_what_both_have_played(
    ana: User, bot: Bot, bots: list[Player]
) -> None:
    other = uploads.ready(uploads.version(bot, uploads.CHEAT))
    for _ in range(3):
        uploads.lost(other.player, bot.player, "rules")
    uploads.lost(bot.player, other.player, "rules")
    uploads.lost(bot.player, bots[0], "rules")
    uploads.lost(bots[0], other.player, "rules", result="draw")
    uploads.lost(other.player, bots[1], "rules")
    uploads.lost(bot.player, bots[0], "fault", result="void")
    result = comparison.compare(bot, other)
    assert (result.direct.wins, result.direct.losses) == (3, 1)
    assert result.elo is not None
    assert result.elo.low < 0 < result.elo.elo < result.elo.high
    assert [row.player for row in result.opponents] == [bots[0]]
    assert (result.one.games, result.one.score_halves) == (1, 0)
    assert (result.other.games, result.other.score_halves) == (1, 1)
    status, page = _page(ana, f"/bots/lines/{bot.line_id}/compare/?one={bot.pk}&other={other.pk}")
    assert status == 200
    assert "3 : 1" in page
    assert "0 / 1" in page
    assert "½ / 1" in page


def test_versions_of_other_lines_are_not_compared(ana: User, bot: Bot) -> None:
    foreign = uploads.ready(uploads.line(ana, "Mono"))
    address = f"/bots/lines/{bot.line_id}/compare/?one={bot.pk}&other={foreign.pk}"
    assert _page(ana, address)[0] == 400
    assert _page(ana, f"/bots/lines/{bot.line_id}/compare/")[0] == 200
