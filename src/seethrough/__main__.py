"""`python -m seethrough` is the `seethrough` command."""

import sys
from pathlib import Path

from seethrough.cli.exit_codes import LIMIT_BROKEN, STOPPED_BY
from seethrough.system.signals import SIGNAL_OF_CTRL_C, raise_on_signals


def main() -> None:
    """Run the command line in a process that is watched (system/supervision.py)."""
    from seethrough.system.supervision import end_at_once, run_watched

    ending = run_watched(run_here)
    if ending is not None:
        # Imported only now: a watcher that is small is not the one that is killed where memory runs out.
        from seethrough.cli.endings import conclude

        sentence, code = conclude(ending)
        _say(sentence)
        end_at_once(code)


def run_here() -> None:
    """Run the command line; signals end it in one way also while the program is being loaded."""
    with raise_on_signals() as heard:
        try:
            from seethrough.system.own_process import settle_own_process

            settle_own_process()
            # Imported here: loading takes long enough to be interrupted.
            from seethrough.cli.main import main as run

            run()
        except KeyboardInterrupt as error:
            _stop(getattr(error, "number", SIGNAL_OF_CTRL_C))
        except SystemExit as error:
            # The parser of the command line ends Ctrl-C in its own way: in a code, of old that of a broken limit.
            if heard and not heard[0].is_told and error.code in (LIMIT_BROKEN, STOPPED_BY + SIGNAL_OF_CTRL_C):
                _stop(heard[0].number)
            raise
        finally:
            # Python ends by the signal itself, whatever the exit code says, if the interrupt came inside an exec of a
            # text, as data classes run when they are loaded; another such exec makes it forget.
            exec("")


def _stop(number: int) -> None:
    from seethrough.cli.endings import free_standard_error, stopped_sentence

    files = sys.modules.get("seethrough.results.whole_files")
    written: tuple[Path, ...] = files.written_files() if files else ()
    free_standard_error()
    _say(stopped_sentence(number, written))
    sys.exit(STOPPED_BY + number)


def _say(sentence: str) -> None:
    if sentence and sys.stderr is not None:
        try:
            sys.stderr.write(f"seethrough: {sentence}\n")
            sys.stderr.flush()
        except OSError:
            return  # nobody listens


if __name__ == "__main__":
    main()
