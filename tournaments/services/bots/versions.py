"""Authors' bots: their lines and versions, from upload to retirement."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Max

import games
from tournaments import database_time, limits
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Bot, BotLine, Entry, Event, Player, Program, RemoteBot, User
from tournaments.models.players import NAME_LENGTH, canonical_name
from tournaments.queries import formats
from tournaments.queries.bots import sandboxes
from tournaments.services import audit, enqueue
from tournaments.services.accounts import bot_consents, players, throttles
from tournaments.services.accounts.bot_consents import Consent
from tournaments.services.bots import programs
from tournaments.services.events import entries
from tournaments.services.notifications import news

log = logging.getLogger(__name__)

MAX_LINES = 10
MAX_IN_CHECK = 3
# A version is called after its line, with its number.
LINE_NAME_LENGTH = NAME_LENGTH - 6


@dataclass(frozen=True, slots=True)
class Upload:
    """An author's upload of a version.

    Attributes:
        data: the bytes of the file.
        filename: its name, whose end tells the kind.
        families: the games it plays, by `games.available`.
        note: the changes, or empty.
        takes_over: it becomes the active version when it passes its check.
        passes_on: it then takes the places of the previous version in running arenas and ladders.
        key: the form's, so that a repeated request is one version, or None without a form.
    """

    data: bytes
    filename: str
    families: Sequence[str]
    note: str = ""
    takes_over: bool = True
    passes_on: bool = True
    key: str | None = None


def create_line(*, owner: User, name: str, description: str = "", upload: Upload) -> Bot:
    """A new bot of `owner` with its first version, which is going to be checked.

    Raises:
        RefusedError: `name-bad`, `name-taken`, `too-many-lines`, or as `add_version`.
    """
    with transaction.atomic():
        author = _lock_author(owner)
        existing = _version_of_request(author, upload)
        if existing is not None:
            return existing
        line = add_line(
            owner=author, name=name, description=description, consent=bot_consents.Consent()
        )
        return _new_version(line, author, upload)


def add_line(*, owner: User, name: str, description: str, consent: Consent) -> BotLine:
    """A new line of `owner`, without a bot. In the caller's transaction.

    Raises RefusedError `name-bad`, `name-taken`, `name-alike`, `too-many-lines`, or as
    `bot_consents.give`.
    """
    author = _lock_author(owner)
    name = players.checked_name(name)
    if len(name) > LINE_NAME_LENGTH:
        raise RefusedError("name-bad", f"2 to {LINE_NAME_LENGTH} characters")
    if author.bot_lines.count() >= MAX_LINES:
        raise RefusedError("too-many-lines", str(MAX_LINES))
    if Player.objects.filter(canonical=canonical_name(name)).exists():
        raise RefusedError("name-taken", name)
    players.require_no_look_alike(name)
    try:
        with transaction.atomic():
            line = BotLine.objects.create(
                owner=author,
                name=name,
                canonical=canonical_name(name),
                description=description,
                created_at=database_time.now(),
            )
    except IntegrityError as error:
        raise RefusedError("name-taken", name) from error
    bot_consents.give(line, consent)
    return line


def checked_families(names: Collection[str]) -> list[str]:
    """The families in the order of the site. Raises RefusedError `families-bad`."""
    known = [family.name for family in games.available()]
    if not names or not set(names) <= set(known):
        raise RefusedError("families-bad", ", ".join(names))
    return [name for name in known if name in names]


def add_version(*, line_id: int, actor: User, upload: Upload) -> Bot:
    """Add the next version of a line, to be checked, and return it.

    A repeated request returns the first one's version.

    Raises:
        NotAllowedError: `not-your-bot`.
        RefusedError: `too-many-checks`, `families-bad`, `name-taken`, or as
            `programs.keep`.
    """
    with transaction.atomic():
        author = _lock_author(actor)
        line = BotLine.objects.get(pk=line_id)
        if line.owner_id != author.pk:
            raise NotAllowedError("not-your-bot", line.name)
        if RemoteBot.objects.filter(bot__line=line).exists():
            raise RefusedError("line-remote", line.name)
        return _version_of_request(author, upload) or _new_version(line, author, upload)


def activate(*, bot_id: int, actor: User, passes_on: bool = False) -> Bot:
    """Make this version the active one of its line.

    An older version is a roll-back.

    With `passes_on` it takes the places of the previous one in running arenas and ladders. The
    previous one keeps its results there.

    Raises:
        NotAllowedError: `not-your-bot`.
        StaleError: `version-not-ready`.
    """
    with transaction.atomic():
        line_id = _own(bot_id, actor).line_id
        assert line_id is not None  # bots of ours are nobody's own
        # Versions of a line are made one after the other. The rows below are read with the lock.
        BotLine.objects.select_for_update(no_key=True).get(pk=line_id)
        bot = _own(bot_id, actor)
        if bot.state != Bot.State.READY:
            raise StaleError("version-not-ready", bot.state)
        active = Bot.objects.filter(line=line_id, is_active=True).exclude(pk=bot.pk)
        before = active.select_related("player").first()
        # Events are locked before bots: a game that ends, and suspends its bot, has locked its event
        # already.
        if passes_on and before is not None:
            _pass_on(before, bot, actor)
        active.update(is_active=False)
        fit = Bot.objects.filter(pk=bot.pk, state=Bot.State.READY)
        if fit.update(is_active=True, takes_over=False, passes_on=False) != 1:
            raise StaleError("version-not-ready")
        # A version that was sent before this one and is still being checked comes too late to take
        # over from it.
        earlier = Bot.objects.filter(line=line_id, version__lt=bot.version, takes_over=True)
        earlier.update(takes_over=False, passes_on=False)
        _tell(bot, "activate", actor)
        return bot


def activate_next() -> None:
    """Activate versions that have passed their check and wait to take over."""
    waiting = Bot.objects.filter(state=Bot.State.READY, takes_over=True)
    for bot in waiting.select_related("owner").order_by("line", "-version")[:10]:
        assert bot.owner is not None  # a version has an author
        if not waiting.filter(pk=bot.pk).exists():
            continue  # a later version has just taken over
        try:
            activate(bot_id=bot.pk, actor=bot.owner, passes_on=bot.passes_on)
        except StaleError as refusal:  # somebody was faster
            log.info("bots.activate bot=%s %s", bot.pk, refusal)


def retire(*, bot_id: int, actor: User) -> Bot:
    """Retire a version permanently. Its games and its rating are kept.

    Raises:
        NotAllowedError: `not-your-bot`.
        StaleError: `version-not-ready` unless it is ready or suspended.
    """
    with transaction.atomic():
        bot = _own(bot_id, actor)
        fit = Bot.objects.filter(pk=bot_id, state__in=[Bot.State.READY, Bot.State.SUSPENDED])
        if fit.update(state=Bot.State.RETIRED, is_active=False, takes_over=False) != 1:
            raise StaleError("version-not-ready", bot.state)
        _tell(bot, "retire", actor)
        return bot


def retire_all(*, actor: User) -> None:
    """Retire all versions of an author permanently, including those that are being checked."""
    with transaction.atomic():
        author = _lock_author(actor)
        states = [Bot.State.CHECKING, Bot.State.READY, Bot.State.SUSPENDED]
        in_use = Bot.objects.of_authors().filter(owner=author, state__in=states)
        for bot in in_use.order_by("pk"):
            Bot.objects.filter(pk=bot.pk).update(
                state=Bot.State.RETIRED,
                is_active=False,
                takes_over=False,
                check_lease_until=None,
            )
            _tell(bot, "retire", actor)


def recheck(*, bot_id: int, actor: User) -> Bot:
    """Check a suspended version again, or one whose check could not be finished.

    When it passes, it may play.

    Games from before do not count against it any more.

    Raises:
        NotAllowedError: `not-your-bot`.
        RefusedError: `too-many-checks`.
        TooManyError: too many rechecks of one day.
        StaleError: `version-not-suspended`.
    """
    with transaction.atomic():
        author = _lock_author(actor)
        bot = _own(bot_id, actor)
        now = database_time.now()
        throttles.count(throttles.Visitor(author.pk), limits.RECHECKS)
        _require_room(author)
        if not may_be_rechecked(bot):
            raise StaleError("version-not-suspended", bot.state)
        is_idle = not Bot.objects.filter(line=bot.line, is_active=True).exists()
        updated_rows = Bot.objects.filter(pk=bot.pk, state=bot.state).update(
            state=Bot.State.CHECKING,
            check_attempts=0,
            check_lease_until=None,
            faults_counted_from=now,
            takes_over=is_idle,
        )
        if updated_rows != 1:
            raise StaleError("version-not-suspended")
        _tell(bot, "recheck", actor)
        enqueue.check()
        return bot


def may_be_rechecked(bot: Bot) -> bool:
    """Return whether the version may be checked again.

    A suspension may be an accident, a refusal is not, unless the check was lost.
    """
    is_unfinished = bot.state == Bot.State.REFUSED and bot.state_code == "check-lost"
    return bot.state == Bot.State.SUSPENDED or is_unfinished


def withdraw_unfit() -> None:
    """Withdraw versions that may not play any more from running automatic events."""
    unfit = Entry.objects.active().filter(
        player__bot__state__in=[Bot.State.SUSPENDED, Bot.State.RETIRED, Bot.State.ANNULLED],
        event__state=Event.State.RUNNING,
        event__is_automatic=True,
    )
    for entry in unfit.select_related("player").order_by("event_id", "pk")[:20]:
        try:
            entries.withdraw(event_id=entry.event_id, player=entry.player, actor=None)
        except RefusedError as refusal:  # the event ended, or somebody was faster
            log.info("bots.withdraw entry=%s %s", entry.pk, refusal)


def announce(bot: Bot, kind: str) -> None:
    """Announce the new state of a version to its author."""
    if bot.owner_id is not None:
        news.announce(news.of_user(bot.owner_id), "bot", {"version": bot.pk, "what": kind})


def _lock_author(author: User) -> User:
    """The author's row, locked, so that requests of one author are counted one after the other."""
    return User.objects.select_for_update(no_key=True).get(pk=author.pk)


def _own(bot_id: int, actor: User) -> Bot:
    bot = Bot.objects.select_related("player", "line").get(pk=bot_id)
    if bot.line is None or bot.owner_id != actor.pk:
        raise NotAllowedError("not-your-bot", str(bot))
    return bot


def _version_of_request(author: User, upload: Upload) -> Bot | None:
    if upload.key is None:
        return None
    return Bot.objects.filter(owner=author, upload_key=upload.key).first()


def _require_room(author: User) -> None:
    in_check = Bot.objects.filter(owner=author, state=Bot.State.CHECKING)
    if in_check.count() >= MAX_IN_CHECK:
        raise RefusedError("too-many-checks", str(MAX_IN_CHECK))


def _new_version(line: BotLine, author: User, upload: Upload) -> Bot:
    now = database_time.now()
    throttles.count(throttles.Visitor(author.pk), limits.UPLOADS)
    _require_room(author)
    families = checked_families(upload.families)
    program = programs.keep(data=upload.data, filename=upload.filename)
    if program.kind == Program.Kind.SOURCE and not sandboxes.builds(program.filename):
        raise RefusedError("program-no-compiler")
    number = (line.versions.aggregate(last=Max("version"))["last"] or 0) + 1
    bot = Bot.objects.create(
        player=_player(line, number),
        line=line,
        version=number,
        program=program,
        owner=author,
        state=Bot.State.CHECKING,
        is_active=False,
        description=upload.note or line.description,
        families=families,
        takes_over=upload.takes_over,
        passes_on=upload.takes_over and upload.passes_on,
        upload_key=upload.key,
        created_at=now,
    )
    audit.note("bot-upload", actor=author, bot=bot.pk, digest=program.digest)
    enqueue.check()
    return bot


def _player(line: BotLine, number: int) -> Player:
    """Return the player of a version: `Nilo 3`, or `Nilo 3.17` if the name is taken."""
    for name in (f"{line.name} {number}", f"{line.name} {number}.{line.pk}"[:NAME_LENGTH]):
        if not Player.objects.filter(canonical=canonical_name(name)).exists():
            try:
                with transaction.atomic():
                    return players.add_player(name, Player.Kind.BOT, None)
            except IntegrityError:  # taken at this moment
                continue
    raise RefusedError("name-taken", line.name)


def _pass_on(before: Bot, bot: Bot, actor: User) -> None:
    """Enter `bot` in the continuous events of `before`, which leaves them.

    The results of `before` are kept.
    """
    running = Event.objects.running().filter(entries__in=before.player.entries.active())
    for event in running.select_for_update(no_key=True).order_by("pk"):
        if not formats.of(event).is_continuous or not bot.plays(event.ruleset):
            continue
        try:
            with transaction.atomic():
                entries.withdraw(event_id=event.pk, player=before.player, actor=actor)
                entries.enter(event_id=event.pk, player=bot.player, actor=actor)
        except RefusedError as refusal:
            log.info("bots.pass-on event=%s bot=%s %s", event.pk, bot.pk, refusal)


def _tell(bot: Bot, what: str, actor: User) -> None:
    audit.note(f"bot-{what}", actor=actor, bot=bot.pk)
    announce(bot, what)
