"""Access tokens: shown once, and void when they should be."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission

from tournaments import database_time
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import AccessToken, User
from tournaments.services.account_data import deletion, export
from tournaments.services.accounts import passwords, tokens

PASSWORD = "rayuela-1963"


def _create(user: User, **changes: Any) -> tokens.NewToken:
    values = {"password": PASSWORD, "name": "bot", "scopes": ["read"], "days": 30, **changes}
    return tokens.create(user=user, **values)


def test_only_the_hash_is_kept(ana: User) -> None:
    new = _create(ana)
    assert new.secret.startswith("rayuela_")
    assert new.token.digest == hashlib.sha256(new.secret.encode()).hexdigest()
    assert tokens.authenticate(new.secret) == new.token
    assert tokens.authenticate(new.secret + "x") is None
    text = "".join(export.lines(ana, database_time.now(), {}))
    assert '"access_tokens"' in text
    assert new.token.digest not in text
    assert new.token.password_digest not in text


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"password": "wrong"}, "password-wrong"),
        ({"name": " "}, "token-name-bad"),
        ({"name": "n" * 61}, "token-name-bad"),
        ({"scopes": ["admin"]}, "token-scopes-bad"),
        ({"days": 31}, "token-expiry-bad"),
        ({"scopes": ["bots:play"]}, "token-line"),
    ],
)
def test_a_token_that_makes_no_sense_is_refused(
    ana: User, changes: dict[str, Any], code: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        _create(ana, **changes)
    assert refused.value.code == code
    assert not AccessToken.objects.exists()


def test_the_scope_of_moderators_is_for_moderators(ana: User, ben: User) -> None:
    ben.user_permissions.add(Permission.objects.get(codename="moderate"))
    ben = User.objects.get(pk=ben.pk)  # without the remembered permissions
    with pytest.raises(NotAllowedError, match="not-moderator"):
        _create(ana, scopes=["moderate"])
    assert _create(ben, scopes=["moderate"]).token.scopes == "moderate"


def test_there_are_twenty_living_ones(ana: User) -> None:
    rows = [_create(ana) for _ in range(tokens.MAX_LIVING)]
    with pytest.raises(RefusedError, match="tokens-many"):
        _create(ana)
    tokens.revoke(user=ana, token_id=rows[0].token.pk)
    _create(ana)


def test_a_revoked_token_is_void_and_cannot_be_revoked_again(ana: User, ben: User) -> None:
    new = _create(ana)
    with pytest.raises(RefusedError, match="token-over"):
        tokens.revoke(user=ben, token_id=new.token.pk)
    tokens.revoke(user=ana, token_id=new.token.pk)
    assert tokens.authenticate(new.secret) is None
    with pytest.raises(RefusedError, match="token-over"):
        tokens.revoke(user=ana, token_id=new.token.pk)
    kinds = ana.security_events.order_by("pk").values_list("kind", "detail")
    assert list(kinds) == [("token-create", "bot"), ("token-revoke", "bot")]


def test_a_token_is_exchanged_once_and_keeps_its_day(ana: User) -> None:
    old = _create(ana)
    new = tokens.rotate(old.token)
    assert tokens.authenticate(old.secret) is None
    assert tokens.authenticate(new.secret) == new.token
    assert (new.token.name, new.token.scopes) == (old.token.name, old.token.scopes)
    assert new.token.expires_at == old.token.expires_at
    with pytest.raises(RefusedError, match="token-over"):
        tokens.rotate(old.token)
    assert ana.security_events.filter(kind="token-rotate").count() == 1


def test_a_token_ends_with_its_day(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    new = _create(ana)
    later = database_time.now() + timedelta(days=31)
    monkeypatch.setattr(database_time, "now", lambda: later)
    assert tokens.authenticate(new.secret) is None
    assert tokens.living(ana) == []


def test_a_changed_password_ends_all_tokens(ana: User) -> None:
    new = _create(ana)
    passwords.end_other_sessions(user=ana, password=PASSWORD)
    ana.refresh_from_db()
    assert tokens.authenticate(new.secret) is None
    assert tokens.living(ana) == []


def test_a_closed_account_has_no_tokens(ana: User) -> None:
    new = _create(ana)
    ana.is_active = False
    ana.save()
    assert tokens.authenticate(new.secret) is None
    ana.is_active = True
    ana.save()
    deletion.delete_account(user=ana, password=PASSWORD)
    assert not AccessToken.objects.exists()


def test_its_use_is_noted_once_a_minute(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    new, now = _create(ana), database_time.now()
    seen = []
    for seconds in (0, 59, 61):
        moment = now + timedelta(seconds=seconds)
        monkeypatch.setattr(database_time, "now", lambda moment=moment: moment)
        tokens.authenticate(new.secret)
        new.token.refresh_from_db()
        seen.append(new.token.last_used_at)
    assert seen == [now, now, now + timedelta(seconds=61)]
