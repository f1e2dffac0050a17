"""The Django app. This file stays a docstring, so that the pure packages below it import without Django."""
