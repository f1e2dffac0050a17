"""Django's admin for accounts whose second factor was asked for, because a password alone is too weak for its data."""

from __future__ import annotations

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse


class Administration(AdminSite):
    """An admin whose door is the site's own page for signing in."""

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether this is staff that has given a code in this session."""
        return super().has_permission(request) and request.user.is_verified()  # type: ignore[union-attr]

    def login(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Redirect to the page of the missing credential: the password, or the second factor."""
        del extra_context
        destination = request.GET.get("next") or reverse("admin:index")
        if request.user.is_authenticated and super().has_permission(request):
            if self.has_permission(request):
                return redirect("admin:index")
            return redirect("second-factor")
        return redirect_to_login(destination)
