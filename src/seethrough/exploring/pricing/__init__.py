"""What a run costs: coefficients that benchmarks fitted (costs.toml), scaled to this machine by a short measurement."""
