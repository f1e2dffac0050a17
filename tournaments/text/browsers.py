"""Browsers in words, by what they say of themselves."""

from __future__ import annotations

from django.utils.translation import gettext as _

# In this order: most browsers name others besides themselves.
_BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def words(user_agent: str) -> str:
    """The browser and its system, such as "Firefox, Linux"; of unknown ones the first word that they say."""
    names = [
        next((name for sign, name in table if sign in user_agent), None)
        for table in (_BROWSERS, _SYSTEMS)
    ]
    recognised = ", ".join(name for name in names if name)
    return recognised or user_agent.split(" ")[0][:40] or _("an unknown browser")
