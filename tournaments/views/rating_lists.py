"""The rating lists of the service, for administrators."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.errors import RefusedError
from tournaments.forms.rating_lists import RatingListForm, RatingSourceForm
from tournaments.models import RatingList, RatingSource, RatingUpload, User
from tournaments.services.events import rating_lists, rating_sources, rating_uploads
from tournaments.text import refusals as refusal_text
from tournaments.views.access import members_only, signed_in

# FIDE publishes here its combined file: standard, rapid and blitz ratings.
FIDE_ADDRESS = "https://ratings.fide.com/download/players_list.zip"


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
    return _page(request, form, RatingSourceForm())


def _page(
    request: HttpRequest, form: RatingListForm, source_form: RatingSourceForm
) -> HttpResponse:
    uploads = list(RatingUpload.objects.all())
    sources = [(each, _failure(each)) for each in RatingSource.objects.all()]
    context = {
        "form": form,
        "source_form": source_form,
        "lists": RatingList.objects.all(),
        "uploads": [(each, _failure(each)) for each in uploads],
        "is_in_progress": any(each.state == RatingUpload.State.WAITING for each in uploads),
        "sources": sources,
        "fide": {"name": "FIDE", "kind": RatingList.Kind.STANDARD.value, "address": FIDE_ADDRESS},
        "has_fide": any(each.address == FIDE_ADDRESS for each, _failure in sources),
    }
    return render(request, "operations/rating_lists.html", context)


def _failure(row: RatingSource | RatingUpload) -> str:
    """Return the sentence for the failure of an update or an upload, empty without one."""
    return refusal_text.sentence(RefusedError(row.failure)) if row.failure else ""


@members_only
def store_source(request: HttpRequest) -> HttpResponse:
    """Store the address of a list, which a worker downloads."""
    user = _administrator(request)
    form = RatingSourceForm(request.POST)
    if form.is_valid():
        try:
            rating_sources.store(**form.cleaned_data, actor=user)
        except RefusedError as refusal:
            form.add_error(None, refusal_text.sentence(refusal))
        else:
            messages.success(request, _("The address was stored. A worker will download the list."))
            return redirect("rating-lists")
    return _page(request, RatingListForm(), form)


@members_only
def remove_source(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete the address of a list. The list stays."""
    rating_sources.remove(source_id=pk, actor=_administrator(request))
    messages.success(request, _("The address was deleted. Its lists stay."))
    return redirect("rating-lists")


@members_only
def update_all(request: HttpRequest) -> HttpResponse:
    """Ask workers to download all lists with an address."""
    _administrator(request)
    rating_sources.update_all()
    messages.success(
        request, _("Workers will download the lists. Reload the page in a few minutes.")
    )
    return redirect("rating-lists")


def _is_stored(request: HttpRequest, user: User, form: RatingListForm) -> bool:
    """Return whether the file was stored for a worker. If not, the form has the refusal."""
    cleaned = form.cleaned_data
    file = cleaned["file"]
    parts = iter(lambda: file.read(rating_uploads.PART_BYTES), b"")
    try:
        rating_uploads.store(name=cleaned["name"], kind=cleaned["kind"], parts=parts, actor=user)
    except RefusedError as refusal:
        form.add_error(None, refusal_text.sentence(refusal))
        return False
    messages.success(request, _("The file was received. A worker will store its players."))
    return True


@members_only
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a list with its players."""
    rating_lists.remove(list_id=pk, actor=_administrator(request))
    messages.success(request, _("The list was deleted."))
    return redirect("rating-lists")
