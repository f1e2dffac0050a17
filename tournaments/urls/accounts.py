"""Addresses of an account."""

from django.urls import path

from tournaments.views import limits
from tournaments.views.accounts import (
    account,
    applications,
    mail,
    notices,
    oauth,
    passwords,
    preferences_page,
    push,
    second_factor,
    sign_ins,
    sign_up,
    tokens,
    vacations,
    webhooks,
)

urlpatterns = [
    *limits.unlimited_forms(
        "sets cookies, and asks the database for nothing",
        path("settings/", preferences_page.preferences_page, name="settings"),
    ),
    *limits.forms(limits.SIGN_UPS, path("sign-up/", sign_up.sign_up, name="sign-up")),
    *limits.unlimited_forms(
        "counted by its form, which knows the name and forgives what was right",
        path("sign-in/", sign_up.SignIn.as_view(), name="sign-in"),
    ),
    *limits.unlimited_forms(
        "counted by its service, which forgives what was right",
        path("sign-in/code/", second_factor.code, name="sign-in-code"),
    ),
    *limits.unlimited_forms(
        "ends a session, once",
        path("sign-out/", push.SignOut.as_view(), name="sign-out"),
    ),
    *limits.forms(
        limits.RESETS,
        path("sign-in/forgotten/", passwords.forgotten, name="password-reset"),
    ),
    path("sign-in/forgotten/sent/", passwords.Sent.as_view(), name="password-reset-done"),
    path("sign-in/forgotten/done/", passwords.Complete.as_view(), name="password-reset-complete"),
    *limits.forms(
        limits.PASSWORDS,
        path(
            "sign-in/reset/<uidb64>/<token>/",
            passwords.Confirm.as_view(),
            name="password-reset-confirm",
        ),
    ),
    path("account/", account.account, name="account"),
    *limits.forms(
        limits.CHANGES,
        path("account/password/", passwords.Change.as_view(), name="password-change"),
        path("account/second-factor/on/", second_factor.turn_on, name="second-factor-on"),
        path("account/second-factor/off/", second_factor.turn_off, name="second-factor-off"),
        path("account/second-factor/codes/", second_factor.renew, name="second-factor-renew"),
        path("account/introduction/", account.introduce, name="introduction"),
        path("account/sessions/end/", account.end_sessions, name="sessions-end"),
        path("account/sessions/<str:name>/end/", sign_ins.end_session, name="session-end"),
        path("account/tokens/create/", tokens.create, name="token-create"),
        path("account/tokens/<int:pk>/revoke/", tokens.revoke, name="token-revoke"),
        path("account/delete/", account.delete, name="account-delete"),
        path("account/vacation/start/", vacations.start, name="vacation-start"),
        path("account/vacation/end/", vacations.end, name="vacation-end"),
        path("notices/mail/", notices.ask, name="email-set"),
        path("notices/mail/choose/", notices.choose, name="email-digest"),
        path("notices/mail/forget/", notices.forget, name="email-remove"),
        path("notices/devices/add/", push.add, name="push-add"),
        path("notices/devices/replace/", push.replace, name="push-replace"),
        path("notices/devices/<int:pk>/test/", push.test, name="push-test"),
        path("notices/devices/<int:pk>/remove/", push.remove, name="push-remove"),
        path("notices/mail/confirm/<str:token>/", notices.confirm, name="email-confirm"),
    ),
    *limits.forms(
        limits.CHANGES,
        path("account/applications/create/", applications.create, name="application-create"),
        path("account/applications/<int:pk>/", applications.application, name="application"),
        path(
            "account/applications/<int:pk>/secret/",
            applications.renew_secret,
            name="application-secret",
        ),
        path(
            "account/applications/<int:pk>/delete/", applications.delete, name="application-delete"
        ),
        path(
            "account/applications/authorizations/<int:pk>/revoke/",
            applications.revoke,
            name="authorization-revoke",
        ),
        path("account/webhooks/create/", webhooks.create, name="webhook-create"),
        path("account/webhooks/events/<slug:slug>/", webhooks.event_webhook, name="event-webhook"),
        path("account/webhooks/<int:pk>/", webhooks.webhook, name="webhook"),
        path("account/webhooks/<int:pk>/test/", webhooks.test, name="webhook-test"),
        path("account/webhooks/<int:pk>/delete/", webhooks.delete, name="webhook-delete"),
        path(
            "account/webhooks/<int:pk>/deliveries/<int:delivery>/again/",
            webhooks.send_again,
            name="webhook-delivery-again",
        ),
        path("oauth/authorize/", oauth.authorize, name="oauth-authorize"),
    ),
    *limits.forms(
        limits.OAUTH,
        path("oauth/token/", oauth.token, name="oauth-token"),
        path("oauth/revoke/", oauth.revoke, name="oauth-revoke"),
    ),
    path(".well-known/oauth-authorization-server", oauth.metadata, name="oauth-metadata"),
    path("account/webhooks/", webhooks.webhooks, name="webhooks"),
    path("account/applications/", applications.applications, name="applications"),
    path("account/second-factor/", second_factor.factor, name="second-factor"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/security/", sign_ins.security_events, name="account-security"),
    path("account/data/", account.data, name="account-data"),
    path("account/mail/", mail.mail, name="mail"),
    path("account/vacation/", vacations.vacation, name="vacation"),
    path("notices/", notices.notices, name="notices"),
    path("notices/<int:seq>/", notices.message, name="notice"),
]
