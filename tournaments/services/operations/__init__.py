"""Data for operators: the state of the service, its work, backups, and proof that its data are sound."""
