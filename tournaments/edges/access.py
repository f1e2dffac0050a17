"""Access to objects: one function for each kind of object, for pages and for programs."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import BigIntegerField, QuerySet
from django.http import Http404

from tournaments.models import (
    Application,
    Bot,
    BotLine,
    BotRequest,
    Challenge,
    ChatLine,
    Club,
    Event,
    Festival,
    Game,
    Gauntlet,
    Player,
    Pool,
    Puzzle,
    Round,
    Series,
    SprtTest,
    Suite,
    User,
    Webhook,
    WebhookDelivery,
    Worker,
    WorkerRun,
    statements,
)
from tournaments.queries.bots import gauntlet_tables, sprt_tables
from tournaments.queries.events import conditions, festivals, staff
from tournaments.queries.events import series as series_queries
from tournaments.services.bots import suites


def get_game_for(user: User | None, pk: int, code: Callable[[str], str]) -> Game:
    """Return the game with its players if the user may see its event.

    Games without an event are public.

    `code` finds the access code that came with the request, by the slug of the event. Raises
    Http404 for all other users.
    """
    game = _game_of.one(pk=pk) if pk <= BigIntegerField.MAX_BIGINT else None
    if game is None or not conditions.may_see_game(game, user, code):
        raise Http404
    return game


@statements.query
def _game_of(pk: int) -> QuerySet[Game]:
    """Return the game as its page shows it. Its address is the one that visitors open most often."""
    return Game.objects.with_players().select_related("first__bot", "second__bot").filter(pk=pk)


def get_chat_line_for(player: Player, pk: int, code: Callable[[str], str]) -> ChatLine:
    """Return the line if `player` may see its game or event, or has received it as a private message.

    `code` finds the access code that came with the request, by the slug of the event. Raises
    Http404 for all others.
    """
    line = ChatLine.objects.select_related("game", "event").filter(pk=pk).first()
    if line is None or line.recipient_id not in {None, player.pk}:
        raise Http404
    if line.game_id is not None:
        get_game_for(player.user, line.game_id, code)
    elif line.event is not None:
        get_event_for(player.user, line.event.slug, code(line.event.slug))
    return line


def get_application_for(user: User, pk: int) -> Application:
    """Return an application of `user`. Raises Http404."""
    application = user.applications.filter(pk=pk).first()
    if application is None:
        raise Http404
    return application


def get_webhook_for(user: User, pk: int) -> Webhook:
    """Return a webhook of `user`. Raises Http404."""
    webhook = user.webhooks.select_related("event").filter(pk=pk).first()
    if webhook is None:
        raise Http404
    return webhook


def get_delivery_for(user: User, webhook_id: int, pk: int) -> WebhookDelivery:
    """Return a delivery of a webhook of `user`. Raises Http404."""
    delivery = get_webhook_for(user, webhook_id).deliveries.filter(pk=pk).first()
    if delivery is None:
        raise Http404
    return delivery


def get_puzzle(pk: int) -> Puzzle:
    """Return the puzzle, for any user. Raises Http404."""
    puzzle = Puzzle.objects.filter(pk=pk).first()
    if puzzle is None:
        raise Http404
    return puzzle


def source_of(puzzle: Puzzle) -> Game | None:
    """Return the game that the puzzle is from, with its players, if all may see it."""
    if puzzle.game_id is None:
        return None
    source = Game.objects.filter(pk=puzzle.game_id).with_players()
    return conditions.visible_games(source, None).first()


def code_key(slug: str) -> str:
    """Return the key under which a session stores the access code of an event."""
    return f"event-code-{slug}"


def get_event(slug: str) -> Event:
    """Return the event with its organiser and its place in a festival, for any user.

    `get_event_for` checks access. Raises Http404.
    """
    # Some forms name an event, and a database does not accept all texts of a form.
    event = None if "\x00" in slug else _event_of.one(slug=slug)
    if event is None:
        raise Http404
    return event


@statements.query
def _event_of(slug: str) -> QuerySet[Event]:
    return Event.objects.select_related("organiser__player", "section").filter(slug=slug)


def get_event_for(user: User | None, slug: str, code: str = "") -> Event:
    """Return the event if it is public or the user has access or its code.

    Raises Http404 for all others.
    """
    event = get_event(slug)
    if event.access_code and not conditions.may_see(event, user, code):
        raise Http404
    return event


def get_round_for(user: User | None, event: Event, number: int) -> Round:
    """Return the round with its pairing data, a draft for the staff only. Raises Http404."""
    round_ = event.rounds.filter(number=number).first()
    is_staff = user is not None and bool(staff.tasks_of(event, user))
    if round_ is None or (round_.state == Round.State.DRAFT and not is_staff):
        raise Http404
    return round_


def get_player(pk: int) -> Player:
    """Return the player if it has a page.

    Guests and people on an organiser's list have no page. Raises Http404.
    """
    player = _player_of.one(pk=pk) if pk <= BigIntegerField.MAX_BIGINT else None
    if player is None:
        raise Http404
    return player


@statements.query
def _player_of(pk: int) -> QuerySet[Player]:
    return Player.objects.named().select_related("bot__owner__player").filter(pk=pk)


def get_club(slug: str) -> Club:
    """Return the club. Clubs are public. Raises Http404."""
    club = None if "\x00" in slug else Club.objects.filter(slug=slug).first()
    if club is None:
        raise Http404
    return club


def get_pool(key: str) -> Pool:
    """Return the rating pool. Pools are public. Raises Http404."""
    pool = None if "\x00" in key else Pool.objects.filter(key=key).first()
    if pool is None:
        raise Http404
    return pool


def get_challenge_for(player: Player, pk: int) -> Challenge:
    """The challenge, for its challenger and for whom it is meant. Raises Http404 for everyone else."""
    rows = Challenge.objects.select_related("challenger", "opponent")
    challenge = rows.filter(pk=pk).first()
    if challenge is None or not (
        challenge.challenger_id == player.pk or challenge.opponent_id in {None, player.pk}
    ):
        raise Http404
    return challenge


def get_line_for(user: User, pk: int) -> BotLine:
    """Return the line of versions, for its author and users who may read all programs.

    Raises Http404 for all other users.
    """
    line = BotLine.objects.select_related("owner__player").filter(pk=pk).first()
    if line is None or not (user.pk == line.owner_id or user.has_perm("tournaments.read_programs")):
        raise Http404
    return line


def get_bot(pk: int) -> Bot:
    """The bot of this number, which is that of its player. Raises Http404."""
    bot = Bot.objects.select_related("player").filter(pk=pk).first()
    if bot is None:
        raise Http404
    return bot


def get_line_of(bot_id: int) -> BotLine:
    """The line of which a bot of an author's is a version. Raises Http404."""
    line = BotLine.objects.filter(versions=bot_id).first()
    if line is None:
        raise Http404
    return line


def get_own_line_for(user: User, pk: int) -> BotLine:
    """Return the line, for its author alone. Raises Http404 for all other users."""
    line = BotLine.objects.filter(pk=pk, owner=user).first()
    if line is None:
        raise Http404
    return line


def get_bot_request_for(user: User, pk: int) -> BotRequest:
    """Return the request for a bot, answered or not, for the bot's author.

    Raises Http404 for all other users.
    """
    row = BotRequest.objects.with_names().filter(pk=pk, bot__owner=user).first()
    if row is None:
        raise Http404
    return row


def get_remote_bot_for(user: User, pk: int) -> Bot:
    """Return the remote bot, for its author. Raises Http404 for all other users."""
    rows = Bot.objects.filter(remote__isnull=False, owner=user)
    bot = rows.select_related("player", "line", "remote__module").filter(pk=pk).first()
    if bot is None:
        raise Http404
    return bot


def get_version_for(user: User, pk: int) -> Bot:
    """Return the version of an author's bot, for its author and users who may read all programs.

    Raises Http404 for all other users.
    """
    bots = Bot.objects.of_authors().select_related("player", "line", "owner__player")
    bot = bots.filter(pk=pk).first()
    if bot is None or not (user.pk == bot.owner_id or user.has_perm("tournaments.read_programs")):
        raise Http404
    return bot


def get_series(slug: str) -> Series:
    """Return the series with its organiser. Series are public. Raises Http404."""
    row = None if "\x00" in slug else series_queries.listing().filter(slug=slug).first()
    if row is None:
        raise Http404
    return row


def get_festival_for(user: User | None, slug: str) -> Festival:
    """Return the festival for its organiser, and for users who may see one of its sections.

    Raises Http404 for all others.
    """
    row = None if "\x00" in slug else festivals.visible(user).filter(slug=slug).first()
    if row is None:
        raise Http404
    return row


def get_suite(pk: int) -> Suite:
    """Return the suite with its author and its set-ups. Suites are public. Raises Http404."""
    row = suites.listing().defer(None).filter(pk=pk).first()
    if row is None:
        raise Http404
    return row


def get_gauntlet(pk: int) -> Gauntlet:
    """Return the gauntlet with its version. Gauntlets are public. Raises Http404."""
    row = gauntlet_tables.listing().filter(pk=pk).first()
    if row is None:
        raise Http404
    return row


def get_tuning(pk: int) -> Gauntlet:
    """Return the gauntlet of this number if it is a tuning. Raises Http404."""
    row = get_gauntlet(pk)
    if not row.is_tuning:
        raise Http404
    return row


def get_worker_for(user: User, pk: int) -> Worker:
    """Return a worker of `user`, or any worker for an administrator. Raises Http404."""
    worker = Worker.objects.filter(pk=pk).first()
    if worker is None or not (worker.owner_id == user.pk or user.is_superuser):
        raise Http404
    return worker


def get_worker_run_for(user: User, pk: int) -> WorkerRun:
    """Return a run of a worker of `user`. Raises Http404."""
    run = WorkerRun.objects.filter(pk=pk, worker__owner=user).first()
    if run is None:
        raise Http404
    return run


def get_sprt_test(pk: int) -> SprtTest:
    """Return the SPRT test with its bots. SPRT tests are public. Raises Http404."""
    row = sprt_tables.listing().filter(pk=pk).first()
    if row is None:
        raise Http404
    return row
