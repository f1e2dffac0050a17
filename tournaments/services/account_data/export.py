"""All data about an account, as one JSON document for its owner.

Every table that points at an account or a player is a section here, or is listed with a reason in
`LEFT_OUT`. A test compares the two with the models.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model

from tournaments.models import (
    AccessToken,
    Announcement,
    Annulment,
    Application,
    AuditEntry,
    Authorization,
    Bot,
    BotLine,
    BotRequest,
    Challenge,
    ChatLine,
    ChatReport,
    Club,
    ClubMember,
    Conditional,
    Correction,
    Email,
    Entry,
    EntryClaim,
    Event,
    EventMute,
    ExerciseDone,
    Festival,
    Follow,
    Game,
    Gauntlet,
    Inbox,
    Introduction,
    Invitation,
    LedgerEntry,
    Mute,
    NewsItem,
    Note,
    Player,
    PlayerReport,
    PushDevice,
    PuzzleRating,
    PuzzleReport,
    PuzzleTry,
    Rating,
    RatingUpload,
    SecurityEvent,
    Seek,
    Series,
    Silence,
    SprtTest,
    StaffMember,
    Suite,
    User,
    Vacation,
    Webhook,
    Worker,
)
from tournaments.queries.records import exports
from tournaments.services.notifications import news

SCHEMA: Final = "rayuela-account/1"
_AT_ONCE = 200
_CLOCK = ("clock_kind", "clock_initial_ms", "clock_increment_ms", "clock_cap_ms")


@dataclass(frozen=True, slots=True)
class Section:
    """The rows of `model` whose column `owner` is the account or its player, as `columns`."""

    name: str
    model: type[Model]
    owner: str
    columns: Sequence[str]


# Secret or foreign columns are left out: seeds before a round is published, the sealed vote of the
# challenger, and the moderator who decided.
OF_PLAYER: Final[Sequence[Section]] = (
    Section("ratings", Rating, "player", ("pool__key", "centielo", "games")),
    Section(
        "introduction", Introduction, "player", ("text", "federation", "written_at", "hidden_at")
    ),
    Section("exercises_done", ExerciseDone, "player", ("family", "name", "done_at")),
    Section(
        "puzzle_ratings",
        PuzzleRating,
        "player",
        ("family", "centielo", "deviation_centielo", "tries"),
    ),
    Section(
        "puzzle_tries",
        PuzzleTry,
        "player",
        ("puzzle_id", "is_solved", "tried_at", "before_centielo", "after_centielo"),
    ),
    Section(
        "ledger",
        LedgerEntry,
        "player",
        (
            "pool__key",
            "game_id",
            "seq",
            "kind",
            "side",
            "formula",
            "before_centielo",
            "after_centielo",
            "expected_millionths",
            "score_halves",
            "k_factor",
            "inputs",
            "entered_at",
        ),
    ),
    Section(
        "entries",
        Entry,
        "player",
        (
            "event__slug",
            "state",
            "tpn",
            "joined_round",
            "left_round",
            "entered_at",
            "checked_in_at",
            "withdrawn_at",
            "is_expelled",
            "federation",
            "club",
            "fide_id",
            "category",
            "title",
            "sex",
            "birth",
            "national_id",
            "national_centielo",
            "listed_centielo",
            "later_ratings",
            "source_list",
            "source_centielo",
            "start_list",
            "start_centielo",
            "listed_seed",
            "fee_state",
        ),
    ),
    Section(
        "entry_claims",
        EntryClaim,
        "player",
        ("entry__event__slug", "listed__name", "state", "made_at", "answered_at"),
    ),
    Section("notes", Note, "player", ("game_id", "text", "changed_at")),
    Section(
        "messages",
        ChatLine,
        "author",
        ("game_id", "event__slug", "recipient__name", "room", "text", "is_hidden", "made_at"),
    ),
    Section(
        "messages_received",
        ChatLine,
        "recipient",
        ("author__name", "text", "is_hidden", "is_read", "made_at"),
    ),
    Section("reports", ChatReport, "reporter", ("line_id", "made_at", "verdict", "resolved_at")),
    Section(
        "player_reports",
        PlayerReport,
        "reporter",
        ("reported__name", "text", "made_at", "resolved_at"),
    ),
    Section(
        "puzzle_reports",
        PuzzleReport,
        "reporter",
        ("puzzle_id", "text", "made_at", "resolved_at"),
    ),
    Section("clubs", ClubMember, "player", ("club__name", "role", "asked_at", "joined_at")),
    Section("clubs_founded", Club, "founder", ("name", "introduction", "created_at")),
    Section("mutes", Mute, "player", ("muted__name", "made_at")),
    Section("follows", Follow, "follower", ("followed__name", "made_at")),
    Section("silences", Silence, "player", ("line_id", "until", "made_at")),
    Section("event_mutes", EventMute, "player", ("event__slug", "until", "made_at")),
    Section("vacations", Vacation, "player", ("days", "started_at", "ends_at", "ended_at")),
    Section(
        "challenges_sent",
        Challenge,
        "challenger",
        (
            "opponent__name",
            "ruleset",
            *_CLOCK,
            "is_rated",
            "side",
            "vote",
            "study_id",
            "state",
            "game_id",
            "created_at",
        ),
    ),
    Section(
        "challenges_received",
        Challenge,
        "opponent",
        (
            "challenger__name",
            "ruleset",
            *_CLOCK,
            "is_rated",
            "study_id",
            "state",
            "game_id",
            "created_at",
        ),
    ),
    Section(
        "seeks",
        Seek,
        "player",
        ("ruleset", *_CLOCK, "is_rated", "centielo", "state", "game_id", "made_at", "seen_at"),
    ),
    Section(
        "invitations",
        Invitation,
        "host",
        (
            "token",
            "ruleset",
            *_CLOCK,
            "is_rated",
            "side",
            "study_id",
            "state",
            "game_id",
            "made_at",
        ),
    ),
    Section("invitations_joined", Invitation, "player", ("ruleset", "state", "game_id", "made_at")),
)
OF_ACCOUNT: Final[Sequence[Section]] = (
    # Neither the hash of a secret nor that of the password: they are no business of a file.
    Section(
        "applications",
        Application,
        "owner",
        ("name", "homepage", "client_id", "redirect_uris", "created_at"),
    ),
    Section(
        "authorizations",
        Authorization,
        "user",
        ("application__name", "scopes", "redirect_uri", "created_at", "revoked_at"),
    ),
    Section(
        "webhooks",
        Webhook,
        "user",
        ("address", "kinds", "is_active", "failing_since", "made_at"),
    ),
    Section(
        "workers",
        Worker,
        "owner",
        ("name", "machine", "processes", "enrolled_at", "seen_at", "stopped_at", "stop_code"),
    ),
    Section(
        "access_tokens",
        AccessToken,
        "user",
        (
            "name",
            "scopes",
            "line__name",
            "created_at",
            "expires_at",
            "last_used_at",
            "revoked_at",
        ),
    ),
    Section(
        "security_events",
        SecurityEvent,
        "user",
        ("kind", "detail", "network", "browser", "times", "happened_at"),
    ),
    Section(
        "inbox",
        Inbox,
        "user",
        (
            "address",
            "is_confirmed",
            "language",
            "wants_turns",
            "wants_reminders",
            "wants_games",
            "wants_events",
            "wants_messages",
            "pushes_turns",
            "pushes_reminders",
            "pushes_games",
            "pushes_events",
            "pushes_messages",
            "writers",
            "read_seq",
            "emailed_seq",
        ),
    ),
    # Without the keys, by which a message for the device could be forged.
    Section(
        "push_devices",
        PushDevice,
        "user",
        ("name", "endpoint", "language", "made_at", "reached_at"),
    ),
    Section("emails", Email, "user", ("address", "subject", "body", "state", "made_at")),
    Section(
        "events_organised",
        Event,
        "organiser",
        ("slug", "name", "description", "ruleset", "format", "state", "created_at"),
    ),
    Section(
        "bots",
        BotLine,
        "owner",
        (
            "name",
            "description",
            "created_at",
            "consent__takes_casual",
            "consent__takes_rated",
            "consent__takes_matches",
            "consent__lends_modules",
            "consent__open_formats",
            "consent__takes_requests",
            "consent__least_ms",
            "consent__most_ms",
            "consent__least_increment_ms",
            "consent__most_increment_ms",
            "consent__takes_unlimited",
            "consent__rulesets",
            "consent__opponents",
            "consent__max_games",
            "regression__ruleset",
            "regression__clock_initial_ms",
            "regression__clock_increment_ms",
            "regression__pairs",
        ),
    ),
    Section(
        "bot_requests",
        BotRequest,
        "asker",
        ("event__slug", "bot__player__name", "state", "requested_at", "answered_at"),
    ),
    Section(
        "gauntlets",
        Gauntlet,
        "owner",
        (
            "pk",
            "candidate__player__name",
            "ruleset",
            "pairs_each",
            "iterations",
            "state",
            "created_at",
        ),
    ),
    Section(
        "bot_versions",
        Bot,
        "owner",
        (
            "player__name",
            "version",
            "state",
            "state_code",
            "state_reason",
            "state_parts",
            "description",
            "families",
            "options",
            "program__filename",
            "program__digest",
            "remote__seen_at",
            "check_log",
            "created_at",
        ),
    ),
    Section(
        "sprt_tests",
        SprtTest,
        "owner",
        ("pk", "candidate__player__name", "base__player__name", "ruleset", "state", "created_at"),
    ),
    Section("captained_teams", Entry, "captain", ("event__slug", "player__name", "state")),
    Section("festivals", Festival, "organiser", ("name", "slug", "description", "created_at")),
    Section("series", Series, "organiser", ("name", "slug", "description", "created_at")),
    Section("rating_uploads", RatingUpload, "uploader", ("name", "kind", "state", "uploaded_at")),
    Section("suites", Suite, "owner", ("name", "ruleset", "setups", "created_at")),
    Section(
        "corrections",
        Correction,
        "actor",
        ("game_id", "before", "after", "is_exchange", "reason", "made_at"),
    ),
    Section("annulments", Annulment, "actor", ("pk", "reason", "made_at")),
    Section(
        "actions", AuditEntry, "actor", ("event__slug", "action", "reason", "detail", "done_at")
    ),
    Section("staff_roles", StaffMember, "user", ("event__slug", "role", "added_at")),
    Section("announcements", Announcement, "author", ("event__slug", "text", "made_at")),
)
# Foreign keys to accounts and players that are no section, by model and field, and why.
LEFT_OUT: Final[Mapping[tuple[str, str], str]] = {
    (
        "StaticDevice",
        "user",
    ): "recovery codes, which would open the account to whoever has the file",
    ("Session", "user"): "listed and ended on the account's page; the keys would sign anybody in",
    ("TOTPDevice", "user"): "the key of the second factor, likewise",
    ("BotConsent", "refused_accounts"): "whom an author refuses is that author's own affair",
    ("Player", "user"): "the head of the document",
    ("Game", "first"): "the games, with every ply",
    ("Game", "second"): "the games, with every ply",
    ("Guest", "player"): "gone since the sign-up: a guest has no account",
    ("Bot", "player"): "bots are sections of their author",
    ("Follow", "followed"): "a follow is seen by the follower alone",
    ("Mute", "muted"): "who does not want to read somebody is that reader's own affair",
    (
        "PlayerReport",
        "reported",
    ): "what somebody tells the moderators is that reporter's own affair",
    ("PlayerReport", "resolver"): "what a moderator decided is about others",
    ("ChatReport", "resolver"): "what a moderator decided is about others",
    ("Silence", "resolver"): "what a moderator decided is about others",
    ("EventMute", "resolver"): "what an organiser decided is about others",
    ("EntryClaim", "listed"): "players of an organiser's list have no account",
    ("EntryClaim", "answered_by"): "what an organiser decided is about others",
    ("Match", "requester"): "a match is its games, which are listed; this is its place in a queue",
    ("PairTally", "first"): "sums of the games",
    ("PairTally", "second"): "sums of the games",
    ("LogEntry", "user"): "Django's log of the admin; it shows every row read-only",
}


def lines(user: User, now: datetime, preferences: Mapping[str, str]) -> Iterator[str]:
    """The document, piece by piece as it is read from the database.

    `preferences` are the choices about pages and boards, which are in the visitor's cookie.
    """
    player = Player.objects.filter(user=user).first()
    yield f'{{"schema": {_text(SCHEMA)},\n"made_at": {_text(now)},\n"account": {_text(_head(user))}'
    yield f',\n"preferences": {_text(preferences)}'
    if player is not None:
        about = {"id": player.pk, "name": player.name, "created_at": player.created_at}
        yield f',\n"player": {_text(about)}'
        for section in OF_PLAYER:
            yield from _array(section.name, _rows(section, player))
        games = exports.game_lines(Game.objects.of(player).order_by("pk"))
        yield from _array("games", (line.rstrip("\n") for line in games))
        yield from _array("conditional_moves", _conditional_moves(player))
    for section in OF_ACCOUNT:
        yield from _array(section.name, _rows(section, user))
    yield from _array("news", _news(user))
    yield "}\n"


def _head(user: User) -> dict[str, object]:
    return {
        "name": user.get_username(),
        "email": user.email,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "joined_at": user.date_joined,
        "signed_in_at": user.last_login,
        "is_staff": user.is_staff,
    }


def _rows(section: Section, owner: Model) -> Iterator[str]:
    rows = section.model._default_manager.filter(**{section.owner: owner}).order_by("pk")
    for row in rows.values(*section.columns).iterator(_AT_ONCE):
        yield _text(row)


def _conditional_moves(player: Player) -> Iterator[str]:
    for side in ("first", "second"):
        own = Conditional.objects.filter(side=side, **{f"game__{side}": player}).order_by("pk")
        for row in own.values("game_id", "ply", "tree", "made_at"):
            yield _text(row)


def _news(user: User) -> Iterator[str]:
    items = NewsItem.objects.filter(topic__name=news.of_user(user.pk)).order_by("seq")
    for row in items.values("seq", "kind", "payload", "happened_at").iterator(_AT_ONCE):
        yield _text(row)


def _array(name: str, items: Iterable[str]) -> Iterator[str]:
    yield f",\n{_text(name)}: ["
    separator = "\n"
    for item in items:
        yield f"{separator}{item}"
        separator = ",\n"
    yield "]"


def _text(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
