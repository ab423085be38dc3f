"""``python -m toolworld`` is the ``toolworld`` command."""

from toolworld.cli import main

main()
