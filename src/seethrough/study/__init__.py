"""Studies: plans of experiments that expand into cells, computed once each and kept in a store."""
