"""Load: how many games one machine plays, by a client that checks every answer."""
