"""Statistics of matches between two players."""
