"""OAuth 2: the permission of an account, tokens of applications, and all the ways to be refused."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournaments import oauth_client, pages
from tests.tournaments.frozen_clock import FrozenClock
from tests.tournaments.oauth_client import CALLBACK, FORM, LOOPBACK, Installation, address, status
from tournaments import database_time
from tournaments.models import AccessToken, Application, Authorization, Grant, User
from tournaments.services import retention
from tournaments.services.account_data import deletion
from tournaments.services.accounts import applications, authorizations, tokens

pytestmark = pytest.mark.django_db
_HOSTILE = (
    "@evil.example",
    "#",
    "/",
    "//evil.example",
    "\\evil.example",
    ".evil.example",
    ":1@evil",
    "\n",
    "%0d%0a",
    "?next=//evil.example",
)


@pytest.fixture
def application(ben: User) -> Application:
    return oauth_client.registered(ben).application


@pytest.fixture
def installation(application: Application, ana: User) -> Installation:
    return Installation(application, pages.member(ana))


def test_a_visitor_allows_an_application_which_then_acts_and_is_revoked(
    installation: Installation, ana: User
) -> None:
    page = installation.visitor.get(address(installation.application, scope="read games:play"))
    text = page.content.decode()
    for words in ("Viewer", "Ben", "viewer.example", "Play in the account"):
        assert words in text
    body = installation.tokens(scope="read games:play")
    assert (body["token_type"], body["scope"]) == ("Bearer", "games:play read")
    assert status(body["access_token"]) == 200
    listed = installation.visitor.get(reverse("applications")).content.decode()
    [row] = authorizations.of(ana)
    assert reverse("authorization-revoke", args=[row.pk]) in listed
    assert tokens.living(ana) == []
    installation.visitor.post(reverse("authorization-revoke", args=[row.pk]))
    assert status(body["access_token"]) == 401
    assert (
        installation.refresh(body["refresh_token"]).body
        == {"error": "invalid_grant"} | installation.refresh("none").body
    )


def test_the_answer_names_the_issuer_and_the_state(installation: Installation) -> None:
    answer = installation.visitor.post(address(installation.application), {"decision": "allow"})
    assert answer["Location"].startswith(f"{CALLBACK}&")
    parameters = oauth_client.parameters_of(answer["Location"])
    metadata = Client().get("/.well-known/oauth-authorization-server").json()
    assert (parameters["iss"], parameters["state"]) == (metadata["issuer"], "a state")


def test_a_denial_is_an_answer_without_a_code(installation: Installation) -> None:
    answer = installation.visitor.post(address(installation.application), {"decision": "deny"})
    parameters = oauth_client.parameters_of(answer["Location"])
    assert (answer.status_code, parameters["error"]) == (303, "access_denied")
    assert "iss" in parameters
    assert not Grant.objects.exists()


def test_a_visitor_signs_in_first_and_comes_back(application: Application) -> None:
    answer = Client().get(address(application))
    assert answer["Location"].startswith("/sign-in/?next=/oauth/authorize/")


def test_no_frame_shows_the_page_and_its_form_leads_to_the_application_alone(
    installation: Installation,
) -> None:
    page = installation.visitor.get(address(installation.application))
    policy = page["Content-Security-Policy"]
    assert "form-action 'self' https://viewer.example;" in f"{policy};"
    assert "frame-ancestors 'none'" in policy
    assert page["X-Frame-Options"] == "DENY"
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = installation.visitor.cookies
    assert strict.post(address(installation.application), {"decision": "allow"}).status_code == 403


def test_dangerous_scopes_need_the_password(installation: Installation) -> None:
    target = address(installation.application, scope="events:write")
    assert 'type="password"' in installation.visitor.get(target).content.decode()
    for password, expected in (("", 422), ("wrong", 422), ("rayuela-1963", 303)):
        form = {"decision": "allow", "password": password}
        assert installation.visitor.post(target, form).status_code == expected


FATAL: Mapping[str, Mapping[str, str]] = {
    "unknown client": {"client_id": "unknown"},
    "no client": {"client_id": ""},
    "strange client": {"client_id": "a\x00b"},
    "no address": {"redirect_uri": ""},
    "unregistered address": {"redirect_uri": "https://evil.example/callback"},
    "longer address": {"redirect_uri": f"{CALLBACK}/more"},
    "other scheme": {"redirect_uri": CALLBACK.replace("https", "http")},
    "other port": {"redirect_uri": CALLBACK.replace("example/", "example:444/")},
    "script": {"redirect_uri": "javascript:alert(1)"},
}


@pytest.mark.parametrize("changes", FATAL.values(), ids=FATAL)
def test_an_unregistered_address_gets_no_answer(
    installation: Installation, changes: Mapping[str, str]
) -> None:
    for method in ("get", "post"):
        target = address(installation.application, **changes)
        answer = getattr(installation.visitor, method)(
            target, {"decision": "allow"} if method == "post" else None
        )
        assert answer.status_code == 400
        assert "Location" not in answer
        assert "Return to" not in answer.content.decode()


FAULTS: Mapping[str, tuple[Mapping[str, str], str]] = {
    "implicit": ({"response_type": "token"}, "unsupported_response_type"),
    "hybrid": ({"response_type": "code token"}, "unauthorized_client"),
    "nothing asked": ({"response_type": ""}, "invalid_request"),
    "no challenge": ({"code_challenge": ""}, "invalid_request"),
    "plain challenge": ({"code_challenge_method": "plain"}, "invalid_request"),
    "no method": ({"code_challenge_method": ""}, "invalid_request"),
    "short challenge": ({"code_challenge": "short"}, "invalid_request"),
    "scope of a bot": ({"scope": "bots:play"}, "invalid_scope"),
    "scope of moderators": ({"scope": "moderate"}, "invalid_scope"),
    "unknown scope": ({"scope": "read everything"}, "invalid_scope"),
}


@pytest.mark.parametrize(("changes", "error"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_request_redirects_nobody_by_itself(
    installation: Installation, changes: Mapping[str, str], error: str
) -> None:
    target = address(installation.application, **changes)
    answer = installation.visitor.post(target, {"decision": "allow"})
    assert (answer.status_code, "Location" in answer) == (400, False)
    link = re.search(r'href="(https://viewer.example/[^"]*)"', answer.content.decode())
    assert link is not None
    parameters = oauth_client.parameters_of(link[1].replace("&amp;", "&"))
    assert parameters["error"] == error
    assert parameters["state"] == "a state"


@pytest.mark.parametrize("name", ["redirect_uri", "scope", "code_challenge"])
def test_a_parameter_that_comes_twice_is_refused(installation: Installation, name: str) -> None:
    target = f"{address(installation.application)}&{urlencode({name: 'x'})}"
    assert installation.visitor.post(target, {"decision": "allow"}).status_code == 400


def test_a_native_application_listens_at_any_port(installation: Installation) -> None:
    uri = "http://127.0.0.1:49152/done"
    answer = installation.visitor.post(
        address(installation.application, redirect_uri=uri), {"decision": "allow"}
    )
    assert answer["Location"].startswith(f"{uri}?code=")


@pytest.mark.parametrize(
    ("uri", "is_one"),
    [
        (CALLBACK, True),
        (LOOPBACK, True),
        ("http://127.0.0.1:80/done", True),
        ("http://127.0.0.1:/done", False),
        ("http://127.0.0.1:1@evil.example/done", False),
        ("http://127.0.0.1.evil.example/done", False),
        ("http://127.0.0.1:80/done/more", False),
        ("http://127.0.0.1:٣/done", False),
        ("http://localhost/done", False),
        ("https://127.0.0.1/done", False),
        (f"{LOOPBACK}\n", False),
    ],
)
def test_addresses_are_compared_exactly_but_for_a_port_of_this_machine(
    application: Application, uri: str, is_one: bool
) -> None:
    assert applications.is_registered(application, uri) == is_one


def _altered(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from([CALLBACK, LOOPBACK, "https://evil.example/"]))
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.just(len(text)) | st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(_HOSTILE) | st.text(max_size=3)) + text[at:]
    return text


@pytest.mark.long
@given(
    uri=st.composite(_altered)(),
    changes=st.just({})
    | st.fixed_dictionaries(
        {},
        optional={
            "scope": st.sampled_from(["", "read", "bots:play", "x"]) | st.text(max_size=5),
            "response_type": st.sampled_from(["", "code", "token", "none", "code token"]),
            "code_challenge": st.sampled_from(["", "short"]),
            "state": st.text(max_size=8),
            "response_mode": st.sampled_from(["query", "fragment", "form_post"]),
        },
    ),
    decision=st.sampled_from(["allow", "deny", ""]),
)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_request_redirects_to_an_unregistered_address(
    installation: Installation, uri: str, changes: dict[str, str], decision: str
) -> None:
    answer = installation.visitor.post(
        address(installation.application, redirect_uri=uri, **changes), {"decision": decision}
    )
    location = answer.get("Location", f"{CALLBACK}&")
    assert re.match(rf"{re.escape(CALLBACK)}&|http://127\.0\.0\.1(:\d+)?/done\?", location)
    for link in re.findall(r'href="([^"]*)"[^>]*>Return to', answer.content.decode()):
        assert link.startswith((CALLBACK, LOOPBACK, "http://127.0.0.1:"))
        assert "evil" not in link.partition("?")[0]


def test_a_second_use_of_a_code_ends_what_the_first_gave(installation: Installation) -> None:
    code = installation.code()
    first = installation.exchange(code)
    assert status(first.body["access_token"]) == 403  # valid, without the scope `read`
    second = installation.exchange(code)
    assert (second.status, second.body["error"]) == (400, "invalid_grant")
    assert status(first.body["access_token"]) == 401
    assert installation.refresh(first.body["refresh_token"]).status == 400


def test_a_refresh_token_is_exchanged_once_and_a_thief_is_noticed(
    installation: Installation,
) -> None:
    first = installation.tokens(scope="read games:play")
    second = installation.refresh(first["refresh_token"], scope="read").body
    assert (second["scope"], status(second["access_token"])) == ("read", 200)
    assert status(first["access_token"]) == 401
    third = installation.refresh(second["refresh_token"])
    assert third.body["scope"] == "games:play read"
    assert installation.refresh(first["refresh_token"]).body["error"] == "invalid_grant"
    assert status(third.body["access_token"]) == 401
    assert installation.refresh(third.body["refresh_token"]).status == 400


def test_a_refresh_asks_for_no_more_than_was_allowed(installation: Installation) -> None:
    body = installation.tokens(scope="games:play")
    answer = installation.refresh(body["refresh_token"], scope="games:play read")
    assert (answer.status, answer.body["error"]) == (400, "invalid_scope")


REFUSED: Mapping[str, tuple[Mapping[str, str], str]] = {
    "other verifier": ({"code_verifier": "another-verifier-of-forty-three-characters"}, "invalid_grant"),
    "no verifier": ({"code_verifier": ""}, "invalid_request"),
    "other address": ({"redirect_uri": LOOPBACK}, "invalid_request"),
    "no address": ({"redirect_uri": ""}, "invalid_request"),
    "unknown code": ({"code": "none"}, "invalid_grant"),
    "unknown client": ({"client_id": "unknown"}, "invalid_client"),
    "password grant": ({"grant_type": "password"}, "unsupported_grant_type"),
    "client credentials": ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "error"), REFUSED.values(), ids=REFUSED)
def test_a_faulty_exchange_gives_no_token(
    installation: Installation, changes: Mapping[str, str], error: str
) -> None:
    answer = installation.exchange(**{"code": installation.code(), **changes})
    assert answer.body["error"] == error
    assert answer.status == (401 if error == "invalid_client" else 400)
    assert not AccessToken.objects.exists()


def test_the_code_of_one_application_is_worth_nothing_to_another(
    installation: Installation, ben: User
) -> None:
    other = oauth_client.registered(ben, name="Other").application
    code = installation.code()
    answer = installation.exchange(code, client_id=other.client_id)
    assert answer.body["error"] == "invalid_grant"
    assert installation.exchange(code).status == 200


def test_a_code_is_valid_for_a_minute(installation: Installation, clock: FrozenClock) -> None:
    code = installation.code()
    clock.wait(seconds=61)
    assert installation.exchange(code).body["error"] == "invalid_grant"


@pytest.mark.long
def test_a_confidential_client_signs_in_with_its_secret(ana: User, ben: User) -> None:
    new = oauth_client.registered(ben, is_confidential=True)
    installation = Installation(new.application, pages.member(ana))
    assert new.application.secret_digest == tokens.digest(new.secret)
    for changes in ({}, {"client_secret": "wrong"}):
        answer = installation.exchange(installation.code(), **changes)
        assert (answer.status, answer.body["error"]) == (401, "invalid_client")
        assert answer.headers["WWW-Authenticate"].startswith("Basic")
    assert installation.exchange(installation.code(), client_secret=new.secret).status == 200
    basic = b64encode(f"{new.application.client_id}:{new.secret}".encode()).decode()
    form = {"grant_type": "authorization_code", "redirect_uri": CALLBACK,
            "code": installation.code(), "code_verifier": oauth_client.VERIFIER}  # fmt: skip
    assert oauth_client.send("/oauth/token/", form, Authorization=f"Basic {basic}").status == 200
    renewed = applications.renew_secret(new.application)
    code = installation.code()
    assert installation.exchange(code, client_secret=new.secret).status == 401
    assert installation.exchange(code, client_secret=renewed.secret).status == 200


@pytest.mark.long
def test_a_program_revokes_what_it_has(installation: Installation, ben: User) -> None:
    other = oauth_client.registered(ben, name="Other").application
    for kind in ("access_token", "refresh_token"):
        body = installation.tokens(scope="read")
        form = {"token": body[kind], "client_id": other.client_id}
        assert oauth_client.send("/oauth/revoke/", form).status == 200
        assert status(body["access_token"]) == 200
        form = {"token": body[kind], "client_id": installation.application.client_id}
        assert oauth_client.send("/oauth/revoke/", form).status == 200
        assert status(body["access_token"]) == 401
        assert installation.refresh(body["refresh_token"]).status == 400


def test_programs_send_forms(installation: Installation) -> None:
    answer = Client().post("/oauth/token/", {"grant_type": "x"}, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    answer = Client().post(
        "/oauth/token/?code=in-a-log", "", content_type="application/x-www-form-urlencoded"
    )
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


def test_pages_of_other_sites_read_tokens_and_metadata(installation: Installation) -> None:
    origin = {"Origin": "https://viewer.example"}
    answer = oauth_client.send("/oauth/token/", {}, **origin)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    metadata = Client().get("/.well-known/oauth-authorization-server", headers=origin)
    assert metadata["Access-Control-Allow-Origin"] == "*"
    page = installation.visitor.get(address(installation.application), headers=origin)
    assert "Access-Control-Allow-Origin" not in page


def test_the_metadata_lead_to_the_endpoints() -> None:
    metadata = Client().get("/.well-known/oauth-authorization-server").json()
    for name in ("authorization", "token", "revocation"):
        path = metadata[f"{name}_endpoint"].removeprefix(metadata["issuer"])
        assert path in {reverse(f"oauth-{each}") for each in ("authorize", "token", "revoke")}
    assert "bots:play" not in metadata["scopes_supported"]


def test_a_change_of_the_password_ends_what_applications_may_do(
    installation: Installation, ana: User
) -> None:
    body, code = installation.tokens(scope="read"), installation.code()
    ana.set_password("another-73")
    ana.save()
    assert status(body["access_token"]) == 401
    assert installation.refresh(body["refresh_token"]).status == 400
    assert installation.exchange(code).status == 400
    assert authorizations.installations(ana) == []


@pytest.mark.long
def test_the_end_of_either_account_ends_an_application(
    installation: Installation, ana: User, ben: User
) -> None:
    body = installation.tokens(scope="read")
    deletion.delete_account(user=ben, password="rayuela-1963")
    assert status(body["access_token"]) == 401
    other = oauth_client.registered(ana).application
    installation = Installation(other, installation.visitor)
    assert status(installation.tokens(scope="read")["access_token"]) == 200
    deletion.delete_account(user=ana, password="rayuela-1963")
    assert not AccessToken.objects.exists()
    assert not Application.objects.exists()


def test_the_token_of_an_application_is_not_exchanged_for_one_of_the_account(
    installation: Installation,
) -> None:
    token = installation.tokens(scope="read")["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    answer = Client().generic("POST", "/api/v1/me/tokens/rotate", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "token-of-application")


@pytest.mark.long
def test_the_oldest_of_eleven_installations_ends(installation: Installation, ana: User) -> None:
    first = installation.tokens(scope="read")["access_token"]
    for _ in range(9):
        installation.tokens()
    assert status(first) == 200
    installation.tokens()
    assert status(first) == 401
    assert len(authorizations.installations(ana)) == 10


def test_used_grants_are_stored_until_they_expire(
    installation: Installation, clock: FrozenClock
) -> None:
    installation.refresh(installation.tokens()["refresh_token"])
    assert retention.prune(database_time.now()) == {}
    clock.wait(minutes=2)
    assert retention.prune(database_time.now()) == {"grants": 1}
    clock.wait(days=200)
    retention.prune(database_time.now())
    assert not Authorization.objects.exists()


def test_an_owner_makes_changes_and_deletes_an_application(ana: User, ben: User) -> None:
    owner, stranger = pages.member(ana), pages.member(ben)
    page = owner.post(reverse("application-create"), {**FORM, "is_confidential": "on"})
    secret = re.search(r'value="(rayuela_client_[^"]+)"', page.content.decode())
    row = ana.applications.get()
    assert secret is not None
    assert applications.is_secret_of(row, secret[1])
    own = reverse("application", args=[row.pk])
    assert owner.post(own, {**FORM, "name": "Looker"}).status_code == 302
    assert "Looker" in owner.get(reverse("applications")).content.decode()
    for name in ("application", "application-secret", "application-delete"):
        path = reverse(name, args=[row.pk])
        assert stranger.post(path, FORM).status_code == 404
    assert owner.post(reverse("application-secret", args=[row.pk])).status_code == 200
    assert not applications.is_secret_of(ana.applications.get(), secret[1])
    owner.post(reverse("application-delete", args=[row.pk]))
    assert not ana.applications.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"redirect_uris": ""},
        {"redirect_uris": "http://viewer.example/"},
        {"redirect_uris": "https://viewer.example/#part"},
        {"redirect_uris": "https://user@viewer.example/"},
        {"redirect_uris": "https://viewer.example\\@evil.example/"},
        {"redirect_uris": "javascript:alert(1)"},
        {"redirect_uris": "http://localhost/"},
        {"redirect_uris": "\n".join(f"https://viewer.example/{n}" for n in range(11))},
        {"homepage": "javascript:alert(1)"},
        {"name": "Vie\u202ewer"},
    ],
)
def test_a_description_that_could_mislead_is_refused(ana: User, changes: dict[str, str]) -> None:
    answer = pages.member(ana).post(reverse("application-create"), {**FORM, **changes})
    assert answer.status_code == 422
    assert not Application.objects.exists()
