"""A world for `tests.faults.api_requests`: events in every state, games, bots, and callers."""

from __future__ import annotations

from django.db.models import Model

from tests.tournaments import pages, remote_players
from tests.tournaments.api import bot_world
from tests.tournaments.api.event_world import EventWorld
from tournaments import database_time
from tournaments.models import (
    Bot,
    BotLine,
    Challenge,
    Entry,
    EntryClaim,
    Event,
    Forecast,
    Game,
    Player,
    Pool,
    Prize,
    Prohibition,
    Scope,
    SprtTest,
    StaffMember,
)
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.forecasts import plans
from tournaments.services.accounts import players, tokens
from tournaments.services.forecasts import requests
from tournaments.services.lobby import challenges
from tournaments.services.rounds import standing_ladders

_PASSWORD = "rayuela-1963"
_MOST = 40


def make() -> dict[str, object]:
    """Make an account with everything in it, and return its token and the values of existing parts of paths."""
    ana = players.sign_up(name="Ana", password=_PASSWORD)
    ben = players.sign_up(name="Ben", password=_PASSWORD)
    players.add_bot(name="Pola", engine="random")
    EventWorld(ana, ben)
    for _ in range(3):
        pages.play_out(pages.new_game(ana.player, ben.player, "morelli(size=5)"))
    pages.new_game(ana.player, ben.player, "morelli(size=5)")
    values = bot_world.values(ana)
    bot_world.other_values(ana, Bot.objects.get(pk=int(values["VERSION"])))
    remote_players.bot(ana)
    version = Bot.objects.select_related("player").get(pk=int(values["VERSION"]))
    standing_ladders.enter(pool="morlox-small-blitz-bots", player=version.player, actor=ana)
    clock = Clock(300_000, 5_000)
    for challenger, opponent in ((ben, ana.player), (ana, None)):
        challenges.challenge(
            challenger=challenger.player, opponent=opponent, ruleset="morlox", clock=clock
        )
    idea = plans.Idea("knockout", "morlox(size=5)", clock, 4, 2, spread_elo=200, deviation_elo=100)
    requests.of_plan(plans.plan_of(idea), database_time.now())
    scopes = set(Scope.values) - {Scope.BOTS_PLAY, Scope.MODERATE}
    token = tokens.create(user=ana, password=_PASSWORD, name="all", scopes=scopes, days=30)
    return {"token": token.secret, "parts": _parts()}


def _parts() -> dict[str, list[object]]:
    return {
        "event": list(Event.objects.values_list("slug", flat=True)),
        "version_id": _keys(Bot),
        "bot_id": list(Bot.objects.filter(remote__isnull=False).values_list("pk", flat=True)),
        "line_id": _keys(BotLine),
        "game_id": _keys(Game),
        "entry_id": _keys(Entry),
        "player_id": _keys(Player),
        "opponent_id": _keys(Player),
        "other_id": _keys(Bot),
        "challenge_id": _keys(Challenge),
        "claim_id": _keys(EntryClaim),
        "group_id": _keys(Prohibition),
        "member_id": _keys(StaffMember),
        "prize_id": _keys(Prize),
        "sprt_id": _keys(SprtTest),
        "pool": list(Pool.objects.values_list("key", flat=True)),
        "key": list(Forecast.objects.values_list("key", flat=True)),
        "number": [1, 2, 3],
        "board": [1, 2, 3],
    }


def _keys(model: type[Model]) -> list[object]:
    return list(model._default_manager.order_by("pk").values_list("pk", flat=True)[:_MOST])
