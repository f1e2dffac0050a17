"""Access tokens of programs: listed with their last use, made, and revoked."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from tournaments.edges import answers
from tournaments.errors import RefusedError
from tournaments.forms.accounts import TokenForm
from tournaments.services.accounts import tokens as services
from tournaments.text import refusals as refusal_text
from tournaments.views.access import members_only, signed_in


@never_cache
@login_required
def tokens(request: HttpRequest) -> HttpResponse:
    """The living tokens of the account, and the form of a new one."""
    initial = {"line": request.GET.get("line", ""), "name": request.GET.get("name", "")[:60]}
    return _page(request, TokenForm(signed_in(request), initial=initial))


@never_cache
@sensitive_post_parameters("password")
@members_only
def create(request: HttpRequest) -> HttpResponse:
    """Create a token. The next page shows its secret once."""
    form = TokenForm(signed_in(request), request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        new = services.create(user=signed_in(request), **form.cleaned_data)
    except RefusedError as refusal:
        field = "password" if refusal.code == "password-wrong" else None
        form.add_error(field, refusal_text.sentence(refusal))
        return _page(request, form, status=answers.status(refusal))
    return secret_page(
        request,
        title=_("Your new token"),
        name=new.token.name,
        secret=new.secret,
        back=reverse("tokens"),
    )


def secret_page(
    request: HttpRequest, *, title: str, name: str, secret: str, back: str
) -> HttpResponse:
    """Show a secret once, with the page that its reader goes back to."""
    context = {"title": title, "name": name, "secret": secret, "back": back}
    return render(request, "accounts/token.html", context)


@members_only
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """End a token immediately."""
    try:
        services.revoke(user=signed_in(request), token_id=pk)
    except RefusedError as refusal:
        messages.error(request, refusal_text.sentence(refusal))
    else:
        messages.success(request, _("The token was revoked."))
    return redirect("tokens")


def _page(request: HttpRequest, form: TokenForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "tokens": services.living(signed_in(request))}
    return render(request, "accounts/tokens.html", context, status=status)
