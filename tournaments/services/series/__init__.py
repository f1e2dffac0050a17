"""Series of events: their tables, their files and the changes by the organiser."""
