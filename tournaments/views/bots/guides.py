"""What authors of bots need to know."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.text import guides


def guide(request: HttpRequest, name: str) -> HttpResponse:
    """One page, with the others beside it."""
    if name not in guides.PAGES:
        raise Http404
    others = [(other, guides.guide(other).title) for other in guides.PAGES]
    context = {
        "guide": guides.guide(name),
        "name": name,
        "others": others,
        "files": list(guides.FILES),
    }
    return render(request, "bots/guide.html", context)


def file(_request: HttpRequest, name: str) -> HttpResponse:
    """A file of the SDK, a sample or the kernel, to be saved."""
    if name not in guides.FILES:
        raise Http404
    path = guides.FILES[name]
    is_module = path.suffix == ".wasm"
    kind = "application/wasm" if is_module else "text/plain; charset=utf-8"
    answer = HttpResponse(path.read_bytes(), content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{path.name}"'
    return answer
