"""Names of browsers."""

from __future__ import annotations

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


def browser_name(user_agent: str) -> str:
    """Return the browser and its system, such as "Firefox, Linux", or an empty text if both are unknown."""
    names = [
        next((name for sign, name in table if sign in user_agent), None)
        for table in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(name for name in names if name)
