"""`python -m seethrough` is the `seethrough` command."""

import sys

from seethrough.cli.exit_codes import STOPPED


def main() -> None:
    """Run the command line; Ctrl-C ends it in one way also while the program is being loaded."""
    try:
        # Imported here: loading takes long enough to be interrupted.
        from seethrough.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("seethrough: stopped; no report was written\n")
        sys.exit(STOPPED)
    finally:
        # Python ends by the signal itself, whatever the exit code says, if the interrupt came inside an exec of a text,
        # as data classes run when they are loaded; another such exec makes it forget.
        exec("")


if __name__ == "__main__":
    main()
