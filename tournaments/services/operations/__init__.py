"""What operators need: the state of the service, its work, backups, and proof that its data hold."""
