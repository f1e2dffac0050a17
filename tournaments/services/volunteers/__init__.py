"""Volunteers' workers: enrolment, leases of matches, reports, checks of a random share, and trust."""
