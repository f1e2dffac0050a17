"""A bot proved to be broken: its games are annulled, and their consequences are computed again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from engine.errors import MatchAbortedError
from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import (
    Annulment,
    Bot,
    Correction,
    Event,
    Game,
    LedgerEntry,
    Player,
    Pool,
    Rating,
    Transcript,
    User,
)
from tournaments.queries.results import tables
from tournaments.services import enqueue, tick
from tournaments.services.accounts import players
from tournaments.services.arbiter import annulment, corrections
from tournaments.services.games import game_end
from tournaments.services.matches import leases, matches
from tournaments.services.ratings import recompute
from tournaments.services.rounds import lifecycle


@pytest.fixture
def moderator(ana: User) -> User:
    ana.is_superuser = True
    ana.save()
    return ana


def _ratings(pool: Pool) -> dict[str, tuple[int, int]]:
    rows = Rating.objects.filter(pool=pool, games__gt=0).select_related("player")
    return {row.player.name: (row.centielo, row.games) for row in rows}


def test_ratings_are_as_if_the_bot_had_never_played(
    moderator: User, bots: Sequence[Player]
) -> None:
    faulty, one, two, three = bots[:4]
    pages.finished_game(one, two, "first")
    pages.finished_game(faulty, one, "first")
    pages.finished_game(two, faulty, "second")
    pages.finished_game(two, three, "draw")
    void = pages.finished_game(faulty, three, "void")
    pool = pages.pool_of(Pool.Kind.BOTS)
    annulled = annulment.annul(
        bot_id=faulty.bot.pk, actor=moderator, reason="reads the clock wrongly"
    )
    assert (annulled.games_total, annulled.games_voided) == (2, 2)
    assert not Correction.objects.filter(game=void).exists()
    after = _ratings(pool)
    assert faulty.name not in after
    assert list(recompute.verify(pool)) == []
    twins = [players.add_bot(name=f"Twin {n}", engine="random") for n in range(3)]
    pages.finished_game(twins[0], twins[1], "first")
    pages.finished_game(twins[1], twins[2], "draw")
    again = _ratings(pool)
    assert [after[bot.name] for bot in (one, two, three)] == [again[t.name] for t in twins]
    assert set(LedgerEntry.objects.filter(kind="reversal").values_list("player", flat=True)) >= {
        faulty.pk
    }


def test_standings_of_its_events_follow_and_it_plays_no_more(
    moderator: User, bots: Sequence[Player], ana: User
) -> None:
    event = event_of(ana, format="round-robin", admits=Event.Admits.BOTS)
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=moderator)
    for game in Game.objects.ongoing().with_players():
        with transaction.atomic():
            game_end.finish_game(game, result="first", ending=Game.Ending.RULES)
    winner = next(row.entry.player for row in tables.event_table(event).rows)
    annulment.annul(bot_id=winner.bot.pk, actor=moderator, reason="broken")
    winner.bot.refresh_from_db()
    assert (winner.bot.state, winner.bot.is_active) == (Bot.State.ANNULLED, False)
    assert event.entries.get(player=winner).state == "withdrawn"
    row = next(r for r in tables.event_table(event).rows if r.entry.player == winner)
    assert row.points_halves == 0


def test_what_it_is_playing_ends_void_and_its_worker_writes_no_more(
    moderator: User, bots: Sequence[Player]
) -> None:
    faulty = bots[0]
    setup = pages.new_game(moderator.player, faulty).setup  # a game against a person goes on too
    open_matches = [
        matches.schedule(
            ruleset="morelli(size=5)",
            setup=setup,
            players=(faulty, bots[1]),
            clock=pages.CLOCK,
            games_count=2,
        )
        for _ in range(2)
    ]
    lease = leases.claim(open_matches[0].pk)
    assert lease is not None
    annulment.annul(bot_id=faulty.bot.pk, actor=moderator, reason="broken")
    assert not Game.objects.ongoing().exists()
    assert set(Game.objects.values_list("result", flat=True)) == {"void"}
    with pytest.raises(MatchAbortedError):
        lease.renew()
    assert not any(matches.play_match(match.pk) for match in open_matches)
    assert not LedgerEntry.objects.exists()


@pytest.mark.long
def test_what_a_knock_out_has_gone_on_from_stays(
    moderator: User, bots: Sequence[Player], ana: User
) -> None:
    event = event_of(ana, format="knockout", admits=Event.Admits.BOTS)
    enter(event, *bots[:4])
    lifecycle.start_event(event_id=event.pk, actor=moderator)
    first_round = list(Game.objects.ongoing().with_players())
    for game in first_round:
        with transaction.atomic():
            game_end.finish_game(game, result="first", ending=Game.Ending.RULES)
    lifecycle.advance_event(event.pk)
    faulty = first_round[0].second
    annulled = annulment.annul(bot_id=faulty.bot.pk, actor=moderator, reason="broken")
    assert (annulled.games_total, annulled.games_voided) == (1, 0)
    first_round[0].refresh_from_db()
    assert first_round[0].result == "first"


def test_only_who_administers_the_site_annuls_and_only_once(
    ana: User, bots: Sequence[Player]
) -> None:
    with pytest.raises(NotAllowedError, match="not-moderator"):
        annulment.annul(bot_id=bots[0].bot.pk, actor=ana, reason="because")
    ana.is_superuser = True
    with pytest.raises(RefusedError, match="reason-bad"):
        annulment.annul(bot_id=bots[0].bot.pk, actor=ana, reason=" ")
    annulment.annul(bot_id=bots[0].bot.pk, actor=ana, reason="because")
    with pytest.raises(RefusedError, match="annulled"):
        annulment.annul(bot_id=bots[0].bot.pk, actor=ana, reason="again")
    with pytest.raises(IntegrityError), transaction.atomic():
        Annulment.objects.update(reason="another")


@pytest.fixture
def many_games(bots: Sequence[Player], monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """Nine games of the first bot, of which a worker voids two at a time, and one of others."""
    monkeypatch.setattr(annulment, "GAMES_AT_ONCE", 2)
    faulty, one, two = bots[:3]
    pages.finished_game(one, two, "first")
    results = ["first", "draw", "second"] * 3
    return [
        pages.finished_game(faulty, opponent, result)
        for result, opponent in zip(results, [one, two] * 5, strict=False)
    ]


@pytest.mark.long
def test_many_games_are_voided_by_a_worker_in_steps(
    moderator: User,
    bots: Sequence[Player],
    many_games: list[Game],
    django_capture_on_commit_callbacks: Callable[..., Any],
    client: Client,
) -> None:
    faulty = bots[0]
    with django_capture_on_commit_callbacks():
        progress = annulment.annul(bot_id=faulty.bot.pk, actor=moderator, reason="broken")
    assert (progress.games_total, progress.games_done, progress.finished_at) == (9, 0, None)
    assert not annulment.work(progress.pk, slice_s=0)
    progress.refresh_from_db()
    assert (progress.games_done, progress.games_voided) == (2, 2)
    assert Correction.objects.count() == 2
    assert "2 of 9 games" in client.get(faulty.get_absolute_url()).content.decode()
    assert annulment.work(progress.pk, slice_s=600)
    progress.refresh_from_db()
    assert (progress.games_done, progress.games_voided) == (9, 9)
    assert progress.finished_at is not None
    assert Correction.objects.count() == 9
    assert list(recompute.verify(pages.pool_of(Pool.Kind.BOTS))) == []
    assert "of 9 games" not in client.get(faulty.get_absolute_url()).content.decode()
    # A repeated message finds no work.
    assert annulment.work(progress.pk, slice_s=600)
    assert Correction.objects.count() == 9


def test_a_lost_message_is_sent_again_by_the_tick(
    moderator: User, bots: Sequence[Player], many_games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = annulment.annul(bot_id=bots[0].bot.pk, actor=moderator, reason="broken")
    sent: list[int] = []
    monkeypatch.setattr(enqueue, "annulment", sent.append)
    tick.tick(progress.woken_at + tick.REPEAT_RECOMPUTATION)
    assert sent == []
    tick.tick(progress.woken_at + 2 * tick.REPEAT_RECOMPUTATION)
    assert sent == [progress.pk]


@pytest.mark.long
def test_a_void_game_that_counts_again_meanwhile_does_not_stop_the_worker(
    moderator: User, bots: Sequence[Player], many_games: list[Game]
) -> None:
    void = pages.finished_game(bots[0], bots[1], "void")
    progress = annulment.annul(bot_id=bots[0].bot.pk, actor=moderator, reason="broken")
    corrections.correct(game_id=void.pk, actor=moderator, result="first", reason="It was played.")
    assert annulment.work(progress.pk, slice_s=600)
    progress.refresh_from_db()
    assert (progress.games_total, progress.games_done, progress.games_voided) == (10, 10, 10)


def test_the_administrator_does_it_on_the_page_of_the_bot(
    moderator: User, ben: User, bots: Sequence[Player]
) -> None:
    pages.finished_game(bots[0], bots[1], "first")
    address = bots[0].get_absolute_url()
    assert b"Annul its games" not in pages.member(ben).get(address).content
    browser = pages.member(moderator)
    assert b"Annul its games" in browser.get(address).content
    annul = reverse("bot-annul", args=[bots[0].pk])
    pages.member(ben).post(annul, {"reason": "envy"})
    assert not Annulment.objects.exists()
    page = browser.post(annul, {"reason": "it cannot count"}, follow=True).content.decode()
    assert "it cannot count" in page
    assert Annulment.objects.get().progress.games_voided == 1


# --- in bulk --------------------------------------------------------------------------------------


def _lines(client: Client, address: str, **query: str) -> list[dict[str, object]]:
    answer = client.get(address, query)
    assert answer.status_code == 200
    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    return [json.loads(line) for line in text.splitlines()]


def test_every_finished_game_can_be_downloaded(
    ana: User, ben: User, bots: Sequence[Player], client: Client
) -> None:
    game = pages.new_game(ana.player, ben.player)
    pages.play_out(game)
    pages.new_game(ana.player, ben.player)  # goes on
    apart = pages.finished_game(bots[0], bots[1], "first")
    address = reverse("download-games")
    lines = _lines(client, address)
    assert [line["id"] for line in lines] == [game.pk, apart.pk]
    record = lines[0]
    moves = list(game.plies.order_by("number").values_list("move", flat=True))
    assert [ply["move"] for ply in record["plies"]] == moves  # type: ignore[attr-defined]
    assert (record["first"], record["result"], record["rated"]) == ("Ana", game.result, True)
    bots_pool = pages.pool_of(Pool.Kind.BOTS).key
    assert [line["id"] for line in _lines(client, address, pool=bots_pool)] == [apart.pk]
    assert [line["id"] for line in _lines(client, address, player=str(ben.player.pk))] == [game.pk]
    for wrong in ({"pool": "none"}, {"event": "none"}, {"player": "x"}, {"player": "9" * 30}):
        assert client.get(address, wrong).status_code == 404
    page = pages.text_of(client.get(reverse("downloads")).content)
    assert "All games" in page


def test_many_games_are_read_in_batches(
    bots: Sequence[Player],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: Callable[..., object],
) -> None:
    from tournaments.queries.records import exports

    monkeypatch.setattr(exports, "_AT_ONCE", 3)
    games = [pages.finished_game(bots[0], bots[1], "draw") for _ in range(7)]
    # Three of them read the games for the ETag.
    with django_assert_max_num_queries(14):  # type: ignore[attr-defined]
        lines = _lines(client, reverse("download-games"))
    assert [line["id"] for line in lines] == [game.pk for game in games]


def test_transcripts_are_for_the_author(ana: User, ben: User, client: Client) -> None:
    mine = pages.version_of(ana, "Mine", 1).player
    theirs = pages.version_of(ben, "Theirs", 1).player
    game = pages.finished_game(mine, theirs, "first")
    Transcript.objects.create(game=game, side="first", text="> ugi\n")
    Transcript.objects.create(game=game, side="second", text="> secret\n")
    address = reverse("download-transcripts", args=[mine.pk])
    assert [line["text"] for line in _lines(pages.member(ana), address)] == ["> ugi\n"]
    for other in (client, pages.member(ben)):
        assert other.get(address).status_code == 404
