"""Declaration of operations, and the checks of each request before and after its operation.

    operations = Operations("games")

    @operations.get("/games/{int:game_id}", "game", routes.OPEN)
    def game(request: ApiRequest, game_id: int) -> GameState:
        \"\"\"One line that is its summary.

        More is its description.
        \"\"\"

`routes.OPEN` has its scope and its limits. Refusals of services are raised, and become
problems here.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Router
from ninja.decorators import decorate_view
from ninja.operation import Operation
from pydantic import BaseModel, ConfigDict

from tournaments.api import callers, etags, idempotency, problems, uploads
from tournaments.api.callers import ApiRequest
from tournaments.api.deprecation import Deprecated, add_headers
from tournaments.api.idempotency import Repeats
from tournaments.api.problems import ProblemError
from tournaments.api.routes import Route
from tournaments.services.accounts import throttles
from tournaments.services.events.acts import Declaration
from tournaments.services.results.computations import ComputingError

Handler = Callable[..., object]
Declare = Callable[[Handler], Handler]
Run = Callable[..., HttpResponseBase]

JSON: Final = "application/json"
_READING = {"GET", "HEAD"}
_RETRY_AFTER_S = 2


class Body(BaseModel):
    """The base of every body of a request, and of the values inside it: an unknown member is refused."""

    model_config = ConfigDict(extra="forbid")


class Computing(BaseModel):
    """An answer that is still being computed: ask for `url` again after this number of seconds."""

    url: str
    retry_after_s: int


# The route of each operation that is declared.
ROUTES: Final[dict[str, Route]] = {}
# The end of each deprecated operation.
DEPRECATED: Final[dict[str, Deprecated]] = {}
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

    def __init__(self, subject: str, router: Router | None = None) -> None:
        """With a `router` that several subjects share, whose addresses are those of both."""
        self.subject = subject
        self.router = Router() if router is None else router

    def get(
        self, path: str, name: str, route: Route, *, answer: object = None, example: str = ""
    ) -> Declare:
        """Declare an operation that reads.

        `answer` is the shape in place of the handler's annotation, which may be a whole response.
        `example` is the address for `curl`, if it is not just the path.
        """
        return self._declare("GET", path, name, route, {200: answer}, example)

    def get_later(
        self, path: str, name: str, route: Route, *, answer: object = None, example: str = ""
    ) -> Declare:
        """Declare an operation that reads data that a worker may have to compute first: 202 until then."""
        return self._declare("GET", path, name, route, {200: answer, 202: Computing}, example)

    def post(
        self,
        path: str,
        name: str,
        route: Route,
        *,
        answer: object = None,
        status: int = 201,
        example: str = "",
        body: str = "",
        repeats: Repeats = Repeats.TOGETHER,
        may_be_later: bool = False,
        takes_file: bool = False,
        act: Declaration | None = None,
        deprecated: Deprecated | None = None,
    ) -> Declare:
        """Declare an operation that acts. `body` is the JSON of the example.

        The document has the level of the warning of `act`, which pages show.

        With `may_be_later` a worker may do it: the handler answers with the status 202 then. An
        operation that `takes_file` has the file in `request.file`, and in the example `@` and its
        name.

        `repeats` is the place of the stored answer to a key, for repeated requests. `deprecated` says
        what replaces the operation.
        """
        return self._declare(
            "POST",
            path,
            name,
            route,
            {status: answer, **({202: answer} if may_be_later else {})},
            example,
            body,
            repeats=repeats,
            takes_file=takes_file,
            act=act,
            deprecated=deprecated,
        )

    def put(
        self, path: str, name: str, route: Route, *, example: str = "", body: str = ""
    ) -> Declare:
        """Declare an idempotent operation. The body names the data that it replaces."""
        return self._declare("PUT", path, name, route, {200: None}, example, body)

    def patch(self, path: str, name: str, route: Route, *, body: str) -> Declare:
        """Declare a change, which asks for `If-Match`: call `etags.require`."""
        return self._declare("PATCH", path, name, route, {200: None}, body=body)

    def delete(
        self,
        path: str,
        name: str,
        route: Route,
        *,
        example: str = "",
        act: Declaration | None = None,
    ) -> Declare:
        """Declare a deletion, answered by 204. `act` is as for `post`."""
        return self._declare("DELETE", path, name, route, {204: None}, example, act=act)

    def _declare(
        self,
        method: str,
        path: str,
        name: str,
        route: Route,
        answers: Mapping[int, object],
        example: str = "",
        body: str = "",
        *,
        repeats: Repeats = Repeats.BY_SERVICE,
        takes_file: bool = False,
        act: Declaration | None = None,
        deprecated: Deprecated | None = None,
    ) -> Declare:
        """Declare an operation. An answer that is None has the shape that the handler returns."""
        assert name not in ROUTES, f"two operations are called {name}"
        ROUTES[name] = route
        if deprecated is not None:
            DEPRECATED[name] = deprecated
        extra: dict[str, object] = {"x-example": {"path": example, "body": body}}
        if takes_file:
            extra["requestBody"] = _FILE_BODY

        def declare(handler: Handler) -> Handler:
            words = inspect.cleandoc(handler.__doc__ or "").partition("\n")
            end = f"\n\n{deprecated.sentence}" if deprecated else ""
            level = f"\n\nLevel of the warning on pages, at least: {act.level()}." if act else ""
            returned = inspect.signature(handler, eval_str=True).return_annotation
            shapes = {
                status: returned if answer is None else answer for status, answer in answers.items()
            }
            registered = self.router.api_operation(
                [method],
                path,
                operation_id=name,
                tags=[self.subject],
                response=shapes,
                summary=words[0],
                description=words[2].strip() + level + end,
                deprecated=deprecated is not None or None,
                openapi_extra=cast("dict[str, Any]", extra),
            )(handler)
            [*_, operation] = self.router.path_operations[path].operations
            inputs = _inputs_of(operation, path)
            _allow_empty_body(operation)
            decorate_view(
                _let_in(route, repeats=repeats, takes_file=takes_file, inputs=inputs),
                _telling(deprecated),
            )(registered)
            return handler

        return declare


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The parts of a request that an operation reads.

    Attributes:
        parameters: their names in the query, or in the form of a file.
        has_body: whether the operation reads members of a JSON object.
    """

    parameters: Set[str]
    has_body: bool


def _inputs_of(operation: Operation, path: str) -> _Inputs:
    names: set[str] = set()
    has_body = False
    for model in operation.models:
        if model.__ninja_param_source__ == "query":
            names |= set(model.__ninja_flatten_map__)
        elif model.__ninja_param_source__ == "body":
            has_body = True
            [field] = model.model_fields.values()
            assert issubclass(cast("type", field.annotation), Body), f"{path}: not a Body"
    if callers.may_be_private(path):
        names.add(callers.CODE_PARAMETER)
    return _Inputs(names, has_body)


def _allow_empty_body(operation: Operation) -> None:
    """Read no body as `{}` if no member is required."""
    for model in operation.models:
        if model.__ninja_param_source__ != "body":
            continue
        [field] = model.model_fields.values()
        body = cast("type[Body]", field.annotation)
        if not any(member.is_required() for member in body.model_fields.values()):
            field.default = body()
            model.model_rebuild(force=True)


def _telling(deprecated: Deprecated | None) -> Callable[[Run], Run]:
    """Add the headers of a deprecated operation to all of its answers, problems included."""

    def decorate(run: Run) -> Run:
        @wraps(run)
        def answer(request: ApiRequest, **parts: Any) -> HttpResponseBase:  # noqa: ANN401 - of the path
            response = run(request, **parts)
            if deprecated is not None:
                add_headers(response, deprecated)
            return response

        return cast("Run", answer)

    return decorate


def _let_in(
    route: Route, *, repeats: Repeats, takes_file: bool, inputs: _Inputs
) -> Callable[[Run], Run]:
    """Authenticate, count, and answer a request by an operation. Failures become problems."""

    def decorate(run: Run) -> Run:
        @wraps(run)
        def answer(request: ApiRequest, **parts: Any) -> HttpResponseBase:  # noqa: ANN401 - of the path
            try:
                caller = request.caller = callers.of(
                    request, route.scopes, is_for_bots=route.is_for_bots
                )
                counted = throttles.count(caller.visitor, *route.limits)
                response = _answer(
                    request,
                    lambda: run(request, **parts),
                    repeats=repeats,
                    takes_file=takes_file,
                    inputs=inputs,
                )
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


def _answer(
    request: ApiRequest,
    run: Callable[[], HttpResponseBase],
    *,
    repeats: Repeats,
    takes_file: bool,
    inputs: _Inputs,
) -> HttpResponseBase:
    """Return the answer of `run`, or its earlier answer to an equal key, or 202 while it is being computed."""
    if takes_file:
        request.file = uploads.read(request)
        _require_known([*request.GET, *request.file.fields], inputs)
    else:
        _require_known(request.GET, inputs)
        _require_json(request, inputs)
    caller = request.caller
    try:
        if repeats is Repeats.BY_SERVICE:
            return run()
        return idempotency.once(
            request,
            owner=str(caller.user.pk) if caller.user else f"@{caller.address}",
            content=request.file.content if takes_file else request.body,
            act=lambda: _plain(run()),
            is_apart=repeats is Repeats.APART,
        )
    except ComputingError as error:
        if request.method not in _READING:
            # The answer belongs to an action. A repeated key gets the answer when it is computed.
            raise ProblemError("away") from error
        return _come_again(request)


def _come_again(request: HttpRequest) -> HttpResponse:
    """Return 202: another request or a worker is computing the answer.

    This address will have it soon.
    """
    answer = Computing(url=request.get_full_path(), retry_after_s=_RETRY_AFTER_S)
    response = HttpResponse(answer.model_dump_json(), status=202, content_type=JSON)
    response["Location"] = answer.url
    response["Retry-After"] = str(_RETRY_AFTER_S)
    return response


def _plain(response: HttpResponseBase) -> HttpResponse:
    assert isinstance(response, HttpResponse), "what acts does not stream"
    return response


def _require_known(names: Iterable[str], inputs: _Inputs) -> None:
    """Raises ProblemError `invalid` with each name that the operation does not read."""
    unknown = [name for name in names if name not in inputs.parameters]
    if unknown:
        errors = [{"detail": "Unknown parameter", "parameter": name} for name in unknown]
        raise ProblemError("invalid", errors=errors)


def _require_json(request: HttpRequest, inputs: _Inputs) -> None:
    """Raise ProblemError `type-refused`, `malformed`, and `invalid` for members that are not read."""
    if request.method in _READING or not request.body:
        return
    if request.content_type != JSON:
        raise ProblemError("type-refused")
    try:
        value = json.loads(request.body, parse_constant=_no_number)
        # Values that no text of a database can hold: a NUL, and half a character.
        if "\\u0000" in json.dumps(value):
            raise ProblemError("malformed", "NUL")
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise ProblemError("malformed", "JSON") from error
    if not inputs.has_body and value != {}:
        names = value if isinstance(value, dict) else [""]
        errors = [
            {"detail": "Unknown member", "pointer": problems.pointer([name] if name else [])}
            for name in names
        ]
        raise ProblemError("invalid", errors=errors)


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
