"""The database: schema, migrations and queries (SQLite through sqlite-utils).

``database`` opens it, ``footage`` knows what has been recorded and recognised, ``audits`` stores rounds and findings,
``review`` answers what the pages ask, ``ledger`` is the append-only log with the decisions, ``users`` who may log in.
Every writing function is one transaction; every clock is passed in.
"""
