"""Pages of the tool, made in a worker: one module a page, from answers of an exploration to a template."""
