"""House edges by exact enumeration and exact dynamic programming: never by simulation."""
