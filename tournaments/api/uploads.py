"""Files that a request brings: as its whole body, or as a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final

from django.http import HttpRequest
from django.http.multipartparser import MultiPartParser, MultiPartParserError

from tournaments.api.problems import ProblemError

FILE: Final = "application/octet-stream"
FORM: Final = "multipart/form-data"
# The part of a form with the file.
PART: Final = "file"


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it was sent.

    Attributes:
        content: the whole body of the request.
        data: the bytes of the file.
        name: the name in the form, or empty if the file is the whole body.
        fields: the other fields of the form.
    """

    content: bytes
    data: bytes
    name: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


def read(request: HttpRequest) -> SentFile:
    """The file of a request, whose body may be longer than that of other requests.

    Raises ProblemError `type-refused`, `malformed`.
    """
    # `request.body` has the limit of forms.
    content = request.read()
    if request.content_type == FILE:
        return SentFile(content, content)
    if request.content_type != FORM:
        raise ProblemError("type-refused", f"{FILE}, {FORM}")
    try:
        form, files = MultiPartParser(
            request.META, BytesIO(content), request.upload_handlers, "utf-8"
        ).parse()
    except MultiPartParserError as error:
        raise ProblemError("malformed", FORM) from error
    file = files.get(PART)
    if file is None:
        raise ProblemError("invalid", errors=[{"detail": f"no part `{PART}`", "parameter": PART}])
    fields = {name: ",".join(form.getlist(name)) for name in form}
    for text in (file.name or "", *fields, *fields.values()):
        if "\x00" in text:
            raise ProblemError("malformed", "NUL")
    return SentFile(content, file.read(), file.name or "", fields)
