"""The operator's own words."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.models import SiteText


def texts() -> Mapping[str, str]:
    """Return the texts of the operator by kind. Missing ones are empty."""
    empty = dict.fromkeys(SiteText.Kind.values, "")
    return empty | dict(SiteText.objects.values_list("kind", "text"))
