"""Common parts of pages and the API: access to objects, and answers to refusals."""
