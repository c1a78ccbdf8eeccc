"""`python -m seethrough` is the `seethrough` command."""

from seethrough.cli.main import main

if __name__ == "__main__":
    main()
