"""``python -m workers.cli``: the ``catwalk`` command without its script."""

from workers.cli import main

main()
