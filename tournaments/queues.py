"""The queues of work, each declared once: settings, wake-ups, workers and figures take them from here."""

from enum import StrEnum


class Queue(StrEnum):
    """A queue of Celery. Work that must not wait for other work has its own."""

    # Flags and lost work: it waits for no other task.
    TICKS = "ticks"
    # Rounds, ratings, corrections.
    DEFAULT = "default"
    # Replies of the site's own bots, for which people wait.
    BUILTIN_REPLIES = "builtin-replies"
    # E-mails, Web Push and webhooks: a server of others that is slow holds only these.
    POST = "post"
    # Matches of the site's own bots, and long work that no user waits for.
    BUILTIN = "builtin"
    # Expensive tables of large events (`results.computations`), and pictures.
    PAGES = "pages"
    # Programs of authors: matches, replies to waiting people, who do not wait behind hundreds of
    # matches, and checks for waiting authors.
    BOTS = "bots"
    REPLIES = "replies"
    CHECKS = "checks"


# Queues whose workers need a sandbox.
SANDBOXED = (Queue.BOTS, Queue.REPLIES, Queue.CHECKS)
