"""The entries of an event's log in sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Q, TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import (
    AuditEntry,
    ByeRequest,
    Entry,
    Event,
    EventTopic,
    Game,
    Player,
    Round,
    Sanction,
    StaffMember,
)
from tournaments.text import refusals, setting_effects

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entry of an event's log.

    Attributes:
        sentence: its sentence. `Words` has the names of its places.
        is_about_others: whether the log adds that the author takes part in the event.
        with_results: the sentence if results had been typed on the boards of the round.
        without_player: the sentence of an entry that names no player.
        comment: its words in comments of the report file, if it is about players who join or leave the
            pairings after round 1 was published.
        topic: the topic for webhooks of the event, if it is one. News of other subjects have their
            topics in `services.notifications.kinds`.
    """

    sentence: _StrPromise
    is_about_others: bool = False
    with_results: _StrPromise | None = None
    without_player: _StrPromise | None = None
    comment: str = ""
    topic: EventTopic | None = None


# Every action that `services.audit.note` may write about an event.
KINDS: Mapping[str, Kind] = {
    "absent": Kind(
        _("%(player)s has not checked in and does not play."), topic=EventTopic.WITHDRAWAL
    ),
    "add-time": Kind(
        _("%(game)s: %(seconds)s seconds added to the clock of %(side)s."), is_about_others=True
    ),
    "adjourn": Kind(_("%(game)s was adjourned."), is_about_others=True),
    "admission": Kind(_("%(player)s was admitted."), comment="Late entry", topic=EventTopic.ENTRY),
    "allow": Kind(
        _("The forbidden pairing was lifted: %(players)s."),
        is_about_others=True,
        comment="Pairs allowed again",
    ),
    "announce": Kind(_("An announcement was made.")),
    "award": Kind(_("The prizes were awarded: %(players)s."), is_about_others=True),
    "bot-answer": Kind(_("The author of %(player)s has answered: %(answer)s.")),
    "bot-request": Kind(_("The author of %(player)s was asked to let it play.")),
    "bye-cancel": Kind(_("Round %(round)s: %(bye)s of %(player)s taken back.")),
    "bye-grant": Kind(_("Round %(round)s: %(bye)s granted to %(player)s."), is_about_others=True),
    "bye-request": Kind(_("Round %(round)s: %(player)s asks for a %(bye)s.")),
    "cancel": Kind(_("The event was cancelled.")),
    "check-in": Kind(_("%(player)s has checked in.")),
    "check-out": Kind(_("The check-in of %(player)s was undone.")),
    "claim": Kind(_("Someone claimed the entry of %(player)s.")),
    "claim-answer": Kind(_("The claim of %(player)s was answered: %(answer)s.")),
    "chat-delete": Kind(_("A message of %(player)s was deleted from the chat.")),
    "chat-mute": Kind(_("%(player)s was muted in the chat.")),
    "chat-unmute": Kind(_("%(player)s is no longer muted in the chat.")),
    "close": Kind(_("Round %(round)s is over.")),
    "correct": Kind(
        _("%(game)s: result corrected from “%(before)s” to “%(after)s”."), is_about_others=True
    ),
    "create": Kind(_("The event was created.")),
    "decide": Kind(_("%(game)s: decided by the arbiter, “%(result)s”."), is_about_others=True),
    "delete": Kind(_("The event was deleted.")),
    "discard-draft": Kind(_("The draft of round %(round)s was discarded.")),
    "draft": Kind(_("Round %(round)s was drafted.")),
    "draft-by-hand": Kind(
        _("Round %(round)s was drafted without boards, to be paired by hand."), is_about_others=True
    ),
    "edit-draft": Kind(
        _("The draft of round %(round)s was changed by hand."), is_about_others=True
    ),
    "entry": Kind(_("%(player)s has entered."), comment="Late entry", topic=EventTopic.ENTRY),
    "entry-edit": Kind(_("The entry of %(player)s was changed.")),
    "entry-list": Kind(
        _("Entered by a list: %(players)s."), comment="Late entry", topic=EventTopic.ENTRY
    ),
    "entry-merge": Kind(_("The entry %(name)s was merged into that of %(player)s.")),
    "entry-remove": Kind(_("%(name)s was removed from the entries."), topic=EventTopic.WITHDRAWAL),
    "exchange-sides": Kind(
        _(
            "Round %(round)s, board %(board)s was played with colours exchanged: %(one)s moved first."
        ),
        is_about_others=True,
    ),
    "expulsion": Kind(
        _("%(player)s was expelled."),
        is_about_others=True,
        comment="Expulsion",
        topic=EventTopic.WITHDRAWAL,
    ),
    "finish": Kind(_("The event ended: no games are left to play.")),
    "finish-early": Kind(_("The organiser ends the event.")),
    "finish-unpaired": Kind(_("The event ends: too few players are left.")),
    "forbid": Kind(_("Pairing forbidden: %(players)s."), is_about_others=True),
    "go-on": Kind(_("The event was resumed.")),
    "half-byes": Kind(_("%(player)s no longer has the right to half-point byes.")),
    "half-byes-back": Kind(_("%(player)s has the right to half-point byes again.")),
    "import": Kind(_("The event was imported from a report file, with %(entries)s players.")),
    "no-show": Kind(
        _("%(player)s did not show up in round %(round)s and was withdrawn."),
        comment="Withdrawal",
        topic=EventTopic.WITHDRAWAL,
    ),
    "order-tie": Kind(_("A shared place was ordered by hand: %(players)s."), is_about_others=True),
    "pair": Kind(_("Waiting players were paired.")),
    "pause": Kind(_("The event was paused.")),
    "postponed": Kind(_("The game cannot continue yet: %(because)s")),
    "postpone": Kind(
        _("Round %(round)s, board %(board)s: “adjourned” set or undone for %(one)s and %(other)s."),
        is_about_others=True,
    ),
    "prizes": Kind(_("The prize fund was changed.")),
    "publish": Kind(
        _("Round %(round)s was published."),
        with_results=_("Round %(round)s was published. Boards with their old results: %(count)s."),
    ),
    "seed-set": Kind(
        _("The pairing number of %(player)s is chosen by the organiser."), is_about_others=True
    ),
    "rating-set": Kind(
        _("The rating of %(player)s was set by the organiser."), is_about_others=True
    ),
    "rate-as": Kind(
        _("%(game)s: result in the rating report changed from “%(before)s” to “%(after)s”."),
        is_about_others=True,
    ),
    "rating-from": Kind(
        _("The rating of %(player)s from round %(round)s on was set by the organiser."),
        is_about_others=True,
    ),
    "readmission": Kind(_("%(player)s was readmitted."), comment="Return", topic=EventTopic.ENTRY),
    "record": Kind(_("%(game)s: the record was added.")),
    "record-replace": Kind(
        _("%(game)s: another record takes the place of the old one."), is_about_others=True
    ),
    "renumber": Kind(_("The pairing numbers were changed: %(numbers)s."), is_about_others=True),
    "replay": Kind(_("Extra games of the level ties of round %(round)s began.")),
    "replay-game": Kind(_("A replay of %(game)s was ordered."), is_about_others=True),
    "result": Kind(
        _("Round %(round)s, board %(board)s: “%(after)s” entered."), is_about_others=True
    ),
    "result-reported": Kind(
        _("Round %(round)s, board %(board)s: “%(after)s”, reported by both players.")
    ),
    "resume-clocks": Kind(_("%(game)s: the clocks run."), is_about_others=True),
    "return": Kind(_("%(player)s has returned."), comment="Return", topic=EventTopic.ENTRY),
    "round-times": Kind(_("The times of the rounds were set.")),
    "sanction": Kind(_("Round %(round)s: %(sanction)s, %(player)s."), is_about_others=True),
    "section-from": Kind(
        _("%(player)s was moved here from the section %(name)s."), topic=EventTopic.ENTRY
    ),
    "section-to": Kind(
        _("%(player)s was moved to the section %(name)s."), topic=EventTopic.WITHDRAWAL
    ),
    "settings": Kind(_("Settings changed: %(settings)s.")),
    "staff-add": Kind(_("%(player)s helps with the event: %(role)s.")),
    "staff-remove": Kind(_("%(player)s does not help any more.")),
    "start": Kind(_("The event starts with %(entries)s players.")),
    "start-round": Kind(_("The games of round %(round)s begin.")),
    "stop-clocks": Kind(_("%(game)s: the clocks were stopped."), is_about_others=True),
    "deadline": Kind(
        _(
            "The deadline of round %(round)s has passed. Games ended: %(games)s. Games left: %(left)s."
        )
    ),
    "move-deadline": Kind(
        _("Round %(round)s: the deadline is %(moment)s."),
    ),
    "stop-pairing": Kind(_("Pairing stops.")),
    "take-back": Kind(
        _("Round %(round)s was unpublished."),
        is_about_others=True,
        with_results=_(
            "The publication of round %(round)s was undone. Boards whose results are kept: %(count)s."
        ),
    ),
    "line-up": Kind(_("Round %(round)s: the line-up of %(player)s was set."), is_about_others=True),
    "team-accept": Kind(_("%(player)s was accepted by the team %(team)s.")),
    "team-captain": Kind(_("%(name)s is the captain of %(player)s.")),
    "team-create": Kind(
        _("The team %(player)s has entered."), comment="Late entry", topic=EventTopic.ENTRY
    ),
    "team-join": Kind(_("%(player)s joins the team %(team)s.")),
    "team-order": Kind(_("The order of the team %(player)s was changed.")),
    "team-remove": Kind(_("%(player)s left the team %(team)s.")),
    "tie": Kind(
        _(
            "Round %(round)s, board %(board)s: level. %(player)s advances by the arbiter's decision."
        ),
        without_player=_(
            "Round %(round)s, board %(board)s: not played. Neither advances by the arbiter's decision."
        ),
        is_about_others=True,
    ),
    "undo": Kind(_("Undone: %(undone)s"), is_about_others=True),
    "withdrawal": Kind(
        _("%(player)s was withdrawn."), comment="Withdrawal", topic=EventTopic.WITHDRAWAL
    ),
}

# Changes by hand, by the kind of the edit, once the pairings are public.
EDITS: Mapping[str, _StrPromise] = {
    "swap": _("Round %(round)s, changed by hand: %(one)s and %(other)s change places."),
    "flip": _(
        "Round %(round)s, changed by hand: %(one)s and %(other)s change sides at board %(board)s."
    ),
    "unpair": _(
        "Round %(round)s, changed by hand: %(one)s and %(other)s do not meet at board %(board)s."
    ),
    "pair": _("Round %(round)s, changed by hand: %(one)s plays %(other)s."),
    "give-bye": _("Round %(round)s, changed by hand: %(one)s has the bye."),
}


def topic_of(action: str) -> EventTopic | None:
    """Return the topic for webhooks to which entries of this action belong, or None."""
    kind = KINDS.get(action)
    return kind.topic if kind is not None else None


@dataclass(frozen=True, slots=True)
class Words:
    """The names that the sentences of some entries need: players and games by their keys.

    `drafts` are the numbers of rounds whose pairings only the staff knows. `first_boards` are the
    numbers of the first boards on pages. `participants` are the entries of each account, including
    those of its bots.
    """

    players: Mapping[int, str]
    games: Mapping[int, str]
    drafts: frozenset[int] = frozenset()
    first_boards: Mapping[int, int] = field(default_factory=dict)
    participants: Mapping[int, Sequence[Entry]] = field(default_factory=dict)

    @classmethod
    def of(cls, event: Event, entries: Iterable[AuditEntry]) -> Words:
        """The names that these entries of the event's log speak of."""
        details = [each.detail for entry in entries for each in _details(entry)]
        players = {
            detail[name] for detail in details for name in ("player", "team") if name in detail
        }
        players |= {pk for detail in details for pk in detail.get("players", ())}
        players |= {move[0] for detail in details for move in detail.get("numbers", ())}
        game_ids = {detail["game"] for detail in details if "game" in detail}
        games = Game.objects.filter(pk__in=game_ids).select_related("first", "second")
        rounds = list(event.rounds.values_list("number", "state", "first_board"))
        return cls(
            dict(Player.objects.filter(pk__in=players).values_list("pk", "name")),
            {game.pk: f"{game.first.name} – {game.second.name}" for game in games},
            frozenset(number for number, state, _ in rounds if state == Round.State.DRAFT),
            {number: first_board for number, _, first_board in rounds},
            _participants(event, {entry.actor_id for entry in entries if entry.actor_id}),
        )

    def conflict(self, entry: AuditEntry) -> str:
        """A remark on an act of the staff by an account that takes part in the event, or empty."""
        kind = KINDS.get(entry.action)
        if kind is None or not kind.is_about_others or entry.actor_id is None:
            return ""
        if entry.detail.get("is_own_game"):
            return gettext("in a game of their own")
        own = self.participants.get(entry.actor_id, ())
        return (
            gettext("plays in this event")
            if any(_is_in(each, entry.done_at) for each in own)
            else ""
        )

    def sentence(self, entry: AuditEntry) -> str:
        """Return the sentence about the action, in the reader's language."""
        kind = KINDS.get(entry.action)
        if kind is None:
            return entry.action
        pattern = kind.sentence
        if entry.detail.get("results") and kind.with_results is not None:
            pattern = kind.with_results
        if "player" not in entry.detail and kind.without_player is not None:
            pattern = kind.without_player
        edit = entry.detail.get("edit", {})
        if edit and entry.detail["round"] not in self.drafts:
            pattern = EDITS.get(edit["kind"], pattern)
        return str(pattern) % self._parts(entry)

    def _parts(self, entry: AuditEntry) -> Mapping[str, str]:
        detail = {name: str(value) for name, value in entry.detail.items()}
        parts = {
            name: detail.get(name, "") for name in ("round", "board", "name", "seconds", "entries")
        }
        for name in ("player", "team"):
            parts[name] = self.players.get(entry.detail.get(name, 0), "–")
        # Names of lists have commas.
        parts["players"] = "; ".join(
            self.players.get(pk, "–") for pk in entry.detail.get("players", ())
        )
        parts["numbers"] = "; ".join(
            f"{self.players.get(pk, '–')} {before} → {after}"
            for pk, before, after in entry.detail.get("numbers", ())
        )
        both = [*entry.detail.get("players", ()), 0, 0]
        parts["one"], parts["other"] = (self.players.get(pk, "–") for pk in both[:2])
        if "edit" in entry.detail:
            parts["board"] = str(entry.detail["edit"].get("board", ""))
        parts["board"] = self._board(entry.detail.get("round", 0), parts["board"])
        parts["game"] = self.games.get(entry.detail.get("game", 0), "–")
        parts["bye"] = _label(ByeRequest.Kind, detail.get("kind", ""))
        parts["role"] = _label(StaffMember.Role, detail.get("role", ""))
        parts["side"] = (
            gettext("the first side")
            if detail.get("side") == "first"
            else gettext("the second side")
        )
        for name in ("before", "after", "result"):
            parts[name] = _label(Game.Result, detail.get(name, ""))
        parts["sanction"] = _label(Sanction.Kind, detail.get("sanction_kind", ""))
        if halves := entry.detail.get("halves", 0):
            parts["sanction"] += f" (−{halves / 2:g})"
        parts["answer"] = (
            gettext("accepted") if entry.detail.get("is_accepted") else gettext("refused")
        )
        because = detail.get("because", "")
        parts["because"] = refusals.sentence_of(because) if because else ""
        results = entry.detail.get("results", 0)
        parts["count"] = str(len(results) if isinstance(results, list) else results)
        parts["moment"] = setting_effects.moment(detail["moment"]) if "moment" in detail else ""
        parts["settings"] = setting_effects.changes(entry.detail.get("changes", {}))
        parts["undone"] = self.sentence(entry.undoes) if entry.undoes is not None else ""
        return parts

    def _board(self, round_number: int, name: str) -> str:
        """Return the number of a board on pages, with the game of a mini-match: `3.2`."""
        board, point, game = name.partition(".")
        first = self.first_boards.get(round_number, 1)
        return f"{int(board) + first - 1}{point}{game}" if board.isdecimal() else name


def _participants(event: Event, user_ids: Collection[int]) -> Mapping[int, Sequence[Entry]]:
    own = Q(player__user__in=user_ids) | Q(player__bot__owner__in=user_ids)
    by_user: dict[int, list[Entry]] = {}
    for entry in event.entries.filter(own).select_related("player__bot"):
        owner_id = entry.player.bot.owner_id if entry.player.is_bot else entry.player.user_id
        by_user.setdefault(owner_id or 0, []).append(entry)
    return by_user


def _is_in(entry: Entry, moment: datetime) -> bool:
    """Return whether the player was in the event at that moment."""
    return entry.entered_at <= moment and not (entry.withdrawn_at and entry.withdrawn_at < moment)


def _details(entry: AuditEntry) -> Iterable[AuditEntry]:
    yield entry
    if entry.undoes is not None:
        yield entry.undoes


def _label(choices: type[TextChoices], value: str) -> str:
    return str(choices(value).label) if value in choices.values else value
