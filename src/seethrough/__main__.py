"""`python -m seethrough` is the `seethrough` command."""

import sys

STOPPED = 130


def main() -> None:
    """Run the command line; Ctrl-C ends it in one way also while the program is being loaded."""
    try:
        # Imported here: loading takes long enough to be interrupted.
        from seethrough.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("seethrough: stopped; no report was written\n")
        sys.exit(STOPPED)


if __name__ == "__main__":
    main()
