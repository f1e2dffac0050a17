"""How an operation is declared, and what each request passes before it and after it.

    operations = Operations("games")

    @operations.get("/games/{int:game_id}", "game", answer=GameState)
    def game(request: ApiRequest, game_id: int) -> GameState:
        \"\"\"One line that is its summary.

        More is its description.
        \"\"\"

`routes.ROUTES` has the scope and the limits of `game`. Refusals of services are raised, and become
problems here.
"""

from __future__ import annotations

import inspect
import json
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, cast

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import Router
from ninja.decorators import decorate_view

from tournaments.api import callers, etags, idempotency, problems, uploads
from tournaments.api.callers import ApiRequest
from tournaments.api.problems import ProblemError
from tournaments.api.routes import ROUTES
from tournaments.services.accounts import throttles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest

    Handler = Callable[..., object]
    Run = Callable[..., HttpResponseBase]

JSON: Final = "application/json"
_READING = {"GET", "HEAD"}
_BYTES: Final = {"type": "string", "format": "binary"}
_FORM_SCHEMA: Final = {
    "type": "object",
    "required": [uploads.PART],
    "properties": {uploads.PART: _BYTES},
    "description": "The file, and what else may stand in the query.",
}
_FILE_BODY: Final = {
    "required": True,
    "content": {uploads.FILE: {"schema": _BYTES}, uploads.FORM: {"schema": _FORM_SCHEMA}},
}


class Operations:
    """The operations of one subject, in the order in which the documentation shows them."""

    def __init__(self, subject: str) -> None:
        self.router = Router(tags=[subject])

    def get(
        self, path: str, name: str, *, answer: object, example: str = ""
    ) -> Callable[[Handler], Handler]:
        """Declare an operation that reads. `example` is what `curl` asks for, if it is not just the path."""
        return self._declare("GET", path, name, {200: answer}, example, "")

    def post(
        self,
        path: str,
        name: str,
        *,
        answer: object,
        status: int = 201,
        example: str = "",
        body: str = "",
        answers_twice: bool = True,
        takes_file: bool = False,
    ) -> Callable[[Handler], Handler]:
        """Declare an operation that does something; `body` is the JSON of the example.

        One that `takes_file` has it in `request.file`, and in the example `@` and its name. With `answers_twice` a repeated key is answered as the first time, and nothing is done;
        without, the operation sees to that itself.
        """
        return self._declare(
            "POST",
            path,
            name,
            {status: answer},
            example,
            body,
            answers_twice=answers_twice,
            takes_file=takes_file,
        )

    def patch(
        self, path: str, name: str, *, answer: object, example: str = "", body: str = ""
    ) -> Callable[[Handler], Handler]:
        """Declare a change, which asks for `If-Match`: call `etags.require`."""
        return self._declare("PATCH", path, name, {200: answer}, example, body)

    def delete(self, path: str, name: str, *, example: str = "") -> Callable[[Handler], Handler]:
        """Declare a deletion, answered by 204."""
        return self._declare("DELETE", path, name, {204: None}, example, "")

    def _declare(
        self,
        method: str,
        path: str,
        name: str,
        answers: Mapping[int, object],
        example: str,
        body: str,
        *,
        answers_twice: bool = False,
        takes_file: bool = False,
    ) -> Callable[[Handler], Handler]:
        assert name in ROUTES, f"{name} is not in the table of routes"
        extra: dict[str, object] = {"x-example": {"path": example, "body": body}}
        if takes_file:
            extra["requestBody"] = _FILE_BODY

        def declare(handler: Handler) -> Handler:
            words = inspect.cleandoc(handler.__doc__ or "").partition("\n")
            registered = self.router.api_operation(
                [method],
                path,
                operation_id=name,
                response=dict(answers),
                summary=words[0],
                description=words[2].strip(),
                openapi_extra=cast("dict[str, Any]", extra),
            )(handler)
            decorate_view(_let_in(name, answers_twice=answers_twice, takes_file=takes_file))(
                registered
            )
            return handler

        return declare


def _let_in(name: str, *, answers_twice: bool, takes_file: bool) -> Callable[[Run], Run]:
    """Authenticate, count, and answer a request by the operation `name`; what goes wrong is a problem."""
    route = ROUTES[name]

    def decorate(run: Run) -> Run:
        @wraps(run)
        def answer(request: ApiRequest, **parts: Any) -> HttpResponseBase:  # noqa: ANN401 - of the path
            try:
                caller = request.caller = callers.of(request, route.scope)
                counted = throttles.count(caller.visitor, *route.limits)
                if takes_file:
                    request.file = uploads.read(request)
                else:
                    _require_json(request)
                if answers_twice:
                    response: HttpResponseBase = idempotency.once(
                        request,
                        owner=str(caller.user.pk) if caller.user else f"@{caller.address}",
                        content=request.file.content if takes_file else request.body,
                        act=lambda: _plain(run(request, **parts)),
                    )
                else:
                    response = run(request, **parts)
            except Exception as error:  # noqa: BLE001 - what is no problem of the request is raised again
                return problems.of_exception(request, error)
            _say_what_is_left(response, counted)
            is_object = response.get("Content-Type", "").startswith(JSON)
            if request.method in _READING and response.status_code == 200 and is_object:
                return etags.conditional(request, _plain(response))
            response.headers.setdefault("Cache-Control", "no-store")
            return response

        return cast("Run", answer)

    return decorate


def _plain(response: HttpResponseBase) -> HttpResponse:
    assert isinstance(response, HttpResponse), "what acts does not stream"
    return response


def _require_json(request: HttpRequest) -> None:
    """Raises ProblemError `type-refused`, `malformed`."""
    if request.method in _READING or not request.body:
        return
    if request.content_type != JSON:
        raise ProblemError("type-refused")
    try:
        value = json.loads(request.body, parse_constant=_no_number)
        # What no text of a database can hold: a NUL, and half a character.
        if "\\u0000" in json.dumps(value):
            raise ProblemError("malformed", "NUL")
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise ProblemError("malformed", "JSON") from error


def _no_number(text: str) -> None:
    """Refuse NaN and the infinities, which are no JSON."""
    raise ValueError(text)


def _say_what_is_left(response: HttpResponseBase, counted: throttles.Try) -> None:
    """`RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), for each limit."""
    left = counted.left()
    policies = (
        f'"{each.limit.name}";q={each.most};w={int(each.limit.window.total_seconds())}'
        for each in left
    )
    if left:
        response["RateLimit-Policy"] = ", ".join(policies)
        response["RateLimit"] = ", ".join(
            f'"{each.limit.name}";r={each.tries};t={each.seconds}' for each in left
        )
