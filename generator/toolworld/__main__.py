"""``python -m toolworld`` is the ``toolworld`` command."""

from toolworld.system.ending import run_until_told


def main() -> None:
    """Run the command; Ctrl-C and SIGTERM are heeded while it is imported, too."""
    run_until_told(_run, _clear)


def _run() -> None:
    from toolworld.cli import run

    run()


def _clear() -> None:
    from toolworld.system.locks import remove_held
    from toolworld.system.temporary import remove_own

    remove_own()
    remove_held()


if __name__ == "__main__":
    main()
