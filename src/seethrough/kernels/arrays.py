"""Short names for the arrays that numbers, codes and marks of records come in."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Single = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.floating]
"""Numbers of either precision."""
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.integer]
"""Levels, ranks or cells of records, as whole numbers of any width."""
Bools = npt.NDArray[np.bool_]
Values = npt.NDArray[np.generic]
"""Anything that a column may hold."""
