"""LightGBM, which is loaded when it is used: it takes scikit-learn along, and a library that its package lacks."""

from types import ModuleType

from seethrough.errors import ConfigError

AS_TRAINED = {"keep_training_booster": True}
"""Trees are asked as they were grown: as it comes, LightGBM writes them down as a text and reads that again first."""


def load_lightgbm() -> ModuleType:
    """Import LightGBM, or name what the system lacks."""
    try:
        import lightgbm
    except OSError as error:  # the package brings no runtime of OpenMP
        raise ConfigError(
            f"LightGBM cannot be loaded ({error}): install the runtime of OpenMP, which is libgomp1 on Debian and "
            "Ubuntu, libgomp on Fedora, libomp on macOS"
        ) from error
    return lightgbm
