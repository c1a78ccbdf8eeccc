"""Settings that stand in labels: the epsilon of a generator, the number of queries of an attack."""


def setting(label: str, name: str) -> tuple[str, float] | None:
    """Find a setting in a label: what stands before it, and its value."""
    family, _, rest = label.partition(":")
    for part in rest.split(","):
        key, equals, value = part.partition("=")
        if equals and key.strip() == name:
            return family, float(value)
    return None


def families(labels: tuple[str, ...], name: str) -> dict[str, list[tuple[float, str]]]:
    """Group labels that have the setting by what stands before it, in the order of its values."""
    found: dict[str, list[tuple[float, str]]] = {}
    for label in labels:
        if place := setting(label, name):
            found.setdefault(place[0], []).append((place[1], label))
    return {family: sorted(members) for family, members in found.items()}
