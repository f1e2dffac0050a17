"""The rating lists of the service, for administrators."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.errors import RefusedError
from tournaments.forms.rating_lists import RatingListForm
from tournaments.models import RatingList, User
from tournaments.services.events import rating_lists
from tournaments.text import refusals as refusal_text
from tournaments.views.access import members_only, signed_in


def _administrator(request: HttpRequest) -> User:
    """Return the administrator. The page does not exist for other users."""
    user = signed_in(request)
    if not user.is_superuser:
        raise Http404
    return user


@login_required
def page(request: HttpRequest) -> HttpResponse:
    """The lists, and the form of an upload."""
    user = _administrator(request)
    form = RatingListForm()
    if request.method == "POST":
        form = RatingListForm(request.POST, request.FILES)
        if form.is_valid() and _is_stored(request, user, form):
            return redirect("rating-lists")
    context = {"form": form, "lists": RatingList.objects.all()}
    return render(request, "operations/rating_lists.html", context)


def _is_stored(request: HttpRequest, user: User, form: RatingListForm) -> bool:
    """Return whether the list was stored. If not, the form has the refusal."""
    cleaned = form.cleaned_data
    try:
        upload = rating_lists.replace(
            name=cleaned["name"], kind=cleaned["kind"], stream=cleaned["file"], actor=user
        )
    except RefusedError as refusal:
        form.add_error(None, refusal_text.sentence(refusal))
        return False
    words = _("%(name)s: %(count)d players were stored.")
    lists = [words % {"name": each.name, "count": each.count} for each in upload.lists]
    left_out = _("Lines left out: %(faults)d.") % {"faults": upload.faults}
    messages.success(request, " ".join([*lists, left_out]))
    return True


@members_only
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a list with its players."""
    rating_lists.remove(list_id=pk, actor=_administrator(request))
    messages.success(request, _("The list was deleted."))
    return redirect("rating-lists")
