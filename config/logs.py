"""The form of log lines: for people, or JSON for machines (`LOG_FORMAT`).

One event is one line in both.

Text from outside, a name or a header, can neither begin a new line nor move a terminal's cursor.
"""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime
from typing import Any

from celery import current_task
from pythonjsonlogger.json import JsonFormatter

from config import request_ids

# C0 and C1, line and paragraph separators, and characters that turn the direction of text.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class ContextFilter(logging.Filter):
    """Lets each record say which request it belongs to, and which task."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add `request_id` and `task_id`, empty without one.

        A refused request (an answer of 400 to 499) loses its traceback. It is a fault of the
        visitor, and scanners, which send foreign hosts all day, would fill the log.
        """
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = None
        record.request_id = request_ids.current.get()
        record.task_id = getattr(getattr(current_task, "request", None), "id", None) or ""
        return True


class LineFormatter(logging.Formatter):
    """A line for people. A traceback follows on separate lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - of the base class
        """Return the line with control characters escaped, and with the request's id if it has one."""
        line = _CONTROLS.sub(_escape, super().formatMessage(record))
        request_id = getattr(record, "request_id", "")
        return f"{line} request={request_id}" if request_id else line


class JsonLineFormatter(JsonFormatter):
    """A JSON object a line. Its encoder escapes all characters that are not ASCII."""

    def __init__(self) -> None:
        super().__init__(
            "%(message)s",
            json_ensure_ascii=True,
            exc_info_as_array=True,
            stack_info_as_array=True,
        )

    def add_fields(
        self,
        log_data: dict[str, Any],
        record: logging.LogRecord,
        message_dict: dict[str, Any],
    ) -> None:
        """Add the moment in UTC, the level and the logger.

        Leave out empty ids and values that are no JSON.
        """
        super().add_fields(log_data, record, message_dict)
        for name in ("request_id", "task_id"):
            if not log_data.get(name):
                log_data.pop(name, None)
        log_data.pop("request", None)  # Django's own extra: an object, whose path may be anything
        log_data["at"] = datetime.fromtimestamp(record.created, UTC).isoformat(
            timespec="milliseconds"
        )
        log_data["level"] = record.levelname
        log_data["logger"] = record.name


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")
