"""Compression of pages, style sheets, scripts and pictures on their way out."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_TYPES = {
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "application/wasm",
    "image/svg+xml",
    "text/css",
    "text/html",
    "text/javascript",
    "text/plain",
}


class CompressionMiddleware(GZipMiddleware):
    """Django's gzip for whole answers of text, static files among them.

    Its padding of random length keeps secrets in pages from being guessed by their sizes (BREACH).
    Parts of files (206) are not changed, nor are answers that are made while they are sent. Files
    that `collectstatic` has compressed pass through. Streams of events never come this way.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Makes the tag of a compressed file comparable: it is weak, and WhiteNoise knows strong ones.

        If-None-Match compares weakly anyway (RFC 9110 13.1.2).
        """
        if tag := request.META.get("HTTP_IF_NONE_MATCH"):
            request.META["HTTP_IF_NONE_MATCH"] = tag.removeprefix("W/")

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the answer, compressed if that is due and the browser takes it."""
        kind = response.get("Content-Type", "").partition(";")[0]
        is_whole = not response.streaming or isinstance(response, FileResponse)
        if response.status_code == 206 or kind not in _TYPES or not is_whole:
            return response
        return super().process_response(request, response)
