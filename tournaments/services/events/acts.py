"""Declarations of the acts of organisers and arbiters, from which pages and the API are derived.

    @act("pause", task=Task.PAIRINGS, done=_("The event was paused."))
    def pause(event: Event, actor: User, *, reason: str) -> Event: ...

    pause(event_id=event.pk, actor=user, reason="Fire alarm")

The declaration opens the transaction, locks the event and checks the task. The function gets the
locked event. If it has a `reason` without a default, the act is refused without a reason, and the
function gets the reason without blanks around it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from django.db import transaction
from django.utils.translation import gettext_lazy

from tournaments.errors import RefusedError
from tournaments.models import AuditEntry, Event, Game, User
from tournaments.models.setting_types import Level
from tournaments.queries.events import staff
from tournaments.queries.events.staff import Task
from tournaments.services import audit
from tournaments.services.events import departures
from tournaments.services.reasons import checked_reason
from tournaments.text.audit_log import KINDS

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from django.utils.functional import _StrPromise

P = ParamSpec("P")
A = TypeVar("A", bound="DataclassInstance")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

# The message after an act on an entry.
ENTRY_DONE = gettext_lazy("Done. The log contains the change.")


@dataclass(frozen=True)
class ActWarning:
    """A warning before an act, and its level."""

    level: Level
    sentence: _StrPromise | str


# The warning of acts that touch the pairings without a question.
TOUCHES_PAIRINGS = ActWarning(
    Level.SIMPLE,
    gettext_lazy("This changes later pairings. A draft that it concerns will be discarded."),
)


@dataclass(frozen=True)
class Declaration:
    """The part of an act that pages and the API read.

    Attributes:
        code: the name of the act in forms and in the API.
        task: the task that the act requires. None if players may do it too: the function checks it.
        done: the message after the act.
        action: the action of the public log. `text.audit_log` has its sentence.
        warning: the warning before the act, if it touches pairings or cannot be undone. Its departures
            from FIDE's rules are stored, and `act_warnings` warns of them twice.
        asks: returns further warnings. It gets the event and the arguments of the act.
    """

    code: str
    task: Task | None
    done: _StrPromise
    action: str
    warning: ActWarning | None = field(default=None, kw_only=True)
    asks: Callable[..., Iterable[ActWarning]] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        assert self.action in KINDS, f"the log has no sentence for {self.action}"

    def note(
        self, event: Event, actor: User | None, *, reason: str = "", **detail: object
    ) -> AuditEntry:
        """Add the act to the log of the event. `actor` is None for the service."""
        return audit.note(
            self.action, event=event, actor=actor, reason=reason, undoes=None, **detail
        )

    def level(self) -> str:
        """Return the level of its warning, for the document of the API, or empty without one."""
        return self.warning.level.name.lower() if self.warning is not None else ""

    def require(self, event: Event, actor: User) -> None:
        """Raise NotAllowedError `not-organiser` unless `actor` has the task."""
        if self.task is not None:
            staff.require(event, actor, self.task)


@dataclass(frozen=True)
class Act(Declaration, Generic[P, R_co]):
    """An act on an event."""

    function: Callable[Concatenate[Event, User, P], R_co]

    def __call__(self, event_id: int, actor: User, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Act in a transaction, with the event locked.

        Raises NotAllowedError `not-organiser`, RefusedError `reason-bad`, and errors of the
        function.
        """
        _check_reason(self.function, kwargs)
        with transaction.atomic():
            event = Event.locked(event_id)
            self.require(event, actor)
            if self.warning is None:
                return self.function(event, actor, *args, **kwargs)
            with departures.stored(event):
                return self.function(event, actor, *args, **kwargs)


@dataclass(frozen=True)
class GameAct(Declaration, Generic[P, R_co]):
    """An act on a game of an event by a user who does not play in it."""

    function: Callable[Concatenate[Event, Game, User, P], R_co]

    def __call__(self, game_id: int, actor: User, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Act in a transaction, with the event and then the game locked.

        Raises NotAllowedError `not-organiser` or `own-game`, RefusedError `reason-bad` or
        `act-no-event`, and errors of the function.
        """
        _check_reason(self.function, kwargs)
        with transaction.atomic():
            event_id = Game.objects.values_list("pairing__event", flat=True).get(pk=game_id)
            if event_id is None:
                raise RefusedError("act-no-event")
            event = Event.locked(event_id)
            self.require(event, actor)
            rows = Game.objects.select_for_update(of=("self",), no_key=True).with_players()
            game = rows.get(pk=game_id)
            staff.require_neutral(event, actor, (game.first, game.second))
            return self.function(event, game, actor, *args, **kwargs)


@dataclass(frozen=True)
class LongAct(Declaration, Generic[P, R_co]):
    """An act on an event in several transactions, each of which locks the event."""

    function: Callable[Concatenate[int, User, P], R_co]

    def __call__(self, event_id: int, actor: User, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Act. Raises NotAllowedError `not-organiser`, and errors of the function."""
        self.require(Event.objects.get(pk=event_id), actor)
        return self.function(event_id, actor, *args, **kwargs)


def act(
    code: str,
    *,
    task: Task | None,
    done: _StrPromise,
    action: str = "",
    warning: ActWarning | None = None,
    asks: Callable[..., Iterable[ActWarning]] | None = None,
) -> Callable[[Callable[Concatenate[Event, User, P], R]], Act[P, R]]:
    """Declare an act on an event (see `Declaration`). The action of the log is the code by default."""

    def declare(function: Callable[Concatenate[Event, User, P], R]) -> Act[P, R]:
        return Act(code, task, done, action or code, function, warning=warning, asks=asks)

    return declare


def game_act(
    code: str, *, done: _StrPromise, action: str = ""
) -> Callable[[Callable[Concatenate[Event, Game, User, P], R]], GameAct[P, R]]:
    """Declare an act on a game, which requires the task of results (see `Declaration`)."""

    def declare(function: Callable[Concatenate[Event, Game, User, P], R]) -> GameAct[P, R]:
        return GameAct(code, Task.RESULTS, done, action or code, function)

    return declare


def long_act(
    code: str,
    *,
    task: Task,
    done: _StrPromise,
    action: str = "",
    warning: ActWarning | None = None,
    asks: Callable[..., Iterable[ActWarning]] | None = None,
) -> Callable[[Callable[Concatenate[int, User, P], R]], LongAct[P, R]]:
    """Declare an act in several transactions (see `Declaration`)."""

    def declare(function: Callable[Concatenate[int, User, P], R]) -> LongAct[P, R]:
        return LongAct(code, task, done, action or code, function, warning=warning, asks=asks)

    return declare


class Acts(Generic[A, R]):
    """The acts that one form and one operation of the API offer, by code.

    `arguments` is a dataclass with the arguments of all of them. Each act takes those which it
    names.
    """

    def __init__(
        self, arguments: type[A], *acts: Act[..., R] | GameAct[..., R] | LongAct[..., R]
    ) -> None:
        self.by_code = {each.code: each for each in acts}
        assert len(self.by_code) == len(acts), "two acts have one code"
        known = {each.name for each in fields(arguments)}
        for each in acts:
            lacking = {parameter.name for parameter in _parameters(each.function)} - known
            assert not lacking, f"{arguments.__name__} lacks {lacking} of {each.code}"

    def warnings(self) -> str:
        """Return the levels of warnings of the acts, for the document of the API."""
        levels = ", ".join(
            f"{code} {each.level()}" for code, each in self.by_code.items() if each.level()
        )
        return f"Levels of the warnings on pages, at least: {levels}."

    def run(self, code: str, subject_id: int, actor: User, arguments: A) -> R:
        """Do the act `code` with its part of the arguments.

        Raises RefusedError `form-bad` for an unknown code and for None in place of an argument
        that the act needs.
        """
        own = self.own(code, arguments)
        return self.by_code[code](subject_id, actor, **own)

    def own(self, code: str, arguments: A) -> Mapping[str, Any]:
        """Return the arguments that the act `code` names. Raise as `run`."""
        if code not in self.by_code:
            raise RefusedError("form-bad")
        own: dict[str, Any] = {}
        for parameter in _parameters(self.by_code[code].function):
            own[parameter.name] = value = getattr(arguments, parameter.name)
            if value is None and _is_required(parameter):
                raise RefusedError("form-bad", parameter.name)
        return own


def needs_reason(function: Callable[..., object]) -> bool:
    """Return whether an act is refused without a reason: its function has one without a default."""
    return any(each.name == "reason" and _is_required(each) for each in _parameters(function))


def _is_required(parameter: inspect.Parameter) -> bool:
    """Return whether an act needs this argument."""
    return parameter.default is inspect.Parameter.empty


def _check_reason(function: Callable[..., object], arguments: dict[str, Any]) -> None:
    """Strip the reason among the arguments. Raise RefusedError `reason-bad` without one."""
    if needs_reason(function):
        arguments["reason"] = checked_reason(arguments["reason"])


def _parameters(function: Callable[..., object]) -> list[inspect.Parameter]:
    """The arguments of an act that a form or a program gives: all that are keywords."""
    parameters = inspect.signature(function).parameters.values()
    return [each for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY]


def lock(event_id: int, actor: User, task: Task) -> Event:
    """Return the event, its row locked, for an actor with this task.

    Raises NotAllowedError `not-organiser`.
    """
    event = Event.locked(event_id)
    staff.require(event, actor, task)
    return event
