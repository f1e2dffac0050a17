"""Devices of an account that get notifications by Web Push."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from tournaments.errors import RefusedError
from tournaments.models.push import ENDPOINT_LENGTH, KEY_LENGTH, SECRET_LENGTH
from tournaments.services import sessions
from tournaments.services.notifications import push_devices, push_messages, web_push
from tournaments.views import refusals
from tournaments.views.access import members_only, signed_in
from tournaments.views.accounts.sign_ins import browser_words


@members_only
@refusals.refusal_as_message
def add(request: HttpRequest) -> HttpResponse:
    """Store the browser of the request as a device."""
    device = push_devices.add(
        user=signed_in(request),
        subscription=_subscription(request),
        name=browser_words(request.headers.get("User-Agent", "")),
        language=get_language() or "en",
    )
    request.session[sessions.DEVICE] = device.pk
    messages.success(request, _("Notifications of this device were turned on."))
    return redirect("notices")


# The browser calls it without a page, so that there is no token of a form. The secret of the former
# subscription is in its place.
@csrf_exempt
@require_POST
def replace(request: HttpRequest) -> HttpResponse:
    """Store the new subscription of a browser in the place of its former one."""
    try:
        push_devices.replace(
            former_endpoint=request.POST.get("former_endpoint", "")[: ENDPOINT_LENGTH + 1],
            former_auth=request.POST.get("former_auth", "")[: SECRET_LENGTH + 1],
            subscription=_subscription(request),
        )
    except RefusedError as refusal:
        return refusals.as_json(refusal)
    return HttpResponse(status=204)


@members_only
def test(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a test message to a device."""
    push_messages.test(user=signed_in(request), device_id=pk)
    messages.success(request, _("A test message will arrive within seconds."))
    return redirect("notices")


@members_only
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Send no more messages to a device."""
    push_devices.remove(user=signed_in(request), device_id=pk)
    messages.success(request, _("The device was removed."))
    return redirect("notices")


class SignOut(LogoutView):
    """The end of a session. Its browser gets no more messages, which others could read."""

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Remove the device of the session, and sign out."""
        device_id = request.session.get(sessions.DEVICE)
        if device_id and request.user.is_authenticated:
            push_devices.remove(user=request.user, device_id=device_id)
        return super().post(request, *args, **kwargs)


def _subscription(request: HttpRequest) -> push_devices.Subscription:
    fields = request.POST
    return push_devices.Subscription(
        endpoint=fields.get("endpoint", "")[: ENDPOINT_LENGTH + 1],
        keys=web_push.Keys(
            p256dh=fields.get("p256dh", "")[: KEY_LENGTH + 1],
            auth=fields.get("auth", "")[: SECRET_LENGTH + 1],
        ),
    )
