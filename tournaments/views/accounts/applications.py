"""One's applications for OAuth, and the applications of others that act for the account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.edges import access, answers
from tournaments.errors import RefusedError
from tournaments.forms.applications import ApplicationForm, NewApplicationForm
from tournaments.services.accounts import applications as services
from tournaments.services.accounts import authorizations
from tournaments.text import refusals as refusal_text
from tournaments.views.access import members_only, signed_in
from tournaments.views.accounts.tokens import secret_page

_FIELDS = {
    "name-bad": "name",
    "homepage-bad": "homepage",
    "redirect-bad": "redirect_uris",
    "redirects-many": "redirect_uris",
}


@never_cache
@login_required
def applications(request: HttpRequest) -> HttpResponse:
    """List the applications that act for the account, and those that the account offers."""
    return _page(request, NewApplicationForm())


@never_cache
@members_only
def create(request: HttpRequest) -> HttpResponse:
    """Create an application. The next page shows its secret once, if it has one."""
    form = NewApplicationForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        new = services.create(
            owner=signed_in(request),
            description=_description(form),
            is_confidential=form.cleaned_data["is_confidential"],
        )
    except RefusedError as refusal:
        return _page(request, form, status=_add_refusal(form, refusal))
    return _secret_page(request, new) if new.secret else redirect("application", new.application.pk)


@never_cache
@login_required
def application(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one's application with the form that changes it."""
    row = access.get_application_for(signed_in(request), pk)
    initial = {"name": row.name, "homepage": row.homepage, "redirect_uris": row.redirect_uris}
    if request.method != "POST":
        context = {"application": row, "form": ApplicationForm(initial=initial)}
        return render(request, "accounts/application.html", context)
    form, status = ApplicationForm(request.POST), 422
    if form.is_valid():
        try:
            services.change(row, _description(form))
        except RefusedError as refusal:
            status = _add_refusal(form, refusal)
        else:
            messages.success(request, _("The application was changed."))
            return redirect("application", pk)
    context = {"application": row, "form": form}
    return render(request, "accounts/application.html", context, status=status)


@never_cache
@members_only
def renew_secret(request: HttpRequest, pk: int) -> HttpResponse:
    """Give one's application another secret, which the next page shows once."""
    row = access.get_application_for(signed_in(request), pk)
    if not row.is_confidential:
        return redirect("application", pk)
    return _secret_page(request, services.renew_secret(row))


@members_only
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete one's application."""
    services.delete(access.get_application_for(signed_in(request), pk))
    messages.success(request, _("The application was deleted."))
    return redirect("applications")


@members_only
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """End what an application may do for the account."""
    try:
        authorizations.revoke_of(user=signed_in(request), authorization_id=pk)
    except RefusedError as refusal:
        messages.error(request, refusal_text.sentence(refusal))
    else:
        messages.success(request, _("The application can no longer act for you."))
    return redirect("applications")


def _page(request: HttpRequest, form: NewApplicationForm, status: int = 200) -> HttpResponse:
    user = signed_in(request)
    context = {
        "form": form,
        "applications": user.applications.all(),
        "installations": authorizations.installations(user),
    }
    return render(request, "accounts/applications.html", context, status=status)


def _secret_page(request: HttpRequest, new: services.NewApplication) -> HttpResponse:
    return secret_page(
        request,
        title=_("The secret of your application"),
        name=new.application.name,
        secret=new.secret,
        back=reverse("application", args=[new.application.pk]),
    )


def _description(form: ApplicationForm) -> services.Description:
    data = form.cleaned_data
    return services.Description(data["name"], data["homepage"], data["redirect_uris"])


def _add_refusal(form: ApplicationForm, refusal: RefusedError) -> int:
    """Show the refusal at its field. Return the status of the answer."""
    form.add_error(_FIELDS.get(refusal.code), refusal_text.sentence(refusal))
    return answers.status(refusal)
