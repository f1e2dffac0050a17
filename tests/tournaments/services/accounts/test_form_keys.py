"""Keys of long acts: held during the act, free again after a failure."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import FormKey
from tournaments.services.accounts import form_keys

pytestmark = [pytest.mark.engines, pytest.mark.django_db]


def _once(digest: str = "draft", answer: str = "there") -> str | None:
    return form_keys.once_apart(owner="7", key="k", digest=digest, act=lambda: answer)


def _leave_held(*, age_s: int) -> None:
    """Leave a key like a process that was killed while it acted."""
    made_at = database_time.now() - timedelta(seconds=age_s)
    FormKey.objects.create(owner="7", key="k", digest="", made_at=made_at)


def test_an_act_apart_is_done_once() -> None:
    assert (_once(), _once(), _once(answer="elsewhere")) == (None, "there", "there")
    with pytest.raises(StaleError, match="form-sent"):
        _once("publication")


def test_a_refusal_frees_the_key() -> None:
    def refuse() -> str:
        raise RefusedError("too-few")

    with pytest.raises(RefusedError, match="too-few"):
        form_keys.once_apart(owner="7", key="k", digest="draft", act=refuse)
    assert not FormKey.objects.exists()


def test_the_key_of_a_lost_process_is_held_for_two_minutes() -> None:
    _leave_held(age_s=110)
    for once in (form_keys.once, form_keys.once_apart):
        with pytest.raises(StaleError, match="key-busy"):
            once(owner="7", key="k", digest="draft", act=lambda: "there")


def test_the_key_of_a_lost_process_is_taken_over_afterwards() -> None:
    _leave_held(age_s=130)
    assert (_once(), _once()) == (None, "there")


def test_who_was_overtaken_does_not_answer_for_who_overtook() -> None:
    def take_over() -> str:
        FormKey.objects.update(made_at=database_time.now() - timedelta(seconds=130))
        assert _once(answer="of the second") is None
        return "of the first"

    form_keys.once_apart(owner="7", key="k", digest="draft", act=take_over)
    assert _once() == "of the second"
