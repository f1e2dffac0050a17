"""OAuth 2: the page on which an account decides about an application, and the endpoints for programs."""

from __future__ import annotations

from urllib.parse import urlsplit

from csp.constants import SELF
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from oauthlib.oauth2 import OAuth2Error
from oauthlib.oauth2.rfc6749.errors import FatalClientError

from tournaments.edges import answers, oauth
from tournaments.errors import RefusedError
from tournaments.forms.accounts import PasswordForm
from tournaments.services.accounts import authorizations
from tournaments.text import refusals as refusal_text
from tournaments.views import csp
from tournaments.views.access import signed_in


@sensitive_post_parameters("password")
@never_cache
@login_required
def authorize(request: HttpRequest) -> HttpResponse:
    """Show the request of an application, and send the visitor back to it with the decision.

    A faulty request redirects no visitor (RFC 9700 4.11.2): its page has a link.
    """
    try:
        demand = oauth.demand_of(request)
    except FatalClientError as error:
        return render(request, "accounts/authorize_error.html", {"error": error}, status=400)
    except OAuth2Error as error:
        context = {"error": error, "address": oauth.error_address(error), "host": _host(error)}
        return render(request, "accounts/authorize_error.html", context, status=400)
    if request.method != "POST":
        return _consent_page(request, demand, PasswordForm())
    if request.POST.get("decision") != "allow":
        return _see_other(oauth.denial(demand))
    user = signed_in(request)
    form = PasswordForm(request.POST)
    try:
        authorizations.require_password(user, demand.scopes, request.POST.get("password", ""))
    except RefusedError as refusal:
        form.add_error("password", refusal_text.sentence(refusal))
        return _consent_page(request, demand, form, status=answers.status(refusal))
    return _see_other(oauth.allow(request, user))


def _consent_page(
    request: HttpRequest, demand: oauth.Demand, form: PasswordForm, status: int = 200
) -> HttpResponse:
    address = urlsplit(demand.redirect_uri)
    context = {
        "application": demand.application,
        "host": address.netloc,
        "scopes": demand.scopes,
        "form": form if authorizations.DANGEROUS & set(demand.scopes) else None,
        "days": authorizations.REFRESH_LIFE.days,
    }
    response = render(request, "accounts/authorize.html", context, status=status)
    # The answer to the form is a redirect, which browsers compare with this directive too. Its syntax
    # has no addresses of IPv6.
    origin = (
        f"{address.scheme}:" if "[" in address.netloc else f"{address.scheme}://{address.netloc}"
    )
    return csp.allow(response, "form-action", SELF, origin)


def _see_other(address: str) -> HttpResponse:
    """Redirect by 303, by which no browser sends the form again (RFC 9700 4.12)."""
    response = HttpResponseRedirect(address)
    response.status_code = 303
    return response


def _host(error: OAuth2Error) -> str:
    return urlsplit(str(error.redirect_uri)).netloc


@csrf_exempt
@require_POST
@sensitive_post_parameters()
def token(request: HttpRequest) -> HttpResponse:
    """Exchange a code or a refresh token for tokens."""
    return _as_response(oauth.exchange(request))


@csrf_exempt
@require_POST
@sensitive_post_parameters()
def revoke(request: HttpRequest) -> HttpResponse:
    """End the permission that a token came from."""
    return _as_response(oauth.revoke(request))


def _as_response(answer: oauth.Answer) -> HttpResponse:
    response = HttpResponse(answer.body, status=answer.status, headers=dict(answer.headers))
    response["Content-Type"] = "application/json"
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def metadata(_request: HttpRequest) -> HttpResponse:
    """Return the description of the server for libraries of clients."""
    response = JsonResponse(oauth.metadata())
    response["Cache-Control"] = "public, max-age=3600"
    return response
