"""Use cases: one service, one transaction.

Views, tasks and commands parse, call one of these, and render.

Locks are taken in one order: event, players by ascending id, games, ratings. News goes out when the
transaction commits.
"""
