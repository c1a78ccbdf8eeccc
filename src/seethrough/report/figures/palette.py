"""Colours, marks and dashes of series: each differs in all three, so that nothing rests on colour alone."""

INK = "currentColor"
"""The colour of text around a drawing: dark on white in a file, light on dark in a dark page."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", INK, "#7F7F7F")
"""The palette of Okabe and Ito, which people with any of the common colour blindnesses tell apart; yellow left out."""
MARKS = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "x", "star")
DASHES = ("", "6 3", "2 3", "8 3 2 3", "12 4", "4 2", "1 4", "10 2 2 2")
REFERENCE_DASHES = ("5 4", "1.5 3")
BLACK, QUIET, WHITE = "#222222", "#777777", "#FFFFFF"
LOW, MIDDLE, HIGH = (33, 102, 172), (247, 247, 247), (178, 90, 0)
"""Ends and middle of the scale of heat maps: blue, white, brown, which stay apart without red or green."""


def look(place: int, *, is_quiet: bool = False) -> tuple[str, str, str]:
    """Give colour, mark and dash of the series at a place of the legend; a quiet one is grey."""
    turn = place // len(COLOURS)
    colour = QUIET if is_quiet else COLOURS[place % len(COLOURS)]
    return colour, MARKS[(place + turn) % len(MARKS)], DASHES[(place + turn) % len(DASHES)]


def shade(value: float) -> tuple[str, str]:
    """Give the colour of a value from 0 to 1, and that of ink which can be read on it."""
    ends = (LOW, MIDDLE) if value < 0.5 else (MIDDLE, HIGH)
    share = value * 2 if value < 0.5 else value * 2 - 1
    mixed = [round(a + (b - a) * min(max(share, 0.0), 1.0)) for a, b in zip(*ends, strict=True)]
    light = 0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2]
    return "#{:02X}{:02X}{:02X}".format(*mixed), WHITE if light < 130 else BLACK
