"""Challenges: make one, take one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

import games
from games import svg
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.forms.games import BANKS, LIVE_CLOCKS, RulesetField
from tournaments.forms.lobby import PlayClockField, PlayForm
from tournaments.models import Bot, Challenge, Game, Player, Study, User, statements
from tournaments.models.players import canonical_name
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import conditions
from tournaments.queries.games import openings
from tournaments.queries.lobby import bot_levels, last_choice, open_seeks
from tournaments.services.accounts import players
from tournaments.services.lobby import challenges
from tournaments.services.matches import matches
from tournaments.services.notifications import news
from tournaments.text import rulesets
from tournaments.text.refusals import sentence
from tournaments.views import common_lists, once, preferences, refusals
from tournaments.views.access import (
    account_player_of,
    guests_too,
    player_of,
    players_only,
    user_of,
)
from tournaments.views.games import board_cards, boards
from tournaments.views.rules import cards

_WATCHED = 12
_CHALLENGES = 50
# A stream follows no more than that.
_FOLLOWED = 10


@dataclass(frozen=True, slots=True)
class OpeningCard:
    """The position that a game is to begin from, after `plies` plies."""

    study: Study
    board: SafeString
    title: str
    plies: int


@dataclass(frozen=True, slots=True)
class Chip:
    """A rule set to choose: its key, its name, and the part of the name that the tile does not have."""

    key: str
    name: str
    words: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """A game to choose: its name, a board that shows it, and its rule sets.

    The tile of other rule sets, which a link names, has no board.
    """

    name: str
    board: SafeString | None
    chips: Sequence[Chip]


@refusals.refusal_as_message
def lobby(request: HttpRequest) -> HttpResponse:
    player = account_player_of(request)
    initial = _initial_values(request)
    study = _study_of(request.GET)
    form = PlayForm(initial=initial, is_guest=player is None, study=study)
    return page(request, form)


def posted_form(request: HttpRequest, player: Player) -> PlayForm:
    """The form of the page as it was sent. Raises RefusedError `no-such-study`."""
    return PlayForm(request.POST, is_guest=player.is_guest, study=_study_of(request.POST))


def _study_of(fields: QueryDict) -> Study | None:
    """The study whose position the game is to begin from, None for the start of a game."""
    key = fields.get("study", "")
    if not key:
        return None
    study = Study.objects.select_related("game").filter(key=key).first() if key.isalnum() else None
    if study is None:
        raise RefusedError("no-such-study")
    return study


def _initial_values(request: HttpRequest) -> dict[str, str | bool]:
    """The fields that a link to the lobby fills in, else the last choice, else the most popular board size."""
    parameters = {
        name: request.GET[name] for name in ("opponent", "ruleset") if name in request.GET
    }
    ruleset = rulesets.canonical_key(parameters.get("ruleset", ""))
    opponent = parameters.get("opponent", "")
    last = last_choice.of_player(player_of(request))
    if last is None:
        return {**parameters, "ruleset": _playable(opponent, ruleset or _default_board())}
    values: dict[str, str | bool] = {
        **parameters,
        "ruleset": _playable(opponent, ruleset or last.game.ruleset),
        "is_rated": last.game.is_rated,
    }
    if PlayClockField().valid_value(last.clock):
        values["clock"] = last.clock
    return values


def _playable(opponent: str, ruleset: str) -> str:
    """Return `ruleset`, or the usual board of a game of the opponent if it is a bot that plays other games."""
    named = Bot.objects.filter(player__canonical=canonical_name(opponent)) if opponent else None
    bot = named.first() if named is not None else None
    if bot is None or bot.plays(ruleset):
        return ruleset
    return games.load(games.family_of(bot.families[0]).presentation.lobby_board).key


def _default_board() -> str:
    """The board that the lobby proposes: that of the first game."""
    return games.load(games.available()[0].presentation.lobby_board).key


def page(request: HttpRequest, form: PlayForm, status: int = 200) -> HttpResponse:
    """The lobby with this form, filled in or refused."""
    player = player_of(request)
    chosen = rulesets.canonical_key(str(form["ruleset"].value() or "")) or ""
    ruleset = chosen or _default_board()
    form.offer(ruleset)
    reader = conditions.reader_of_lists(user_of(request))
    context = {
        "form": form,
        "opening": _opening_card(request, form.study) if form.study else None,
        "tiles": "" if form.study else _tiles(form, chosen, preferences.of(request).look),
        "one_click_clocks": [*LIVE_CLOCKS, *BANKS],
        "player": player,
        "stream": _stream(request),
        **_open_games(player),
        "levels": _levels(request, ruleset, _clock_of_text(str(form["clock"].value() or ""))),
        "bots": common_lists.drawn(
            "lobby/_bots.html", None, lambda: {"bots": players.built_in_bots()}
        ),
        "watched": common_lists.recall("watched", reader, lambda: _watched_count(reader)),
    }
    return render(request, "lobby/lobby.html", context, status=status)


def _watched_count(reader: User | None) -> int:
    return conditions.visible_games(Game.objects.ongoing().filter(ply__gt=0), reader).count()


def _tiles(form: PlayForm, chosen: str, look: svg.Look) -> SafeString:
    """Return the choices of the field of the game, with the chosen one marked if there is one."""
    field = form.fields["ruleset"]
    assert isinstance(field, RulesetField)
    if field.has_special:
        return _drawn_tiles(field.groups(), chosen, look)
    return _usual_tiles(get_language(), chosen, look)


@lru_cache(maxsize=32)
def _usual_tiles(_language: str | None, chosen: str, look: svg.Look) -> SafeString:
    """Return the choices of the menus in the language, which is the thread's."""
    return _drawn_tiles(rulesets.ruleset_choices(), chosen, look)


def _drawn_tiles(
    groups: Sequence[tuple[str, Sequence[tuple[str, str]]]], chosen: str, look: svg.Look
) -> SafeString:
    boards_by_name = {card.name: card.board for card in cards.of_all(look)}
    tiles = [_tile(*group, boards_by_name, chosen) for group in groups]
    return render_to_string("lobby/_tiles.html", {"tiles": tiles})


def _tile(
    group: str, choices: Sequence[tuple[str, str]], boards: Mapping[str, SafeString], chosen: str
) -> Tile:
    chips = [
        Chip(key, name, name.removeprefix(group).lstrip(", ") or name, key == chosen)
        for key, name in choices
    ]
    return Tile(group, boards.get(group), chips)


def _opening_card(request: HttpRequest, study: Study) -> OpeningCard:
    opening = openings.of_study(study)
    board = boards.draw(
        opening.position,
        last_move=opening.moves[-1] if opening.moves else "",
        look=preferences.of(request).look,
        id_prefix="opening",
    )
    title = rulesets.ruleset_name(study.ruleset)
    return OpeningCard(study, board, title, len(opening.moves))


def _open_games(player: Player | None) -> dict[str, object]:
    """Return the open games for the visitor: seeks of others, and challenges to them, from them or to all."""
    rows = _challenges.all() if player is None else _challenges_of.all(player=player.pk)
    return {
        "account_player": None if player is None or player.is_guest else player,
        "challenges": sorted(rows, key=lambda row: _nearness(row, player)),
        "crowds": open_seeks.seek_groups(database_time.now(), player),
    }


@statements.query
def _challenges() -> QuerySet[Challenge]:
    """Return the open challenges to all players."""
    rows = Challenge.objects.open().visible_to(None)
    return rows.select_related("challenger", "opponent")[:_CHALLENGES]


@statements.query
def _challenges_of(player: int) -> QuerySet[Challenge]:
    """Return the open challenges that a player sees."""
    rows = Challenge.objects.open().visible_to(player)
    return rows.select_related("challenger", "opponent")[:_CHALLENGES]


def _nearness(challenge: Challenge, player: Player | None) -> int:
    """Return the sort key: challenges to the visitor, then those to all players, then the visitor's own."""
    if player is None or challenge.challenger_id == player.pk:
        return 2
    return 0 if challenge.opponent_id == player.pk else 1


def _stream(request: HttpRequest) -> str:
    """Return the address of the stream with challenges after those on the page."""
    topics = [news.SITE]
    if request.user.is_authenticated:
        topics.append(news.of_user(request.user.pk))
    return news.stream_query({topic: news.last_seq(topic) for topic in topics})


@never_cache
def open_games(request: HttpRequest) -> HttpResponse:
    """Return the current list of open games on that page."""
    return render(request, "lobby/_open_games.html", _open_games(player_of(request)))


@never_cache
def message(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a page's message for the challenged player: the challenger and the game, or 404 after the answer."""
    player = account_player_of(request)
    rows = Challenge.objects.open().visible_to(player).select_related("challenger")
    row = get_object_or_404(rows.filter(opponent__isnull=False), pk=pk, opponent=player)
    return render(request, "lobby/_challenge_message.html", {"challenge": row})


def _clock_of_text(text: str) -> game_clocks.Clock | None:
    try:
        return game_clocks.Clock.read(text)
    except RefusedError:
        return None  # a custom clock, or nothing that is one


@never_cache
def levels(request: HttpRequest) -> HttpResponse:
    """The levels of bots for the game and the clock that are chosen on the page."""
    ruleset = rulesets.canonical_key(request.GET.get("ruleset", "")) or _default_board()
    clock = _clock_of_text(request.GET.get("clock", ""))
    return render(request, "lobby/_bot_levels.html", level_choice(request, ruleset, clock))


def _levels(request: HttpRequest, ruleset: str, clock: game_clocks.Clock | None) -> SafeString:
    """Return the levels of bots as they are shown. All visitors who have no player see the same."""

    def context() -> dict[str, object]:
        return level_choice(request, ruleset, clock)

    if player_of(request) is None and not (request.GET or request.POST):
        return common_lists.drawn("lobby/_bot_levels.html", None, context)
    return render_to_string("lobby/_bot_levels.html", context())


def level_choice(
    request: HttpRequest, ruleset: str, clock: game_clocks.Clock | None
) -> dict[str, object]:
    """Return the levels of bots, and the number of the chosen one: that of the request or the proposed one."""
    player = player_of(request)
    rows = bot_levels.levels(player, ruleset=ruleset, clock=clock)
    text = (request.POST or request.GET).get("level", "")
    chosen = next((each.number for each in rows if str(each.number) == text), None)
    if chosen is None:
        chosen = last_choice.level(rows, last_choice.of_player(player), ruleset=ruleset)
    return {"levels": rows, "chosen_level": chosen}


def watch(request: HttpRequest) -> HttpResponse:
    """Return games being played, people's first, or those of one game with `?family=`."""
    family, rows = _watched(request)
    look = preferences.of(request).look
    context = {
        "cards": board_cards.cards(rows, look),
        "stream": board_cards.stream(rows[:_FOLLOWED]),
        "families": [(each.name, rulesets.family_name(each.name)) for each in games.available()],
        "family": family,
    }
    return render(request, "lobby/watch.html", context)


@never_cache
def watch_live(request: HttpRequest) -> HttpResponse:
    """The boards of that page as they are now."""
    _family, rows = _watched(request)
    look = preferences.of(request).look
    cards = board_cards.cards(rows, look)
    return render(request, "games/_live_boards.html", {"live_games": cards})


def _watched(request: HttpRequest) -> tuple[str, Sequence[Game]]:
    """Return the chosen game, empty for all, and its games in progress."""
    matches.ask_for_exhibitions()
    known = {each.name for each in games.available()}
    family = request.GET.get("family", "")
    # One's own games are a click away already.
    games_of_others = Game.objects.ongoing().with_players().not_of(player_of(request))
    reader = conditions.reader_of_lists(user_of(request))
    under_way = conditions.visible_games(games_of_others, reader).filter(ply__gt=0)
    if family in known:
        under_way = under_way.filter(ruleset__startswith=f"{family}(")
    else:
        family = ""
    programs = [Player.Kind.BOT, Player.Kind.REMOTE]
    among_bots = Q(first__kind__in=programs, second__kind__in=programs)
    rows = list(under_way.exclude(among_bots).order_by("-turn_started_at", "-pk")[:_WATCHED])
    if len(rows) < _WATCHED:
        more = under_way.filter(among_bots).order_by("-match__pace_ms", "-pk")
        rows += more[: _WATCHED - len(rows)]
    return family, rows


@refusals.refusal_as_message
@once.once
@guests_too
def challenge(request: HttpRequest, player: Player) -> HttpResponse:
    """Begin a game with a bot, or challenge one player or all players."""
    form = posted_form(request, player)
    if not form.is_valid():
        return page(request, form, status=422)
    data = form.cleaned_data
    opponent = None
    name = data["bot"] or data.get("opponent", "")
    if name:
        opponent = Player.objects.named().filter(canonical=canonical_name(name)).first()
        if opponent is None:
            field = None if data["bot"] else "opponent"
            form.add_error(field, _("There is no player of this name."))
            return page(request, form, status=422)
    try:
        row = challenges.challenge(
            challenger=player,
            opponent=opponent,
            ruleset=data["ruleset"],
            clock=data["clock"],
            is_rated=data.get("is_rated", False),
            side=data["side"],
            vote=data.get("vote", ""),
            study=form.study,
        )
    except RefusedError as refusal:
        if opponent is None or data["bot"]:
            raise
        # The opponent stays in the form: an empty field would challenge all players.
        form.add_error("opponent", sentence(refusal))
        return page(request, form, status=422)
    if row.game is not None:
        return redirect(row.game)
    messages.success(request, _("Your challenge is open. The game starts when it is accepted."))
    return redirect("lobby")


@players_only
@refusals.refusal_as_message
def accept(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    row = get_object_or_404(Challenge, pk=pk)
    vote = request.POST.get("vote", "")
    return redirect(challenges.accept(challenge_id=row.pk, player=player, vote=vote))


@players_only
@refusals.refusal_as_message
def decline(request: HttpRequest, player: Player, pk: int) -> HttpResponse:
    row = get_object_or_404(Challenge, pk=pk)
    challenges.decline(challenge_id=row.pk, player=player)
    return redirect("lobby")
