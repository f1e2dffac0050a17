"""Lists: a page at a time by a cursor, or all rows as NDJSON.

A cursor holds the position of the last row in the order. The thousandth page costs as much as the
first, and rows that are added cause no gaps or repetitions.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, Final, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from pydantic import BaseModel, Field

from tournaments.api.problems import ProblemError

Item = TypeVar("Item")
Row = TypeVar("Row", bound="Model")

NDJSON: Final = "application/x-ndjson"
_MOST, _USUAL, _AT_ONCE = 200, 50, 200
_LONGEST_CURSOR = 1_000


class PageQuery(BaseModel):
    """The page of a list to return."""

    limit: Annotated[int, Field(ge=1, le=_MOST, description="Rows on a page.")] = _USUAL
    cursor: Annotated[
        str,
        Field(
            max_length=_LONGEST_CURSOR,
            description="`next` of the page before.",
            # For the document alone: other texts are the refusal `cursor-bad`.
            json_schema_extra={"pattern": "^[A-Za-z0-9_-]*$"},
        ),
    ] = ""


class Page(BaseModel, Generic[Item]):
    """Rows of a list. `next` is the cursor of the next page, null on the last."""

    items: list[Item]
    next: str | None = None


def answer(
    request: HttpRequest,
    rows: QuerySet[Row],
    order: Sequence[str],
    query: PageQuery,
    shape: Callable[[Row], BaseModel],
) -> HttpResponseBase:
    """Return the requested page of `rows`, or all of them as lines for callers who accept NDJSON.

    `order` names columns, the last of them unique. `-` before a column reverses it.

    Raises ProblemError `cursor-bad`.
    """
    return answer_together(request, rows, order, query, lambda batch: map(shape, batch))


def answer_together(
    request: HttpRequest,
    rows: QuerySet[Row],
    order: Sequence[str],
    query: PageQuery,
    shapes: Callable[[Sequence[Row]], Iterable[BaseModel]],
) -> HttpResponseBase:
    """Return the answer like `answer`, but shape many rows together, because they share related reads."""
    after = _read(query.cursor, rows, order) if query.cursor else None
    if wants_lines(request):
        return lines(each for batch in _every(rows, order, after) for each in shapes(batch))
    read_rows = list(_after(rows, order, after)[: query.limit + 1])
    page, has_more = read_rows[: query.limit], len(read_rows) > query.limit
    cursor = _cursor(_place(page[-1], order)) if has_more else None
    return _page(request, list(shapes(page)), cursor)


def answer_all(
    request: HttpRequest, items: Sequence[BaseModel], query: PageQuery
) -> HttpResponseBase:
    """Return a page of a list that is computed whole: its cursor is a position in the list."""
    start = _position(query.cursor) if query.cursor else 0
    if wants_lines(request):
        return lines(iter(items[start:]))
    end = start + query.limit
    return _page(request, items[start:end], _cursor([end]) if end < len(items) else None)


def wants_lines(request: HttpRequest) -> bool:
    """Return whether all rows are asked for as NDJSON."""
    return request.headers.get("Accept", "").strip().lower().startswith(NDJSON)


def lines(items: Iterator[BaseModel]) -> StreamingHttpResponse:
    """A JSON value a line, each written as it is read."""
    return stream(item.model_dump_json() + "\n" for item in items)


def stream(texts: Iterator[str]) -> StreamingHttpResponse:
    """Lines of JSON that a service writes."""
    return StreamingHttpResponse(texts, content_type=NDJSON)


def _page(request: HttpRequest, items: Sequence[BaseModel], cursor: str | None) -> HttpResponse:
    body = {"items": [item.model_dump(mode="json") for item in items], "next": cursor}
    response = HttpResponse(
        json.dumps(body, ensure_ascii=False, separators=(",", ":")), content_type="application/json"
    )
    if cursor is not None:
        parameters = request.GET.copy()
        parameters["cursor"] = cursor
        response["Link"] = f'<{request.path}?{parameters.urlencode()}>; rel="next"'
    return response


def _every(
    rows: QuerySet[Row], order: Sequence[str], after: Sequence[Any] | None
) -> Iterator[Sequence[Row]]:
    """Yield all rows, in blocks that fit in the memory of the database and this process."""
    while True:
        batch = list(_after(rows, order, after)[:_AT_ONCE])
        if batch:
            yield batch
        if len(batch) < _AT_ONCE:
            return
        after = _place(batch[-1], order)


def _after(rows: QuerySet[Row], order: Sequence[str], place: Sequence[Any] | None) -> QuerySet[Row]:
    ordered = rows.order_by(*order)
    if place is None:
        return ordered
    beyond, same = Q(), Q()
    for name, value in zip(order, place, strict=True):
        column = name.removeprefix("-")
        comparison = "lt" if name.startswith("-") else "gt"
        beyond |= same & Q(**{f"{column}__{comparison}": value})
        same &= Q(**{column: value})
    return ordered.filter(beyond)


def _place(row: Model, order: Sequence[str]) -> list[Any]:
    return [getattr(row, name.removeprefix("-")) for name in order]


def _cursor(place: Sequence[Any]) -> str:
    values = [value if isinstance(value, int) else str(value) for value in place]
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def _values(cursor: str) -> list[Any]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        values = json.loads(base64.b64decode(padded.encode(), altchars=b"-_", validate=True))
    except (ValueError, RecursionError) as error:
        raise ProblemError("cursor-bad") from error
    if not isinstance(values, list) or not all(isinstance(v, (int, str)) for v in values):
        raise ProblemError("cursor-bad")
    return values


def _position(cursor: str) -> int:
    values = _values(cursor)
    if len(values) != 1 or type(values[0]) is not int or not 0 <= values[0] < 2**31:
        raise ProblemError("cursor-bad")
    return values[0]


def _read(cursor: str, rows: QuerySet[Row], order: Sequence[str]) -> list[Any]:
    """The place of a cursor, each value as its column has it. Raises ProblemError `cursor-bad`."""
    values = _values(cursor)
    if len(values) != len(order) or any("\x00" in str(value) for value in values):
        raise ProblemError("cursor-bad")
    columns = {field.name: field for field in rows.model._meta.concrete_fields}
    # For a foreign key, the number of the other row.
    columns |= {field.attname: field for field in columns.values()}
    columns["pk"] = rows.model._meta.pk
    fields = [columns[name.removeprefix("-")] for name in order]
    try:
        place = [field.to_python(value) for field, value in zip(fields, values, strict=True)]
    except (ValidationError, ValueError, OverflowError) as error:
        raise ProblemError("cursor-bad") from error
    if any(isinstance(value, int) and abs(value) >= 2**63 for value in place):
        raise ProblemError("cursor-bad")
    return place
