"""Jobs, the Celery application and its tasks, and the command line."""
