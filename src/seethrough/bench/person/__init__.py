"""One person against whole tables, by the encodings and roundings of the full searches."""
