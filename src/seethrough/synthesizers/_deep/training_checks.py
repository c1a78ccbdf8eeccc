"""What the deep generators refuse before they train, and what they remark."""

from seethrough.errors import ConfigError


def check_training(name: str, epochs: int, batch: int) -> None:
    """Refuse what is no training."""
    if epochs < 1:
        raise ConfigError(f"{name}.epochs is {epochs}; at least 1 is needed")
    if batch < 2:
        raise ConfigError(f"{name}.batch is {batch}; at least 2 rows are needed")


def check_rows(name: str, rows: int, batch: int) -> None:
    """Refuse a table that does not fill a batch."""
    if rows < batch:
        raise ConfigError(f"{name} learns from batches of {batch} rows, but the table has {rows}; set a smaller batch")


def training_notes(unsettled: tuple[str, ...]) -> tuple[str, ...]:
    """Say what went less than well while the modes of numbers were fitted."""
    if not unsettled:
        return ()
    return (f"the mixture of modes was still changing when its fit ended: {', '.join(unsettled)}",)
