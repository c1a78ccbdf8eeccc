"""Values that come out: frozen, plain, JSON out."""
