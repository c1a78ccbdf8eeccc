"""Folding texts: what looks alike to a reader becomes equal, however it is written.

Compatibility forms are made one (NFKC), invisible characters dropped, letters of other scripts that look like Latin
ones replaced by them, capitals made small, blanks joined. The skeleton of a text has its letters and digits alone.
"""

from collections.abc import Iterable

import polars as pl

_CYRILLIC = (
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u051b\u051d\u04bb\u043a\u043c\u0442\u0432\u043d",
    "aeopcyxijsdqwhkmtbh",
)
_CYRILLIC_CAPITALS = (
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408\u051a\u051c",
    "ABEKMHOPCTYXSIJQW",
)
_GREEK = ("\u03b1\u03bf\u03c1\u03bd\u03b9\u03ba\u03c5\u03c7\u03f2\u03f3", "aopvikyxcj")
_GREEK_CAPITALS = (
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
    "ABEZHIKMNOPTYX",
)
_OTHERS = ("\u0131\u0261\u017f\u2010\u2011\u2012\u2013\u2014\u2212\u2018\u2019\u201c\u201d", "igs------''\"\"")
LOOK_ALIKES = {
    theirs: latin
    for pair in (_CYRILLIC, _CYRILLIC_CAPITALS, _GREEK, _GREEK_CAPITALS, _OTHERS)
    for theirs, latin in zip(*pair, strict=True)
}
"""Letters and signs that look like Latin ones, and those."""
_INVISIBLE = r"[\p{Cf}\p{Cc}\p{Mn}\x{034F}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{2800}\x{3164}\x{FFA0}]"
"""Format and control characters, marks that join a letter, and letters without a shape."""


def visible_text(texts: pl.Expr) -> pl.Expr:
    """Drop what nobody sees; compatibility forms become plain ones, as full-width digits become digits."""
    # Blanks that are control characters stay blanks.
    plain = texts.str.normalize("NFKC").str.replace_all(r"\s+", " ")
    return plain.str.replace_all(_INVISIBLE, "").str.strip_chars()


def fold_text(texts: pl.Expr) -> pl.Expr:
    """Give texts that look alike one form."""
    shown = visible_text(texts).str.replace_many(list(LOOK_ALIKES), list(LOOK_ALIKES.values()))
    return shown.str.to_lowercase()


def skeleton(texts: pl.Expr) -> pl.Expr:
    """Keep letters and digits of the folded text."""
    return fold_text(texts).str.replace_all(r"[^\p{L}\p{N}]", "")


def fold_texts(texts: Iterable[str]) -> list[str]:
    """Fold texts that are at hand."""
    return (
        pl.Series(list(texts), dtype=pl.String).to_frame("text").select(fold_text(pl.col("text"))).to_series().to_list()
    )


def skeletons(texts: Iterable[str]) -> list[str]:
    """Give the letters and digits of texts that are at hand."""
    return (
        pl.Series(list(texts), dtype=pl.String).to_frame("text").select(skeleton(pl.col("text"))).to_series().to_list()
    )
