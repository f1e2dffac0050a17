"""Declarations of acts: each is complete, offered, and has its declared effects around its function."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import connection

from tests.tournaments import acts_table
from tests.tournaments.conftest import event_of
from tournaments import views
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Event, User
from tournaments.queries.events.staff import Task
from tournaments.services.arbiter.entry_acts import ENTRY_ACTS
from tournaments.services.arbiter.game_acts import GAME_ACTS
from tournaments.services.arbiter.steps import STEPS
from tournaments.services.events import acts
from tournaments.services.events.acts import Acts, act
from tournaments.services.events.event_chat import CHAT_ACTS
from tournaments.services.events.teams import TEAM_ACTS
from tournaments.services.rounds.edits import EDITS

_TEMPLATES = Path(__file__).parents[4] / "templates"
_VIEWS = Path(views.__file__).parent
_TABLES = (
    *(ENTRY_ACTS.by_code, GAME_ACTS.by_code, STEPS.by_code, EDITS.by_code),
    *(TEAM_ACTS.by_code, CHAT_ACTS.by_code),
)
_OFFERED = {each.code: each for table in _TABLES for each in table.values()}
_DONE = acts.ENTRY_DONE


@dataclass(frozen=True)
class Arguments:
    reason: str = ""
    number: int | None = None


@act("pause", task=Task.SETTINGS, done=_DONE)
def shout(event: Event, actor: User, *, number: int, reason: str) -> str:
    assert connection.in_atomic_block, "the declaration opens the transaction"
    return f"{actor.pk == event.organiser_id} {number} {reason}"


def test_every_act_is_offered_by_a_table_or_a_page_of_its_own() -> None:
    pages = "".join(path.read_text() for path in _VIEWS.rglob("*.py"))
    rest = set(acts_table.declared().values()) - set(_OFFERED.values())
    assert [each.code for each in rest if f"{each.function.__name__}.done" not in pages] == []


@pytest.mark.parametrize("code", sorted(_OFFERED))
def test_every_act_of_a_table_has_a_button(code: str) -> None:
    button = re.compile(rf'name="(act|action|kind)" value="{code}"|_act\.html" .*action="{code}"')
    assert any(button.search(path.read_text()) for path in _TEMPLATES.rglob("*.html"))


def test_an_act_without_a_sentence_of_the_log_is_refused() -> None:
    with pytest.raises(AssertionError, match="no sentence for whisper"):
        act("whisper", task=None, done=_DONE)(shout.function)


@pytest.mark.parametrize("item", ["task", "done"])
def test_an_act_without_one_of_its_items_is_refused(item: str) -> None:
    items = {"task": Task.SETTINGS, "done": _DONE}
    del items[item]
    with pytest.raises(TypeError, match=item):
        act("pause", **items)  # type: ignore[arg-type]


def test_a_table_without_an_argument_of_an_act_is_refused() -> None:
    @dataclass(frozen=True)
    class Reason:
        reason: str

    with pytest.raises(AssertionError, match=r"Reason lacks \{'number'\} of pause"):
        Acts(Reason, shout)


def test_two_acts_of_a_table_have_two_codes() -> None:
    with pytest.raises(AssertionError, match="two acts have one code"):
        Acts(Arguments, shout, shout)


def test_an_act_gets_the_event_and_its_own_arguments(ana: User) -> None:
    table = Acts(Arguments, shout)
    assert table.run("pause", event_of(ana).pk, ana, Arguments(" Fire ", 3)) == "True 3 Fire"


@pytest.mark.parametrize(
    ("code", "arguments", "refusal"),
    [
        ("whisper", Arguments("Fire", 3), "form-bad"),
        ("pause", Arguments("Fire"), "form-bad"),
        ("pause", Arguments("  ", 3), "reason-bad"),
    ],
    ids=["no such act", "no number", "no reason"],
)
def test_what_is_missing_is_refused(
    ana: User, code: str, arguments: Arguments, refusal: str
) -> None:
    with pytest.raises(RefusedError, match=refusal):
        Acts(Arguments, shout).run(code, event_of(ana).pk, ana, arguments)


def test_others_than_the_staff_are_refused(ana: User, ben: User) -> None:
    with pytest.raises(NotAllowedError, match="not-organiser"):
        shout(event_id=event_of(ana).pk, actor=ben, number=3, reason="Fire")
