"""Webhooks of the account: made, changed, tested, and the log of their deliveries."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from tournaments.edges import access
from tournaments.errors import RefusedError
from tournaments.forms.webhooks import NewWebhookForm, WebhookForm
from tournaments.models import Event
from tournaments.services.accounts import webhooks as services
from tournaments.text import refusals as refusal_text
from tournaments.views.access import members_only, signed_in
from tournaments.views.accounts.tokens import secret_page

_FIELDS = {"password-wrong": "password", "webhook-address": "address", "webhook-kinds": "kinds"}
_DELIVERIES = 50


@never_cache
@login_required
def webhooks(request: HttpRequest) -> HttpResponse:
    """List the webhooks of the account, with the form of a new one."""
    return _page(request, NewWebhookForm())


@never_cache
@sensitive_post_parameters("password")
@members_only
def create(request: HttpRequest) -> HttpResponse:
    """Create a webhook for the news of the account. The next page shows its secret once."""
    form = NewWebhookForm(request.POST)
    new = _created(request, form, None)
    return _page(request, form, _status(form)) if new is None else _secret_page(request, new)


@never_cache
@sensitive_post_parameters("password")
@login_required
def event_webhook(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form of a webhook for the news of an event, and create it."""
    event = access.get_event_for(signed_in(request), slug)
    form = NewWebhookForm(request.POST or None, event=event)
    new = _created(request, form, event) if request.method == "POST" else None
    if new is not None:
        return _secret_page(request, new)
    context = {"form": form, "event": event}
    return render(request, "accounts/event_webhook.html", context, status=_status(form))


def _created(
    request: HttpRequest, form: NewWebhookForm, event: Event | None
) -> services.NewWebhook | None:
    """Return the webhook of a form, or None with the errors in the form."""
    if not form.is_valid():
        return None
    try:
        return services.create(user=signed_in(request), event=event, **form.cleaned_data)
    except RefusedError as refusal:
        form.add_error(_FIELDS.get(refusal.code), refusal_text.sentence(refusal))
        return None


def _status(form: WebhookForm | NewWebhookForm) -> int:
    return 422 if form.errors else 200


def _secret_page(request: HttpRequest, new: services.NewWebhook) -> HttpResponse:
    return secret_page(
        request,
        title=_("The secret of your webhook"),
        name=new.webhook.address,
        secret=new.secret,
        back=reverse("webhook", args=[new.webhook.pk]),
    )


@never_cache
@login_required
def webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one's webhook with its latest deliveries and the form that changes it."""
    row = access.get_webhook_for(signed_in(request), pk)
    if request.method == "POST":
        form = WebhookForm(request.POST, event=row.event)
        if form.is_valid():
            services.change(row, **form.cleaned_data)
            messages.success(request, _("The webhook was changed."))
            return redirect("webhook", pk)
    else:
        initial = {"kinds": row.kind_set, "is_active": row.is_active}
        form = WebhookForm(initial=initial, event=row.event)
    context = {"webhook": row, "form": form, "deliveries": row.deliveries.all()[:_DELIVERIES]}
    return render(request, "accounts/webhook.html", context, status=_status(form))


@members_only
def test(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a test message."""
    services.send_test(access.get_webhook_for(signed_in(request), pk))
    messages.success(request, _("A test message will be sent within seconds."))
    return redirect("webhook", pk)


@members_only
def send_again(request: HttpRequest, pk: int, delivery: int) -> HttpResponse:
    """Send a delivery again."""
    services.send_again(access.get_delivery_for(signed_in(request), pk, delivery))
    messages.success(request, _("The delivery will be sent again within seconds."))
    return redirect("webhook", pk)


@members_only
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a webhook."""
    services.delete(access.get_webhook_for(signed_in(request), pk))
    messages.success(request, _("The webhook was deleted."))
    return redirect("webhooks")


def _page(request: HttpRequest, form: NewWebhookForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "webhooks": services.of(signed_in(request))}
    return render(request, "accounts/webhooks.html", context, status=status)
