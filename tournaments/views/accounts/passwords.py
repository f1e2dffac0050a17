"""Django's pages for passwords: change one's own, and get a new one by e-mail."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import views
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms.accounts import PasswordChangeForm, PasswordResetForm, PasswordSetForm
from tournaments.services.accounts import passwords
from tournaments.services.notifications import email
from tournaments.views.accounts import sign_ins


class Change(views.PasswordChangeView):
    """A new password for a user who knows the old one. The sessions on other devices end."""

    template_name = "accounts/password_change.html"
    form_class = PasswordChangeForm
    success_url = reverse_lazy("account")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:  # type: ignore[override]  # as form_class
        messages.success(
            self.request, _("The password was changed. Other devices were signed out.")
        )
        response = super().form_valid(form)
        sign_ins.remember(self.request, response, form.user)
        return response


@never_cache
def forgotten(request: HttpRequest) -> HttpResponse:
    """Write to an address.

    The answer does not depend on whether an account has confirmed the address.

    Django's view of this step finds accounts by their address. Here the inbox finds them.
    """
    form = PasswordResetForm(request.POST or None)
    if request.method == "POST" and email.is_possible() and form.is_valid():
        passwords.send_resets(form.cleaned_data["email"])
        return redirect("password-reset-done")
    context = {"form": form, "is_possible": email.is_possible()}
    return render(request, "accounts/password_reset.html", context)


class Sent(views.PasswordResetDoneView):
    template_name = "accounts/password_reset_done.html"

    def get_context_data(self, **context: object) -> dict[str, object]:
        """Also whether the e-mail is shown by the site itself."""
        return super().get_context_data(**context) | {"is_shown_here": email.is_shown_here()}


class Confirm(views.PasswordResetConfirmView):
    """A new password for the reader of the e-mail."""

    template_name = "accounts/password_reset_confirm.html"
    form_class = PasswordSetForm
    token_generator = passwords.reset_tokens
    success_url = reverse_lazy("password-reset-complete")


class Complete(views.PasswordResetCompleteView):
    template_name = "accounts/password_reset_complete.html"
