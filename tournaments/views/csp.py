"""Exceptions from the site's Content-Security-Policy for single answers."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from csp.constants import SELF, WASM_UNSAFE_EVAL
from django.http import HttpResponse


def allow(response: HttpResponse, directive: str, *sources: str) -> HttpResponse:
    """`response` with `sources` instead of the site's own for one directive."""
    replaced: dict[str, Sequence[str]] = getattr(response, "_csp_replace", {})
    # django-csp's decorators write to this attribute and its middleware reads it. Its decorators
    # accept only views without arguments.
    vars(response)["_csp_replace"] = {**replaced, directive: list(sources)}
    return response


def allow_frames(response: HttpResponse) -> HttpResponse:
    """Return `response` with permission for all sites to show it in a frame."""
    vars(response)["xframe_options_exempt"] = True
    return allow(response, "frame-ancestors", "*")


def allow_engine(response: HttpResponse) -> HttpResponse:
    """`response`, whose scripts may compile WebAssembly: in Firefox a worker has the policy of its page."""
    return allow(response, "script-src", SELF, WASM_UNSAFE_EVAL)


def hash_of(text: str) -> str:
    """The source that allows the style sheet `text` and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
