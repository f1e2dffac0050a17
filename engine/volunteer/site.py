"""The API of a site, as a volunteer's worker uses it."""

from __future__ import annotations

import hashlib
import http.client
import json
import random
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import EngineError
from engine.volunteer.tasks import FuelTask, version

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_REQUEST_S = 60.0
_LONGEST_WAIT_S = 60.0
_BUSY = {425, 429, 500, 502, 503, 504}


class SiteError(EngineError):
    """The site refuses this worker. The message says what to do."""

    code = "site"


class LateError(EngineError):
    """The site has given the match to another worker: the lease has ended."""

    code = "late"


class Stop(Protocol):
    """A request to stop, from another thread or process."""

    def is_set(self) -> bool:
        """Return whether the worker is to stop."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait at most `timeout` seconds for the request, and return whether it came."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A leased match: its number at the site, its games, and the names of the files of its modules."""

    run: int
    tasks: Sequence[FuelTask]
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class Report:
    """The transcripts of a match, and the time in which it was played."""

    transcripts: Sequence[str]
    busy_ms: int


class Site:
    """The site, asked again with growing pauses while it is busy or away."""

    def __init__(
        self, url: str, token: str, stop: Stop, *, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise SiteError(f"not the address of a site: {url[:100]!r}")
        self._url, self._token, self._stop, self._tell = url.rstrip("/"), token, stop, tell

    def enrol(self, name: str, machine: str, processes: int) -> int:
        """Return the number of the worker `name` of this account, which is new if necessary.

        Raises SiteError.
        """
        body = {"name": name, "machine": machine, "processes": processes, "version": version()}
        return int(self._ask("POST", "/workers", body)["id"])

    def lease(self, worker: int) -> Assignment | float:
        """Return a match to play, or the seconds after which to ask again. Raises SiteError."""
        # The key makes a repeated request after a lost answer one lease.
        body, key = {"version": version()}, uuid.uuid4().hex
        answer = self._ask("POST", f"/workers/{worker}/runs", body, key)
        run = answer["run"]
        if run is None:
            return float(answer["retry_after_s"])
        files = {each["digest"]: str(each["filename"]) for each in run["modules"]}
        return Assignment(int(run["id"]), [FuelTask.read(each) for each in run["games"]], files)

    def module(self, run: int, digest: str) -> bytes:
        """Return the bytes of a module of a leased match. Raises SiteError, LateError."""
        data = self._fetch("GET", f"/workers/runs/{run}/modules/{digest}")
        if hashlib.sha256(data).hexdigest() != digest:
            raise SiteError(f"the site sent other bytes than the module {digest[:16]}")
        return data

    def report(self, run: int, report: Report) -> str:
        """Return the state of the match at the site after the report. Raises SiteError, LateError."""
        body = {"transcripts": list(report.transcripts), "busy_ms": report.busy_ms}
        return str(self._ask("POST", f"/workers/runs/{run}/report", body)["state"])

    def give_back(self, run: int, reason: str) -> None:
        """Leave a match to the site. Raises SiteError, LateError."""
        self._ask("POST", f"/workers/runs/{run}/return", {"reason": reason[:200]})

    def _ask(self, method: str, path: str, body: object, key: str = "") -> Any:  # noqa: ANN401 - JSON
        return json.loads(self._fetch(method, path, body, key))

    def _fetch(self, method: str, path: str, body: object = None, key: str = "") -> bytes:
        tries = 0
        while True:
            try:
                return self._fetch_once(method, path, body, key)
            except urllib.error.HTTPError as error:
                refusal = None if error.code in _BUSY else _refusal(error)
                if refusal is not None:
                    raise refusal from error
                why, pause_s = f"{error.code}", float(error.headers.get("Retry-After") or 0)
            except (OSError, http.client.HTTPException) as error:
                why, pause_s = str(error), 0.0
            tries += 1
            usual_s = min(_LONGEST_WAIT_S, 0.5 * 2 ** min(tries, 10)) * random.uniform(0.5, 1)
            pause_s = max(pause_s, usual_s)
            self._tell(f"the site does not answer ({why}). The next try is in {pause_s:.0f} s.")
            if self._stop.wait(pause_s):
                raise SiteError(f"stopped while the site did not answer: {why}")

    def _fetch_once(self, method: str, path: str, body: object, key: str) -> bytes:
        request = urllib.request.Request(  # noqa: S310 - the scheme was checked
            f"{self._url}/api/v1{path}",
            None if body is None else json.dumps(body).encode(),
            {
                "Authorization": f"Bearer {self._token}",
                "User-Agent": "rayuela-worker",
                "Content-Type": "application/json",
                **({"Idempotency-Key": key} if key else {}),
            },
            method=method,
        )
        with urllib.request.urlopen(request, timeout=_REQUEST_S) as response:  # noqa: S310
            data: bytes = response.read()
            return data


def _refusal(error: urllib.error.HTTPError) -> EngineError | None:
    """Return the refusal of the site as an error with the site's sentence.

    Return None if the first request with the key has no answer yet.
    """
    try:
        problem = json.loads(error.read())
        code, title, more = (str(problem.get(name) or "") for name in ("code", "title", "detail"))
        detail = f"{title} ({more})" if more else title
    except (ValueError, AttributeError, OSError):
        code, detail = "", f"the site answered {error.code}"
    if error.code == 401:
        return SiteError(
            "the token is wrong, has expired or was revoked. Create one at /account/tokens/"
            " with the permission to play matches as a volunteer."
        )
    if code == "key-busy":
        return None
    return LateError(detail) if code == "run-over" else SiteError(detail)
