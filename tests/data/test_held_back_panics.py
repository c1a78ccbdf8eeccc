"""What readers print is kept off standard error while they read, and standard error is there again afterwards."""

import os

from seethrough.data.files.panics import end_holding_back, hold_back_panics


def test_what_is_printed_is_shown_afterwards_unless_reading_failed(capfd):
    with hold_back_panics():
        os.write(2, b"a warning\n")
        assert capfd.readouterr().err == ""
    assert capfd.readouterr().err == "a warning\n"


def test_a_reader_that_was_stopped_on_its_way_out_leaves_standard_error_to_others(capfd):
    stopped = hold_back_panics()
    stopped.__enter__()  # and Ctrl-C comes before it leaves
    os.write(2, b"insides\n")
    end_holding_back()
    os.write(2, b"stopped\n")
    assert capfd.readouterr().err == "stopped\n"
    stopped.__exit__(None, None, None)  # where the frame of the reader is cleared at last
    with hold_back_panics():
        os.write(2, b"later\n")
    assert capfd.readouterr().err == "later\n"
