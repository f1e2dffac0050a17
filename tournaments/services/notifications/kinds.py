"""The kinds of news, each with its words as a notice, its e-mails and the pages that listen to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.models import EventTopic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.utils.functional import _StrPromise

    Text = str | _StrPromise
    # A sentence, or the choice of one by the payload. `inbox.Notice.sentence` fills in the places.
    Words = Text | Callable[[Mapping[str, object]], Text]


class Choice(StrEnum):
    """A choice of an inbox about e-mails and messages to devices, for some kinds of notices.

    Its columns in `Inbox` are `wants_…` and `pushes_…`.
    """

    TURNS = "turns"
    REMINDERS = "reminders"
    GAMES = "games"
    EVENTS = "events"
    MESSAGES = "messages"

    @property
    def by_email(self) -> str:
        """Return the column of `Inbox` for e-mails."""
        return f"wants_{self}"

    @property
    def by_push(self) -> str:
        """Return the column of `Inbox` for messages to devices."""
        return f"pushes_{self}"


CHOICES: Mapping[Choice, Text] = {
    Choice.TURNS: _("when it is my turn"),
    Choice.REMINDERS: _(
        "before my time runs out (24, 8 and 1 hours), and before my event starts (10 minutes)"
    ),
    Choice.GAMES: _("when I am challenged, and when games begin or end"),
    Choice.EVENTS: _("news of my events: rounds, byes, the arbiter's decisions, announcements"),
    Choice.MESSAGES: _("private messages"),
}


class Page(StrEnum):
    """A sort of page that stays open and listens to news. Its template names it (`listen_to`)."""

    ACCOUNT = "account"  # every page of a signed-in reader, for the news of the account
    BOARDS = "boards"
    EVENT = "event"
    GAME = "game"
    LOBBY = "lobby"
    PLAN = "plan"
    RESULTS = "results"
    STANDINGS = "standings"  # in frames and on projectors
    EXPERIMENT = "experiment"  # an SPRT test or a gauntlet


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of news.

    Attributes:
        pages: the pages that show the news, or reload.
        words: the sentence of a notice, on pages and in e-mails, before the payload's `reason`.
            None for news that only open pages need.
        topic: the topic for webhooks of an event, if it is one.
        choice: the choice of readers by which notices are sent by e-mail and to devices.
        is_listed: whether the list of notices contains it.
    """

    code: str
    pages: tuple[Page, ...] = ()
    words: Words | None = None
    choice: Choice | None = None
    is_listed: bool = True
    topic: EventTopic | None = None


class UnknownKindError(LookupError):
    """News of a kind that `KINDS` does not contain."""


def require_known(code: str) -> None:
    """Raise `UnknownKindError` for a code that is not in `KINDS`."""
    if code not in KINDS:
        raise UnknownKindError(code)


def codes_of(page: Page) -> list[str]:
    """Return the kinds that open pages of this sort listen to."""
    return [kind.code for kind in KINDS.values() if page in kind.pages]


def topic_of(code: str) -> EventTopic | None:
    """Return the topic for webhooks of an event to which news of this kind belong, or None.

    Another release may have stored a kind that this one does not know.
    """
    kind = KINDS.get(code)
    return kind.topic if kind is not None else None


def codes_of_accounts() -> list[str]:
    """Return the kinds that are announced to accounts: notices, and news for open pages of the account."""
    return [kind.code for kind in KINDS.values() if kind.choice or Page.ACCOUNT in kind.pages]


def _by(key: str, words: Mapping[str, Text]) -> Words:
    return lambda payload: words[str(payload[key])]


def _wrong_transcript(payload: Mapping[str, object]) -> Text:
    return _WRONG_PLY if payload["ply"] else _WRONG_RESULT


def _game(code: str, *pages: Page) -> Kind:
    return Kind(code, (Page.GAME, *pages))


def _event(code: str, *pages: Page, topic: EventTopic | None = None) -> Kind:
    """Return a kind of news of an event, for every page of the event."""
    return Kind(code, (Page.EVENT, *pages), topic=topic)


def _notice(code: str, words: Words, *pages: Page, topic: EventTopic | None = None) -> Kind:
    """Return a kind of notice about an event, for every open page of its reader."""
    return Kind(code, (Page.ACCOUNT, *pages), words, Choice.EVENTS, topic=topic)


_WRONG_PLY = _(
    "The worker %(worker)s was stopped: %(game)s differs at ply %(ply)s. Its results without a replay will be taken back"
)
_WRONG_RESULT = _(
    "The worker %(worker)s was stopped: %(game)s is wrong. Its results without a replay will be taken back"
)
_HOURS = ngettext_lazy(
    "Less than %(hours)s hour left for your move: %(game)s",
    "Less than %(hours)s hours left for your move: %(game)s",
    "hours",
)
_MINUTES = ngettext_lazy(
    "%(event)s starts in %(minutes)s minute or less",
    "%(event)s starts in %(minutes)s minutes or less",
    "minutes",
)
_DECLINED = _("%(name)s has declined your challenge: %(rules)s")
_TAKEN_BACK = _("Round %(number)s was unpublished: %(event)s")
_BOT_ANSWER = {
    "granted": _("%(bot)s plays in %(event)s: its author has agreed"),
    "declined": _("%(bot)s does not play in %(event)s: its author has declined"),
}
_ENTRY = {
    "readmission": _("You were readmitted to %(event)s"),
    "rating": _("The arbiter has set your rating in %(event)s"),
    "seed": _("The arbiter has set your pairing number in %(event)s"),
    "sanction": _("The arbiter gave you a warning or a penalty in %(event)s"),
    "move": _("You were moved to the section %(event)s"),
}
_ARBITER = {
    "decision": _("The arbiter has decided the game: %(game)s"),
    "time": _("The arbiter has added time: %(game)s"),
    "replay": _("The game will be replayed: %(game)s"),
    "resumed": _("The clocks run: %(game)s"),
    "adjourned": _("The game was adjourned: %(game)s"),
    "stopped": _("The arbiter has stopped the clocks: %(game)s"),
}
_TABLES = (Page.EVENT, Page.STANDINGS)

# A kind that is announced to several topics, such as an event and its players, is one row.
KINDS = {
    kind.code: kind
    for kind in (
        # Notices of games.
        Kind(
            "turn", (Page.ACCOUNT,), _("It is your turn: %(game)s"), Choice.TURNS, is_listed=False
        ),
        Kind("reminder", (Page.ACCOUNT,), _HOURS, Choice.REMINDERS),
        Kind(
            "deadline",
            (Page.ACCOUNT,),
            _("The round ends in less than a day: %(game)s"),
            Choice.REMINDERS,
        ),
        Kind("game", (Page.ACCOUNT,), _("A game has started: %(game)s"), Choice.GAMES),
        Kind("challenge", (Page.ACCOUNT, Page.LOBBY), "%(challenge)s", Choice.GAMES),
        Kind("declined", (), _DECLINED, Choice.GAMES),
        Kind("invitation", (), _("The game you invited to has started: %(game)s"), Choice.GAMES),
        Kind(
            "end",
            (Page.GAME, Page.BOARDS, Page.EXPERIMENT),
            _("A game has ended: %(game)s"),
            Choice.GAMES,
        ),
        # The page of messages lists them.
        Kind(
            "private-message",
            (Page.ACCOUNT,),
            _("Message from %(sender)s: %(words)s"),
            Choice.MESSAGES,
            is_listed=False,
        ),
        # Notices of events.
        Kind("start-soon", (Page.ACCOUNT,), _MINUTES, Choice.REMINDERS),
        _notice(
            "round",
            _("Round %(number)s was published: %(event)s"),
            *(*_TABLES, Page.RESULTS, Page.GAME),
            topic=EventTopic.ROUND,
        ),
        _notice("round-over", _("Round %(number)s is over: %(event)s")),
        _notice(
            "deadline-passed",
            _(
                "The deadline of round %(number)s has passed. Games wait for your decision: %(event)s"
            ),
        ),
        _notice(
            "deadline-decided",
            _("The deadline of the round has passed, and its rule has decided your game: %(game)s"),
        ),
        _notice(
            "deadline-moved",
            _("Round %(number)s has another deadline: %(event)s"),
            Page.EVENT,
            Page.GAME,
        ),
        _notice("taken-back", _TAKEN_BACK),
        _notice(
            "correction",
            _("A result was corrected: %(game)s"),
            *_TABLES,
            topic=EventTopic.CORRECTION,
        ),
        _notice("announcement", "%(event)s: %(text)s", Page.EVENT),
        _notice("paused", _("%(event)s was paused"), Page.EVENT, Page.GAME),
        _notice("goes-on", _("%(event)s has resumed"), Page.EVENT, Page.GAME),
        _notice(
            "cancelled",
            _("%(event)s was cancelled"),
            *(*_TABLES, Page.RESULTS, Page.GAME),
            topic=EventTopic.OVER,
        ),
        _notice("not-started", _("%(event)s could not start at its time")),
        _notice("admitted", _("You were admitted to %(event)s")),
        _notice("withdrawn", _("You were withdrawn from %(event)s")),
        _notice("bye", _("You have a bye in round %(number)s: %(event)s")),
        _notice("entry", _by("act", _ENTRY)),
        _notice("arbiter", _by("act", _ARBITER)),
        _notice("prize", _("You have won a prize in %(event)s: %(prize)s")),
        _notice("prize-back", _("Your prize in %(event)s was withdrawn: %(prize)s")),
        _notice("bot-request", _("%(event)s invites %(bot)s: accept or decline")),
        _notice("bot-answer", _by("answer", _BOT_ANSWER)),
        _notice("bot-entered", _("%(bot)s was entered in %(event)s by its organiser")),
        _notice("team-request", _("%(player)s wants to play for %(team)s in %(event)s")),
        _notice("worker-wrong", _wrong_transcript),
        _notice("club-request", _("%(player)s asks to join %(club_name)s")),
        _notice("club-accepted", _("You are a member of %(club_name)s now")),
        _notice("club-team", _("%(club_name)s has entered you for %(team)s in %(event)s")),
        _notice(
            "webhook-off", _("Your webhook has failed for days and was switched off: %(address)s")
        ),
        # For open pages only.
        _event("entries", Page.STANDINGS, Page.RESULTS),
        _event("settings"),
        _event("start", Page.STANDINGS, topic=EventTopic.START),
        _event("postponed"),
        _event("pairing"),
        _event("draft", Page.RESULTS),
        _event("start-round", Page.STANDINGS),
        _event("result", Page.STANDINGS, Page.RESULTS, topic=EventTopic.RESULT),
        _event("reported", Page.RESULTS),
        _event("replay", Page.STANDINGS),
        _event("closed", Page.STANDINGS, Page.RESULTS, Page.GAME, topic=EventTopic.ROUND_OVER),
        _event("finished", Page.STANDINGS, Page.RESULTS, Page.GAME, topic=EventTopic.OVER),
        _event("prizes"),
        _event("forecast", Page.PLAN),
        _game("ply", Page.BOARDS),
        _game("restart", Page.BOARDS),
        _game("offer"),
        _game("presence"),
        _game("clock"),
        _game("chat", Page.EVENT),
        _game("rematch"),
        Kind("challenge-over", (Page.ACCOUNT, Page.LOBBY)),
        Kind("seek", (Page.LOBBY,)),
        Kind("bot", (Page.ACCOUNT,)),
        Kind("pair", (Page.EXPERIMENT,)),
        Kind("verdict", (Page.EXPERIMENT,)),
        # Read by programs and by the front page when it is drawn.
        Kind("event"),
    )
}
