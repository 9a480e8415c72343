"""The database: schema, migrations and queries (SQLite through sqlite-utils)."""
