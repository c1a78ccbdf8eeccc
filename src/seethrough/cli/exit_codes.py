"""Exit codes of the `seethrough` command; 0 is success."""

LIMIT_BROKEN = 1
"""A limit that the user set is broken, or undecided because something could not be tested."""
NOT_VERIFIED = 1
"""A report is not what the tables give."""
INVALID_REQUEST = 2
"""Input or options are invalid."""
SOME_FAILED = 3
"""A check or an attack of an audit, or a cell of a study, failed."""
BUG = 70
"""Something that nobody foresaw went wrong in the program."""
OUT_OF_MEMORY = 71
"""There was not enough memory, or the system ended the process for want of it."""
OUTPUT_LOST = 74
"""Standard output could not be written: the disk is full, or it was closed."""
STOPPED_BY = 128
"""With the number of the signal added: a run that a signal stopped, as shells say it; 130 is Ctrl-C, 143 SIGTERM."""
