"""The site for programs: HTTP and JSON below `/api/v1`, on the services that the pages use (docs/reference/api.md)."""
