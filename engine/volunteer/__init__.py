"""A volunteer's worker: it plays matches under fuel for a site on another machine.

The site and the worker share the tasks and the check of transcripts (`tasks`). `site` speaks with the
API, and `worker` plays.
"""
