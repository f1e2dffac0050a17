from django.core import checks
from django.db import Error

from tournaments.services.bots import sandbox_status


@checks.register(checks.Tags.security, deploy=True)
def a_sandbox_for_bots(**_: object) -> list[checks.CheckMessage]:
    try:
        machines = sandbox_status.machines_without()
    except Error:
        return []  # a database that is not there has nothing to tell
    reasons = "; ".join(f"{row.host}: {' '.join(row.report.split())}" for row in machines)
    if not machines:
        return []
    return [
        checks.Warning(
            f"Uploaded bots do not play: no machine has a working sandbox ({reasons}).",
            hint="docs/sandbox.md says what to do about each reason; `python -m engine sandbox` tries again.",
            id="tournaments.W001",
        )
    ]
